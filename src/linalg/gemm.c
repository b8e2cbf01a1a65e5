/* Single-threaded products: the five loops of BLIS around a micro-kernel (Van Zee & van de Geijn, ACM TOMS 41 (2015)),
 * and the choice of the micro-kernel for this CPU. */
#include "gemm.h"
#include "../core/cpu.h"
#include <stdbool.h>
#include <string.h>

/* Packing the left operand does not pay for at most this many panels of the right one; it is then read in place. */
enum { MAX_DIRECT_PANELS = 8 };

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

size_t mn_gemm_left_bytes(const mn_gemm_kernel *g, size_t m, size_t k)
{
  return mn_round_up(mn_min_size(mn_round_up(m, g->mr), g->mc) * mn_min_size(k, g->kc) * g->size, 64);
}

/* Split `total` into equal steps of at most max_step, each a multiple of `unit`, which avoids a thin remainder. */
static size_t even_step(size_t total, size_t max_step, size_t unit)
{
  if (total == 0) return unit;
  const size_t steps = (total + max_step - 1) / max_step;
  return mn_round_up((total + steps - 1) / steps, unit);
}

mn_operand mn_operand_block(const mn_gemm_kernel *g, mn_operand x, size_t i, size_t j)
{
  return (mn_operand){ (const char *)x.at + (i * x.row + j * x.col) * g->size, x.row, x.col };
}

struct steps {
  size_t m, n, k;
};

static struct steps make_steps(const mn_gemm_kernel *g, size_t m, size_t n, size_t k)
{
  return (struct steps){ even_step(m, g->mc, g->mr), even_step(n, g->nc, g->nr), even_step(k, g->kc, 1) };
}

/* Computed from the maximal steps, not the even ones, so that workspace for a block suffices for every smaller one. */
static size_t right_bytes(const mn_gemm_kernel *g, size_t n, size_t k)
{
  return mn_round_up(mn_min_size(mn_round_up(n, g->nr), g->nc) * mn_min_size(k, g->kc) * g->size, 64);
}

size_t mn_gemm_work_bytes(const mn_gemm_kernel *g, size_t m, size_t n, size_t k)
{
  return right_bytes(g, n, k) + mn_gemm_left_bytes(g, m, k);
}

/* The two innermost loops: a left block times a packed right one. The left one is packed if a.col is mr; its panels are
 * `panel` elements apart. */
static void multiply_panels(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                            size_t panel, const char *right, double beta, char *c, size_t ldc)
{
  for (size_t j = 0; j < n; j += g->nr)
    for (size_t i = 0; i < m; i += g->mr)
      g->tile(k, (const char *)a.at + i / g->mr * panel * g->size, a.row, a.col, right + j * k * g->size, alpha, beta,
              c + (i * ldc + j) * g->size, ldc, mn_min_size(m - i, g->mr), mn_min_size(n - j, g->nr));
}

/* Multiply one left block, read in place if few panels follow, packed otherwise. A last panel with missing rows is
 * always packed, so that nothing outside the matrix is read. */
static void multiply_left_block(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                                const char *right, double beta, char *c, size_t ldc, char *packed)
{
  const bool direct = a.col == 1 && n <= MAX_DIRECT_PANELS * g->nr;
  const size_t direct_rows = direct ? m / g->mr * g->mr : 0;
  multiply_panels(g, direct_rows, n, k, alpha, a, g->mr * a.row, right, beta, c, ldc);
  if (direct_rows == m) return;
  g->pack(m - direct_rows, k, mn_operand_block(g, a, direct_rows, 0).at, a.row, a.col, g->mr, packed);
  multiply_panels(g, m - direct_rows, n, k, alpha, (mn_operand){ packed, 1, g->mr }, g->mr * k, right, beta,
                  c + direct_rows * ldc * g->size, ldc);
}

void mn_gemm_block(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a, mn_operand b,
                   double beta, void *c, size_t ldc, void *work)
{
  if (alpha == 0) k = 0;
  const struct steps step = make_steps(g, m, n, k);
  char *right = work, *left = right + right_bytes(g, n, k), *out = c;
  for (size_t j = 0; j < n; j += step.n) {
    const size_t cols = mn_min_size(step.n, n - j);
    size_t l = 0;
    do { /* runs once even if k is 0, because beta must be applied */
      const size_t depth = mn_min_size(step.k, k - l);
      g->pack(cols, depth, mn_operand_block(g, b, l, j).at, b.col, b.row, g->nr, right);
      for (size_t i = 0; i < m; i += step.m)
        multiply_left_block(g, mn_min_size(step.m, m - i), cols, depth, alpha, mn_operand_block(g, a, i, l), right,
                            l == 0 ? beta : 1, out + (i * ldc + j) * g->size, ldc, left);
      l += depth;
    } while (l < k);
  }
}

size_t mn_gemm_packed_bytes(const mn_gemm_kernel *g, size_t n, size_t k)
{
  return mn_round_up(mn_round_up(n, g->nr) * k * g->size, 64);
}

void mn_gemm_pack(const mn_gemm_kernel *g, size_t n, size_t k, size_t from, size_t cols, mn_operand b, void *packed)
{
  const size_t step = even_step(k, g->kc, 1), padded = mn_round_up(n, g->nr);
  for (size_t l = 0; l < k; l += step) {
    const size_t depth = mn_min_size(step, k - l);
    g->pack(cols, depth, mn_operand_block(g, b, l, 0).at, b.col, b.row, g->nr,
            (char *)packed + (l * padded + from * depth) * g->size);
  }
}

void mn_gemm_packed(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                    const void *packed, size_t from, size_t cols, double beta, void *c, size_t ldc, void *work)
{
  const struct steps step = make_steps(g, m, n, k);
  const size_t padded = mn_round_up(n, g->nr);
  size_t l = 0;
  do {
    const size_t depth = mn_min_size(step.k, k - l);
    const char *right = (const char *)packed + (l * padded + from * depth) * g->size;
    for (size_t i = 0; i < m; i += step.m)
      multiply_left_block(g, mn_min_size(step.m, m - i), cols, depth, alpha, mn_operand_block(g, a, i, l), right,
                          l == 0 ? beta : 1, (char *)c + i * ldc * g->size, ldc, work);
    l += depth;
  } while (l < k);
}
