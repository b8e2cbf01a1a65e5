/* Gaussian naive Bayes: within a class the features are independent and normal.
 *
 *     log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant
 *
 * Variances are maximum likelihood estimates plus epsilon = var_smoothing times the largest variance of a feature, as
 * in scikit-learn. Moments are computed in one pass over X about a shift near the mean of each class; if the shift
 * turns out to be so far from the mean that digits are lost, a second pass uses the mean. Batches are merged by Chan,
 * Golub & LeVeque, The American Statistician 37 (1983).
 *
 * Missing values are left out of the moments and of the sum. A feature without values in a class has there the moments
 * of all classes. */
#include "../core/threads.h"
#include "../discriminant/class_prior.h"
#include "../linalg/ordered.h"
#include "../linalg/row_softmax.h"
#include "../linear/linear.h"
#include "../model/class.h"
#include "../model/program.h"
#include "evidence.h"
#include "gaussian_kernel.h"
#include "number_columns.h"
#include <string.h>

struct gaussian_nb {
  mn_estimator base;
  double var_smoothing; /* parameters */
  mn_vector priors;
  mn_matrix theta, var;               /* learned fields: classes x features; var without epsilon */
  mn_vector class_count, class_prior; /* classes */
  mn_matrix feature_count;            /* classes x features; empty if no value was missing */
  double epsilon;
};

enum { BLOCK_VALUES = 1 << 16, MAX_BLOCKS = 64, SAMPLE_ROWS = 256 };

/* Sums over the rows of each class: count (k), sum and square (k x p each). */
struct moments {
  double *count, *sum, *square;
};

struct work {
  const mn_data *data;
  const double *shift;
  double *part; /* blocks x size */
  size_t size;
  mn_blocks blocks;
};

static struct moments split_moments(double *at, size_t k, size_t p)
{
  return (struct moments){ .count = at, .sum = at + k, .square = at + k + k * p };
}

static void moments_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const mn_data *d = w->data;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block), p = d->features;
  const struct moments m = split_moments(w->part + block * w->size, d->classes, p);
  mn_class_moments(end - begin, p, d->x.at + begin * p, d->code + begin, d->weights ? d->weights + begin : NULL,
                   w->shift, m.count, m.sum, m.square);
}

static mn_status sum_moments(mn_context *ctx, const mn_data *data, const double *shift, double *sum)
{
  const size_t k = data->classes, p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = { .data = data, .shift = shift, .size = k + 2 * k * p };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / p + 1, MAX_BLOCKS);
  w.part = MN_NEW(ctx, double, w.blocks.count, w.size);
  MN_CHECK_ALLOC(w.part);
  MN_TRY(mn_parallel(ctx, w.blocks.count, moments_block, &w));
  mn_sum_blocks(w.blocks.count, w.size, w.part, sum);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* A shift: the mean of the first few rows of each class. */
static mn_status sample_means(mn_context *ctx, const mn_data *data, double *shift)
{
  const size_t k = data->classes, p = data->features;
  double *seen = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(seen);
  memset(shift, 0, k * p * sizeof *shift);
  const size_t each = SAMPLE_ROWS / k + 1;
  size_t wanted = k * each;
  for (size_t i = 0; i < data->rows && wanted > 0; i++) {
    const size_t c = (size_t)data->code[i];
    if (seen[c] >= (double)each) continue;
    seen[c]++;
    wanted--;
    for (size_t j = 0; j < p; j++) shift[c * p + j] += (data->x.at[i * p + j] - shift[c * p + j]) / seen[c];
  }
  return MN_OK;
}

/* Whether the mean is so far from the shift that the variance has lost more than about four bits. */
static bool is_inaccurate(double count, double sum, double square)
{
  return count > 0 && sum / count * sum > 0.9375 * square;
}

/* Convert sums to means in `mean` (which holds the shift) and variances in `var`. *again: the shift was inaccurate. */
static void finish_moments(size_t k, size_t p, const struct moments *m, double *mean, double *var, bool *again)
{
  *again = false;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const size_t at = c * p + j;
      const double count = m->count[c], delta = count > 0 ? m->sum[at] / count : 0;
      *again = *again || is_inaccurate(count, m->sum[at], m->square[at]);
      mean[at] += delta;
      const double rest = count > 0 ? m->square[at] / count - delta * delta : 0;
      var[at] = rest > 0 ? rest : 0;
    }
}

