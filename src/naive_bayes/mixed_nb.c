/* Naive Bayes for columns of several types, by type:
 *
 *     number   normal density, with the variance of the class plus a share of that of the column;
 *              or a kernel density estimate of the rows of the class
 *     count    Poisson distribution
 *     flag     0 or 1  } smoothed frequencies, as in naive_bayes.h
 *     factor   levels  }
 *
 * Missing values are left out of the estimates and of the sum over columns. A class without values in a column has the
 * distribution of all rows. */
#include "../core/threads.h"
#include "../linalg/row_softmax.h"
#include "../linear/linear.h"
#include "../linear/terms.h"
#include "category_table.h"
#include "evidence.h"
#include "mixed_scores.h"
#include <string.h>

struct mixed_nb {
  mn_nb nb;
  int64_t handle_unknown; /* parameters */
  double var_smoothing, adjust;
  bool use_kernel;
  mn_feature_list numbers, counts, factors;
  mn_indexes type; /* learned fields: features */
  mn_category_table table;
  mn_column_moments moments;
  mn_column_points points;
};

static const char name[] = "MixedNB";
static const char *const type_names[] = { "number", "count", "flag", "factor" };

/* Whether all values of column j that are not missing are 0 or 1. */
static bool has_flags(const mn_data *data, size_t j)
{
  for (size_t i = 0; i < data->rows; i++) {
    const double x = mn_row(&data->x, i)[j];
    if (x < 0 || x > 0) {
      if (x < 1 || x > 1) return false;
    }
  }
  return true;
}

/* Set the type of the columns of one parameter; a column may be in one list only. */
static mn_status set_types(mn_context *ctx, struct mixed_nb *m, const mn_data *data, const char *param,
                           const mn_feature_list *columns, int32_t type, bool *given)
{
  const size_t p = data->features;
  bool *is_listed = MN_NEW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(is_listed);
  MN_TRY(mn_find_columns(ctx, &m->nb.base, param, columns, is_listed));
  for (size_t j = 0; j < p; j++) {
    if (!is_listed[j]) continue;
    if (given[j])
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: column %zu must be in one of numbers, counts and factors, got %s and %s", name, j + 1,
                     type_names[m->type.at[j]], param);
    if (type != MN_MIXED_FACTOR && data->levels && data->levels[j])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be numeric columns, got column %zu, a factor", name, param,
                     j + 1);
    m->type.at[j] = type;
    given[j] = true;
  }
  return MN_OK;
}

static mn_status find_types(mn_context *ctx, struct mixed_nb *m, const mn_data *data)
{
  const size_t p = data->features;
  bool *given = MN_NEW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(given);
  MN_TRY(mn_indexes_init(ctx, &m->type, p));
  MN_TRY(set_types(ctx, m, data, "numbers", &m->numbers, MN_MIXED_NUMBER, given));
  MN_TRY(set_types(ctx, m, data, "counts", &m->counts, MN_MIXED_COUNT, given));
  MN_TRY(set_types(ctx, m, data, "factors", &m->factors, MN_MIXED_FACTOR, given));
  for (size_t j = 0; j < p; j++) {
    if (given[j]) continue;
    if (data->levels && data->levels[j])
      m->type.at[j] = MN_MIXED_FACTOR;
    else
      m->type.at[j] = has_flags(data, j) ? MN_MIXED_FLAG : MN_MIXED_NUMBER;
  }
  return MN_OK;
}

static mn_status check_counts(mn_context *ctx, const struct mixed_nb *m, const mn_data *data)
{
  char number[MN_NUMBER_SIZE];
  for (size_t j = 0; j < data->features; j++)
    for (size_t i = 0; m->type.at[j] == MN_MIXED_COUNT && i < data->rows; i++)
      if (mn_row(&data->x, i)[j] < 0)
        return mn_fail(ctx, MN_BAD_DATA, "%s: counts must be >= 0, got %s in row %zu, column %zu", name,
                       mn_format_number(number, mn_row(&data->x, i)[j]), i + 1, j + 1);
  return MN_OK;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mixed_nb *m = self;
  const size_t p = data->features;
  bool *is_category = MN_NEW(ctx, bool, p, 1), *is_numeric = MN_NEW(ctx, bool, p, 1),
       *is_number = MN_NEW(ctx, bool, p, 1);
  if (!is_category || !is_numeric || !is_number) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->nb.base, data));
  if (!m->type.at) MN_TRY(find_types(ctx, m, data));
  MN_TRY(check_counts(ctx, m, data));
  for (size_t j = 0; j < p; j++) {
    is_number[j] = m->type.at[j] == MN_MIXED_NUMBER;
    is_numeric[j] = is_number[j] || m->type.at[j] == MN_MIXED_COUNT;
    is_category[j] = !is_numeric[j];
  }
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  MN_TRY(mn_add_categories(ctx, &m->nb, data, is_category, m->handle_unknown, &m->table));
  MN_TRY(mn_add_moments(ctx, data, is_numeric, &m->moments));
  return m->use_kernel ? mn_add_points(ctx, data, is_number, &m->points) : MN_OK;
}

