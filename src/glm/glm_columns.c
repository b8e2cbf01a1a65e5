/* The offset and trials columns of X, which are named and are not features. */
#include "glm.h"
#include "../model/columns.h"
#include <string.h>

static mn_status find_column(mn_context *ctx, const struct mn_glm *m, const char *what, const mn_feature *given,
                             int64_t *column)
{
  size_t index;
  *column = -1;
  if (!mn_column_is_set(given)) return MN_OK;
  MN_TRY(mn_find_column(ctx, &m->linear.base, what, given, &index));
  *column = (int64_t)index;
  return MN_OK;
}

mn_status mn_glm_find_columns(mn_context *ctx, struct mn_glm *m)
{
  MN_TRY(find_column(ctx, m, "offset", &m->offset, &m->offset_column));
  MN_TRY(find_column(ctx, m, "trials", &m->trials, &m->trials_column));
  if (m->trials_column >= 0 && m->family_code != MN_BINOMIAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: trials requires family 'binomial', got '%s'", m->linear.base.class->name,
                   mn_glm_family_names[m->family_code]);
  if (m->trials_column >= 0 && m->trials_column == m->offset_column)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: offset and trials must be two columns, got column %lld for both",
                   m->linear.base.class->name, (long long)m->offset_column + 1);
  const size_t special = (m->offset_column >= 0) + (size_t)(m->trials_column >= 0);
  MN_TRY(mn_indexes_init(ctx, &m->terms, m->linear.base.n_features - special));
  size_t t = 0;
  for (size_t j = 0; j < m->linear.base.n_features; j++)
    if ((int64_t)j != m->offset_column && (int64_t)j != m->trials_column) m->terms.at[t++] = (int32_t)j;
  return MN_OK;
}

static mn_status read_column(mn_context *ctx, const mn_data *data, int64_t column, const double **out)
{
  *out = NULL;
  if (column < 0) return MN_OK;
  double *v = MN_NEW(ctx, double, data->rows, 1);
  const mn_csr *s = data->sparse;
  MN_CHECK_ALLOC(v);
  for (size_t i = 0; i < data->rows && !s; i++) v[i] = mn_row(&data->x, i)[column];
  for (size_t i = 0; i < data->rows && s; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (s->col[e] == (int32_t)column) v[i] = s->at[e];
  *out = v;
  return MN_OK;
}

/* Read proportions and trials from counts of successes and failures. */
static mn_status read_counts(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double **y,
                             const double **trials)
{
  const char *who = m->linear.base.class->name;
  double *proportion = MN_RAW(ctx, double, data->rows, 1), *total = MN_RAW(ctx, double, data->rows, 1);
  if (!proportion || !total) return MN_NO_MEMORY;
  if (m->trials_column >= 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: trials must be nil when y has two columns (successes and failures)", who);
  for (size_t i = 0; i < data->rows; i++) {
    const double successes = data->y.at[2 * i], failures = data->y.at[2 * i + 1];
    char number[MN_NUMBER_SIZE];
    if (!(successes >= 0) || !(failures >= 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: counts in y must be >= 0, got %s in row %zu", who,
                     mn_format_number(number, fmin(successes, failures)), i + 1);
    total[i] = successes + failures;
    proportion[i] = successes / total[i];
    if (!(total[i] > 0))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: each row of y must hold at least one success or failure, got none in row %zu", who, i + 1);
  }
  *y = proportion;
  *trials = total;
  return MN_OK;
}

mn_status mn_glm_targets(mn_context *ctx, const struct mn_glm *m, const mn_data *data, const double **y,
                         const double **trials)
{
  if (data->y.cols == 2) return read_counts(ctx, m, data, y, trials);
  *y = data->y.at;
  return read_column(ctx, data, m->trials_column, trials);
}

/* Read the targets; weights are multiplied by the trials. */
static mn_status read_trials(mn_context *ctx, const struct mn_glm *m, const mn_data *data, mn_glm_problem *problem)
{
  MN_TRY(mn_glm_targets(ctx, m, data, &problem->y, &problem->trials));
  problem->w = data->weights;
  if (!problem->trials) return MN_OK;
  char number[MN_NUMBER_SIZE];
  double *w = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(w);
  for (size_t i = 0; i < data->rows; i++) {
    if (!(problem->trials[i] > 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: trials must be > 0, got %s in row %zu", m->linear.base.class->name,
                     mn_format_number(number, problem->trials[i]), i + 1);
    w[i] = mn_weight(data, i) * problem->trials[i];
  }
  problem->w = w;
  return MN_OK;
}

static mn_status select_sparse_columns(mn_context *ctx, const struct mn_glm *m, const mn_csr *from, const mn_csr **to)
{
  const size_t values = from->start[from->rows];
  mn_csr *out = MN_NEW(ctx, mn_csr, 1, 1);
  int32_t *new_index = MN_RAW(ctx, int32_t, from->cols, 1);
  if (!out || !new_index) return MN_NO_MEMORY;
  *out = (mn_csr){ .rows = from->rows,
                   .cols = m->terms.size,
                   .start = MN_NEW(ctx, size_t, from->rows + 1, 1),
                   .col = MN_RAW(ctx, int32_t, values, 1),
                   .at = MN_RAW(ctx, double, values, 1) };
  if (!out->start || !out->col || !out->at) return MN_NO_MEMORY;
  for (size_t j = 0; j < from->cols; j++) new_index[j] = -1;
  for (size_t t = 0; t < m->terms.size; t++) new_index[m->terms.at[t]] = (int32_t)t;
  size_t count = 0;
  for (size_t i = 0; i < from->rows; i++) {
    for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
      if (new_index[from->col[e]] < 0) continue;
      out->col[count] = new_index[from->col[e]];
      out->at[count++] = from->at[e];
    }
    out->start[i + 1] = count;
  }
  *to = out;
  return MN_OK;
}

static mn_status select_columns(mn_context *ctx, const struct mn_glm *m, const mn_data *data, mn_glm_problem *problem)
{
  problem->p = m->terms.size;
  problem->x = data->x.at;
  problem->sparse = data->sparse;
  if (problem->p == data->features) return MN_OK;
  if (data->sparse) return select_sparse_columns(ctx, m, data->sparse, &problem->sparse);
  double *x = MN_RAW(ctx, double, data->rows, problem->p + 1);
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < problem->p; j++) x[i * problem->p + j] = mn_row(&data->x, i)[m->terms.at[j]];
  problem->x = x;
  return MN_OK;
}

mn_status mn_glm_set_data(mn_context *ctx, const struct mn_glm *m, const mn_data *data, mn_glm_problem *problem)
{
  MN_TRY(read_column(ctx, data, m->offset_column, &problem->offset));
  MN_TRY(read_trials(ctx, m, data, problem));
  return select_columns(ctx, m, data, problem);
}
