/* A subset of the large classes with which the nearest-neighbor rule is right for all rows.
 *
 * From all rows of the smallest class and a few rows of another one, each row of that class in turn is added if the
 * nearest of these is not of its class. Rows that are right stay so as rows are added: one pass is enough. */
#include "condensed.h"

struct condensed_nearest_neighbour {
  mn_condensed condensed;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct condensed_nearest_neighbour *m = self;
  bool *keep;
  MN_TRY(mn_condense(ctx, &m->condensed, data, true, &keep));
  return mn_keep_rows(ctx, data, keep, out);
}

static const mn_param params[] = {
  MN_CONDENSED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_condensed),
  MN_END,
};

const mn_class mn_condensed_nearest_neighbour = {
  .name = "CondensedNearestNeighbour",
  .brief = "Removes rows of large classes that lie far from the smallest class.",
  .objective = "adds x_i if the nearest row of the subset so far has another class",
  .source = "Hart, IEEE Trans. Information Theory 14 (1968)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order, and the smallest class keeps all of its rows. Each large class "
                             "is compared with the smallest one, always by one nearest neighbor. Unless the large "
                             "class comes first, imbalanced-learn skips some rows that it should test.",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.CondensedNearestNeighbour{}:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct condensed_nearest_neighbour),
  .params = params,
  .fields = fields,
  .fit = mn_cleaner_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
