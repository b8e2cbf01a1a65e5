/* The objective with all effects of the columns of a state expanded, for fewer effects than rows.
 *
 * With v_f the prior variances of the q effects over s2, C their centered Gram matrix (centering is equivalent to a
 * flat prior on the intercept), c their centered products with y, and V = diag(v):
 *
 *     M = I + V^1/2 C V^1/2,    b = inv(M) V^1/2 c,    y' P y = y'y - b' V^1/2 c,
 *     |B| e' inv(B) e = W |M|,
 *     d(2 objective) / d log v_f = 1 - inv(M)_ff - (W - 1) b_f^2 / (y' P y + floor).
 *
 * C is computed once for a set of columns; then the rows are not needed. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "interaction.h"
#include <string.h>

size_t mn_interaction_count_effects(const mn_interaction_rows *rows, size_t k)
{
  return k + (rows->squares ? k * (k + 1) / 2 : k * (k - (k > 0)) / 2);
}

void mn_interaction_expand_row(const mn_interaction_state *s, bool squares, const double *z, double *out)
{
  size_t f = 0;
  for (size_t a = 0; a < s->k; a++) out[f++] = z[s->column[a]];
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = squares ? a : a + 1; b < s->k; b++) out[f++] = z[s->column[a]] * z[s->column[b]];
}

static mn_status expand_rows(mn_context *ctx, const mn_interaction_rows *rows, const mn_interaction_state *s, size_t q,
                             double **out)
{
  *out = MN_RAW(ctx, double, rows->n, q);
  MN_CHECK_ALLOC(*out);
  for (size_t i = 0; i < rows->n; i++) mn_interaction_expand_row(s, rows->squares, rows->z + i * rows->p, *out + i * q);
  return MN_OK;
}

/* Compute the Gram matrix of the effects and y, unless it already belongs to these columns. */
static mn_status update_gram(mn_interaction_problem *p, const mn_interaction_state *s, size_t q)
{
  mn_interaction_effects *e = &p->effects;
  if (e->valid && e->k == s->k && memcmp(e->column, s->column, s->k * sizeof *s->column) == 0) return MN_OK;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *values;
  e->valid = false;
  MN_TRY(expand_rows(p->ctx, &p->rows, s, q, &values));
  MN_TRY(mn_gram(p->ctx, p->rows.n, q, values, q, 1, p->rows.target, 1, p->rows.weights, true, NULL, e->mean, e->gram,
                 q + 1));
  mn_scratch_release(p->ctx, mark);
  memcpy(e->column, s->column, s->k * sizeof *s->column);
  e->k = s->k;
  e->valid = true;
  return MN_OK;
}

/* Roots of the prior variances of all effects. */
static void compute_prior_roots(const mn_interaction_rows *rows, const mn_interaction_state *s, double *root)
{
  const double omega = exp(s->log_omega);
  size_t f = 0;
  for (size_t a = 0; a < s->k; a++) root[f++] = sqrt(s->u[a]);
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = rows->squares ? a : a + 1; b < s->k; b++)
      root[f++] = a == b ? omega * s->u[a] * M_SQRT1_2 : omega * sqrt(s->u[a]) * sqrt(s->u[b]);
}

