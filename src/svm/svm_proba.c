/* Class probabilities from decisions.
 *
 * The probability of the positive class is a sigmoid of the decision d with a slope on either side of the boundary,
 *
 *     p(d) = 1 / (1 + exp(-s d)),      s = s_below > 0 for d < 0,  s_above > 0 for d > 0,
 *
 * so that p > 1/2 where d > 0: probabilities agree with predictions. (Platt's sigmoid of s d + o does not, unless its
 * offset o is 0.) Each slope maximizes the likelihood of decisions on held-out rows of a cross-validation, with Platt's
 * targets (n_+ + 1) / (n_+ + 2) and 1 / (n_- + 2) in place of 1 and 0.
 *
 * Platt (1999); Lin, Lin & Weng, Machine Learning 68 (2007); Wu, Lin & Weng, JMLR 5 (2004). */
#include "../calibration/logistic_curve.h"
#include "../core/rng.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include "svm.h"
#include <string.h>

enum { FOLDS = 5 };
#define LEAST_SLOPE 1e-6
#define MOST_SLOPE 1e6

double mn_svm_sigmoid(double decision, double below, double above)
{
  return mn_logistic(decision * (decision < 0 ? below : above));
}

/* --- slopes --- */

struct likelihood {
  size_t n;
  const double *decision, *target, *weight;
  bool above;
};

/* The derivative of the log-likelihood by the slope, which decreases. */
static double derivative(const struct likelihood *l, double slope)
{
  double sum = 0;
  for (size_t i = 0; i < l->n; i++)
    if (l->above ? l->decision[i] > 0 : l->decision[i] < 0)
      sum += l->weight[i] * l->decision[i] * (l->target[i] - mn_logistic(slope * l->decision[i]));
  return sum;
}

/* Its zero, by bisection of the logarithm of the slope. */
static double best_slope(const struct likelihood *l)
{
  double low = log(LEAST_SLOPE), high = log(MOST_SLOPE);
  if (derivative(l, LEAST_SLOPE) <= 0) return LEAST_SLOPE;
  if (derivative(l, MOST_SLOPE) >= 0) return MOST_SLOPE;
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    if (derivative(l, exp(middle)) > 0)
      low = middle;
    else
      high = middle;
  }
  return exp((low + high) / 2);
}

/* --- decisions on held-out rows --- */

/* The fold of each row: the rows of each class are shuffled and assigned to the folds in turn. */
static mn_status assign_folds(mn_context *ctx, const mn_svm *m, const mn_svm_problem *q, uint64_t stream, int *fold)
{
  const size_t n = q->rows.n;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  mn_rng rng = mn_stream(m->seed, stream);
  for (int sign = 1; sign >= -1; sign -= 2) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
      if (q->y[i] == sign) order[count++] = i;
    mn_shuffle(&rng, order, count);
    for (size_t k = 0; k < count; k++) fold[order[k]] = (int)(k % FOLDS);
  }
  return MN_OK;
}

/* The rows with fold == f, or != f. */
static size_t rows_in(const int *fold, size_t n, int f, bool in, size_t *index)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if ((fold[i] == f) == in) index[count++] = i;
  return count;
}

/* Decisions of a model of the training rows for the rows test[0..tests-1]. */
static mn_status decide(mn_context *ctx, const mn_svm *m, const mn_svm_problem *q, const mn_svm_problem *part,
                        const size_t *test, size_t tests, double *decision)
{
  const size_t n = part->rows.n;
  mn_kernel_rows left;
  MN_TRY(mn_kernel_select_rows(ctx, &m->model.fitted_kernel, &q->rows, tests, test, &left));
  double *k = MN_RAW(ctx, double, tests, n), *sum = MN_RAW(ctx, double, tests, 1);
  if (!k || !sum) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_cross(ctx, &m->model.fitted_kernel, &left, &part->rows, k, n));
  MN_TRY(mn_gemv(ctx, false, tests, n, 1, k, n, part->coef, 0, sum));
  for (size_t i = 0; i < tests; i++) decision[test[i]] = sum[i] + part->intercept;
  return MN_OK;
}

