#include "lapack_blocked.h"
#include "product.h"
#include "../core/threads.h"
#include <string.h>

enum { STRIP = 64 }; /* rows or columns that one task of a triangular solve takes */

/* A step of a factorisation or solve, as its tasks see it. */
struct step {
  const mn_lapack *lapack;
  size_t n, at, end; /* order; the diagonal block at .. end-1   */
  double *a;         /* n x n                                   */
  double *b;         /* n x m                                   */
  size_t m;
  bool transposed;
  char *work; /* workers x space, for mn_gemm_serial */
  size_t space;
};

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t count_of(size_t n, size_t size)
{
  return n / size + (n % size > 0);
}

static mn_status take_work(mn_context *ctx, struct step *s, size_t depth)
{
  s->space = mn_gemm_space(MN_TILE, MN_TILE, depth);
  s->work = mn_scratch_raw(ctx, 1, mn_threads(ctx), s->space);
  MN_CHECK_ALLOC(s->work);
  return MN_OK;
}

/* Tile number `index` of a lower triangle, counted by rows. */
static void find_tile(size_t index, size_t *row, size_t *col)
{
  *row = 0;
  while (index > *row) index -= ++*row;
  *col = index;
}

/* Rows below the diagonal block: A21 := A21 inv(L11'). In column-major eyes U' X = A21', with U = L11'. */
static void solve_strip(void *work, size_t strip, size_t worker)
{
  (void)worker;
  const struct step *s = work;
  const size_t row = s->end + strip * STRIP;
  const int width = (int)(s->end - s->at), rows = (int)least(STRIP, s->n - row), stride = (int)s->n;
  const double one = 1;
  s->lapack->dtrsm("L", "U", "T", "N", &width, &rows, &one, s->a + s->at * s->n + s->at, &stride,
                   s->a + row * s->n + s->at, &stride, 1, 1, 1, 1);
}

/* A22 -= L21 L21', one tile of its lower triangle. */
static void update_tile(void *work, size_t index, size_t worker)
{
  const struct step *s = work;
  size_t i, j;
  find_tile(index, &i, &j);
  i = s->end + i * MN_TILE;
  j = s->end + j * MN_TILE;
  mn_gemm_serial(false, true, least(MN_TILE, s->n - i), least(MN_TILE, s->n - j), s->end - s->at, -1,
                 s->a + i * s->n + s->at, s->n, s->a + j * s->n + s->at, s->n, 1, s->a + i * s->n + j, s->n,
                 s->work + worker * s->space);
}

mn_status mn_blocked_chol(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a, size_t *minor)
{
  struct step s = { .lapack = lapack, .n = n, .a = a };
  const int stride = (int)n;
  MN_TRY(take_work(ctx, &s, MN_TILE));
  for (s.at = 0; s.at < n; s.at = s.end) {
    s.end = least(s.at + MN_TILE, n);
    const int width = (int)(s.end - s.at);
    int info;
    lapack->dpotrf("U", &width, a + s.at * n + s.at, &stride, &info, 1);
    if (info > 0) {
      *minor = s.at + (size_t)info;
      return MN_OK;
    }
    const size_t left = n - s.end, count = count_of(left, MN_TILE);
    MN_TRY(mn_parallel(ctx, count_of(left, STRIP), solve_strip, &s));
    MN_TRY(mn_parallel(ctx, count * (count + 1) / 2, update_tile, &s));
  }
  return MN_OK;
}

/* The diagonal block applied to a strip of columns of B. In column-major eyes X U = B', or X U' = B'. */
static void solve_columns(void *work, size_t strip, size_t worker)
{
  (void)worker;
  const struct step *s = work;
  const size_t col = strip * STRIP;
  const int width = (int)(s->end - s->at), cols = (int)least(STRIP, s->m - col);
  const int stride = (int)s->n, b_stride = (int)s->m;
  const double one = 1;
  s->lapack->dtrsm("R", "U", s->transposed ? "T" : "N", "N", &cols, &width, &one, s->a + s->at * s->n + s->at, &stride,
                   s->b + s->at * s->m + col, &b_stride, 1, 1, 1, 1);
}

static mn_status solve_block(mn_context *ctx, struct step *s)
{
  return mn_parallel(ctx, count_of(s->m, STRIP), solve_columns, s);
}

mn_status mn_blocked_lower(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b)
{
  struct step s = { .lapack = lapack, .n = n, .a = (double *)l, .b = b, .m = m }; /* read only */
  for (s.at = 0; s.at < n; s.at = s.end) {
    s.end = least(s.at + MN_TILE, n);
    MN_TRY(mn_gemm(ctx, false, false, s.end - s.at, m, s.at, -1, l + s.at * n, n, b, m, 1, b + s.at * m, m));
    MN_TRY(solve_block(ctx, &s));
  }
  return MN_OK;
}

mn_status mn_blocked_upper(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b)
{
  struct step s = { .lapack = lapack, .n = n, .a = (double *)l, .b = b, .m = m, .transposed = true };
  for (size_t tile = count_of(n, MN_TILE); tile-- > 0;) {
    s.at = tile * MN_TILE;
    s.end = least(s.at + MN_TILE, n);
    MN_TRY(mn_gemm(ctx, true, false, s.end - s.at, m, n - s.end, -1, l + s.end * n + s.at, n, b + s.end * m, m, 1,
                   b + s.at * m, m));
    MN_TRY(solve_block(ctx, &s));
  }
  return MN_OK;
}

/* Column tile `col` of W = inv(L), from its diagonal block down: W_i = inv(L_ii) (I_i - L_i,col..i-1 W_col..i-1). */
static void invert_column(void *work, size_t col, size_t worker)
{
  const struct step *s = work;
  const size_t n = s->n, first = col * MN_TILE;
  const int cols = (int)least(MN_TILE, n - first), stride = (int)n;
  const double one = 1;
  double *const w = s->b + first;
  for (size_t i = first; i < n; i += MN_TILE) {
    const size_t height = least(MN_TILE, n - i);
    const int rows = (int)height;
    mn_gemm_serial(false, false, height, (size_t)cols, i - first, -1, s->a + i * n + first, n, w + first * n, n, 0,
                   w + i * n, n, s->work + worker * s->space);
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
  i *= MN_TILE;
  j *= MN_TILE;
  mn_gemm_serial(true, false, least(MN_TILE, n - i), least(MN_TILE, n - j), n - i, 1, s->b + i * n + i, n,
                 s->b + i * n + j, n, 0, s->a + i * n + j, n, s->work + worker * s->space);
}

mn_status mn_blocked_inverse(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a)
{
  struct step s = { .lapack = lapack, .n = n, .a = a, .m = n };
  MN_CHECK_ALLOC(s.b = MN_RAW(ctx, double, n, n));
  MN_TRY(take_work(ctx, &s, n));
  const size_t count = count_of(n, MN_TILE);
  MN_TRY(mn_parallel(ctx, count, invert_column, &s));
  return mn_parallel(ctx, count * (count + 1) / 2, square_tile, &s);
}
