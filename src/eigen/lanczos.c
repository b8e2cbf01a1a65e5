#include "lanczos.h"
#include "../core/rng.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 8, SMALL_ORDER = 200 };

/* The rows of v are an orthonormal basis. The first `size` of them have been multiplied by A, and
 *
 *     A V' = V' H + Z' R E',    E' = the columns of the last block,
 *
 * where V and H have `size` rows and the BLOCK rows Z that follow are the next to be multiplied. */
struct lanczos {
  const mn_eigenproblem *p;
  size_t capacity;   /* rows that v can hold, with Z            */
  size_t size;       /* rows of H                               */
  double *v;         /* capacity x n                            */
  double *h;         /* capacity x capacity, symmetric          */
  double *r;         /* BLOCK x BLOCK: R                        */
  double *theta, *s; /* size; size x size: eigenpairs of H, a vector per row */
  double *product;   /* BLOCK x n: A times a block              */
  double *overlap;   /* BLOCK x capacity: products with the basis */
  double *rotated;   /* capacity x n: the basis after a restart */
  mn_rng random;
};

static void fill_randomly(mn_rng *random, size_t n, double *x)
{
  for (size_t i = 0; i < n; i++) x[i] = mn_random_normal(random);
}

/* x -= its parts along the rows of v[0..rows-1], twice, which makes it orthogonal to rounding error. */
static void remove_parts(size_t n, size_t rows, const double *v, double *x)
{
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < rows; i++) {
      const double part = mn_ordered_dot(n, v + i * n, x);
      for (size_t j = 0; j < n; j++) x[j] -= part * v[i * n + j];
    }
}

/* Write w (BLOCK x n), which is orthogonal to the first `rows` rows of the basis, as R' Z with Z the orthonormal rows
 * that follow them. A row that depends on the others is replaced by a random one, whose coefficients are 0. */
static void append_block(struct lanczos *l, size_t rows, double *w)
{
  const size_t n = l->p->n;
  double *z = l->v + rows * n, scale = 0;
  for (size_t i = 0; i < BLOCK; i++) scale = fmax(scale, mn_ordered_dot(n, w + i * n, w + i * n));
  memset(l->r, 0, BLOCK * BLOCK * sizeof *l->r);
  for (size_t i = 0; i < BLOCK; i++) {
    double *row = z + i * n;
    memcpy(row, w + i * n, n * sizeof *row);
    for (size_t k = 0; k < i; k++) l->r[k * BLOCK + i] = mn_ordered_dot(n, z + k * n, row);
    remove_parts(n, i, z, row);
    double norm = sqrt(mn_ordered_dot(n, row, row));
    const bool dependent = !(norm > 1e-13 * sqrt(scale));
    l->r[i * BLOCK + i] = dependent ? 0 : norm;
    if (dependent) {
      fill_randomly(&l->random, n, row);
      remove_parts(n, rows + i, l->v, row);
      norm = sqrt(mn_ordered_dot(n, row, row));
    }
    for (size_t j = 0; j < n; j++) row[j] /= norm;
  }
}

/* w -= the parts along the first `rows` rows of the basis, which are left in overlap (BLOCK x rows). */
static mn_status project_out(mn_context *ctx, struct lanczos *l, size_t rows, double *w)
{
  const size_t n = l->p->n;
  MN_TRY(mn_gemm(ctx, false, true, BLOCK, rows, n, 1, w, n, l->v, n, 0, l->overlap, rows));
  return mn_gemm(ctx, false, false, BLOCK, n, rows, -1, l->overlap, rows, l->v, n, 1, w, n);
}

/* Multiply the block Z by A, extend H by it, and append the next block. */
static mn_status extend(mn_context *ctx, struct lanczos *l)
{
  const size_t n = l->p->n, old = l->size, rows = old + BLOCK;
  MN_TRY(l->p->apply(ctx, l->p->user, BLOCK, l->v + old * n, l->product));
  MN_TRY(project_out(ctx, l, rows, l->product));
  for (size_t i = 0; i < BLOCK; i++)
    for (size_t j = 0; j <= old + i; j++)
      l->h[(old + i) * l->capacity + j] = l->h[j * l->capacity + old + i] = l->overlap[i * rows + j];
  MN_TRY(project_out(ctx, l, rows, l->product));
  append_block(l, rows, l->product);
  l->size = rows;
  return mn_poll(ctx);
}