static mn_status compute_moments(mn_context *ctx, const mn_data *data, double *count, double *mean, double *var)
{
  const size_t k = data->classes, p = data->features;
  double *sum = MN_RAW(ctx, double, k + 2 * k * p, 1);
  bool again = true;
  MN_CHECK_ALLOC(sum);
  const struct moments m = split_moments(sum, k, p);
  MN_TRY(sample_means(ctx, data, mean));
  for (int pass = 0; pass < 2 && again; pass++) {
    MN_TRY(sum_moments(ctx, data, mean, sum));
    finish_moments(k, p, &m, mean, var, &again);
  }
  memcpy(count, m.count, k * sizeof *count);
  return MN_OK;
}

/* Merge the moments of new rows of class c into the model. */
static void merge_class(struct gaussian_nb *m, size_t c, double count, const double *mean, const double *var)
{
  const size_t p = m->base.n_features;
  const double total = m->class_count.at[c] + count, share = total > 0 ? count / total : 0;
  for (size_t j = 0; j < p; j++) {
    double *old_mean = &m->theta.at[c * p + j], *old_var = &m->var.at[c * p + j];
    const double delta = mean[c * p + j] - *old_mean;
    *old_var = (1 - share) * *old_var + share * var[c * p + j] + delta * delta * share * (1 - share);
    *old_mean += delta * share;
  }
  m->class_count.at[c] = total;
}

/* The moments of feature j over all rows. */
static mn_number_moments pool(const struct gaussian_nb *m, size_t j)
{
  mn_number_moments all = { 0 };
  for (size_t c = 0; c < m->theta.rows; c++)
    all.seen += m->feature_count.at ? mn_row(&m->feature_count, c)[j] : m->class_count.at[c];
  for (size_t c = 0; c < m->theta.rows && all.seen > 0; c++) {
    const double seen = m->feature_count.at ? mn_row(&m->feature_count, c)[j] : m->class_count.at[c];
    all.mean += seen / all.seen * mn_row(&m->theta, c)[j];
  }
  for (size_t c = 0; c < m->theta.rows && all.seen > 0; c++) {
    const double seen = m->feature_count.at ? mn_row(&m->feature_count, c)[j] : m->class_count.at[c];
    const double delta = mn_row(&m->theta, c)[j] - all.mean;
    all.var += seen / all.seen * (mn_row(&m->var, c)[j] + delta * delta);
  }
  return all;
}

/* The moments of feature j in class c; those over all rows if the class has no value. */
static mn_number_moments moments_of(const struct gaussian_nb *m, size_t c, size_t j)
{
  const size_t at = c * m->theta.cols + j;
  if (m->feature_count.at && !(m->feature_count.at[at] > 0)) return pool(m, j);
  return (mn_number_moments){ 1, m->theta.at[at], m->var.at[at] };
}

static bool any_missing(const mn_data *data)
{
  for (size_t i = 0; i < data->rows * data->features; i++)
    if (isnan(data->x.at[i])) return true;
  return false;
}

/* Merge rows with missing values: every feature counts its own rows. */
static mn_status merge_present(mn_context *ctx, struct gaussian_nb *m, const mn_data *data)
{
  const size_t k = data->classes, p = data->features;
  bool *columns = MN_RAW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(columns);
  for (size_t j = 0; j < p; j++) columns[j] = true;
  if (!m->feature_count.at) {
    MN_TRY(mn_matrix_init(ctx, &m->feature_count, k, p));
    for (size_t i = 0; i < k * p; i++) m->feature_count.at[i] = m->class_count.at[i / p];
  }
  mn_column_moments t = { .seen = m->feature_count, .mean = m->theta, .var = m->var };
  MN_TRY(mn_add_moments(ctx, data, columns, &t));
  for (size_t i = 0; i < data->rows; i++) m->class_count.at[data->code[i]] += mn_weight(data, i);
  return MN_OK;
}

