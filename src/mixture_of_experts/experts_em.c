/* The two steps of EM for mixtures of regressions, on scaled data.
 *
 * E: r_ik = g_k(x_i) N(y_i | x_i b_k, s_k^2) / p(y_i | x_i).
 * M: each expert is fitted by least squares with weights w_i r_ik; s_k^2 is the residual variance, at least
 * min_variance, which bounds the likelihood. Gates: experts_gate.c. Logistic experts have no M step: experts_direct.c.
 *
 * Dempster, Laird & Rubin, J. R. Statist. Soc. B 39 (1977); De Veaux, Comput. Statist. Data Anal. 8 (1989). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include "experts.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 12 };

/* Root mean square of n values, `step` apart, about a center; 1 if all are equal to it. Does not overflow. */
static double root_mean_square(const mn_data *d, const double *value, size_t step, double center, double total)
{
  double largest = 0, sum = 0;
  for (size_t i = 0; i < d->rows; i++) largest = fmax(largest, fabs(value[i * step] - center));
  if (!(largest > 0)) return 1;
  for (size_t i = 0; i < d->rows; i++) {
    const double ratio = (value[i * step] - center) / largest;
    sum += mn_weight(d, i) * ratio * ratio;
  }
  return fmax(largest * sqrt(sum / total), DBL_MIN);
}

/* Running weighted means; the mean of a constant column is exact. */
static void find_centers(const mn_data *d, double *center, double *total)
{
  const size_t p = d->features;
  *total = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double w = mn_weight(d, i);
    *total += w;
    for (size_t j = 0; j < p; j++) center[j] += w / *total * (d->x.at[i * p + j] - center[j]);
    if (d->y.at) center[p] += w / *total * (d->y.at[i] - center[p]);
  }
}

static void scale_data(const mn_data *d, bool centered, mn_experts_problem *s)
{
  const size_t n = s->n, p = s->p;
  find_centers(d, s->center, &s->total);
  if (!centered) memset(s->center, 0, (p + 1) * sizeof *s->center);
  for (size_t j = 0; j < p; j++) s->scale[j] = root_mean_square(d, d->x.at + j, p, s->center[j], s->total);
  s->scale[p] = s->labels > 0 ? 1 : root_mean_square(d, d->y.at, 1, s->center[p], s->total);
  for (size_t i = 0; i < n; i++) {
    s->a[i * (p + 1)] = 1;
    for (size_t j = 0; j < p; j++) {
      const double z = (d->x.at[i * p + j] - s->center[j]) / s->scale[j];
      s->z[i * p + j] = s->a[i * (p + 1) + 1 + j] = z;
    }
    s->y[i] = s->labels > 0 ? 0 : (d->y.at[i] - s->center[p]) / s->scale[p];
  }
}

