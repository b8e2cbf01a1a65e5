#include "deflation.h"
#include "../linalg/product.h"
#include <string.h>

/* A covariance of X and Y that is at most this fraction of |X| |Y| is rounding. */
static const double rounding = 1e-14;

struct component {
  double *w, *c, *t, *u, *p, *q; /* see pls.h */
  double *cross;                 /* p x q: X'Y */
  double *s, *left, *right;      /* singular values and vectors of X'Y */
};

static double square(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

static mn_status allocate(mn_context *ctx, const mn_pls_work *s, struct component *f)
{
  const size_t n = s->rows, p = s->x.cols, q = s->y.cols, shorter = p < q ? p : q;
  f->w = MN_RAW(ctx, double, p, 1);
  f->p = MN_RAW(ctx, double, p, 1);
  f->c = MN_RAW(ctx, double, q, 1);
  f->q = MN_RAW(ctx, double, q, 1);
  f->t = MN_RAW(ctx, double, n, 1);
  f->u = MN_RAW(ctx, double, n, 1);
  f->cross = MN_RAW(ctx, double, p, q);
  f->s = MN_RAW(ctx, double, shorter, 1);
  f->left = MN_RAW(ctx, double, p, shorter);
  f->right = MN_RAW(ctx, double, shorter, q);
  return f->w && f->p && f->c && f->q && f->t && f->u && f->cross && f->s && f->left && f->right ? MN_OK : MN_NO_MEMORY;
}

/* w and c: the first singular vectors of X'Y. *found: X and Y still have a covariance. */
static mn_status find_weights(mn_context *ctx, const mn_pls_work *s, struct component *f, bool *found)
{
  const size_t n = s->rows, p = s->x.cols, q = s->y.cols, shorter = p < q ? p : q;
  MN_TRY(mn_gemm(ctx, true, false, p, q, n, 1, s->x.at, p, s->y.at, q, 0, f->cross, q));
  *found = sqrt(square(p * q, f->cross)) > rounding * sqrt(s->x.square * s->y.square);
  if (!*found) return MN_OK;
  MN_TRY(mn_svd(ctx, p, q, f->cross, f->left, f->s, f->right));
  for (size_t j = 0; j < p; j++) f->w[j] = f->left[j * shorter];
  memcpy(f->c, f->right, q * sizeof *f->c);
  return MN_OK;
}

/* out = A'x / x'x */
static mn_status regress(mn_context *ctx, size_t n, size_t cols, const double *a, const double *x, double *out)
{
  return mn_gemv(ctx, true, n, cols, 1 / square(n, x), a, cols, x, 0, out);
}

static mn_status subtract(mn_context *ctx, size_t n, mn_pls_block *b, const double *scores, const double *loadings)
{
  return mn_gemm(ctx, false, false, n, b->cols, 1, -1, scores, 1, loadings, b->cols, 1, b->at, b->cols);
}

static void store(mn_matrix *m, size_t component, const double *values)
{
  for (size_t j = 0; j < m->rows; j++) m->at[j * m->cols + component] = values[j];
}

/* Rotation r_a = w_a - sum_{b < a} (p_b'w_a) r_b, since P'W is unit upper triangular. */
static void rotate(mn_pls_side *side, size_t a)
{
  const size_t k = side->weights.cols, rows = side->weights.rows;
  double *r = side->rotations.at;
  for (size_t j = 0; j < rows; j++) r[j * k + a] = side->weights.at[j * k + a];
  for (size_t b = 0; b < a; b++) {
    double along = 0;
    for (size_t j = 0; j < rows; j++) along += side->loadings.at[j * k + b] * side->weights.at[j * k + a];
    for (size_t j = 0; j < rows; j++) r[j * k + a] -= along * r[j * k + b];
  }
}

static double correlation(size_t n, const double *t, const double *u)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += t[i] * u[i];
  const double scale = sqrt(square(n, t) * square(n, u));
  return scale > 0 ? sum / scale : 0;
}

/* One component, which is subtracted from X and Y. */
static mn_status extract(mn_context *ctx, mn_pls_work *s, size_t a, bool canonical, struct component *f)
{
  const size_t n = s->rows, p = s->x.cols, q = s->y.cols;
  mn_pls *m = s->m;
  MN_TRY(mn_gemv(ctx, false, n, p, 1, s->x.at, p, f->w, 0, f->t));
  if (!canonical) MN_TRY(regress(ctx, n, q, s->y.at, f->t, f->c));
  MN_TRY(mn_gemv(ctx, false, n, q, 1 / square(q, f->c), s->y.at, q, f->c, 0, f->u));
  const double *y_scores = canonical ? f->u : f->t;
  MN_TRY(regress(ctx, n, p, s->x.at, f->t, f->p));
  MN_TRY(regress(ctx, n, q, s->y.at, y_scores, f->q));
  m->correlations.at[a] = correlation(n, f->t, f->u);
  MN_TRY(subtract(ctx, n, &s->x, f->t, f->p));
  MN_TRY(subtract(ctx, n, &s->y, y_scores, f->q));
  store(&m->x.weights, a, f->w);
  store(&m->x.loadings, a, f->p);
  store(&m->y.weights, a, f->c);
  store(&m->y.loadings, a, f->q);
  m->x.explained.at[a] = square(n, f->t) * square(p, f->p) / s->x.square;
  m->y.explained.at[a] = square(n, y_scores) * square(q, f->q) / s->y.square;
  rotate(&m->x, a);
  if (canonical) rotate(&m->y, a);
  return mn_poll(ctx);
}

mn_status mn_pls_deflate(mn_context *ctx, mn_pls_work *s, bool canonical)
{
  struct component f = { 0 };
  MN_TRY(allocate(ctx, s, &f));
  MN_TRY(mn_vector_init(ctx, &s->m->correlations, s->k));
  s->m->n_found = 0;
  for (size_t a = 0; a < s->k; a++) {
    bool found;
    MN_TRY(find_weights(ctx, s, &f, &found));
    if (!found) break;
    MN_TRY(extract(ctx, s, a, canonical, &f));
    s->m->n_found++;
  }
  return MN_OK;
}
