/* Bernoulli naive Bayes: a feature is present (above the threshold `binarize`) or absent,
 *
 *     log p(c | x) = log prior_c + sum_j log (x_j present ? p_cj : 1 - p_cj) + constant,
 *
 * with p_cj = (N_cj + a_1) / (N_c + a_0 + a_1): the smoothing of naive_bayes.h for two values. Missing values are
 * counted neither as present nor as absent, and left out of the sum. */
#include "../core/threads.h"
#include "../linalg/elementwise.h"
#include "../linalg/row_softmax.h"
#include "evidence.h"
#include "feature_counts.h"
#include <string.h>

struct bernoulli_nb {
  mn_nb nb;
  double binarize;
  mn_matrix feature_count, feature_log_prob, absence_log_prob; /* learned fields: classes x features */
  mn_matrix missing_count;                                     /* empty if no value was missing      */
};

enum { BLOCK_VALUES = 1 << 15 };

static bool any_missing(const mn_data *data)
{
  const mn_csr *s = data->sparse;
  const double *x = s ? s->at : data->x.at;
  const size_t n = s ? s->start[data->rows] : data->rows * data->features;
  for (size_t i = 0; i < n; i++)
    if (isnan(x[i])) return true;
  return false;
}

/* a (features x 2): pseudo-counts of absence and presence. */
static mn_status pseudo_counts(mn_context *ctx, const struct bernoulli_nb *m, double **a)
{
  const size_t k = m->feature_count.rows, p = m->feature_count.cols;
  *a = MN_NEW(ctx, double, p, 2);
  double *total = MN_NEW(ctx, double, p, 2);
  if (!*a || !total) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double missing = m->missing_count.at ? mn_row(&m->missing_count, c)[j] : 0;
      const double present = mn_row(&m->feature_count, c)[j];
      total[2 * j] += fmax(m->nb.class_count.at[c] - missing - present, 0);
      total[2 * j + 1] += present;
    }
  for (size_t j = 0; j < p; j++) mn_pseudo_counts(&m->nb, 2, total + 2 * j, *a + 2 * j);
  return MN_OK;
}

/* Probabilities before the logarithm; equal if there are neither counts nor pseudo-counts. */
static void estimate(const struct bernoulli_nb *m, const double *a)
{
  const size_t k = m->feature_count.rows, p = m->feature_count.cols;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double missing = m->missing_count.at ? mn_row(&m->missing_count, c)[j] : 0;
      const double seen = m->nb.class_count.at[c] - missing, present = mn_row(&m->feature_count, c)[j];
      const double yes = present + a[2 * j + 1], no = fmax(seen - present, 0) + a[2 * j], sum = yes + no;
      mn_row(&m->feature_log_prob, c)[j] = sum > 0 ? yes / sum : 0.5;
      mn_row(&m->absence_log_prob, c)[j] = sum > 0 ? no / sum : 0.5;
    }
}

static mn_status take_logarithm(mn_context *ctx, mn_matrix *m)
{
  const mn_strided all = { .at = m->at, .row_step = m->cols, .col_step = 1 };
  return mn_elementwise_unary(ctx, MN_LOG, m->rows, m->cols, all, m->at);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct bernoulli_nb *m = self;
  const size_t k = data->classes, p = data->features;
  double *a;
  if (!m->feature_count.at) {
    MN_TRY(mn_matrix_init(ctx, &m->feature_count, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->feature_log_prob, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->absence_log_prob, k, p));
  }
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  MN_TRY(mn_count_features(ctx, data, MN_COUNT_ABOVE, m->binarize, &m->feature_count));
  if (any_missing(data)) {
    if (!m->missing_count.at) MN_TRY(mn_matrix_init(ctx, &m->missing_count, k, p));
    MN_TRY(mn_count_features(ctx, data, MN_COUNT_MISSING, 0, &m->missing_count));
  }
  MN_TRY(pseudo_counts(ctx, m, &a));
  estimate(m, a);
  MN_TRY(take_logarithm(ctx, &m->feature_log_prob));
  return take_logarithm(ctx, &m->absence_log_prob);
}

struct scoring {
  const mn_data *data;
  double threshold;
  double *start, *present, *absent; /* classes; features x classes */
  double *base, *row;               /* classes: scores of a row of zeros; workers x features */
  mn_matrix *out;
  mn_blocks blocks;
};

/* A row of values, one feature after the other, as exported programs do. */
static void score_dense(const struct scoring *w, const double *x, double *out)
{
  const size_t k = w->out->cols;
  memcpy(out, w->start, k * sizeof *out);
  for (size_t j = 0; j < w->data->features; j++) {
    const double *t = x[j] > w->threshold ? w->present + j * k : w->absent + j * k;
    for (size_t c = 0; !isnan(x[j]) && c < k; c++) out[c] += t[c];
  }
}

/* The stored values of a sparse row, as differences from a row of zeros. */
static void score_sparse(const struct scoring *w, size_t i, double *out)
{
  const mn_csr *s = w->data->sparse;
  const size_t k = w->out->cols;
  memcpy(out, w->base, k * sizeof *out);
  for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
    const double *present = w->present + (size_t)s->col[e] * k, *absent = w->absent + (size_t)s->col[e] * k;
    if (s->at[e] > w->threshold)
      for (size_t c = 0; c < k; c++) out[c] += present[c] - absent[c];
    else if (isnan(s->at[e]))
      for (size_t c = 0; c < k; c++) out[c] -= absent[c];
  }
}

