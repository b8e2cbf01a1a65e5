/* The evidence with all effects of the columns in a state written out, for as long as they are fewer than the rows.
 *
 * With v_f the prior variances of the q effects over s2, C their Gram matrix and c their products with y, all about the
 * means (which is what a flat constant comes to), V = diag(v):
 *
 *     M = I + V^1/2 C V^1/2,    b = inv(M) V^1/2 c,    y' P y = y'y - b' V^1/2 c,
 *     |B| e' inv(B) e = W |M|,
 *     d(2 objective) / d log v_f = 1 - inv(M)_ff - (W - 1) b_f^2 / (y' P y + floor).
 *
 * C is made once for a set of columns; then no rows are needed. */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "interaction.h"
#include <string.h>

size_t mn_interaction_count(const mn_interaction_rows *rows, size_t k)
{
  return k + (rows->squares ? k * (k + 1) / 2 : k * (k - (k > 0)) / 2);
}

void mn_interaction_write(const mn_interaction_state *s, bool squares, const double *z, double *out)
{
  size_t f = 0;
  for (size_t a = 0; a < s->k; a++) out[f++] = z[s->at[a]];
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = squares ? a : a + 1; b < s->k; b++) out[f++] = z[s->at[a]] * z[s->at[b]];
}

static mn_status write_out(mn_context *ctx, const mn_interaction_rows *rows, const mn_interaction_state *s, size_t q,
                           double **out)
{
  *out = MN_RAW(ctx, double, rows->n, q);
  MN_CHECK_ALLOC(*out);
  for (size_t i = 0; i < rows->n; i++) mn_interaction_write(s, rows->squares, rows->z + i * rows->p, *out + i * q);
  return MN_OK;
}

/* The Gram matrix of the effects and y, unless it is that of these columns already. */
static mn_status need_gram(mn_interaction_problem *p, const mn_interaction_state *s, size_t q)
{
  mn_interaction_effects *e = &p->effects;
  if (e->known && e->k == s->k && memcmp(e->at, s->at, s->k * sizeof *s->at) == 0) return MN_OK;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *values;
  e->known = false;
  MN_TRY(write_out(p->ctx, &p->rows, s, q, &values));
  MN_TRY(mn_gram(p->ctx, p->rows.n, q, values, q, 1, p->rows.target, 1, p->rows.weights, true, NULL, e->mean, e->gram,
                 q + 1));
  mn_scratch_release(p->ctx, mark);
  memcpy(e->at, s->at, s->k * sizeof *s->at);
  e->k = s->k;
  e->known = true;
  return MN_OK;
}

/* Roots of the prior variances. */
static void write_priors(const mn_interaction_rows *rows, const mn_interaction_state *s, double *root)
{
  const double omega = exp(s->log_omega);
  size_t f = 0;
  for (size_t a = 0; a < s->k; a++) root[f++] = sqrt(s->u[a]);
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = rows->squares ? a : a + 1; b < s->k; b++)
      root[f++] = a == b ? omega * s->u[a] * M_SQRT1_2 : omega * sqrt(s->u[a]) * sqrt(s->u[b]);
}

mn_status mn_interaction_solve(mn_interaction_problem *p, const mn_interaction_state *s, mn_interaction_solution *t,
                               size_t *minor)
{
  const size_t q = t->q = mn_interaction_count(&p->rows, s->k);
  MN_TRY(need_gram(p, s, q));
  const double *gram = p->effects.gram;
  const size_t both = q + 1;
  t->l = MN_RAW(p->ctx, double, q, q);
  t->b = MN_RAW(p->ctx, double, q, 1);
  t->root = MN_RAW(p->ctx, double, q, 1);
  if (!t->l || !t->b || !t->root) return MN_NO_MEMORY;
  write_priors(&p->rows, s, t->root);
  for (size_t f = 0; f < q; f++) {
    for (size_t g = 0; g < q; g++) t->l[f * q + g] = t->root[f] * t->root[g] * gram[f * both + g];
    t->l[f * q + f] += 1;
    t->b[f] = t->root[f] * gram[f * both + q];
  }
  p->f.rest = gram[q * both + q];
  MN_TRY(mn_chol_try(p->ctx, q, t->l, NULL, minor));
  if (*minor > 0) return MN_OK;
  MN_TRY(mn_chol_apply(p->ctx, q, 1, t->l, t->b));
  for (size_t f = 0; f < q; f++) p->f.rest -= t->b[f] * t->root[f] * gram[f * both + q];
  p->f.rest = fmax(p->f.rest, 0);
  return MN_OK;
}

/* From the derivatives by log v to those by u and log omega. */
static mn_status derive(mn_interaction_problem *p, const mn_interaction_state *s, size_t q,
                        const mn_interaction_solution *t, double *by_u, double *by_omega)
{
  double *inverse = MN_RAW(p->ctx, double, q, q);
  const double share = p->freedom / (p->f.rest + p->floor);
  size_t f = 0;
  MN_CHECK_ALLOC(inverse);
  memcpy(inverse, t->l, q * q * sizeof *inverse);
  MN_TRY(mn_chol_inverse(p->ctx, q, inverse));
  for (size_t g = 0; g < q; g++) inverse[g] = 1 - inverse[g * q + g] - share * t->b[g] * t->b[g]; /* by log v */
  *by_omega = 0;
  for (size_t a = 0; a < s->k; a++) by_u[a] = inverse[f++] / 2;
  for (size_t a = 0; a < s->k; a++)
    for (size_t b = p->rows.squares ? a : a + 1; b < s->k; b++) {
      by_u[a] += inverse[f] / 2;
      by_u[b] += inverse[f] / 2;
      *by_omega += inverse[f++];
    }
  for (size_t a = 0; a < s->k; a++) by_u[a] /= s->u[a];
  return MN_OK;
}

