// x264 without its assembly: the same moving pictures at several presets.
#include "driver.h"
#include <stdint.h>
#include <x264.h>

enum { WIDTH = 352, HEIGHT = 288, PICTURES = 8 };

// A gradient that moves, under noise that stays.
static void draw(x264_picture_t *picture, int time) {
  for (int plane = 0; plane < 3; plane++) {
    const int shift = plane > 0;
    for (int i = 0; i < HEIGHT >> shift; i++)
      for (int j = 0; j < WIDTH >> shift; j++)
        picture->img.plane[plane][i * picture->img.i_stride[plane] + j] =
            (uint8_t)((i + 2 * j + 3 * time) / 4 % 160 + 64 * datum((unsigned)plane, (unsigned)((i / 4) * WIDTH + (j + time) / 4)));
  }
}

static size_t encode(const char *preset, x264_picture_t *pictures, uint8_t *film) {
  x264_param_t param;
  x264_param_default_preset(&param, preset, NULL);
  param.i_threads = 1, param.i_log_level = X264_LOG_NONE;
  param.i_width = WIDTH, param.i_height = HEIGHT, param.i_csp = X264_CSP_I420;
  x264_t *encoder = x264_encoder_open(&param);
  size_t size = 0;
  for (int time = 0; time < PICTURES || x264_encoder_delayed_frames(encoder) > 0; time++) {
    x264_nal_t *units;
    int count;
    x264_picture_t out, *in = time < PICTURES ? &pictures[time] : NULL;
    if (in)
      in->i_pts = time;
    int bytes = x264_encoder_encode(encoder, &units, &count, in, &out);
    if (bytes > 0)
      memcpy(film + size, units->p_payload, (size_t)bytes), size += (size_t)bytes;
  }
  x264_encoder_close(encoder);
  return size;
}

int main(void) {
  x264_picture_t pictures[PICTURES];
  for (int time = 0; time < PICTURES; time++) {
    x264_picture_alloc(&pictures[time], X264_CSP_I420, WIDTH, HEIGHT);
    draw(&pictures[time], time);
  }
  uint8_t *film = allocate(1 << 24);
  const char *const presets[] = {"ultrafast", "fast", "slow"};
  for (int p = 0; p < 3; p++) {
    size_t size = 0;
    MEASURE(, size = encode(presets[p], pictures, film), film, size, "encode %s", presets[p]);
  }
}
