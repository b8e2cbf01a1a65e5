/* Removes rows whose nearest rows mostly belong to other classes, and the neighbors of misclassified rare rows.
 *
 * First as EditedNearestNeighbours with kind_sel = "mode". Then, for each row of the smallest class whose k nearest
 * rows mostly belong to other classes, those of the k rows whose class has more than `threshold` times as many rows as
 * the smallest class. */
#include "edited.h"
#include <string.h>

struct neighbourhood_cleaning_rule {
  mn_edited edited; /* kind_sel is always "mode" */
  double threshold_cleaning;
};

static bool is_cleaned(const struct neighbourhood_cleaning_rule *m, size_t c)
{
  const mn_resampler *r = &m->edited.resampler;
  const double *n = r->class_counts.at;
  return mn_may_lose_rows(r, n, c) && n[c] > m->threshold_cleaning * n[mn_smallest_class(r)];
}

/* Remove the neighbors of misclassified rows of the smallest class. */
static mn_status clean_neighbors(mn_context *ctx, const struct neighbourhood_cleaning_rule *m, const mn_data *data,
                                 bool *keep)
{
  const size_t small = mn_smallest_class(&m->edited.resampler), k = (size_t)m->edited.n_neighbors;
  size_t *row, n, *votes = MN_NEW(ctx, size_t, data->classes, 1), *label = MN_RAW(ctx, size_t, k, 1);
  int32_t *nearest;
  if (!votes || !label) return MN_NO_MEMORY;
  MN_TRY(mn_rows_of_class(ctx, data, small, &row, &n));
  MN_TRY(mn_nearest_others(ctx, &data->x, row, n, k, &nearest));
  for (size_t i = 0; i < n; i++) {
    for (size_t s = 0; s < k; s++) label[s] = (size_t)data->code[nearest[i * k + s]];
    if (mn_neighbors_agree(MN_EDIT_MODE, small, k, label, votes)) continue;
    for (size_t s = 0; s < k; s++)
      if (is_cleaned(m, label[s])) keep[nearest[i * k + s]] = false;
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct neighbourhood_cleaning_rule *m = self;
  mn_edited edited = m->edited;
  bool *keep = MN_RAW(ctx, bool, data->rows, 1);
  double *counts = MN_RAW(ctx, double, data->classes, 1);
  if (!keep || !counts) return MN_NO_MEMORY;
  edited.kind_sel = MN_EDIT_MODE;
  memset(keep, true, data->rows * sizeof *keep);
  memcpy(counts, edited.resampler.class_counts.at, data->classes * sizeof *counts);
  MN_TRY(mn_edit(ctx, &edited, data, (size_t)edited.n_neighbors, keep, counts));
  MN_TRY(clean_neighbors(ctx, m, data, keep));
  return mn_keep_cleaned(ctx, &m->edited.resampler, data, keep, out);
}

static const mn_param params[] = {
  MN_CLEANER_PARAM(mn_edited),
  MN_COUNT(mn_edited, n_neighbors, 3, MN_CLOSED(1, INT32_MAX - 1), "number of neighbors of each row"),
  MN_REAL(
      struct neighbourhood_cleaning_rule, threshold_cleaning, 0.5, MN_AT_LEAST(0),
      "neighbors of misclassified rare rows are removed from classes with more than this multiple of the rows of the smallest class"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_edited),
  MN_END,
};

const mn_class mn_neighbourhood_cleaning_rule = {
  .name = "NeighbourhoodCleaningRule",
  .brief = "Removes rows among other classes and the neighbors of misclassified rare rows.",
  .objective = "keeps x_i if most of its k neighbors are of class y_i, and no rare neighbor is misclassified",
  .source = "Laurikkala, AIME (2001)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order. Rare rows are those of the smallest class. To find "
                             "misclassified ones, imbalanced-learn counts a row among its own neighbors, and so "
                             "finds fewer.",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.NeighbourhoodCleaningRule{ n_neighbors = 2 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct neighbourhood_cleaning_rule),
  .params = params,
  .fields = fields,
  .fit = mn_edited_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