/* The pairs of H at the wanted end: `count` of them. */
static mn_status solve_projected(mn_context *ctx, struct lanczos *l, size_t count)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *a = MN_RAW(ctx, double, l->size, l->size);
  MN_CHECK_ALLOC(a);
  for (size_t i = 0; i < l->size; i++) memcpy(a + i * l->size, l->h + i * l->capacity, l->size * sizeof *a);
  MN_TRY(mn_eigh(ctx, l->size, count, l->p->end, a, l->theta, l->s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* |A v - theta v| of pair i: |R E's|. */
static double residual(const struct lanczos *l, size_t i)
{
  const double *last = l->s + i * l->size + l->size - BLOCK;
  double sum = 0;
  for (size_t a = 0; a < BLOCK; a++) {
    double part = 0;
    for (size_t b = a; b < BLOCK; b++) part += l->r[a * BLOCK + b] * last[b];
    sum += part * part;
  }
  return sqrt(sum);
}

static bool has_converged(const struct lanczos *l)
{
  double largest = 0;
  for (size_t i = 0; i < l->p->k; i++) largest = fmax(largest, fabs(l->theta[i]));
  for (size_t i = 0; i < l->p->k; i++)
    if (!(residual(l, i) <= l->p->tolerance * largest)) return false;
  return true;
}

/* Keep `count` of the vectors found, and the next block: the basis of the next cycle. */
static mn_status restart(mn_context *ctx, struct lanczos *l, size_t count)
{
  const size_t n = l->p->n;
  MN_TRY(mn_gemm(ctx, false, false, count, n, l->size, 1, l->s, l->size, l->v, n, 0, l->rotated, n));
  memcpy(l->rotated + count * n, l->v + l->size * n, BLOCK * n * sizeof *l->v);
  double *other = l->v;
  l->v = l->rotated;
  l->rotated = other;
  memset(l->h, 0, l->capacity * l->capacity * sizeof *l->h);
  for (size_t i = 0; i < count; i++) l->h[i * l->capacity + i] = l->theta[i];
  l->size = count;
  return MN_OK;
}

static mn_status iterate(mn_context *ctx, struct lanczos *l, double *vectors, bool *converged)
{
  const size_t n = l->p->n, k = l->p->k, kept = k + BLOCK;
  double *start = l->product;
  fill_randomly(&l->random, BLOCK * n, start);
  append_block(l, 0, start);
  for (int64_t cycle = 0;; cycle++) {
    while (l->size + 2 * BLOCK <= l->capacity) MN_TRY(extend(ctx, l));
    MN_TRY(solve_projected(ctx, l, kept));
    *converged = has_converged(l);
    if (*converged || cycle >= l->p->max_iter) break;
    MN_TRY(restart(ctx, l, kept));
  }
  return mn_gemm(ctx, false, false, k, n, l->size, 1, l->s, l->size, l->v, n, 0, vectors, n);
}

/* The same through the full matrix. */
static mn_status solve_densely(mn_context *ctx, const mn_eigenproblem *p, double *values, double *vectors)
{
  const size_t n = p->n;
  double *identity = MN_NEW(ctx, double, n, n), *a = MN_RAW(ctx, double, n, n);
  if (!identity || !a) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) identity[i * n + i] = 1;
  MN_TRY(p->apply(ctx, p->user, n, identity, a));
  return mn_eigh(ctx, n, p->k, p->end, a, values, vectors);
}

static mn_status solve(mn_context *ctx, const mn_eigenproblem *p, double *values, double *vectors, bool *converged)
{
  struct lanczos l = { .p = p, .random = mn_stream(0, 0) };
  l.capacity = 3 * p->k + 4 * BLOCK;
  l.v = MN_RAW(ctx, double, l.capacity, p->n);
  l.rotated = MN_RAW(ctx, double, l.capacity, p->n);
  l.h = MN_NEW(ctx, double, l.capacity, l.capacity);
  l.r = MN_RAW(ctx, double, BLOCK, BLOCK);
  l.theta = MN_RAW(ctx, double, l.capacity, 1);
  l.s = MN_RAW(ctx, double, l.capacity, l.capacity);
  l.product = MN_RAW(ctx, double, BLOCK, p->n);
  l.overlap = MN_RAW(ctx, double, BLOCK, l.capacity);
  if (!l.v || !l.rotated || !l.h || !l.r || !l.theta || !l.s || !l.product || !l.overlap) return MN_NO_MEMORY;
  MN_TRY(iterate(ctx, &l, vectors, converged));
  memcpy(values, l.theta, p->k * sizeof *values);
  return MN_OK;
}

mn_status mn_eigs(mn_context *ctx, const mn_eigenproblem *p, double *values, double *vectors, bool *converged)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  *converged = true;
  if (p->k == 0) return MN_OK;
  if (p->n < SMALL_ORDER || 4 * p->k + 4 * BLOCK >= p->n)
    MN_TRY(solve_densely(ctx, p, values, vectors));
  else
    MN_TRY(solve(ctx, p, values, vectors, converged));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