static mn_status merge_complete(mn_context *ctx, struct gaussian_nb *m, const mn_data *data)
{
  const size_t k = data->classes, p = data->features;
  double *count = MN_NEW(ctx, double, k, 1), *mean = MN_NEW(ctx, double, k, p), *var = MN_NEW(ctx, double, k, p);
  if (!count || !mean || !var) return MN_NO_MEMORY;
  MN_TRY(compute_moments(ctx, data, count, mean, var));
  for (size_t c = 0; c < k; c++) merge_class(m, c, count[c], mean, var);
  return MN_OK;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gaussian_nb *m = self;
  const size_t k = data->classes, p = data->features;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  if (!m->theta.at) {
    MN_TRY(mn_matrix_init(ctx, &m->theta, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->var, k, p));
    MN_TRY(mn_vector_init(ctx, &m->class_count, k));
    MN_TRY(mn_vector_init(ctx, &m->class_prior, k));
  }
  if (m->feature_count.at || any_missing(data))
    MN_TRY(merge_present(ctx, m, data));
  else
    MN_TRY(merge_complete(ctx, m, data));
  double largest = 0;
  for (size_t j = 0; j < p; j++) largest = fmax(largest, pool(m, j).var);
  m->epsilon = m->var_smoothing * largest;
  const mn_prior_rule rule = { .who = "GaussianNB", .param = "priors", .given = &m->priors, .fit = true };
  return mn_class_priors(ctx, &rule, k, m->class_count.at, m->class_prior.at);
}

/* The log density of class c is start[c] - sum_j (x_j - center_cj)^2 scale_cj, and start[c] = prior[c] - sum_j
 * level_cj. Scratch. */
struct densities {
  double *prior, *start;          /* classes            */
  double *center, *scale, *level; /* classes x features */
};

static void set_density(const struct gaussian_nb *m, size_t c, size_t j, const struct densities *d)
{
  const double two_pi = 6.28318530717958647693;
  const size_t at = c * m->theta.cols + j;
  const mn_number_moments here = moments_of(m, c, j);
  if (!(here.seen > 0)) return; /* no value in any class */
  const double var = fmax(here.var + m->epsilon, DBL_MIN);
  d->center[at] = here.mean;
  d->level[at] = log(two_pi * var) / 2;
  d->scale[at] = 1 / (2 * var);
}

static mn_status make_densities(mn_context *ctx, const struct gaussian_nb *m, struct densities *d)
{
  const size_t k = m->theta.rows, p = m->theta.cols;
  d->prior = MN_RAW(ctx, double, k, 1);
  d->start = MN_RAW(ctx, double, k, 1);
  d->center = MN_NEW(ctx, double, k, p);
  d->scale = MN_NEW(ctx, double, k, p);
  d->level = MN_NEW(ctx, double, k, p);
  if (!d->prior || !d->start || !d->center || !d->scale || !d->level) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    d->prior[c] = d->start[c] = log(m->class_prior.at[c]);
    for (size_t j = 0; j < p; j++) {
      set_density(m, c, j, d);
      d->start[c] -= d->level[c * p + j];
    }
  }
  return MN_OK;
}

struct score_work {
  const mn_data *data;
  const struct densities *densities;
  mn_matrix *out;
  mn_blocks blocks;
};

/* Log densities of a row with missing values. */
static void score_present(const struct densities *d, size_t p, size_t k, const double *x, double *out)
{
  for (size_t c = 0; c < k; c++) {
    out[c] = d->prior[c];
    for (size_t j = 0; j < p; j++) {
      const double z = x[j] - d->center[c * p + j];
      if (!isnan(x[j])) out[c] -= d->level[c * p + j] + z * z * d->scale[c * p + j];
    }
  }
}

static void score_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct score_work *w = work;
  const struct densities *d = w->densities;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  const size_t p = w->data->features, k = w->out->cols;
  const double *x = w->data->x.at + begin * p;
  double *out = w->out->at + begin * k;
  mn_ordered_gaussian(n, p, k, x, d->center, d->scale, d->start, out);
  for (size_t i = 0; i < n; i++) /* NaN is the sum if a value is missing, or overflows */
    if (isnan(out[i * k])) score_present(d, p, k, x + i * p, out + i * k);
  mn_row_log_softmax(n, k, out);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct densities d;
  MN_TRY(make_densities(ctx, self, &d));
  struct score_work w = { .data = data, .densities = &d, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (data->features + 1) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct gaussian_nb *m = self;
  const size_t k = m->theta.rows, size = k * m->theta.cols;
  struct densities d;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(make_densities(ctx, m, &d));
  mn_program_reals(program, "center", size, d.center);
  mn_program_reals(program, "scale", size, d.scale);
  mn_program_reals(program, "level", size, d.level);
  mn_program_reals(program, "start", k, d.start);
  mn_program_reals(program, "prior", k, d.prior);
  mn_program_code(program,
                  "int missing = 0 "
                  "for j < features { if isnan(x[j]) { missing = 1 } }"
                  "for c < outputs {"
                  "  if missing == 0 { out[c] = start[c] - gaussian(features, x, center, scale, c * features) }"
                  "  else {"
                  "    out[c] = prior[c]"
                  "    for j < features { if !isnan(x[j]) {"
                  "      real z = x[j] - center[c * features + j]"
                  "      out[c] -= level[c * features + j] + z * z * scale[c * features + j]"
                  "    } }"
                  "  }"
                  "}"
                  "log_softmax(outputs, out)");
  return MN_OK;
}