mn_status mn_interaction_solve_effects(mn_interaction_problem *p, const mn_interaction_state *s,
                                       mn_interaction_solution *t, size_t *minor)
{
  const size_t q = t->q = mn_interaction_count_effects(&p->rows, s->k);
  MN_TRY(update_gram(p, s, q));
  const double *gram = p->effects.gram;
  const size_t both = q + 1;
  t->l = MN_RAW(p->ctx, double, q, q);
  t->b = MN_RAW(p->ctx, double, q, 1);
  t->root = MN_RAW(p->ctx, double, q, 1);
  if (!t->l || !t->b || !t->root) return MN_NO_MEMORY;
  compute_prior_roots(&p->rows, s, t->root);
  for (size_t f = 0; f < q; f++) {
    for (size_t g = 0; g < q; g++) t->l[f * q + g] = t->root[f] * t->root[g] * gram[f * both + g];
    t->l[f * q + f] += 1;
    t->b[f] = t->root[f] * gram[f * both + q];
  }
  p->f.ypy = gram[q * both + q];
  MN_TRY(mn_chol_try(p->ctx, q, t->l, NULL, minor));
  if (*minor > 0) return MN_OK;
  MN_TRY(mn_chol_apply(p->ctx, q, 1, t->l, t->b));
  for (size_t f = 0; f < q; f++) p->f.ypy -= t->b[f] * t->root[f] * gram[f * both + q];
  p->f.ypy = fmax(p->f.ypy, 0);
  return MN_OK;
}

/* Derivatives by u and log omega, from those by log v. */
static mn_status compute_derivatives(mn_interaction_problem *p, const mn_interaction_state *s, size_t q,
                                     const mn_interaction_solution *t, double *d_u, double *d_log_omega)
{
  double *inverse = MN_RAW(p->ctx, double, q, q);
  const double scale = p->freedom / (p->f.ypy + p->floor);
  size_t f = 0;
  MN_CHECK_ALLOC(inverse);
  memcpy(inverse, t->l, q * q * sizeof *inverse);
  MN_TRY(mn_chol_inverse(p->ctx, q, inverse));
  for (size_t g = 0; g < q; g++)
    inverse[g] = 1 - inverse[g * q + g] - scale * t->b[g] * t->b[g]; /* derivatives by log v */
  *d_log_omega = 0;
  for (size_t a = 0; a < s->k; a++) d_u[a] = inverse[f++] / 2;
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = p->rows.squares ? a : a + 1; b < s->k; b++) {
      d_u[a] += inverse[f] / 2;
      d_u[b] += inverse[f] / 2;
      *d_log_omega += inverse[f++];
    }
  for (size_t a = 0; a < s->k; a++) d_u[a] /= s->u[a];
  return MN_OK;
}

