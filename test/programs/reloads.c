// Bases and bounds that stores of bytes might overwrite, as far as LLVM knows: they do so in some calls.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOP __attribute__((noinline)) static void

struct image {
  int width, height;
  unsigned char *pixels;
};

LOOP halve(const struct image *a, struct image *b) {
  for (int y = 0; y < b->height; y++)
    for (int x = 0; x < b->width; x++)
      b->pixels[y * b->width + x] = (a->pixels[2 * y * a->width + 2 * x] + a->pixels[2 * y * a->width + 2 * x + 1]) >> 1;
}
// The base is loaded again behind the first store.
LOOP pairs(struct image *a, unsigned char low) {
  for (int x = 0; x < a->width; x++) {
    a->pixels[2 * x] = low;
    a->pixels[2 * x + 1] = 0;
  }
}
LOOP triples(struct image *a, const unsigned char *from) {
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++) {
      int i = y * a->width + x;
      a->pixels[3 * i] = from[i];
      a->pixels[3 * i + 1] = from[i] ^ 85;
      a->pixels[3 * i + 2] = from[i] + 3;
    }
}

static void report(const char *what, const struct image *image, const unsigned char *bytes, int n) {
  unsigned long sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + bytes[i];
  printf("%s %d %d %lx\n", what, image->width, image->height, sum);
}

int main(void) {
  unsigned char *from = malloc(40000), *to = malloc(40000);
  for (int i = 0; i < 40000; i++)
    from[i] = i * 7 + i / 13;
  for (int width = 0; width < 70; width += width < 20 ? 1 : 7)
    for (int height = 0; height < 40; height += 13) {
      memset(to, 1, 40000);
      struct image a = {2 * width, height, from}, b = {width, height, to};
      halve(&a, &b);
      report("halve", &b, to, 40000);
      pairs(&b, 77);
      report("pairs", &b, to, 40000);
      triples(&b, from);
      report("triples", &b, to, 40000);
      // The first pixels are the width, so that loops end early.
      static unsigned char zeros[4096];
      struct image self = {width, 1, NULL}, none = {2 * width, 1, zeros};
      self.pixels = (unsigned char *)&self.width;
      halve(&none, &self);
      report("halve", &self, (unsigned char *)&self.width, 4);
      self.width = width;
      pairs(&self, 1);
      report("pairs", &self, (unsigned char *)&self.width, 4);
    }
  return 0;
}
