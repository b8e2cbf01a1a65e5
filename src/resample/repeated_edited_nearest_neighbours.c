/* Removes rows whose nearest rows belong to other classes, repeatedly. */
#include "edited.h"

struct repeated_edited_nearest_neighbours {
  mn_edited edited;
  int64_t max_iter;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct repeated_edited_nearest_neighbours *m = self;
  return mn_edit_repeatedly(ctx, &m->edited, data, (mn_edits){ .rounds = m->max_iter }, out);
}

static const mn_param params[] = {
  MN_EDITED_PARAMS("number of neighbors of each row"),
  MN_COUNT(struct repeated_edited_nearest_neighbours, max_iter, 100, MN_AT_LEAST(1), "maximum number of repetitions"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_edited),
  MN_END,
};

const mn_class mn_repeated_edited_nearest_neighbours = {
  .name = "RepeatedEditedNearestNeighbours",
  .brief = "Repeats EditedNearestNeighbours until no row is removed.",
  .objective = "keeps x_i if its k neighbors are of class y_i, among the rows kept before",
  .source = "Tomek, IEEE Trans. Systems, Man and Cybernetics 6 (1976)",
  .notes = MN_RESAMPLER_NOTE "The repetition also stops when a class becomes smaller than the smallest class "
                             "initially was, and before it would remove all rows of a class (in imbalanced-learn, "
                             "after).",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.RepeatedEditedNearestNeighbours{ n_neighbors = 2 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct repeated_edited_nearest_neighbours),
  .params = params,
  .fields = fields,
  .fit = mn_edited_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
