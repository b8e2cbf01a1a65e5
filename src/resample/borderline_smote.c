/* New rows only for the rows of a small class that have many neighbors in other classes.
 *
 * A row with o of its m nearest rows in other classes is in danger if m / 2 <= o < m; with o = m it is noise.
 *
 *     x' = x_i + u (x_k - x_i),      x_i in danger, or any row of the class if none is
 *
 *     borderline-1: x_k one of the nearest rows of its class, u uniform in [0, 1)
 *     borderline-2: x_k one of the nearest of all rows, and u uniform in [0, 1/2) if x_k has another class */
#include "../core/rng.h"
#include "row_subset.h"

enum { BORDERLINE_1, BORDERLINE_2 };
static const char *const kinds[] = { "borderline-1", "borderline-2", NULL };

struct borderline_smote {
  mn_resampler resampler;
  int64_t kind, k_neighbors, m_neighbors, seed;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct borderline_smote *m = self;
  const mn_resampler *r = &m->resampler;
  MN_TRY(mn_oversampler_fit(ctx, self, data));
  MN_TRY(mn_check_neighbors(ctx, r, data, "m_neighbors", m->m_neighbors));
  if (m->kind == BORDERLINE_2) return mn_check_neighbors(ctx, r, data, "k_neighbors", m->k_neighbors);
  return mn_check_class_neighbors(ctx, r, "k_neighbors", m->k_neighbors);
}

/* danger[0..*n): positions in `rows`, which are the rows of class c; all, if none is in danger. */
static mn_status find_danger(mn_context *ctx, const struct borderline_smote *m, const mn_data *data, size_t c,
                             const mn_row_subset *rows, size_t *danger, size_t *n)
{
  const size_t k = (size_t)m->m_neighbors;
  size_t *others;
  *n = 0;
  MN_TRY(mn_count_others(ctx, data, c, rows->row, rows->n, k, &others));
  for (size_t i = 0; i < rows->n; i++)
    if (2 * others[i] >= k && others[i] < k) danger[(*n)++] = i;
  if (*n > 0) return MN_OK;
  for (size_t i = 0; i < rows->n; i++) danger[i] = i;
  *n = rows->n;
  return MN_OK;
}

/* The k neighbors in the data of the n rows of class c in danger, to choose from. */
static mn_status find_partners(mn_context *ctx, const struct borderline_smote *m, const mn_data *data,
                               const mn_row_subset *rows, const size_t *danger, size_t n, int32_t **nearest)
{
  const size_t k = (size_t)m->k_neighbors;
  if (m->kind == BORDERLINE_1) {
    MN_TRY(mn_nearest_others(ctx, &rows->x, danger, n, k, nearest));
    for (size_t s = 0; s < n * k; s++) (*nearest)[s] = (int32_t)rows->row[(*nearest)[s]];
    return MN_OK;
  }
  size_t *row = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(row);
  for (size_t i = 0; i < n; i++) row[i] = rows->row[danger[i]];
  return mn_nearest_others(ctx, &data->x, row, n, k, nearest);
}

static mn_status extend_class(mn_context *ctx, const struct borderline_smote *m, const mn_data *data, size_t c,
                              mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]), k = (size_t)m->k_neighbors;
  mn_rng rng = mn_stream(m->seed, c);
  mn_row_subset rows;
  int32_t *nearest;
  size_t n;
  if (more == 0) return MN_OK;
  MN_TRY(mn_subset_of_class(ctx, data, c, &rows));
  size_t *danger = MN_RAW(ctx, size_t, rows.n, 1);
  MN_CHECK_ALLOC(danger);
  MN_TRY(find_danger(ctx, m, data, c, &rows, danger, &n));
  MN_TRY(find_partners(ctx, m, data, &rows, danger, n, &nearest));
  for (size_t s = 0; s < more; s++) {
    if (s % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    const size_t i = mn_random_below(&rng, n), other = (size_t)nearest[i * k + mn_random_below(&rng, k)];
    const size_t source = rows.row[danger[i]];
    const double most = (size_t)data->code[other] == c ? 1 : 0.5;
    mn_interpolate(mn_row(&data->x, source), mn_row(&data->x, other), data->features, most * mn_random_uniform(&rng),
                   mn_add_row(out, source));
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct borderline_smote *m = self;
  MN_TRY(mn_begin_more_rows(ctx, data, mn_missing_rows(&m->resampler), true, out));
  for (size_t c = 0; c < data->classes; c++) MN_TRY(extend_class(ctx, m, data, c, out));
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct borderline_smote),
  MN_CHOICE(struct borderline_smote, kind, BORDERLINE_1, kinds,
            "borderline-1: interpolate toward neighbors of the same class; borderline-2: of any class"),
  MN_COUNT(struct borderline_smote, k_neighbors, 5, MN_CLOSED(1, INT32_MAX - 1),
           "number of nearest neighbors, of which one is chosen at random"),
  MN_COUNT(struct borderline_smote, m_neighbors, 10, MN_CLOSED(1, INT32_MAX - 1),
           "number of nearest neighbors, of any class, that decide whether a row is in danger"),
  MN_SEED(struct borderline_smote, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct borderline_smote),
  MN_END,
};

const mn_class mn_borderline_smote = {
  .name = "BorderlineSMOTE",
  .brief = "Oversamples small classes with synthetic rows near the class boundary.",
  .objective = "x' = x_i + u (x_k - x_i), with half or more of the m neighbors of x_i in other classes",
  .source = "Han, Wang & Mao, ICIC (2005)",
  .notes = MN_RESAMPLER_NOTE "Rows whose m neighbors all belong to other classes count as noise. A class without "
                             "rows in danger is oversampled as by SMOTE (left unchanged by imbalanced-learn). A step "
                             "toward another class is at most half the distance (a product of two random numbers in "
                             "imbalanced-learn). Distances depend on the scale of the columns.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {3.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.BorderlineSMOTE{ k_neighbors = 1, m_neighbors = 5 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct borderline_smote),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