mn_status mn_interaction_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double *by_u,
                                    double *by_omega, double *likelihood)
{
  const size_t q = mn_interaction_count(&p->rows, s->k);
  const mn_mark mark = mn_scratch_mark(p->ctx);
  mn_interaction_solution t;
  size_t minor;
  MN_TRY(mn_interaction_solve(p, s, &t, &minor));
  *likelihood = INFINITY;
  if (minor == 0) {
    if (by_u) MN_TRY(derive(p, s, q, &t, by_u, by_omega));
    *likelihood = p->freedom * log(p->f.rest + p->floor) + mn_chol_logdet(q, t.l) + log(p->rows.weight);
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

/* T = inv(L) of the effects about their means, times D V^1/2: q x n; and P y, the constant. */
static mn_status project(mn_interaction_problem *p, const mn_interaction_state *s, double *t)
{
  const size_t n = p->rows.n, q = mn_interaction_count(&p->rows, s->k);
  const double *root = p->rows.root, *mean = p->effects.mean;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  mn_interaction_solution l;
  size_t minor;
  double *values;
  MN_TRY(mn_interaction_solve(p, s, &l, &minor));
  MN_TRY(write_out(p->ctx, &p->rows, s, q, &values));
  p->f.constant = mean[q];
  for (size_t f = 0; f < q; f++) p->f.constant -= l.b[f] * l.root[f] * mean[f];
  for (size_t i = 0; i < n; i++) {
    p->f.answer[i] = p->rows.y[i] - root[i] * mean[q];
    for (size_t f = 0; f < q; f++) {
      t[f * n + i] = root[i] * l.root[f] * (values[i * q + f] - mean[f]);
      p->f.answer[i] -= t[f * n + i] * l.b[f];
    }
  }
  MN_TRY(mn_chol_lower(p->ctx, q, n, l.l, t));
  mn_scratch_release(p->ctx, mark);
  return mn_poll(p->ctx);
}

/* P = I - e e' / W - T' T. */
mn_status mn_interaction_project(mn_interaction_problem *p, const mn_interaction_state *s, double *matrix)
{
  const size_t n = p->rows.n, q = mn_interaction_count(&p->rows, s->k);
  const double *root = p->rows.root;
  const mn_mark mark = mn_scratch_mark(p->ctx);
  double *t = MN_RAW(p->ctx, double, q, n);
  MN_CHECK_ALLOC(t);
  MN_TRY(project(p, s, t));
  if (matrix) {
    MN_TRY(mn_syrk(p->ctx, q, n, t, n, NULL, NULL, matrix, n));
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) matrix[i * n + j] = -matrix[i * n + j] - root[i] * root[j] / p->rows.weight;
      matrix[i * n + i] += 1;
    }
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}

/* The effects of column j that are asked for, times D: n x m. */
static void write_effects(const mn_interaction_rows *rows, size_t j, double alone, size_t m, const size_t *others,
                          double *out)
{
  const size_t first = alone != 0;
  for (size_t i = 0; i < rows->n; i++) {
    const double *z = rows->z + i * rows->p;
    double *row = out + i * m;
    if (first) row[0] = rows->root[i] * z[j];
    for (size_t c = first; c < m; c++) row[c] = rows->root[i] * z[j] * z[others[c - first]];
  }
}

/* sum over effects of factor (|effect|^2 - |U effect|^2): with U = [T; e' / sqrt W; sqrt share (P y)'] that is
 * factor G, as P - share (P y)(P y)' = I - U'U. */
static double weigh(size_t n, size_t m, size_t rows, const double *values, const double *turned, const double *factor)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < m; c++) sum += factor[c] * values[i * m + c] * values[i * m + c];
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < m; c++) sum -= factor[c] * turned[i * m + c] * turned[i * m + c];
  return sum;
}

mn_status mn_interaction_scores_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double alone,
                                           const double *with, double *score)
{
  const size_t n = p->rows.n, q = mn_interaction_count(&p->rows, s->k);
  const double share = p->freedom / (p->f.rest + p->floor);
  const mn_mark mark = mn_scratch_mark(p->ctx);
  size_t m = 0, *others = MN_RAW(p->ctx, size_t, p->rows.p + 1, 1);
  double *factor = MN_RAW(p->ctx, double, p->rows.p + 1, 1), *u = MN_RAW(p->ctx, double, q + 2, n);
  if (!others || !factor || !u) return MN_NO_MEMORY;
  if (alone != 0) factor[m++] = alone;
  for (size_t i = 0; i < p->rows.p; i++) {
    if (with[i] == 0) continue;
    others[m - (alone != 0)] = i;
    factor[m++] = with[i];
  }
  double *values = MN_RAW(p->ctx, double, n, m), *turned = MN_RAW(p->ctx, double, q + 2, m);
  if (!values || !turned) return MN_NO_MEMORY;
  MN_TRY(project(p, s, u));
  for (size_t i = 0; i < n; i++) {
    u[q * n + i] = p->rows.root[i] / sqrt(p->rows.weight);
    u[(q + 1) * n + i] = sqrt(share) * p->f.answer[i];
  }
  for (size_t j = 0; j < p->rows.p; j++) {
    write_effects(&p->rows, j, alone, m, others, values);
    MN_TRY(mn_gemm(p->ctx, false, false, q + 2, m, n, 1, u, n, values, m, 0, turned, m));
    score[j] = weigh(n, m, q + 2, values, turned, factor) / 2;
    MN_TRY(mn_poll(p->ctx));
  }
  mn_scratch_release(p->ctx, mark);
  return MN_OK;
}
