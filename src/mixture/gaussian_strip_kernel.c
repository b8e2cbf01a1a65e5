#include "gaussian_strip_kernel.h"
#include "../core/cpu.h"
#include "gaussian_kernel.h"

#define UNROLL _Pragma("GCC unroll 16")

#define TARGET
#define BYTES 16
#define NAME(x) x##_baseline
#include "gaussian_tile.h"

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,fma")))
#define BYTES 32
#define NAME(x) x##_avx2
#include "gaussian_tile.h"
#define TARGET __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))
#define BYTES 64
#define NAME(x) x##_avx512
#include "gaussian_tile.h"
#endif

void mn_strip_densities(size_t n, size_t p, const double *x, const double *root, const double *offset, double start,
                        double *log_density)
{
#if defined(__x86_64__)
  if (mn_cpu() == MN_CPU_AVX512) {
    strip_densities_avx512(n, p, x, root, offset, start, log_density);
    return;
  }
  if (mn_cpu() == MN_CPU_AVX2) {
    strip_densities_avx2(n, p, x, root, offset, start, log_density);
    return;
  }
#endif
  strip_densities_baseline(n, p, x, root, offset, start, log_density);
}

void mn_strip_products(size_t n, size_t p, const double *w, const double *x, double *sums)
{
#if defined(__x86_64__)
  if (mn_cpu() == MN_CPU_AVX512) {
    strip_products_avx512(n, p, w, x, sums);
    return;
  }
  if (mn_cpu() == MN_CPU_AVX2) {
    strip_products_avx2(n, p, w, x, sums);
    return;
  }
#endif
  strip_products_baseline(n, p, w, x, sums);
}
