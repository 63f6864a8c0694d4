// What the kernels of this folder share: the name of a BLAS function for the type of the data, and matrices of `size` rows.

#include "../kernel.h"

#ifdef BY_BLAS
// Parameters of its functions are called `N`, which `size` has from here on.
#undef N
#include <cblas.h>
#define CONCATENATED(prefix, name) prefix##name
#define EXPANDED(prefix, name) CONCATENATED(prefix, name)
// `PREFIX` is `cblas_d` for `double`, `cblas_s` for `float`.
#define BLAS(name) EXPANDED(PREFIX, name)
#endif

static DATA *matrix(int salt) {
  DATA *values = allocate(sizeof(DATA) * (size_t)size * size);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      values[(size_t)i * size + j] = datum(salt, i, j);
  return values;
}
