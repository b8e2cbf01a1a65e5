/* The five loops of BLIS around a micro-kernel (Van Zee & van de Geijn, ACM TOMS 41 (2015)), on one thread, and the
 * choice of the micro-kernel. */
#include "gemm.h"
#include "../core/cpu.h"
#include <stdbool.h>
#include <string.h>

/* Fewer panels of the right operand than this do not repay packing the left one: it is read where it lies. */
enum { PANELS_WORTH_PACKING = 8 };

const mn_product_kernels *mn_kernels(void)
{
#if defined(__x86_64__)
  switch (mn_cpu()) {
  case MN_CPU_AVX512: return &mn_kernels_avx512;
  case MN_CPU_AVX2: return &mn_kernels_avx2;
  default: break;
  }
#endif
  return &mn_kernels_baseline;
}

size_t mn_left_bytes(const mn_gemm_kernel *g, size_t m, size_t k)
{
  return mn_round_up(mn_least(mn_round_up(m, g->mr), g->mc) * mn_least(k, g->kc) * g->size, 64);
}

/* `total` in equal steps of at most `most`, each a multiple of `unit`: no thin rest at the end. */
static size_t even_step(size_t total, size_t most, size_t unit)
{
  if (total == 0) return unit;
  const size_t steps = (total + most - 1) / most;
  return mn_round_up((total + steps - 1) / steps, unit);
}

mn_operand mn_operand_from(const mn_gemm_kernel *g, mn_operand x, size_t i, size_t j)
{
  return (mn_operand){ (const char *)x.at + (i * x.row + j * x.col) * g->size, x.row, x.col };
}

struct steps {
  size_t m, n, k;
};

static struct steps steps_of(const mn_gemm_kernel *g, size_t m, size_t n, size_t k)
{
  return (struct steps){ even_step(m, g->mc, g->mr), even_step(n, g->nc, g->nr), even_step(k, g->kc, 1) };
}

/* From the largest steps, not the even ones: so that the space for a block serves every smaller one. */
static size_t right_bytes(const mn_gemm_kernel *g, size_t n, size_t k)
{
  return mn_round_up(mn_least(mn_round_up(n, g->nr), g->nc) * mn_least(k, g->kc) * g->size, 64);
}

size_t mn_gemm_bytes(const mn_gemm_kernel *g, size_t m, size_t n, size_t k)
{
  return right_bytes(g, n, k) + mn_left_bytes(g, m, k);
}

/* The two innermost loops: a packed right block times a left one. The left one is packed when `a.col` is its mr, with
 * panels `panel` elements apart. */
static void panels(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a, size_t panel,
                   const char *right, double beta, char *c, size_t ldc)
{
  for (size_t j = 0; j < n; j += g->nr)
    for (size_t i = 0; i < m; i += g->mr)
      g->tile(k, (const char *)a.at + i / g->mr * panel * g->size, a.row, a.col, right + j * k * g->size, alpha, beta,
              c + (i * ldc + j) * g->size, ldc, mn_least(m - i, g->mr), mn_least(n - j, g->nr));
}

/* One left block, read where it lies if it is to meet few panels, else packed. A last panel with missing rows is always
 * packed, so that nothing outside the matrix is read. */
static void left_block(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                       const char *right, double beta, char *c, size_t ldc, char *packed)
{
  const bool direct = a.col == 1 && n <= PANELS_WORTH_PACKING * g->nr;
  const size_t whole = direct ? m / g->mr * g->mr : 0;
  panels(g, whole, n, k, alpha, a, g->mr * a.row, right, beta, c, ldc);
  if (whole == m) return;
  g->pack(m - whole, k, mn_operand_from(g, a, whole, 0).at, a.row, a.col, g->mr, packed);
  panels(g, m - whole, n, k, alpha, (mn_operand){ packed, 1, g->mr }, g->mr * k, right, beta, c + whole * ldc * g->size,
         ldc);
}

void mn_gemm_block(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a, mn_operand b,
                   double beta, void *c, size_t ldc, void *work)
{
  if (alpha == 0) k = 0;
  const struct steps step = steps_of(g, m, n, k);
  char *right = work, *left = right + right_bytes(g, n, k), *out = c;
  for (size_t j = 0; j < n; j += step.n) {
    const size_t cols = mn_least(step.n, n - j);
    size_t l = 0;
    do { /* once even if k is 0: beta must be applied */
      const size_t depth = mn_least(step.k, k - l);
      g->pack(cols, depth, mn_operand_from(g, b, l, j).at, b.col, b.row, g->nr, right);
      for (size_t i = 0; i < m; i += step.m)
        left_block(g, mn_least(step.m, m - i), cols, depth, alpha, mn_operand_from(g, a, i, l), right,
                   l == 0 ? beta : 1, out + (i * ldc + j) * g->size, ldc, left);
      l += depth;
    } while (l < k);
  }
}

size_t mn_packed_bytes(const mn_gemm_kernel *g, size_t n, size_t k)
{
  return mn_round_up(mn_round_up(n, g->nr) * k * g->size, 64);
}

void mn_gemm_pack(const mn_gemm_kernel *g, size_t n, size_t k, size_t from, size_t cols, mn_operand b, void *packed)
{
  const size_t step = even_step(k, g->kc, 1), padded = mn_round_up(n, g->nr);
  for (size_t l = 0; l < k; l += step) {
    const size_t depth = mn_least(step, k - l);
    g->pack(cols, depth, mn_operand_from(g, b, l, 0).at, b.col, b.row, g->nr,
            (char *)packed + (l * padded + from * depth) * g->size);
  }
}

void mn_gemm_packed(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                    const void *packed, size_t from, size_t cols, double beta, void *c, size_t ldc, void *work)
{
  const struct steps step = steps_of(g, m, n, k);
  const size_t padded = mn_round_up(n, g->nr);
  size_t l = 0;
  do {
    const size_t depth = mn_least(step.k, k - l);
    const char *right = (const char *)packed + (l * padded + from * depth) * g->size;
    for (size_t i = 0; i < m; i += step.m)
      left_block(g, mn_least(step.m, m - i), cols, depth, alpha, mn_operand_from(g, a, i, l), right, l == 0 ? beta : 1,
                 (char *)c + i * ldc * g->size, ldc, work);
    l += depth;
  } while (l < k);
}
