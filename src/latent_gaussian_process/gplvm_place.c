/* Predictions at latent positions, and positions of new rows. */
#include "../kernel/kernel_value.h"
#include "../linalg/ordered.h"
#include "../optim/lbfgs.h"
#include "gplvm.h"
#include "../stats/special.h"
#include <string.h>

mn_status mn_gplvm_posterior(mn_context *ctx, const struct mn_gplvm *m, mn_gplvm_groups *groups)
{
  double value;
  MN_TRY(mn_gplvm_make_groups(ctx, m->training_rows.rows, m->training_rows.cols, m->training_rows.at, m->mean.at,
                              m->unit, groups));
  MN_TRY(mn_gplvm_likelihood(ctx, &m->fitted_kernel, m->embedding.cols, m->embedding.at, groups, &value, NULL, NULL));
  if (!isnan(value)) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR, "GPLVM: the kernel matrix is not positive definite; add White to the kernel");
}

/* What white kernels add to the variance of a row. */
static double noise_of(const mn_kernel *k)
{
  double noise = 0;
  for (size_t i = 0; i < k->nodes; i++)
    if (k->node[i].op == MN_KERNEL_WHITE) noise += k->hyper[k->node[i].first].value;
  return noise;
}

/* k(z, z_i) for all training positions, and k(z, z) without noise. */
static double kernel_values(const struct mn_gplvm *m, const double *z, double *k)
{
  double own;
  mn_kernel_values(&m->fitted_kernel, m->embedding.cols, m->embedding.rows, m->embedding.at, z, k);
  mn_kernel_values(&m->fitted_kernel, m->embedding.cols, 1, z, z, &own);
  return own;
}

/* The variance of a group at a position: k(z, z) - k' inv(K) k; solved = inv(K) k, for the rows of the group. */
static double group_variance(const mn_gplvm_group *g, const double *k, double own, double *solved)
{
  double variance = own;
  memset(solved, 0, g->rows * sizeof *solved);
  for (size_t j = 0; j < g->rows; j++) { /* by rows of the symmetric inverse, in loops without a sum */
    const double *row = g->inverse + j * g->rows, at = k[g->row[j]];
    for (size_t i = 0; i < g->rows; i++) solved[i] += at * row[i];
  }
  for (size_t i = 0; i < g->rows; i++) variance -= solved[i] * k[g->row[i]];
  return fmax(variance, 0);
}

void mn_gplvm_predict(const struct mn_gplvm *m, const mn_gplvm_groups *groups, const double *z, double *work,
                      double *mean, double *variance)
{
  double *k = work, *solved = work + groups->n;
  const double own = kernel_values(m, z, k), noise = noise_of(&m->fitted_kernel);
  for (size_t g = 0; g < groups->count; g++) {
    const mn_gplvm_group *group = &groups->group[g];
    const double v = variance ? group_variance(group, k, own, solved) + noise : 0;
    for (size_t c = 0; c < group->columns; c++) {
      double sum = 0;
      for (size_t i = 0; i < group->rows; i++) sum += k[group->row[i]] * group->alpha[i * group->columns + c];
      mean[group->column[c]] = m->mean.at[group->column[c]] + m->unit * sum;
      if (variance) variance[group->column[c]] = m->unit * m->unit * v;
    }
  }
}

/* --- new rows --- */

struct placing {
  const struct mn_gplvm *m;
  const mn_gplvm_groups *groups;
  const double *x;   /* the row                                    */
  double *k, *slope; /* n: kernel values, and derivatives by them  */
  double *solved;    /* n                                          */
  double *work, *by; /* nodes x q; q                               */
  double *error;     /* columns: residuals, then over the variance */
  double noise;
};

/* The residuals of the columns of a group; NaN for missing values. */
static void find_errors(struct placing *s, const mn_gplvm_group *g)
{
  for (size_t c = 0; c < g->columns; c++) s->error[c] = (s->x[g->column[c]] - s->m->mean.at[g->column[c]]) / s->m->unit;
  for (size_t i = 0; i < g->rows; i++)
    for (size_t c = 0; c < g->columns; c++) s->error[c] -= s->k[g->row[i]] * g->alpha[i * g->columns + c];
}

/* The negative log density of the row at z, and its gradient. */
static double row_objective(void *problem, const double *z, double *gradient)
{
  struct placing *s = problem;
  const size_t n = s->groups->n, q = s->m->embedding.cols;
  const double own = kernel_values(s->m, z, s->k);
  double value = 0, by_own = 0;
  memset(s->slope, 0, n * sizeof *s->slope);
  for (size_t g = 0; g < s->groups->count; g++) {
    const mn_gplvm_group *group = &s->groups->group[g];
    const double v = group_variance(group, s->k, own, s->solved) + s->noise;
    double by_variance = 0;
    find_errors(s, group);
    for (size_t c = 0; c < group->columns; c++) {
      const double error = s->error[c];
      s->error[c] = 0;
      if (isnan(error)) continue;
      value += (MN_LOG_2PI + log(v) + error * error / v) / 2;
      by_variance += (1 / v - error * error / (v * v)) / 2;
      s->error[c] = error / v;
    }
    by_own += by_variance;
    for (size_t i = 0; i < group->rows; i++)
      s->slope[group->row[i]] -=
          2 * by_variance * s->solved[i] + mn_ordered_dot(group->columns, s->error, group->alpha + i * group->columns);
  }
  memset(gradient, 0, q * sizeof *gradient);
  for (size_t i = 0; i <= n; i++) {
    const double by = i < n ? s->slope[i] : 2 * by_own;
    mn_kernel_input_gradient(&s->m->fitted_kernel, q, i < n ? mn_row(&s->m->embedding, i) : z, z, s->work, s->by);
    for (size_t c = 0; c < q; c++) gradient[c] += by * s->by[c];
  }
  for (size_t c = 0; s->m->prior == MN_GPLVM_NORMAL && c < q; c++) {
    value += z[c] * z[c] / 2;
    gradient[c] += z[c];
  }
  return value;
}