static mn_status hold_out(mn_context *ctx, const mn_svm *m, mn_svm_solver solve, const mn_svm_problem *q,
                          const int *fold, int f, double *decision)
{
  const size_t n = q->rows.n;
  size_t *train = MN_RAW(ctx, size_t, n, 1), *test = MN_RAW(ctx, size_t, n, 1);
  double *array = MN_RAW(ctx, double, 3, n);
  if (!train || !test || !array) return MN_NO_MEMORY;
  const size_t trains = rows_in(fold, n, f, false, train), tests = rows_in(fold, n, f, true, test);
  if (tests == 0) return MN_OK;
  mn_svm_problem part = { .y = array, .weights = q->weights ? array + n : NULL, .coef = array + 2 * n };
  bool has[2] = { false, false };
  for (size_t k = 0; k < trains; k++) {
    array[k] = q->y[train[k]];
    if (q->weights) array[n + k] = q->weights[train[k]];
    has[array[k] > 0] = true;
  }
  if (!has[0] || !has[1]) { /* a class of one row: the others say nothing about it */
    for (size_t k = 0; k < tests; k++) decision[test[k]] = has[1] ? 1 : -1;
    return MN_OK;
  }
  MN_TRY(mn_kernel_select_rows(ctx, &m->model.fitted_kernel, &q->rows, trains, train, &part.rows));
  mn_svm settings = *m; /* a nu that is just feasible for all rows may not be so without a fold */
  if (m->nu > 0) settings.nu = fmin(m->nu, mn_svm_most_nu(&part));
  MN_TRY(solve(ctx, &settings, &part));
  return decide(ctx, m, q, &part, test, tests, decision);
}

mn_status mn_svm_fit_slopes(mn_context *ctx, const mn_svm *m, mn_svm_solver solve, const mn_svm_problem *q,
                            uint64_t stream, double slope[2])
{
  const size_t n = q->rows.n;
  const mn_mark outer = mn_scratch_mark(ctx);
  int *fold = MN_RAW(ctx, int, n, 1);
  double *array = MN_RAW(ctx, double, 3, n), count[2] = { 0 };
  if (!fold || !array) return MN_NO_MEMORY;
  double *decision = array, *target = array + n, *weight = array + 2 * n;
  MN_TRY(assign_folds(ctx, m, q, stream, fold));
  for (int f = 0; f < FOLDS; f++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(hold_out(ctx, m, solve, q, fold, f, decision));
    mn_scratch_release(ctx, mark);
  }
  for (size_t i = 0; i < n; i++) {
    weight[i] = q->weights ? q->weights[i] : 1;
    count[q->y[i] > 0] += weight[i];
  }
  for (size_t i = 0; i < n; i++) target[i] = mn_platt_target(q->y[i] > 0, count);
  for (int above = 0; above < 2; above++)
    slope[above] = best_slope(&(struct likelihood){ n, decision, target, weight, above });
  mn_scratch_release(ctx, outer);
  return MN_OK;
}

/* --- several classes --- */

/* min_p sum_i sum_j (r_ji p_i - r_ij p_j)^2 over probabilities, by the iteration of section 4.2. */
void mn_svm_couple(size_t k, const double *r, double *p, double *workspace)
{
  double *q = workspace, *qp = workspace + k * k;
  for (size_t i = 0; i < k; i++) {
    p[i] = 1 / (double)k;
    q[i * k + i] = 0;
    for (size_t j = 0; j < k; j++) {
      if (j == i) continue;
      q[i * k + i] += r[j * k + i] * r[j * k + i];
      q[i * k + j] = -r[j * k + i] * r[i * k + j];
    }
  }
  const size_t most = k > 100 ? k : 100;
  for (size_t round = 0; round < most; round++) {
    double pqp = 0, worst = 0;
    for (size_t i = 0; i < k; i++) {
      qp[i] = 0;
      for (size_t j = 0; j < k; j++) qp[i] += q[i * k + j] * p[j];
      pqp += p[i] * qp[i];
    }
    for (size_t i = 0; i < k; i++) worst = fmax(worst, fabs(qp[i] - pqp));
    if (worst < 1e-12 / (double)k) break;
    for (size_t i = 0; i < k; i++) {
      const double step = (pqp - qp[i]) / q[i * k + i];
      p[i] += step;
      pqp = (pqp + step * (step * q[i * k + i] + 2 * qp[i])) / (1 + step) / (1 + step);
      for (size_t j = 0; j < k; j++) {
        qp[j] = (qp[j] + step * q[i * k + j]) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
}

void mn_svm_make_largest(size_t k, double *p, size_t best)
{
  double sum = p[best], mean = sum;
  size_t count = 1;
  for (;;) { /* the members of the pool are those above its mean */
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < k; i++)
      if (i != best && p[i] > mean && (next == SIZE_MAX || p[i] > p[next])) next = i;
    if (next == SIZE_MAX) break;
    sum += p[next];
    mean = sum / (double)++count;
    p[next] = -1 - p[next]; /* pooled */
  }
  for (size_t i = 0; i < k; i++)
    if (i == best || p[i] < 0) p[i] = mean;
}
