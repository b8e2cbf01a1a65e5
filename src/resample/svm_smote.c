/* New rows near the support vectors of a small class.
 *
 * A support vector with o of its m nearest rows in other classes is noise if o = m, in danger if m / 2 <= o < m, else
 * safe:
 *
 *     in danger   x' = x_i + u (x_k - x_i)
 *     safe        x' = x_i - out_step u (x_k - x_i), away from its class
 *
 * u uniform in [0, 1), x_k one of the k nearest rows of the class. If all support vectors are noise, all rows of the
 * class count as in danger. */
#include "../core/rng.h"
#include "../model/model.h"
#include "../svm/svc.h"
#include "row_subset.h"

struct svm_smote {
  mn_resampler resampler;
  double C, out_step;
  int64_t k_neighbors, m_neighbors, seed;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct svm_smote *m = self;
  MN_TRY(mn_oversampler_fit(ctx, self, data));
  MN_TRY(mn_check_neighbors(ctx, &m->resampler, data, "m_neighbors", m->m_neighbors));
  return mn_check_class_neighbors(ctx, &m->resampler, "k_neighbors", m->k_neighbors);
}

static mn_status copy_support(mn_context *ctx, const mn_svm *svm, size_t rows, bool **is_support)
{
  *is_support = MN_NEW(ctx, bool, rows, 1);
  MN_CHECK_ALLOC(*is_support);
  for (size_t k = 0; k < svm->support.size; k++) (*is_support)[svm->support.at[k]] = true;
  return MN_OK;
}

/* Which rows are support vectors of an SVC. */
static mn_status find_support(mn_context *ctx, const struct svm_smote *m, const mn_data *data, bool **is_support)
{
  mn_estimator *svc = mn_estimator_new(ctx, &mn_svc);
  MN_CHECK_ALLOC(svc);
  mn_svm *svm = (mn_svm *)svc;
  svm->C = m->C;
  svc->n_features = data->features;
  mn_status status = mn_svc.fit(ctx, svc, data);
  if (status == MN_OK) status = copy_support(ctx, svm, data->rows, is_support);
  mn_estimator_free(mn_context_memory(ctx), svc);
  return status;
}

/* The rows to begin with: positions in the class, and whether each is safe. */
struct bases {
  size_t n, *at;
  bool *safe;
};

static mn_status find_bases(mn_context *ctx, const struct svm_smote *m, const mn_data *data, size_t c,
                            const mn_row_subset *rows, const bool *is_support, struct bases *out)
{
  const size_t k = (size_t)m->m_neighbors;
  size_t *others;
  *out = (struct bases){ .at = MN_RAW(ctx, size_t, rows->n, 1), .safe = MN_RAW(ctx, bool, rows->n, 1) };
  if (!out->at || !out->safe) return MN_NO_MEMORY;
  MN_TRY(mn_count_others(ctx, data, c, rows->row, rows->n, k, &others));
  for (size_t i = 0; i < rows->n; i++) {
    if (!is_support[rows->row[i]] || others[i] == k) continue;
    out->safe[out->n] = 2 * others[i] < k;
    out->at[out->n++] = i;
  }
  if (out->n > 0) return MN_OK;
  for (; out->n < rows->n; out->n++) {
    out->at[out->n] = out->n;
    out->safe[out->n] = false;
  }
  return MN_OK;
}

/* out = a - u (b - a) */
static void extrapolate(const double *a, const double *b, size_t p, double u, double *out)
{
  for (size_t j = 0; j < p; j++) out[j] = fmin(fmax(a[j] - u * (b[j] - a[j]), -DBL_MAX), DBL_MAX);
}

static mn_status extend_class(mn_context *ctx, const struct svm_smote *m, const mn_data *data, const bool *is_support,
                              size_t c, mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]), k = (size_t)m->k_neighbors;
  mn_rng rng = mn_stream(m->seed, c);
  mn_row_subset rows;
  struct bases bases;
  int32_t *nearest;
  if (more == 0) return MN_OK;
  MN_TRY(mn_subset_of_class(ctx, data, c, &rows));
  MN_TRY(find_bases(ctx, m, data, c, &rows, is_support, &bases));
  MN_TRY(mn_nearest_others(ctx, &rows.x, bases.at, bases.n, k, &nearest));
  for (size_t s = 0; s < more; s++) {
    if (s % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    const size_t b = mn_random_below(&rng, bases.n), other = (size_t)nearest[b * k + mn_random_below(&rng, k)];
    const double *from = mn_row(&rows.x, bases.at[b]), *to = mn_row(&rows.x, other), u = mn_random_uniform(&rng);
    double *made = mn_add_row(out, rows.row[bases.at[b]]);
    if (bases.safe[b])
      extrapolate(from, to, data->features, m->out_step * u, made);
    else
      mn_interpolate(from, to, data->features, u, made);
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct svm_smote *m = self;
  const size_t more = mn_missing_rows(&m->resampler);
  bool *is_support = NULL;
  MN_TRY(mn_begin_more_rows(ctx, data, more, true, out));
  if (more > 0) MN_TRY(find_support(ctx, m, data, &is_support));
  for (size_t c = 0; c < data->classes; c++) MN_TRY(extend_class(ctx, m, data, is_support, c, out));
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct svm_smote),
  MN_COUNT(struct svm_smote, k_neighbors, 5, MN_CLOSED(1, INT32_MAX - 1),
           "number of nearest neighbors in the class, of which one is chosen at random"),
  MN_COUNT(
      struct svm_smote, m_neighbors, 10, MN_CLOSED(1, INT32_MAX - 1),
      "number of nearest neighbors, of any class, that decide whether a support vector is noise, in danger, or safe"),
  MN_REAL(struct svm_smote, out_step, 0.5, MN_CLOSED(0, 1),
          "largest step away from the class, as a fraction of the distance to a neighbor"),
  MN_REAL(struct svm_smote, C, 1, MN_GREATER_THAN(0), "C of the SVC; larger values give fewer support vectors"),
  MN_SEED(struct svm_smote, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct svm_smote),
  MN_END,
};

const mn_class mn_svm_smote = {
  .name = "SVMSMOTE",
  .brief = "Oversamples small classes with synthetic rows near support vectors.",
  .objective = "x' = x_i + u (x_k - x_i), or x_i - out_step u (x_k - x_i), x_i a support vector",
  .source = "Nguyen, Cooper & Kamei, Int. J. Knowledge Engineering and Soft Data Paradigms 3 (2011)",
  .notes = MN_RESAMPLER_NOTE "The SVC has the RBF kernel with gamma = \"scale\": put StandardScaler before it. Base "
                             "rows are drawn uniformly from all support vectors; imbalanced-learn draws a random "
                             "fraction of them from those in danger. A class whose support vectors are all noise is "
                             "oversampled as by SMOTE.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {3.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.SVMSMOTE{ k_neighbors = 1, m_neighbors = 3 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct svm_smote),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
