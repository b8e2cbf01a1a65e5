/* Gaussian naive Bayes: within a class the features are independent and normal.
 *
 *     log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant
 *
 * Variances are maximum likelihood estimates plus epsilon = var_smoothing times the largest variance of a feature, as
 * in scikit-learn. Moments are computed in one pass over X about a shift near the mean of each class; if the shift
 * turns out to be so far from the mean that digits are lost, a second pass uses the mean. Batches are merged by Chan,
 * Golub & LeVeque, The American Statistician 37 (1983). */
#include "../core/threads.h"
#include "../discriminant/class_prior.h"
#include "../linalg/ordered.h"
#include "../linalg/row_softmax.h"
#include "../linear/linear.h"
#include "../model/class.h"
#include "../model/program.h"
#include "evidence.h"
#include "gaussian_kernel.h"
#include <string.h>

struct gaussian_nb {
  mn_estimator base;
  double var_smoothing; /* parameters */
  mn_vector priors;
  mn_matrix theta, var;               /* learned fields: classes x features; var without epsilon */
  mn_vector class_count, class_prior; /* classes */
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

/* The largest variance of a feature over all rows, from the variances within and between classes. */
static double largest_variance(const struct gaussian_nb *m)
{
  const size_t p = m->base.n_features, k = m->class_count.size;
  double largest = 0, total = 0;
  for (size_t c = 0; c < k; c++) total += m->class_count.at[c];
  for (size_t j = 0; j < p; j++) {
    double mean = 0, var = 0;
    for (size_t c = 0; c < k; c++) mean += m->class_count.at[c] / total * m->theta.at[c * p + j];
    for (size_t c = 0; c < k; c++) {
      const double delta = m->theta.at[c * p + j] - mean;
      var += m->class_count.at[c] / total * (m->var.at[c * p + j] + delta * delta);
    }
    largest = fmax(largest, var);
  }
  return largest;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gaussian_nb *m = self;
  const size_t k = data->classes, p = data->features;
  double *count = MN_NEW(ctx, double, k, 1), *mean = MN_NEW(ctx, double, k, p), *var = MN_NEW(ctx, double, k, p);
  if (!count || !mean || !var) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  if (!m->theta.at) {
    MN_TRY(mn_matrix_init(ctx, &m->theta, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->var, k, p));
    MN_TRY(mn_vector_init(ctx, &m->class_count, k));
    MN_TRY(mn_vector_init(ctx, &m->class_prior, k));
  }
  MN_TRY(compute_moments(ctx, data, count, mean, var));
  for (size_t c = 0; c < k; c++) merge_class(m, c, count[c], mean, var);
  m->epsilon = m->var_smoothing * largest_variance(m);
  const mn_prior_rule rule = { .who = "GaussianNB", .param = "priors", .given = &m->priors, .fit = true };
  return mn_class_priors(ctx, &rule, k, m->class_count.at, m->class_prior.at);
}

struct score_work {
  const mn_data *data;
  const struct gaussian_nb *m;
  const double *scale, *start;
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct score_work *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  const size_t p = w->data->features, k = w->out->cols;
  double *out = w->out->at + begin * k;
  mn_ordered_gaussian(n, p, k, w->data->x.at + begin * p, w->m->theta.at, w->scale, w->start, out);
  mn_row_log_softmax(n, k, out);
}

/* Coefficients of the log densities start[c] - sum_j (x_j - theta_cj)^2 scale[c, j]; scratch. */
static mn_status make_scales(mn_context *ctx, const struct gaussian_nb *m, double **scale, double **start)
{
  const double two_pi = 6.28318530717958647693;
  const size_t k = m->theta.rows, p = m->theta.cols;
  *scale = MN_RAW(ctx, double, k, p);
  *start = MN_RAW(ctx, double, k, 1);
  if (!*scale || !*start) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    (*start)[c] = log(m->class_prior.at[c]);
    for (size_t j = 0; j < p; j++) {
      const double var = fmax(m->var.at[c * p + j] + m->epsilon, DBL_MIN);
      (*start)[c] -= log(two_pi * var) / 2;
      (*scale)[c * p + j] = 1 / (2 * var);
    }
  }
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  double *scale, *start;
  MN_TRY(make_scales(ctx, self, &scale, &start));
  struct score_work w = { .data = data, .m = self, .scale = scale, .start = start, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (data->features + 1) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct gaussian_nb *m = self;
  double *scale, *start;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(make_scales(ctx, m, &scale, &start));
  mn_program_reals(program, "theta", m->theta.rows * m->theta.cols, m->theta.at);
  mn_program_reals(program, "scale", m->theta.rows * m->theta.cols, scale);
  mn_program_reals(program, "start", m->theta.rows, start);
  mn_program_code(program, "for c < outputs {"
                           "  out[c] = start[c] - gaussian(features, x, theta, scale, c * features)"
                           "}"
                           "log_softmax(outputs, out)");
  return MN_OK;
}

/* The information of each feature about class c against the mixture of all other classes. */
static void add_information(const struct gaussian_nb *m, size_t c, const double *others, double *out)
{
  const size_t k = m->theta.rows, p = m->theta.cols;
  for (size_t j = 0; j < p; j++) {
    double mean = 0, var = m->epsilon;
    for (size_t d = 0; d < k; d++) mean += others[d] * m->theta.at[d * p + j];
    for (size_t d = 0; d < k; d++) {
      const double delta = m->theta.at[d * p + j] - mean;
      var += others[d] * (m->var.at[d * p + j] + delta * delta);
    }
    out[j] = mn_normal_information(m->theta.at[c * p + j], m->var.at[c * p + j] + m->epsilon, mean, var);
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
      "Variances are divided by the number of rows of the class, and epsilon is added to them, as in scikit-learn.",
  .example = "local model = ml.GaussianNB{}:fit({ {1}, {1.2}, {3}, {3.1} }, { 'a', 'a', 'b', 'b' })\n"
             "print(model:predict{ {1.1} }, model:predict_proba{ {2} })",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS,
  .missing_alternatives = "MixedNB",
  .size = sizeof(struct gaussian_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .export = export,
};