/* Rank of x, n x q. */
static mn_status compute_rank(mn_context *ctx, const mn_experts_problem *s, const double *x, size_t q, int64_t *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *coef = MN_RAW(ctx, double, q, 1), rss;
  mn_rank rank = { 0 };
  MN_CHECK_ALLOC(coef);
  const mn_rows rows = { .n = s->n, .p = q, .m = 1, .x = x, .y = s->y, .weights = s->data->weights };
  MN_TRY(mn_least_squares(ctx, &rows, 0, coef, &rss, &rank));
  *out = (int64_t)rank.rank;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_experts_prepare(mn_context *ctx, const mn_experts *m, const mn_data *data, mn_experts_problem *s)
{
  const size_t n = s->n = data->rows, p = s->p = data->features;
  const size_t max_classes = s->branching > s->labels ? s->branching : s->labels;
  s->data = data;
  s->q = p + m->fit_intercept;
  s->width = s->labels > 0 ? s->labels * s->q : s->q;
  s->min_variance = m->min_variance;
  s->gate_penalty = m->gate_penalty;
  /* With two classes the penalty is on the difference of their coefficients. */
  s->expert_penalty = s->labels == 2 ? 2 * m->expert_penalty : m->expert_penalty;
  s->equal_variance = m->equal_variance;
  s->blocks = mn_make_blocks(n, BLOCK_VALUES / (s->k + s->children) + 1, SIZE_MAX);
  s->z = MN_RAW(ctx, double, n, p);
  s->a = MN_RAW(ctx, double, n, p + 1);
  s->y = MN_RAW(ctx, double, n, 1);
  s->e = m->fit_intercept ? s->a : s->z;
  s->center = MN_NEW(ctx, double, p + 1, 1);
  s->scale = MN_RAW(ctx, double, p + 1, 1);
  s->r = MN_RAW(ctx, double, n, s->k);
  s->score = MN_RAW(ctx, double, n, s->children);
  s->u = MN_RAW(ctx, double, n, 1);
  s->label_score = MN_RAW(ctx, double, n, s->k * s->labels);
  s->target = MN_RAW(ctx, double, n, max_classes);
  s->residual = MN_RAW(ctx, double, n, max_classes);
  s->part = MN_RAW(ctx, double, s->blocks.count, 1);
  if (!s->z || !s->a || !s->y || !s->center || !s->scale || !s->r || !s->score || !s->u || !s->label_score ||
      !s->target || !s->residual || !s->part)
    return MN_NO_MEMORY;
  scale_data(data, m->fit_intercept, s);
  if (s->labels > 0) MN_TRY(compute_rank(ctx, s, s->e, s->q, &s->design_rank));
  return s->branching > 0 ? compute_rank(ctx, s, s->a, p + 1, &s->gate_rank) : MN_OK;
}

size_t mn_experts_state_size(const mn_experts_problem *p)
{
  return p->k * (p->width + 2) + p->children * (p->p + 1);
}

mn_status mn_experts_state_init(mn_context *ctx, const mn_experts_problem *p, mn_experts_state *s)
{
  s->b = MN_NEW(ctx, double, mn_experts_state_size(p), 1);
  MN_CHECK_ALLOC(s->b);
  s->variance = s->b + p->k * p->width;
  s->weight = s->variance + p->k;
  s->v = s->weight + p->k;
  s->floored = 0;
  return MN_OK;
}

void mn_experts_state_copy(const mn_experts_problem *p, const mn_experts_state *from, mn_experts_state *to)
{
  memcpy(to->b, from->b, mn_experts_state_size(p) * sizeof *to->b);
  to->floored = from->floored;
}

void mn_experts_gate_log_softmax(size_t n, size_t branching, size_t children, double *score)
{
  mn_row_log_softmax(n * (children / branching), branching, score); /* the children of a node are adjacent */
}

void mn_experts_add_along_paths(size_t branching, size_t children, double *score)
{
  for (size_t c = branching; c < children; c++) score[c] += score[c / branching - 1];
}

struct expect_work {
  const mn_experts_problem *p;
  const mn_experts_state *s;
  double *constant; /* k: terms that do not depend on the row */
};

/* Log density of each expert. For regression, `r` holds the means of the experts on entry. */
static void log_densities(const struct expect_work *w, size_t row, double *r)
{
  const mn_experts_problem *p = w->p;
  if (p->labels > 0) {
    mn_experts_label_densities(p, row, r);
    return;
  }
  for (size_t k = 0; k < p->k; k++) {
    const double residual = p->y[row] - r[k];
    r[k] = w->constant[k] - residual * residual / (2 * w->s->variance[k]);
  }
}

/* Responsibilities of one row, from log densities and log gate probabilities. Returns the log of their sum. */
static double expect_row(const struct expect_work *w, size_t row, double *r, const double *log_gate)
{
  const mn_experts_problem *p = w->p;
  double largest = -INFINITY, sum = 0;
  log_densities(w, row, r);
  for (size_t k = 0; k < p->k; k++) {
    r[k] += log_gate ? log_gate[k] : 0;
    largest = fmax(largest, r[k]);
  }
  for (size_t k = 0; k < p->k; k++) {
    r[k] = exp(r[k] - largest);
    sum += r[k];
  }
  for (size_t k = 0; k < p->k; k++) r[k] /= sum;
  return largest + log(fmax(sum, 1)); /* the largest term is 1 */
}

static void expect_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct expect_work *w = work;
  const mn_experts_problem *p = w->p;
  double loglik = 0;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++) {
    double *score = p->score + i * p->children;
    if (p->children > 0) {
      mn_experts_gate_log_softmax(1, p->branching, p->children, score);
      mn_experts_add_along_paths(p->branching, p->children, score);
    }
    const double *log_gate = p->children > 0 ? score + (p->children - p->k) : NULL;
    loglik += mn_weight(p->data, i) * expect_row(w, i, p->r + i * p->k, log_gate);
  }
  p->part[block] = loglik;
}