static mn_status make_scores(mn_context *ctx, const struct mixed_nb *m, mn_mixed_scores *s)
{
  const mn_mixed_rule rule = { .type = m->type.at,
                               .moments = &m->moments,
                               .points = &m->points,
                               .class_count = &m->nb.class_count,
                               .var_smoothing = m->var_smoothing,
                               .adjust = m->adjust,
                               .pseudo_rows = isnan(m->nb.m) ? m->nb.alpha : m->nb.m };
  MN_TRY(mn_make_mixed_scores(ctx, &rule, s));
  s->start = m->nb.class_log_prior.at;
  return mn_make_category_scores(ctx, &m->nb.base, &m->table, &s->categories);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mixed_nb *m = self;
  mn_mixed_scores s;
  MN_TRY(mn_check_magnitudes(ctx, &m->nb.base, data));
  MN_TRY(make_scores(ctx, m, &s));
  MN_TRY(check_counts(ctx, m, data));
  if (m->handle_unknown == MN_UNKNOWN_ERROR)
    MN_TRY(mn_check_categories(ctx, &m->nb.base, &m->table, &s.categories, data));
  return mn_mixed_log_proba(ctx, &s, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mixed_nb *m = self;
  mn_mixed_scores s;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(make_scores(ctx, m, &s));
  mn_program_reals(program, "log_prob", m->table.log_prob.rows * m->table.log_prob.cols + 1, s.categories.log_prob);
  return mn_mixed_program(ctx, &s, m->handle_unknown == MN_UNKNOWN_ERROR, program);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mixed_nb *m = self;
  const mn_matrix *count = &m->points.count;
  bool valid = mn_category_table_is_valid(&m->table, &m->nb.base) && m->moments.seen.at && m->type.at;
  double points = 0;
  for (size_t j = 0; valid && j < m->type.size; j++) {
    const bool is_category = m->type.at[j] >= MN_MIXED_FLAG;
    const bool is_factor = m->nb.base.feature_levels.size > 0 && m->nb.base.feature_levels.at[j];
    valid = m->type.at[j] >= 0 && m->type.at[j] <= MN_MIXED_FACTOR &&
            (is_category || m->table.n_categories.at[j] < 1) && (is_category || !is_factor);
  }
  for (size_t i = 0; valid && i < count->rows * count->cols; i++) {
    const double n = count->at[i];
    valid = n >= 0 && n <= (double)m->points.at.size && n == floor(n);
    points += n;
  }
  valid = valid && points == (double)m->points.at.size && m->points.weight.size == m->points.at.size;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: types, categories and moments are inconsistent", name);
}

/* The mean log-odds of class c that column j gives over the rows of c. */
static double information(const struct mixed_nb *m, size_t c, size_t j, const double *others)
{
  const mn_number_moments rest = mn_pool_moments(&m->moments, j, others),
                          all = mn_pool_moments(&m->moments, j, m->nb.class_count.at);
  const double mean = mn_row(&m->moments.mean, c)[j], var = mn_row(&m->moments.var, c)[j];
  const double extra = m->var_smoothing * all.var;
  if (!(mn_row(&m->moments.seen, c)[j] > 0)) return 0;
  if (m->type.at[j] == MN_MIXED_NUMBER) return mn_normal_information(mean, var + extra, rest.mean, rest.var + extra);
  const double a = isnan(m->nb.m) ? m->nb.alpha : m->nb.m, seen = mn_row(&m->moments.seen, c)[j];
  const double rate = (seen * mean + a * all.mean) / (seen + a);
  return rate > 0 && rest.mean > 0 ? rate * log(rate / rest.mean) - rate + rest.mean : 0;
}

/* The same of categories: sum_v p(v | c) log p(v | c) / p(v | not c). */
static void add_categories(const struct mixed_nb *m, const mn_matrix *log_odds, mn_matrix *value)
{
  for (size_t j = 0, s = 0; j < m->type.size; j++)
    for (size_t v = 0; v < (size_t)m->table.n_categories.at[j]; v++, s++)
      for (size_t c = 0; c < value->rows; c++) {
        const double p = exp(mn_row(&m->table.log_prob, c)[s]);
        if (p > 0) mn_row(value, c)[j] += p * mn_row(log_odds, c)[s];
      }
}

static mn_status add_types(mn_context *ctx, const struct mixed_nb *m, mn_results *results)
{
  const size_t p = m->type.size;
  const char **columns, **types = MN_RAW(ctx, const char *, p, 1);
  MN_CHECK_ALLOC(types);
  MN_TRY(mn_term_names(ctx, &m->nb.base, NULL, p, false, &columns));
  for (size_t j = 0; j < p; j++) types[j] = type_names[m->type.at[j]];
  MN_TRY(mn_result_names(ctx, results, "columns.column", columns, p));
  return mn_result_names(ctx, results, "columns.type", types, p);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct mixed_nb *m = self;
  const size_t k = m->nb.class_count.size, p = m->type.size;
  mn_nb_evidence e = { .model = &m->nb.base, .title = "Mean log-odds of each column", .measure = MN_INFORMATION };
  mn_matrix log_odds;
  double *others;
  e.value = (mn_matrix){ .at = MN_NEW(ctx, double, k, p), .rows = k, .cols = p };
  MN_CHECK_ALLOC(e.value.at);
  MN_TRY(mn_other_priors(ctx, &m->nb.class_log_prior, &others));
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++)
      if (m->type.at[j] < MN_MIXED_FLAG) mn_row(&e.value, c)[j] = information(m, c, j, others + c * k);
  if (m->table.category.size > 0) {
    MN_TRY(mn_log_odds(ctx, &m->nb.class_log_prior, &m->table.log_prob, &log_odds));
    add_categories(m, &log_odds, &e.value);
  }
  MN_TRY(add_types(ctx, m, results));
  return mn_evidence_summary(ctx, &e, options, results);
}