/* Mean squared difference of the values that both rows have. */
static double difference(size_t p, const double *a, const double *b)
{
  double sum = 0, count = 0;
  for (size_t j = 0; j < p; j++) {
    if (isnan(a[j]) || isnan(b[j])) continue;
    sum += (a[j] - b[j]) * (a[j] - b[j]);
    count++;
  }
  return count > 0 ? sum / count : INFINITY;
}

/* The best of the positions of the nearest training rows, and of the origin. */
static void choose_start(struct placing *s, double *distance, double *gradient, double *z)
{
  enum { CANDIDATES = 3 };
  const mn_matrix *rows = &s->m->training_rows;
  const size_t q = s->m->embedding.cols;
  memset(z, 0, q * sizeof *z);
  double least = row_objective(s, z, gradient);
  for (size_t i = 0; i < rows->rows; i++) distance[i] = difference(rows->cols, s->x, mn_row(rows, i));
  for (int c = 0; c < CANDIDATES; c++) {
    size_t nearest = 0;
    for (size_t i = 1; i < rows->rows; i++)
      if (distance[i] < distance[nearest]) nearest = i;
    if (isinf(distance[nearest])) break;
    distance[nearest] = INFINITY;
    const double value = row_objective(s, mn_row(&s->m->embedding, nearest), gradient);
    if (!(value < least)) continue;
    least = value;
    memcpy(z, mn_row(&s->m->embedding, nearest), q * sizeof *z);
  }
}

static mn_status place_rows(mn_context *ctx, const struct mn_gplvm *m, const mn_data *data, mn_matrix *out)
{
  const size_t n = m->embedding.rows, q = m->embedding.cols;
  mn_gplvm_groups groups;
  struct placing s = { .m = m,
                       .groups = &groups,
                       .k = MN_RAW(ctx, double, n, 1),
                       .slope = MN_RAW(ctx, double, n, 1),
                       .solved = MN_RAW(ctx, double, n, 1),
                       .work = MN_RAW(ctx, double, m->fitted_kernel.nodes, q),
                       .by = MN_RAW(ctx, double, q, 1),
                       .error = MN_RAW(ctx, double, data->features, 1),
                       .noise = noise_of(&m->fitted_kernel) };
  double *distance = MN_RAW(ctx, double, n, 1), *gradient = MN_RAW(ctx, double, q, 1);
  if (!s.k || !s.slope || !s.solved || !s.work || !s.by || !s.error || !distance || !gradient) return MN_NO_MEMORY;
  MN_TRY(mn_gplvm_posterior(ctx, m, &groups));
  const mn_lbfgs_options options = { .max_iter = 50, .gradient_tolerance = 1e-7, .objective_tolerance = 1e-10 };
  for (size_t i = 0; i < data->rows; i++) {
    mn_lbfgs_report report;
    const mn_mark mark = mn_scratch_mark(ctx);
    s.x = mn_row(&data->x, i);
    choose_start(&s, distance, gradient, mn_row(out, i));
    MN_TRY(mn_lbfgs(ctx, q, mn_row(out, i), row_objective, &s, &options, &report));
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* By the mapping of the back constraints. */
static mn_status map_rows(mn_context *ctx, const struct mn_gplvm *m, const mn_data *data, mn_matrix *out)
{
  const size_t n = m->training_rows.rows, p = m->training_rows.cols, q = m->embedding.cols;
  double *k = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(k);
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    for (size_t j = 0; j < p; j++)
      if (isnan(x[j]))
        return mn_fail(ctx, MN_BAD_DATA, "GPLVM: back_constraints require X without missing values, got NaN in row %zu",
                       i + 1);
    mn_ordered_distances2(n, p, m->training_rows.at, x, k);
    memset(mn_row(out, i), 0, q * sizeof(double));
    for (size_t a = 0; a < n; a++) {
      const double value = exp(-k[a] / (2 * m->back_length * m->back_length));
      for (size_t c = 0; c < q; c++) mn_row(out, i)[c] += value * mn_row(&m->back_coef, a)[c];
    }
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_gplvm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_gplvm *m = self;
  return m->back_coef.at ? map_rows(ctx, m, data, out) : place_rows(ctx, m, data, out);
}
