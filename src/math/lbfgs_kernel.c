#include "lbfgs_kernel.h"

/* Clones are chosen before ThreadSanitizer is ready, which crashes it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define MN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MN_CLONES
#endif

MN_CLONES
void mn_lbfgs_add(size_t n, double factor, const double *restrict from, double *restrict to)
{
  for (size_t i = 0; i < n; i++) to[i] += factor * from[i];
}

MN_CLONES
double mn_lbfgs_dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
