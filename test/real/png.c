// libpng: images of several kinds to memory and back.
#include "driver.h"
#include <png.h>

struct Memory {
  unsigned char *bytes;
  size_t size, position;
};

static void put(png_structp png, png_bytep data, png_size_t count) {
  struct Memory *to = png_get_io_ptr(png);
  memcpy(to->bytes + to->size, data, count);
  to->size += count;
}

static void get(png_structp png, png_bytep data, png_size_t count) {
  struct Memory *from = png_get_io_ptr(png);
  memcpy(data, from->bytes + from->position, count);
  from->position += count;
}

static void none(png_structp png) { (void)png; }

static void write_image(struct Memory *to, unsigned char *pixels, int size, int kind, int channels, int filter) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  to->size = 0;
  png_set_write_fn(png, to, put, none);
  png_set_IHDR(png, info, size, size, 8, kind, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 1);
  png_set_filter(png, 0, filter);
  png_write_info(png, info);
  for (int i = 0; i < size; i++)
    png_write_row(png, pixels + (size_t)i * size * channels);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
}

static void read_image(struct Memory *from, unsigned char *pixels, int size, int transformations) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  from->position = 0;
  png_set_read_fn(png, from, get);
  png_read_info(png, info);
  if (transformations) {
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_bgr(png);
    png_set_gamma(png, 2.2, 0.6);
    png_read_update_info(png, info);
  }
  const size_t row = png_get_rowbytes(png, info);
  for (int i = 0; i < size; i++)
    png_read_row(png, pixels + i * row, NULL);
  png_destroy_read_struct(&png, &info, NULL);
}

int main(void) {
  const struct {
    const char *name;
    int kind, channels;
  } kinds[] = {{"gray", PNG_COLOR_TYPE_GRAY, 1}, {"rgb", PNG_COLOR_TYPE_RGB, 3}, {"rgba", PNG_COLOR_TYPE_RGB_ALPHA, 4}};
  const struct {
    const char *name;
    int filter;
  } filters[] = {{"sub", PNG_FILTER_SUB}, {"up", PNG_FILTER_UP}, {"average", PNG_FILTER_AVG}, {"Paeth", PNG_FILTER_PAETH}, {"all", PNG_ALL_FILTERS}};
  const int size = 300;
  for (int k = 0; k < 3; k++) {
    const int channels = kinds[k].channels;
    const size_t bytes = (size_t)size * size * channels;
    unsigned char *pixels = allocate(bytes), *back = allocate((size_t)size * size * 4);
    for (size_t i = 0; i < bytes; i++)
      pixels[i] = (unsigned char)(i / 3 % 200 + 16 * datum(1, (unsigned)i));
    struct Memory memory = {allocate(2 * bytes + 100000), 0, 0};
    for (int f = 0; f < 5; f++) {
      MEASURE(, write_image(&memory, pixels, size, kinds[k].kind, channels, filters[f].filter), memory.bytes, memory.size, "write %s %s", kinds[k].name, filters[f].name);
      MEASURE(, read_image(&memory, back, size, 0), back, bytes, "read %s %s", kinds[k].name, filters[f].name);
    }
    MEASURE(, read_image(&memory, back, size, 1), back, (size_t)size * size * 4, "read and transform %s", kinds[k].name);
  }
}
