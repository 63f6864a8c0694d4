// libjpeg-turbo without its assembly: images to memory and back, by several transforms and samplings.
#include "driver.h"
#include <stdio.h>
#include <jpeglib.h>

static unsigned long write_image(unsigned char **to, unsigned char *pixels, int size, int method, int sampling) {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  unsigned long bytes = 0;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  free(*to), *to = NULL;
  jpeg_mem_dest(&info, to, &bytes);
  info.image_width = size, info.image_height = size, info.input_components = 3, info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 85, TRUE);
  info.dct_method = method;
  info.comp_info[0].h_samp_factor = sampling, info.comp_info[0].v_samp_factor = sampling;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = pixels + (size_t)info.next_scanline * size * 3;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return bytes;
}

static void read_image(unsigned char *from, unsigned long bytes, unsigned char *pixels, int method, int scale) {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, from, bytes);
  jpeg_read_header(&info, TRUE);
  info.dct_method = method;
  info.scale_num = 1, info.scale_denom = scale;
  jpeg_start_decompress(&info);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels + (size_t)info.output_scanline * info.output_width * 3;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
}

int main(void) {
  const int size = 400;
  const size_t count = (size_t)size * size * 3;
  unsigned char *pixels = allocate(count), *back = allocate(count), *packed = NULL;
  for (size_t i = 0; i < count; i++)
    pixels[i] = (unsigned char)((i / 3 % size + i / 3 / size) % 200 + 16 * datum(1, (unsigned)i));
  const struct {
    const char *name;
    int method;
  } methods[] = {{"slow", JDCT_ISLOW}, {"fast", JDCT_IFAST}, {"float", JDCT_FLOAT}};
  for (int m = 0; m < 3; m++)
    for (int sampling = 1; sampling <= 2; sampling++) {
      unsigned long bytes = 0;
      MEASURE(, bytes = write_image(&packed, pixels, size, methods[m].method, sampling), packed, bytes, "write %s %d", methods[m].name, sampling);
      for (int scale = 1; scale <= 4; scale *= 2)
        MEASURE(, read_image(packed, bytes, back, methods[m].method, scale), back, count, "read %s %d 1/%d", methods[m].name, sampling, scale);
    }
}
