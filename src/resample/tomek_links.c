/* Removes rows in Tomek links: pairs of rows of different classes, each the nearest row of the other. */
#include "tomek_links.h"

struct tomek_links {
  mn_resampler resampler;
};

mn_status mn_cut_tomek_links(mn_context *ctx, const mn_resampler *m, const mn_data *data, const mn_row_subset *rows,
                             bool *keep)
{
  const int32_t *code = data->code;
  int32_t *nearest;
  if (rows->n < 2) return MN_OK;
  MN_TRY(mn_nearest_of(ctx, &rows->x, NULL, 1, &nearest, NULL));
  for (size_t i = 0; i < rows->n; i++) {
    const size_t other = (size_t)nearest[i], row = rows->row[i];
    const bool linked = (size_t)nearest[other] == i && code[rows->row[other]] != code[row];
    if (linked && mn_may_lose_rows(m, m->class_counts.at, (size_t)code[row])) keep[row] = false;
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct tomek_links *m = self;
  mn_row_subset rows;
  bool *keep;
  MN_TRY(mn_all_rows(ctx, data, &rows, &keep));
  MN_TRY(mn_cut_tomek_links(ctx, &m->resampler, data, &rows, keep));
  return mn_keep_cleaned(ctx, &m->resampler, data, keep, out);
}

static const mn_param params[] = {
  MN_CLEANER_PARAM(struct tomek_links),
  MN_END,
};

static const mn_field fields[] = {
  MN_CLEANER_FIELD(struct tomek_links),
  MN_END,
};

const mn_class mn_tomek_links = {
  .name = "TomekLinks",
  .brief = "Removes training rows that form Tomek links with another class.",
  .objective = "x_i and x_k of different classes, each the nearest row of the other",
  .source = "Tomek, IEEE Trans. Systems, Man and Cybernetics 6 (1976)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order.",
  .example = "local X, y = { {1}, {2}, {4}, {4.5}, {9} }, { \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.TomekLinks{ sampling_strategy = \"all\" }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct tomek_links),
  .params = params,
  .fields = fields,
  .fit = mn_cleaner_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
