/* Canonical correlation analysis: pairs of scores of X and y with the largest correlation, uncorrelated with the
 * previous ones. With X = U_x S_x V_x', Y = U_y S_y V_y' and the singular value decomposition
 *
 *     U_x'U_y = A D B',     the scores are U_x A and U_y B up to scale, and D the correlations.
 *
 * The coefficients of X are the columns of G = V_x inv(S_x) A. The weights of X after deflation, of norm 1, are the Q
 * of G = Q R: the weights of component k have the smallest norm among the vectors that give its scores, and these
 * differ by the coefficients of the previous components. Scores, rotations and loadings follow:
 *
 *     t_k = U_x a_k / R_kk,     r_k = g_k / R_kk,     p_k = R_kk V_x S_x a_k
 *
 * Bjorck & Golub, Math. Comput. 27 (1973); Hotelling, Biometrika 28 (1936). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "pls.h"

/* Singular values of X or Y below this fraction of the largest count as 0, as in scikit-learn (2.2e-10). */
static const double least_singular = 1e6 * DBL_EPSILON;

/* U diag(s) V' of X or Y, up to its rank. */
struct factors {
  size_t cols, rank, width; /* width: columns of u, rows of vt */
  double *u, *s, *vt;
};

static mn_status factorize(mn_context *ctx, size_t n, const mn_pls_block *b, struct factors *f)
{
  *f = (struct factors){ .cols = b->cols, .width = n < b->cols ? n : b->cols };
  f->u = MN_RAW(ctx, double, n, f->width);
  f->s = MN_RAW(ctx, double, f->width, 1);
  f->vt = MN_RAW(ctx, double, f->width, f->cols);
  if (!f->u || !f->s || !f->vt) return MN_NO_MEMORY;
  MN_TRY(mn_svd(ctx, n, b->cols, b->at, f->u, f->s, f->vt));
  while (f->rank < f->width && f->s[f->rank] > least_singular * f->s[0]) f->rank++;
  return MN_OK;
}

/* Weights, rotations and loadings of one side. angles: k rows of f->rank values, the transposed A or B. */
static mn_status store(mn_context *ctx, const struct factors *f, size_t k, const double *angles, double square,
                       mn_pls_side *side)
{
  const size_t p = f->cols, stride = side->weights.cols;
  double *g = MN_NEW(ctx, double, p, k), *q = MN_RAW(ctx, double, p, k), *r = MN_RAW(ctx, double, k, k);
  double *loadings = MN_NEW(ctx, double, p, k);
  if (!g || !q || !r || !loadings) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++)
    for (size_t a = 0; a < f->rank; a++)
      for (size_t c = 0; c < k; c++) {
        const double part = f->vt[a * p + j] * angles[c * f->rank + a];
        g[j * k + c] += part / f->s[a];
        loadings[j * k + c] += part * f->s[a];
      }
  MN_TRY(mn_qr(ctx, p, k, g, q, r));
  for (size_t c = 0; c < k; c++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) {
      side->weights.at[j * stride + c] = q[j * k + c];
      side->rotations.at[j * stride + c] = g[j * k + c] / r[c * k + c];
      side->loadings.at[j * stride + c] = loadings[j * k + c] * r[c * k + c];
      sum += loadings[j * k + c] * loadings[j * k + c];
    }
    side->explained.at[c] = sum / square;
  }
  return MN_OK;
}

/* Rows of the transposed of the first k columns of a (rows x width). */
static void transpose_columns(size_t rows, size_t width, size_t k, const double *a, double *out)
{
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < rows; i++) out[c * rows + i] = a[i * width + c];
}

static mn_status correlate(mn_context *ctx, mn_pls_work *s, const struct factors *x, const struct factors *y)
{
  const size_t a = x->rank, b = y->rank, width = a < b ? a : b, k = s->k < width ? s->k : width;
  MN_TRY(mn_vector_init(ctx, &s->m->correlations, s->k));
  s->m->n_found = (int64_t)k;
  if (k == 0) return MN_OK;
  double *cross = MN_RAW(ctx, double, a, b), *left = MN_RAW(ctx, double, a, width), *d = MN_RAW(ctx, double, width, 1);
  double *right = MN_RAW(ctx, double, width, b), *angles = MN_RAW(ctx, double, k, a);
  if (!cross || !left || !d || !right || !angles) return MN_NO_MEMORY;
  MN_TRY(mn_gemm(ctx, true, false, a, b, s->rows, 1, x->u, x->width, y->u, y->width, 0, cross, b));
  MN_TRY(mn_svd(ctx, a, b, cross, left, d, right));
  transpose_columns(a, width, k, left, angles);
  for (size_t c = 0; c < k; c++) s->m->correlations.at[c] = fmin(d[c], 1);
  MN_TRY(store(ctx, x, k, angles, s->x.square, &s->m->x));
  return store(ctx, y, k, right, s->y.square, &s->m->y);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_pls *m = self;
  mn_pls_work s;
  struct factors x, y;
  MN_TRY(mn_pls_start(ctx, m, data, mn_pls_shortest(data), &s));
  MN_TRY(factorize(ctx, s.rows, &s.x, &x));
  MN_TRY(factorize(ctx, s.rows, &s.y, &y));
  MN_TRY(correlate(ctx, &s, &x, &y));
  mn_pls_fix_signs(m);
  return mn_pls_predictor(ctx, m);
}

static const mn_field fields[] = { MN_PLS_FIELDS, MN_END };

const mn_class mn_cca = {
  .name = "CCA",
  .family = "decomposition",
  .brief = "Canonical correlation analysis: paired scores of X and y of largest correlation.",
  .objective = "maximize cor(X r, y s), each pair uncorrelated with the previous ones",
  .source = "Hotelling, Biometrika 28 (1936); Bjorck & Golub, Math. Comput. 27 (1973)",
  .notes = "scores(X, y) gives the scores of both; correlations are the canonical correlations. Weights are those of "
           "scikit-learn's deflation, computed directly from singular values. Directions without variance are ignored, "
           "so more columns than rows always give correlations of 1: use PLSCanonical or fewer columns then.",
  .example = "local X = ml.normal(40, 4, 1)\n"
             "local Y = X:slice(1, 40, 1, 2) + ml.normal(40, 2, 2)\n"
             "local model = ml.CCA{ n_components = 2 }:fit(X, Y)\n"
             "print(model.correlations, model.x_rotations)",
  MN_PLS_REGRESSOR,
  .fields = fields,
  .fit = fit,
};
