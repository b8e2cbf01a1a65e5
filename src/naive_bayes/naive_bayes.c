#include "naive_bayes.h"
#include "../discriminant/class_prior.h"
#include "../linalg/elementwise.h"

const char *const mn_prior_estimates[] = { "uniform", "marginal", NULL };

mn_status mn_count_classes(mn_context *ctx, mn_nb *m, const mn_data *data)
{
  const size_t k = data->classes;
  const mn_prior_rule rule = {
    .who = m->base.class->name, .param = "class_prior", .given = &m->class_prior, .fit = m->fit_prior
  };
  if (!m->class_count.at) {
    MN_TRY(mn_vector_init(ctx, &m->class_count, k));
    MN_TRY(mn_vector_init(ctx, &m->class_log_prior, k));
  }
  for (size_t i = 0; i < data->rows; i++) m->class_count.at[data->code[i]] += mn_weight(data, i);
  MN_TRY(mn_class_priors(ctx, &rule, k, m->class_count.at, m->class_log_prior.at));
  for (size_t c = 0; c < k; c++) m->class_log_prior.at[c] = log(m->class_log_prior.at[c]);
  return MN_OK;
}

void mn_pseudo_counts(const mn_nb *m, size_t n, const double *total, double *a)
{
  double sum = 0;
  const bool marginal = !isnan(m->m) && m->prior_estimate == MN_PRIOR_MARGINAL;
  for (size_t v = 0; marginal && v < n; v++) sum += total[v];
  for (size_t v = 0; v < n; v++) {
    if (isnan(m->m))
      a[v] = m->alpha;
    else
      a[v] = m->m * (sum > 0 ? total[v] / sum : 1 / (double)n);
  }
}

void mn_log_frequencies(size_t n, const double *count, const double *a, double *log_p)
{
  double sum = 0;
  for (size_t v = 0; v < n; v++) sum += count[v] + a[v];
  /* cppcheck-suppress invalidFunctionArg ; -infinity without counts */
  const double log_sum = log(sum);
  for (size_t v = 0; v < n; v++) log_p[v] = sum > 0 ? log(count[v] + a[v]) - log_sum : -log((double)n);
}

mn_status mn_log_frequency_rows(mn_context *ctx, const mn_matrix *count, const double *a, mn_matrix *log_p)
{
  const size_t k = count->rows, n = count->cols;
  double *log_sum = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(log_sum);
  for (size_t c = 0; c < k; c++) {
    const double *from = mn_row(count, c);
    double *to = mn_row(log_p, c), sum = 0;
    for (size_t v = 0; v < n; v++) {
      to[v] = from[v] + a[v];
      sum += to[v];
    }
    for (size_t v = 0; !(sum > 0) && v < n; v++) to[v] = 1;
    log_sum[c] = log(sum > 0 ? sum : (double)n);
  }
  MN_TRY(mn_elementwise_unary(ctx, MN_LOG, k, n, (mn_strided){ .at = log_p->at, .row_step = n, .col_step = 1 },
                              log_p->at));
  for (size_t c = 0; c < k; c++)
    for (size_t v = 0; v < n; v++) mn_row(log_p, c)[v] -= log_sum[c];
  return MN_OK;
}