static const mn_operation operations[] = {
  MN_EVIDENCE_OPERATION(summary, "the columns that speak most for each class: their mean log-odds over its rows",
                        "columns (Frame: column, type), evidence (Frame: class, column, feature, information); "
                        "prints as a table"),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COLUMNS(struct mixed_nb, numbers,
             "columns, by number or name, that are numbers, even if all are 0 or 1; nil: none"),
  MN_COLUMNS(struct mixed_nb, counts, "columns, by number or name, that are counts (Poisson); nil: none"),
  MN_COLUMNS(struct mixed_nb, factors, "numeric columns, by number or name, whose values are categories; nil: none"),
  MN_FLAG(struct mixed_nb, use_kernel, false, "kernel density estimates of numbers in place of normal densities"),
  MN_REAL(struct mixed_nb, adjust, 1, MN_GREATER_THAN(0), "factor of the bandwidths of the kernel densities"),
  MN_REAL(struct mixed_nb, var_smoothing, 1e-9, MN_AT_LEAST(0),
          "fraction of the variance of a column that is added to its variance in each class"),
  MN_SMOOTHING_PARAMS,
  MN_CHOICE(struct mixed_nb, handle_unknown, MN_UNKNOWN_IGNORE, mn_unknown_choices,
            "categories not seen in fit: ignore them like missing values, or raise an error"),
  MN_CLASS_PRIOR_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NAIVE_BAYES_FIELDS,
  MN_INDEXES(struct mixed_nb, type, "features", NULL),
  MN_CATEGORY_TABLE_FIELDS(struct mixed_nb, table),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "seen", struct mixed_nb, moments.seen, "classes x features",
                          "sum of the weights of the rows with a value; 0 for categories"),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "theta", struct mixed_nb, moments.mean, "classes x features",
                          "mean of each column in each class; 0 for categories"),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "var", struct mixed_nb, moments.var, "classes x features",
                          "variance of each column in each class, before smoothing; 0 for categories"),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_VECTOR, "points", struct mixed_nb, points.at, "points?", NULL),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_VECTOR, "point_weights", struct mixed_nb, points.weight, "points?", NULL),
  MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "point_count", struct mixed_nb, points.count, "features? x classes?", NULL),
  MN_END,
};

const mn_class mn_mixed_nb = {
  .name = "MixedNB",
  .family = "bayes",
  .brief = "Naive Bayes for numbers, counts, flags and factors in one Frame.",
  .objective =
      "log p(c | x) = log prior_c + sum_j log p_j(x_j | c), p_j normal, kernel density, Poisson or frequencies",
  .source = "John & Langley, Estimating Continuous Distributions in Bayesian Classifiers, UAI (1995)",
  .notes =
      "Factor columns are factors, columns of 0 and 1 flags, all others numbers; name counts, as whole numbers may be "
      "either. Missing values are ignored. Each column has its own var_smoothing (GaussianNB: one for all). alpha pseudo-rows "
      "pull a Poisson rate to the rate of all rows. Bandwidths are those of R's naivebayes (bw.nrd0); the sums are exact "
      "and take time for each distinct value. The first batch of partial_fit decides the types.",
  .example = "local penguins = ml.read_csv 'examples/data/penguins.csv'\n"
             "local X, y = penguins:split 'species'\n"
             "local model = ml.MixedNB{ use_kernel = true }:fit(X, y)\n"
             "print(model:score(X, y))\n"
             "print(model:summary{ top = 3 })",
  .capabilities = MN_CLASSIFY,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct mixed_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .check = check,
  .export = export,
};
