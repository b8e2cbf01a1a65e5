/* Predictions of mixtures of experts. */
#include "../optim/brent.h"
#include "../linalg/ordered.h"
#include "../stats/special.h"
#include "../actions/interval.h"
#include "experts_predict.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 12 };

size_t mn_experts_count(const mn_experts *m)
{
  return m->base.classes ? m->coef.rows / mn_decisions(&m->base) : m->coef.rows;
}

double *mn_experts_log_gates(const mn_experts *m, const double *row, double *score)
{
  const size_t p = m->coef.cols, children = m->gate_coef.rows;
  for (size_t c = 0; c < children; c++)
    score[c] = m->gate_intercept.at[c] + mn_ordered_dot(p, row, m->gate_coef.at + c * p);
  mn_experts_gate_log_softmax(1, (size_t)m->branching, children, score);
  mn_experts_add_along_paths((size_t)m->branching, children, score);
  return score + (children - mn_experts_count(m));
}

/* Probabilities of the experts at a row; `score` is workspace for the children. */
static const double *gate_proba(const mn_experts *m, const double *row, double *score)
{
  if (m->gate_coef.rows == 0) return m->weights.at;
  double *share = mn_experts_log_gates(m, row, score);
  for (size_t e = 0; e < mn_experts_count(m); e++) share[e] = exp(share[e]);
  return share;
}

static double expert_mean(const mn_experts *m, const double *row, size_t k)
{
  return m->intercept.at[k] + mn_ordered_dot(m->coef.cols, row, m->coef.at + k * m->coef.cols);
}

mn_status mn_experts_run_blocks(mn_context *ctx, mn_experts_row_task *w, mn_task task)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  w->blocks = mn_make_blocks(w->data->rows, BLOCK_VALUES / w->width + 1, SIZE_MAX);
  w->workspace = MN_RAW(ctx, double, mn_threads(ctx), w->width);
  MN_CHECK_ALLOC(w->workspace);
  MN_TRY(mn_parallel(ctx, w->blocks.count, task, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void predict_block(void *work, size_t block, size_t worker)
{
  const mn_experts_row_task *w = work;
  const mn_experts *m = w->m;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *row = mn_row(&w->data->x, i), *share = gate_proba(m, row, w->workspace + worker * w->width);
    double sum = 0;
    for (size_t k = 0; k < m->coef.rows; k++) sum += share[k] * expert_mean(m, row, k);
    w->out[i] = sum;
  }
}

mn_status mn_experts_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_experts *m = self;
  mn_experts_row_task w = { .m = m, .data = data, .width = m->coef.rows + m->gate_coef.rows, .out = out->at };
  return mn_experts_run_blocks(ctx, &w, predict_block);
}

static void gates_block(void *work, size_t block, size_t worker)
{
  const mn_experts_row_task *w = work;
  const size_t k = mn_experts_count(w->m);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    memcpy(w->out + i * k, gate_proba(w->m, mn_row(&w->data->x, i), w->workspace + worker * w->width),
           k * sizeof *w->out);
}

mn_status mn_experts_gate_proba(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results)
{
  (void)options;
  const mn_experts *m = self;
  mn_matrix *out;
  MN_TRY(mn_result_matrix(ctx, results, "gate_proba", data->rows, mn_experts_count(m), &out));
  mn_experts_row_task w = { .m = m, .data = data, .width = m->coef.rows + m->gate_coef.rows, .out = out->at };
  return mn_experts_run_blocks(ctx, &w, gates_block);
}

mn_status mn_experts_predict_each(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  (void)options;
  const mn_experts *m = self;
  mn_matrix *out;
  MN_TRY(mn_result_matrix(ctx, results, "predict_each", data->rows, m->coef.rows, &out));
  for (size_t k = 0; k < m->coef.rows; k++)
    mn_ordered_dots(data->rows, data->features, data->x.at, m->coef.at + k * data->features, m->intercept.at[k],
                    out->at + k, m->coef.rows);
  return mn_poll(ctx);
}

/* Log of gate probability times density of each expert, into `joint`; returns the log of their sum. */
static double log_joint(const mn_experts *m, const double *row, double y, const double *share, double *joint)
{
  const double two_pi = 6.28318530717958647693;
  double largest = -INFINITY, sum = 0;
  for (size_t k = 0; k < m->coef.rows; k++) {
    const double residual = y - expert_mean(m, row, k), variance = m->variance.at[k];
    joint[k] = log(share[k]) - (log(two_pi * variance) + residual * residual / variance) / 2;
    largest = fmax(largest, joint[k]);
  }
  for (size_t k = 0; k < m->coef.rows; k++) sum += exp(joint[k] - largest);
  return largest + log(fmax(sum, 1)); /* the largest term is 1 */
}

mn_status mn_experts_posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  (void)options;
  const mn_experts *m = self;
  const size_t k = m->coef.rows;
  mn_matrix *out;
  mn_vector *density;
  double *score = MN_RAW(ctx, double, m->gate_coef.rows, 1);
  MN_CHECK_ALLOC(score);
  MN_TRY(mn_result_matrix(ctx, results, "responsibilities", data->rows, k, &out));
  MN_TRY(mn_result_vector(ctx, results, "log_density", data->rows, &density));
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    double *joint = mn_row(out, i);
    density->at[i] = log_joint(m, row, data->y.at[i], gate_proba(m, row, score), joint);
    for (size_t e = 0; e < k; e++) joint[e] = exp(joint[e] - density->at[i]);
  }
  return mn_poll(ctx);
}

