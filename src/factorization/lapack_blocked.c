#include "lapack_blocked.h"
#include "../linalg/product.h"
#include "../core/threads.h"
#include <string.h>

enum { STRIP = 64 }; /* rows or columns per task of a triangular solve */

/* The state of a factorization or solve that its tasks share. */
struct step {
  const mn_lapack *lapack;
  size_t n, begin, end; /* order; the diagonal block begin .. end-1 */
  double *a;            /* n x n                                   */
  double *b;            /* n x m                                   */
  double *inverse;      /* n x n                                   */
  size_t m;
  bool transposed;
  char *work; /* workers x work_size, for mn_gemm_serial */
  size_t work_size;
};

static size_t min_size(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t ceil_div(size_t n, size_t size)
{
  return n / size + (n % size > 0);
}

static mn_status allocate_work(mn_context *ctx, struct step *s, size_t depth)
{
  s->work_size = mn_gemm_serial_bytes(MN_CHOL_TILE, MN_CHOL_TILE, depth);
  s->work = mn_scratch_raw(ctx, 1, mn_threads(ctx), s->work_size);
  MN_CHECK_ALLOC(s->work);
  return MN_OK;
}

/* The row and column of tile `index` of a lower triangle, counted by rows. */
static void find_tile(size_t index, size_t *row, size_t *col)
{
  *row = 0;
  while (index > *row) index -= ++*row;
  *col = index;
}

/* Rows below the diagonal block: A21 := A21 inv(L11'). In column-major terms U' X = A21', with U = L11'. */
static void solve_strip(void *work, size_t strip, size_t worker)
{
  (void)worker;
  const struct step *s = work;
  const size_t row = s->end + strip * STRIP;
  const int width = (int)(s->end - s->begin), rows = (int)min_size(STRIP, s->n - row), stride = (int)s->n;
  const double one = 1;
  s->lapack->dtrsm("L", "U", "T", "N", &width, &rows, &one, s->a + s->begin * s->n + s->begin, &stride,
                   s->a + row * s->n + s->begin, &stride, 1, 1, 1, 1);
}

/* A22 -= L21 L21', one tile of its lower triangle. */
static void update_tile(void *work, size_t index, size_t worker)
{
  const struct step *s = work;
  size_t i, j;
  find_tile(index, &i, &j);
  i = s->end + i * MN_CHOL_TILE;
  j = s->end + j * MN_CHOL_TILE;
  mn_gemm_serial(false, true, min_size(MN_CHOL_TILE, s->n - i), min_size(MN_CHOL_TILE, s->n - j), s->end - s->begin, -1,
                 s->a + i * s->n + s->begin, s->n, s->a + j * s->n + s->begin, s->n, 1, s->a + i * s->n + j, s->n,
                 s->work + worker * s->work_size);
}

mn_status mn_blocked_chol(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a, size_t *minor)
{
  struct step s = { .lapack = lapack, .n = n, .a = a };
  const int stride = (int)n;
  MN_TRY(allocate_work(ctx, &s, MN_CHOL_TILE));
  for (s.begin = 0; s.begin < n; s.begin = s.end) {
    s.end = min_size(s.begin + MN_CHOL_TILE, n);
    const int width = (int)(s.end - s.begin);
    int info;
    lapack->dpotrf("U", &width, a + s.begin * n + s.begin, &stride, &info, 1);
    if (info > 0) {
      *minor = s.begin + (size_t)info;
      return MN_OK;
    }
    const size_t left = n - s.end, count = ceil_div(left, MN_CHOL_TILE);
    MN_TRY(mn_parallel(ctx, ceil_div(left, STRIP), solve_strip, &s));
    MN_TRY(mn_parallel(ctx, count * (count + 1) / 2, update_tile, &s));
  }
  return MN_OK;
}

/* Apply the inverse diagonal block to a strip of columns of B. In column-major terms X U = B', or X U' = B'. */
static void solve_columns(void *work, size_t strip, size_t worker)
{
  (void)worker;
  const struct step *s = work;
  const size_t col = strip * STRIP;
  const int width = (int)(s->end - s->begin), cols = (int)min_size(STRIP, s->m - col);
  const int stride = (int)s->n, b_stride = (int)s->m;
  const double one = 1;
  s->lapack->dtrsm("R", "U", s->transposed ? "T" : "N", "N", &cols, &width, &one, s->a + s->begin * s->n + s->begin,
                   &stride, s->b + s->begin * s->m + col, &b_stride, 1, 1, 1, 1);
}

static mn_status solve_block(mn_context *ctx, struct step *s)
{
  return mn_parallel(ctx, ceil_div(s->m, STRIP), solve_columns, s);
}

mn_status mn_blocked_lower(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b)
{
  struct step s = { .lapack = lapack, .n = n, .a = (double *)l, .b = b, .m = m }; /* read only */
  for (s.begin = 0; s.begin < n; s.begin = s.end) {
    s.end = min_size(s.begin + MN_CHOL_TILE, n);
    MN_TRY(
        mn_gemm(ctx, false, false, s.end - s.begin, m, s.begin, -1, l + s.begin * n, n, b, m, 1, b + s.begin * m, m));
    MN_TRY(solve_block(ctx, &s));
  }
  return MN_OK;
}

mn_status mn_blocked_upper(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b)
{
  struct step s = { .lapack = lapack, .n = n, .a = (double *)l, .b = b, .m = m, .transposed = true };
  for (size_t tile = ceil_div(n, MN_CHOL_TILE); tile-- > 0;) {
    s.begin = tile * MN_CHOL_TILE;
    s.end = min_size(s.begin + MN_CHOL_TILE, n);
    MN_TRY(mn_gemm(ctx, true, false, s.end - s.begin, m, n - s.end, -1, l + s.end * n + s.begin, n, b + s.end * m, m, 1,
                   b + s.begin * m, m));
    MN_TRY(solve_block(ctx, &s));
  }
  return MN_OK;
}

/* Column tile `col` of W = inv(L), from its diagonal block down: W_i = inv(L_ii) (I_i - L_i,col..i-1 W_col..i-1). */
static void invert_column(void *work, size_t col, size_t worker)
{
  const struct step *s = work;
  const size_t n = s->n, first = col * MN_CHOL_TILE;
  const int cols = (int)min_size(MN_CHOL_TILE, n - first), stride = (int)n;
  const double one = 1;
  double *const w = s->b + first;
  for (size_t i = first; i < n; i += MN_CHOL_TILE) {
    const size_t height = min_size(MN_CHOL_TILE, n - i);
    const int rows = (int)height;
    mn_gemm_serial(false, false, height, (size_t)cols, i - first, -1, s->a + i * n + first, n, w + first * n, n, 0,
                   w + i * n, n, s->work + worker * s->work_size);
    for (size_t j = 0; i == first && j < height; j++) w[(i + j) * n + j] = 1;
    s->lapack->dtrsm("R", "U", "N", "N", &cols, &rows, &one, s->a + i * n + i, &stride, w + i * n, &stride, 1, 1, 1, 1);
  }
}

/* A tile of W'W: rows of W above the lower one of the two tiles are 0. */
static void square_tile(void *work, size_t index, size_t worker)
{
  const struct step *s = work;
  const size_t n = s->n;
  size_t i, j;
  find_tile(index, &i, &j);
  i *= MN_CHOL_TILE;
  j *= MN_CHOL_TILE;
  mn_gemm_serial(true, false, min_size(MN_CHOL_TILE, n - i), min_size(MN_CHOL_TILE, n - j), n - i, 1, s->b + i * n + i,
                 n, s->b + i * n + j, n, 0, s->inverse + i * n + j, n, s->work + worker * s->work_size);
}

mn_status mn_blocked_inverse(mn_context *ctx, const mn_lapack *lapack, size_t n, const double *l, double *inverse)
{
  struct step s = { .lapack = lapack, .n = n, .a = (double *)l, .inverse = inverse, .m = n };
  MN_CHECK_ALLOC(s.b = MN_RAW(ctx, double, n, n));
  MN_TRY(allocate_work(ctx, &s, n));
  const size_t count = ceil_div(n, MN_CHOL_TILE);
  MN_TRY(mn_parallel(ctx, count, invert_column, &s));
  return mn_parallel(ctx, count * (count + 1) / 2, square_tile, &s);
}
