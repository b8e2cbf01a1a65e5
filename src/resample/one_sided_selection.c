/* Removes rows of large classes that are far from the smallest class, then rows in Tomek links. */
#include "condensed.h"
#include "tomek_links.h"

struct one_sided_selection {
  mn_condensed condensed;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct one_sided_selection *m = self;
  const mn_resampler *r = &m->condensed.resampler;
  mn_row_subset rows;
  bool *keep;
  MN_TRY(mn_condense(ctx, &m->condensed, data, false, &keep));
  MN_TRY(mn_subset_kept(ctx, data, keep, &rows));
  MN_TRY(mn_cut_tomek_links(ctx, r, data, &rows, keep));
  return mn_keep_cleaned(ctx, r, data, keep, out);
}

static const mn_param params[] = {
  MN_CONDENSED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(mn_condensed),
  MN_END,
};

const mn_class mn_one_sided_selection = {
  .name = "OneSidedSelection",
  .brief = "Removes rows of large classes far from the smallest class or in Tomek links.",
  .objective = "keeps x_i if the nearest row of a small subset has another class; then TomekLinks",
  .source = "Kubat & Matwin, ICML (1997)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order. For each row of a large class, the nearest row is found among "
                             "the smallest class and n_seeds_S rows of that large class. The smallest class loses "
                             "rows only to Tomek links.",
  .example = "local X, y = { {1}, {2}, {3}, {8}, {8.5}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.OneSidedSelection{}:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct one_sided_selection),
  .params = params,
  .fields = fields,
  .fit = mn_cleaner_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