mn_status mn_interaction_evaluate_effects(mn_interaction_problem *p, const mn_interaction_state *s, double *d_u,
                                          double *d_log_omega, double *likelihood)
{
  const size_t q = mn_interaction_count_effects(&p->rows, s->k);
  const mn_mark mark = mn_scratch_mark(p->ctx);
  mn_interaction_solution t;
  size_t minor;
  MN_TRY(mn_interaction_solve_effects(p, s, &t, &minor));
  *likelihood = INFINITY;
  if (minor == 0) {
    if (d_u) MN_TRY(compute_derivatives(p, s, q, &t, d_u, d_log_omega));
    *likelihood = p->freedom * log(p->f.ypy + p->floor) + mn_chol_logdet(q, t.l) + log(p->rows.total_weight);
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

/* T = inv(L) V^1/2 (centered effects)' D: q x n; also P y and the intercept. */
static mn_status compute_projection(mn_interaction_problem *p, const mn_interaction_state *s, double *t)
{
  const size_t n = p->rows.n, q = mn_interaction_count_effects(&p->rows, s->k);
  const double *root = p->rows.root, *mean = p->effects.mean;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  mn_interaction_solution l;
  size_t minor;
  double *values;
  MN_TRY(mn_interaction_solve_effects(p, s, &l, &minor));
  MN_TRY(expand_rows(p->ctx, &p->rows, s, q, &values));
  p->f.intercept = mean[q];
  for (size_t f = 0; f < q; f++) p->f.intercept -= l.b[f] * l.root[f] * mean[f];
  for (size_t i = 0; i < n; i++) {
    p->f.py[i] = p->rows.y[i] - root[i] * mean[q];
    for (size_t f = 0; f < q; f++) {
      t[f * n + i] = root[i] * l.root[f] * (values[i * q + f] - mean[f]);
      p->f.py[i] -= t[f * n + i] * l.b[f];
    }
  }
  MN_TRY(mn_chol_lower(p->ctx, q, n, l.l, t));
  mn_scratch_release(p->ctx, mark);
  return mn_poll(p->ctx);
}

/* P = I - e e' / W - T' T */
mn_status mn_interaction_projection(mn_interaction_problem *p, const mn_interaction_state *s, double *matrix)
{
  const size_t n = p->rows.n, q = mn_interaction_count_effects(&p->rows, s->k);
  const double *root = p->rows.root;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *t = MN_RAW(p->ctx, double, q, n);
  MN_CHECK_ALLOC(t);
  MN_TRY(compute_projection(p, s, t));
  if (matrix) {
    MN_TRY(mn_syrk(p->ctx, q, n, t, n, NULL, NULL, matrix, n));
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) matrix[i * n + j] = -matrix[i * n + j] - root[i] * root[j] / p->rows.total_weight;
      matrix[i * n + i] += 1;
    }
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

/* The requested effects of column j (main effect, products with `others`), times D: n x m. */
static void expand_column(const mn_interaction_rows *rows, size_t j, double main, size_t m, const size_t *others,
                          double *out)
{
  const size_t first = main != 0;
  for (size_t i = 0; i < rows->n; i++) {
    const double *z = rows->z + i * rows->p;
    double *row = out + i * m;
    if (first) row[0] = rows->root[i] * z[j];
    for (size_t c = first; c < m; c++) row[c] = rows->root[i] * z[j] * z[others[c - first]];
  }
}

/* sum over effects of factor (|effect|^2 - |U effect|^2). With U = [T; e' / sqrt W; sqrt(scale) (P y)'] this is the sum
 * of factor G, as P - scale (P y)(P y)' = I - U'U. */
static double weighted_sum(size_t n, size_t m, size_t rows, const double *values, const double *projected,
                           const double *factor)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < m; c++) sum += factor[c] * values[i * m + c] * values[i * m + c];
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < m; c++) sum -= factor[c] * projected[i * m + c] * projected[i * m + c];
  return sum;
}

mn_status mn_interaction_scores_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double main,
                                           const double *pair, double *score)
{
  const size_t n = p->rows.n, q = mn_interaction_count_effects(&p->rows, s->k);
  const double scale = p->freedom / (p->f.ypy + p->floor);
  const mn_mark mark = mn_scratch_mark(p->ctx);
  size_t m = 0, *others = MN_RAW(p->ctx, size_t, p->rows.p + 1, 1);
  double *factor = MN_RAW(p->ctx, double, p->rows.p + 1, 1), *u = MN_RAW(p->ctx, double, q + 2, n);
  if (!others || !factor || !u) return MN_NO_MEMORY;
  if (main != 0) factor[m++] = main;
  for (size_t i = 0; i < p->rows.p; i++) {
    if (pair[i] == 0) continue;
    others[m - (main != 0)] = i;
    factor[m++] = pair[i];
  }
  double *values = MN_RAW(p->ctx, double, n, m), *projected = MN_RAW(p->ctx, double, q + 2, m);
  if (!values || !projected) return MN_NO_MEMORY;
  MN_TRY(compute_projection(p, s, u));
  for (size_t i = 0; i < n; i++) {
    u[q * n + i] = p->rows.root[i] / sqrt(p->rows.total_weight);
    u[(q + 1) * n + i] = sqrt(scale) * p->f.py[i];
  }
  for (size_t j = 0; j < p->rows.p; j++) {
    expand_column(&p->rows, j, main, m, others, values);
    MN_TRY(mn_gemm(p->ctx, false, false, q + 2, m, n, 1, u, n, values, m, 0, projected, m));
    score[j] = weighted_sum(n, m, q + 2, values, projected, factor) / 2;
    MN_TRY(mn_poll(p->ctx));
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}