static void score_block(void *work, size_t block, size_t worker)
{
  const struct scoring *w = work;
  const size_t k = w->out->cols, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t i = begin; i < end; i++)
    if (w->base)
      score_sparse(w, i, mn_row(w->out, i));
    else
      score_dense(w, mn_dense_row(w->data, i, w->row + (w->data->sparse ? worker * w->data->features : 0)),
                  mn_row(w->out, i));
  mn_row_log_softmax(end - begin, k, mn_row(w->out, begin));
}

/* The tables by features; whether all values are finite. */
static mn_status arrange(mn_context *ctx, const struct bernoulli_nb *m, struct scoring *w, bool *finite)
{
  const size_t k = m->feature_count.rows, p = m->feature_count.cols;
  w->present = MN_RAW(ctx, double, p, k);
  w->absent = MN_RAW(ctx, double, p, k);
  if (!w->present || !w->absent) return MN_NO_MEMORY;
  *finite = true;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      w->present[j * k + c] = mn_row(&m->feature_log_prob, c)[j];
      w->absent[j * k + c] = mn_row(&m->absence_log_prob, c)[j];
      *finite = *finite && isfinite(w->present[j * k + c]) && isfinite(w->absent[j * k + c]);
    }
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct bernoulli_nb *m = self;
  const size_t k = out->cols, p = data->features;
  struct scoring w = { .data = data, .threshold = m->binarize, .start = m->nb.class_log_prior.at, .out = out };
  bool finite;
  size_t values = p;
  MN_TRY(arrange(ctx, m, &w, &finite));
  if (data->sparse && finite && m->binarize >= 0) {
    w.base = MN_RAW(ctx, double, k, 1);
    MN_CHECK_ALLOC(w.base);
    memcpy(w.base, w.start, k * sizeof *w.base);
    for (size_t j = 0; j < p; j++)
      for (size_t c = 0; c < k; c++) w.base[c] += w.absent[j * k + c];
    values = data->sparse->start[data->rows] / data->rows;
  } else if (data->sparse) {
    w.row = MN_RAW(ctx, double, mn_threads(ctx), p);
    MN_CHECK_ALLOC(w.row);
  }
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (values + k) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct bernoulli_nb *m = self;
  const size_t k = m->feature_count.rows, size = k * m->feature_count.cols;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "start", k, m->nb.class_log_prior.at);
  mn_program_reals(program, "present", size, m->feature_log_prob.at);
  mn_program_reals(program, "absent", size, m->absence_log_prob.at);
  mn_program_real(program, "threshold", m->binarize);
  mn_program_code(program, "for c < outputs { out[c] = start[c] }"
                           "for j < features { if !isnan(x[j]) { for c < outputs {"
                           "  out[c] += x[j] > threshold ? present[c * features + j] : absent[c * features + j]"
                           "} } }"
                           "log_softmax(outputs, out)");
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct bernoulli_nb *m = self;
  mn_nb_evidence e = { .model = &m->nb.base, .title = "Log-odds of the presence of a feature", .measure = MN_LOG_ODDS };
  MN_TRY(mn_log_odds(ctx, &m->nb.class_log_prior, &m->feature_log_prob, &e.value));
  return mn_evidence_summary(ctx, &e, options, results);
}

static const mn_operation operations[] = { MN_LOG_ODDS_OPERATION(summary), { .name = NULL } };

static const mn_param params[] = {
  MN_SMOOTHING_PARAMS,
  MN_REAL(struct bernoulli_nb, binarize, 0, MN_NO_LIMITS(), "a feature is present if its value is above this"),
  MN_CLASS_PRIOR_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NAIVE_BAYES_FIELDS,
  MN_MATRIX(struct bernoulli_nb, feature_count, "classes x features", "rows of each class with each feature"),
  MN_MATRIX(struct bernoulli_nb, feature_log_prob, "classes x features",
            "logarithm of the probability that a feature is present"),
  MN_MATRIX(struct bernoulli_nb, absence_log_prob, "classes x features",
            "logarithm of the probability that a feature is absent"),
  MN_MATRIX(struct bernoulli_nb, missing_count, "classes? x features?",
            "rows of each class in which a feature is missing; empty if none is"),
  MN_END,
};

const mn_class mn_bernoulli_nb = {
  .name = "BernoulliNB",
  .family = "bayes",
  .brief = "Naive Bayes for features that are present or absent.",
  .objective = "log p(c | x) = log prior_c + sum_j log (x_j > binarize ? p_cj : 1 - p_cj) + constant",
  .source = "Manning, Raghavan & Schuetze, Introduction to Information Retrieval (2008), section 13.3",
  .notes =
      "Values above binarize count as present; 0 and 1 are unchanged by the default. Missing values are ignored: "
      "they are not counted in fit, and are left out of the sum. scikit-learn, which refuses them, has the same "
      "alpha; as an m-estimate it is m = 2 alpha with a uniform prior estimate. A sparse X may have any threshold.",
  .example = "local X = { {1, 0, 1}, {1, 1, 0}, {0, 0, 1}, {0, 1, 0/0} } -- 0/0: missing\n"
             "local model = ml.BernoulliNB{}:fit(X, { 'a', 'a', 'b', 'b' })\n"
             "print(model:predict_proba{ {1, 0, 0}, {0/0, 1, 1} })",
  .capabilities = MN_CLASSIFY | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MISSING,
  .size = sizeof(struct bernoulli_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .export = export,
};
