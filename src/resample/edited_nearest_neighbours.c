/* Removes rows whose nearest rows belong to other classes. */
#include "edited.h"
#include <string.h>

struct edited_nearest_neighbours {
  mn_edited edited;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct edited_nearest_neighbours *m = self;
  const mn_edited *e = &m->edited;
  bool *keep = MN_RAW(ctx, bool, data->rows, 1);
  double *counts = MN_RAW(ctx, double, data->classes, 1);
  if (!keep || !counts) return MN_NO_MEMORY;
  memset(keep, true, data->rows * sizeof *keep);
  memcpy(counts, e->resampler.class_counts.at, data->classes * sizeof *counts);
  MN_TRY(mn_edit(ctx, e, data, (size_t)e->n_neighbors, keep, counts));
  return mn_keep_cleaned(ctx, &e->resampler, data, keep, out);
}

static const mn_param params[] = {
  MN_EDITED_PARAMS("number of neighbors of each row"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_edited),
  MN_END,
};

const mn_class mn_edited_nearest_neighbours = {
  .name = "EditedNearestNeighbours",
  .brief = "Removes training rows whose neighbors belong to other classes.",
  .objective = "keeps x_i if its k neighbors are of class y_i: all of them, or most",
  .source = "Wilson, IEEE Trans. Systems, Man and Cybernetics 2 (1972)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order. With kind_sel = \"mode\", ties are broken by the order of the "
                             "classes. SMOTE followed by EditedNearestNeighbours { sampling_strategy = \"all\" } is "
                             "SMOTEENN of imbalanced-learn.",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.EditedNearestNeighbours{ n_neighbors = 2 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct edited_nearest_neighbours),
  .params = params,
  .fields = fields,
  .fit = mn_edited_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
