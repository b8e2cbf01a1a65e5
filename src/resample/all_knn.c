/* Removes rows whose nearest rows belong to other classes, with 1, 2, ... neighbors in turn. */
#include "edited.h"

struct all_knn {
  mn_edited edited;
  bool allow_minority;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct all_knn *m = self;
  const mn_edits edits = { .rounds = m->edited.n_neighbors, .growing = true, .allow_minority = m->allow_minority };
  return mn_edit_repeatedly(ctx, &m->edited, data, edits, out);
}

static const mn_param params[] = {
  MN_EDITED_PARAMS("number of neighbors of each row in the last repetition"),
  MN_FLAG(struct all_knn, allow_minority, false,
          "continue when a class becomes smaller than the smallest class initially was"),
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_edited),
  MN_END,
};

const mn_class mn_all_knn = {
  .name = "AllKNN",
  .brief = "Repeats EditedNearestNeighbours with 1 to k neighbors.",
  .objective = "keeps x_i if its 1, 2, ... k neighbors are of class y_i, among the rows kept before",
  .source = "Tomek, IEEE Trans. Systems, Man and Cybernetics 6 (1976)",
  .notes = MN_RESAMPLER_NOTE "The repetition stops before it would remove all rows of a class (in imbalanced-learn, "
                             "after).",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.AllKNN{ n_neighbors = 2 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct all_knn),
  .params = params,
  .fields = fields,
  .fit = mn_edited_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