/* The information of each feature about class c against the mixture of all other classes. */
static void add_information(const struct gaussian_nb *m, size_t c, const double *others, double *out)
{
  const size_t k = m->theta.rows, p = m->theta.cols;
  for (size_t j = 0; j < p; j++) {
    const mn_number_moments here = moments_of(m, c, j);
    double mean = 0, var = m->epsilon;
    for (size_t d = 0; d < k; d++) mean += others[d] * moments_of(m, d, j).mean;
    for (size_t d = 0; d < k; d++) {
      const mn_number_moments other = moments_of(m, d, j);
      const double delta = other.mean - mean;
      var += others[d] * (other.var + delta * delta);
    }
    out[j] = mn_normal_information(here.mean, here.var + m->epsilon, mean, var);
  }
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct gaussian_nb *m = self;
  const size_t k = m->theta.rows, p = m->theta.cols;
  mn_nb_evidence e = { .model = &m->base, .title = "Mean log-odds of each column", .measure = MN_INFORMATION };
  mn_vector log_prior = { .at = MN_RAW(ctx, double, k, 1), .size = k };
  double *others;
  e.value = (mn_matrix){ .at = MN_NEW(ctx, double, k, p), .rows = k, .cols = p };
  if (!log_prior.at || !e.value.at) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) log_prior.at[c] = log(m->class_prior.at[c]);
  MN_TRY(mn_other_priors(ctx, &log_prior, &others));
  for (size_t c = 0; c < k; c++) add_information(m, c, others + c * k, mn_row(&e.value, c));
  return mn_evidence_summary(ctx, &e, options, results);
}

static const mn_operation operations[] = { MN_INFORMATION_OPERATION(summary), { .name = NULL } };

static const mn_param params[] = {
  MN_REAL(struct gaussian_nb, var_smoothing, 1e-9, MN_AT_LEAST(0),
          "fraction of the largest feature variance that is added to all variances"),
  MN_REALS(struct gaussian_nb, priors, MN_CLOSED(0, 1), "prior probabilities of the classes; nil: class frequencies"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct gaussian_nb, theta, "classes x features", "mean of each feature in each class"),
  MN_MATRIX(struct gaussian_nb, var, "classes x features", "variance of each feature in each class, without epsilon"),
  MN_VECTOR(struct gaussian_nb, class_count, "classes", "number of rows (sum of sample weights) of each class"),
  MN_VECTOR(struct gaussian_nb, class_prior, "classes", "prior probability of each class"),
  MN_MATRIX(struct gaussian_nb, feature_count, "classes? x features?",
            "rows of each class in which a feature is present; empty if none was missing"),
  MN_NUMBER(struct gaussian_nb, epsilon, "value added to all variances"),
  MN_END,
};

const mn_class mn_gaussian_nb = {
  .name = "GaussianNB",
  .family = "bayes",
  .brief = "Naive Bayes with normally distributed features.",
  .objective = "log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant",
  .source = "Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 2nd ed., section 6.6.3",
  .notes =
      "Variances are divided by the number of rows of the class, and epsilon is added to them, as in scikit-learn. "
      "Missing values (NaN) are ignored, in fit and in rows to predict. A feature without values in a class has "
      "there the mean and variance that it has over all classes.",
  .example = "local model = ml.GaussianNB{}:fit({ {1}, {1.2}, {3}, {3.1} }, { 'a', 'a', 'b', 'b' })\n"
             "print(model:predict{ {1.1} }, model:predict_proba{ {2} })",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct gaussian_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .export = export,
};
