#include "counts_kernel.h"

void mn_count_cells(size_t n, const uint32_t *base, const uint16_t *code, uint32_t stride, uint32_t *count)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const uint32_t a = base[i] + code[i] * stride, b = base[i + 1] + code[i + 1] * stride;
    const uint32_t c = base[i + 2] + code[i + 2] * stride, d = base[i + 3] + code[i + 3] * stride;
    count[a]++;
    count[b]++;
    count[c]++;
    count[d]++;
  }
  for (; i < n; i++) count[base[i] + code[i] * stride]++;
}

void mn_add_cells(size_t n, const uint32_t *base, const uint16_t *code, uint32_t stride, const double *weight,
                  double *sum)
{
  for (size_t i = 0; i < n; i++) sum[base[i] + code[i] * stride] += weight[i];
}
