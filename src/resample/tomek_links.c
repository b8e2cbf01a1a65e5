/* Rows removed whose nearest row is of another class and has them as its nearest row in turn: a Tomek link. */
#include "../search/nearest.h"
#include "resampler.h"

struct tomek_links {
  mn_resampler resampler;
};

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct tomek_links *m = self;
  const size_t n = data->rows;
  int32_t *nearest = MN_RAW(ctx, int32_t, n, 1);
  double *distance = MN_RAW(ctx, double, n, 1);
  bool *keep = MN_RAW(ctx, bool, n, 1);
  if (!nearest || !distance || !keep) return MN_NO_MEMORY;
  MN_TRY(mn_nearest_rows(ctx, n, n, data->features, data->x.at, data->x.at, 1, true, nearest, distance));
  for (size_t i = 0; i < n; i++) {
    const size_t other = (size_t)nearest[i];
    const bool linked = (size_t)nearest[other] == i && data->code[other] != data->code[i];
    keep[i] = !(linked && mn_may_lose_rows(&m->resampler, (size_t)data->code[i]));
  }
  return mn_keep_rows(ctx, data, keep, out);
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
  .accepts = MN_Y_LABELS,
  .size = sizeof(struct tomek_links),
  .params = params,
  .fields = fields,
  .fit = mn_cleaner_fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