struct row_mixture {
  size_t k;
  const double *share, *variance;
  double *mean;
  double target; /* probability whose quantile is sought */
};

static double cdf_minus_target(void *user, double y)
{
  const struct row_mixture *r = user;
  double sum = 0;
  for (size_t k = 0; k < r->k; k++) sum += r->share[k] * mn_normal_cdf((y - r->mean[k]) / sqrt(r->variance[k]));
  return sum - r->target;
}

/* A quantile of the mixture lies between those of its components. */
static mn_status mixture_quantile(mn_context *ctx, struct row_mixture *r, double level, double *value)
{
  const double z = mn_normal_quantile(level);
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < r->k; k++) {
    const double end = r->mean[k] + z * sqrt(r->variance[k]), tolerance = 1e-9 * (fabs(end) + sqrt(r->variance[k]));
    if (!(r->share[k] > 0)) continue;
    low = fmin(low, end - tolerance);
    high = fmax(high, end + tolerance);
  }
  r->target = level;
  return mn_brent_root(ctx, cdf_minus_target, r, low, high, 1e-12 * (fabs(low) + fabs(high)), value);
}

mn_status mn_experts_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  const mn_experts *m = self;
  const double tail = (1 - ((const mn_interval_options *)options)->level) / 2;
  const size_t n = data->rows, k = m->coef.rows;
  mn_intervals out;
  struct row_mixture r = { .k = k, .variance = m->variance.at, .mean = MN_RAW(ctx, double, k, 1) };
  double *score = MN_RAW(ctx, double, m->gate_coef.rows, 1);
  if (!r.mean || !score) return MN_NO_MEMORY;
  MN_TRY(mn_intervals_make(ctx, results, n, &out));
  for (size_t i = 0; i < n; i++) {
    const double *row = mn_row(&data->x, i);
    double square = 0;
    r.share = gate_proba(m, row, score);
    for (size_t e = 0; e < k; e++) {
      r.mean[e] = expert_mean(m, row, e);
      out.mean->at[i] += r.share[e] * r.mean[e];
    }
    for (size_t e = 0; e < k; e++)
      square += r.share[e] * (m->variance.at[e] + (r.mean[e] - out.mean->at[i]) * (r.mean[e] - out.mean->at[i]));
    out.std->at[i] = sqrt(square);
    MN_TRY(mixture_quantile(ctx, &r, tail, &out.low->at[i]));
    MN_TRY(mixture_quantile(ctx, &r, 1 - tail, &out.high->at[i]));
  }
  return mn_poll(ctx);
}

void mn_experts_export_gates(const mn_experts *m, mn_program *program)
{
  mn_program_reals(program, "gate_coef", m->gate_coef.rows * m->gate_coef.cols, m->gate_coef.at);
  mn_program_reals(program, "gate_intercept", m->gate_intercept.size, m->gate_intercept.at);
  mn_program_count(program, "children", m->gate_coef.rows);
  mn_program_count(program, "branching", (size_t)m->branching);
  mn_program_count(program, "nodes", m->gate_coef.rows / (size_t)m->branching);
  mn_program_code(program, "reals score[children] reals branch[branching]"
                           " for v < nodes {"
                           "   for j < branching {"
                           "     branch[j] = gate_intercept[v * branching + j]"
                           "       + dot(features, x, 0, gate_coef, (v * branching + j) * features)"
                           "   }"
                           "   log_softmax(branching, branch)"
                           "   for j < branching {"
                           "     score[v * branching + j] = branch[j]"
                           "     if v > 0 { score[v * branching + j] = branch[j] + score[v - 1] }"
                           "   }"
                           " }");
}

mn_status mn_experts_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const mn_experts *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_count(program, "experts", m->coef.rows);
  if (m->gate_coef.rows > 0) {
    mn_experts_export_gates(m, program);
    mn_program_code(program, "reals share[experts] for k < experts { share[k] = exp(score[children - experts + k]) }");
  } else {
    mn_program_reals(program, "share", m->weights.size, m->weights.at);
  }
  mn_program_code(program, "real sum = 0.0"
                           " for k < experts {"
                           "   sum += share[k] * (intercept[k] + dot(features, x, 0, coef, k * features))"
                           " }"
                           " out[0] = sum");
  return MN_OK;
}

mn_status mn_experts_check(mn_context *ctx, const void *self)
{
  const mn_experts *m = self;
  const size_t k = mn_experts_count(m), children = m->gate_coef.rows, min_branching = m->base.classes ? 1 : 2;
  bool valid = k > 0 && (children > 0 ? m->branching >= (int64_t)min_branching && (uint64_t)m->branching <= children &&
                                            children % (size_t)m->branching == 0 &&
                                            children - children / (size_t)m->branching + 1 == k
                                      : m->weights.size == k);
  for (size_t e = 0; valid && e < m->variance.size; e++) valid = m->variance.at[e] > 0;
  for (size_t e = 0; valid && e < m->weights.size; e++) valid = m->weights.at[e] >= 0;
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the numbers of experts and gates are inconsistent", m->base.class->name);
}