mn_status mn_experts_e_step(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s, double *loglik)
{
  const double two_pi = 6.28318530717958647693;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct expect_work w = { .p = p, .s = s, .constant = MN_RAW(ctx, double, p->k, 1) };
  MN_CHECK_ALLOC(w.constant);
  for (size_t k = 0; k < p->k; k++)
    w.constant[k] = -log(two_pi * s->variance[k]) / 2 + (p->children > 0 ? 0 : log(s->weight[k]));
  if (p->labels > 0)
    MN_TRY(mn_experts_label_scores(ctx, p, s));
  else
    MN_TRY(mn_gemm(ctx, false, true, p->n, p->k, p->q, 1, p->e, p->q, s->b, p->q, 0, p->r, p->k));
  if (p->children > 0)
    MN_TRY(mn_gemm(ctx, false, true, p->n, p->children, p->p + 1, 1, p->a, p->p + 1, s->v, p->p + 1, 0, p->score,
                   p->children));
  MN_TRY(mn_parallel(ctx, p->blocks.count, expect_block, &w));
  mn_sum_blocks(p->blocks.count, 1, p->part, loglik);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Fit one expert; `rss` is its weighted residual sum of squares. An expert without rows is left
 * as it is. */
static mn_status fit_expert(mn_context *ctx, mn_experts_problem *p, size_t k, double *b, double *total, double *rss)
{
  const mn_rows rows = { .n = p->n, .p = p->q, .m = 1, .x = p->e, .y = p->y, .weights = p->u };
  mn_rank rank = { 0 };
  *total = *rss = 0;
  for (size_t i = 0; i < p->n; i++) {
    p->u[i] = mn_weight(p->data, i) * p->r[i * p->k + k];
    *total += p->u[i];
  }
  if (!(*total > DBL_MIN)) return MN_OK;
  MN_TRY(mn_least_squares(ctx, &rows, 0, b, rss, &rank));
  p->expert_rank += (int64_t)rank.rank;
  return MN_OK;
}

static void set_variance(const mn_experts_problem *p, mn_experts_state *s, size_t k, double variance)
{
  s->variance[k] = fmax(variance, p->min_variance);
  s->floored += !(variance > p->min_variance);
}

mn_status mn_experts_m_step(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s)
{
  double rss, total, all = 0;
  p->expert_rank = 0;
  s->floored = 0;
  for (size_t k = 0; k < p->k; k++) {
    MN_TRY(fit_expert(ctx, p, k, s->b + k * p->width, &total, &rss));
    all += rss;
    s->weight[k] = total / p->total;
    if (!p->equal_variance) set_variance(p, s, k, total > DBL_MIN ? rss / total : 0);
  }
  for (size_t k = 0; p->equal_variance && k < p->k; k++) set_variance(p, s, k, all / p->total);
  return p->children > 0 ? mn_experts_fit_gates(ctx, p, s) : MN_OK;
}
