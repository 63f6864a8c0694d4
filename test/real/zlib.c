// zlib: compression at several levels, decompression, and checksums.
#include "driver.h"
#include <zlib.h>

int main(void) {
  const uLong size = 400000;
  unsigned char *text = allocate(size), *back = allocate(size);
  for (uLong i = 0; i < size; i++)
    text[i] = (unsigned char)("the polyhedral model of a loop nest "[i % 36] + (datum(1, (unsigned)i) < 0.1));
  uLong bound = compressBound(size);
  unsigned char *packed = allocate(bound);
  for (int level = 1; level <= 9; level += 4) {
    uLong length, restored;
    MEASURE(length = bound, compress2(packed, &length, text, size, level), packed, length, "compress %d", level);
    MEASURE(restored = size, uncompress(back, &restored, packed, length), back, size, "uncompress %d", level);
  }
  uLong sum = 0;
  MEASURE(, sum = adler32(1, text, (uInt)size), &sum, sizeof sum, "adler32");
  MEASURE(, sum = crc32(0, text, (uInt)size), &sum, sizeof sum, "crc32");
}
