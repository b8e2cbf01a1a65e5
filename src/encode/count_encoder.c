/* Encodes categories by the number of their rows, or by the fraction of all rows. */
#include "target_statistics.h"

struct count_encoder {
  mn_category_encoder encoder;
  bool normalize; /* parameter */
};

static void encode(const void *self, const struct mn_target_statistics *s, double *encoding)
{
  const struct count_encoder *m = self;
  const double unit = m->normalize ? s->weight[s->slots - 1] : 1;
  for (size_t k = 0; k + 1 < s->slots; k++) encoding[k] = s->weight[k] / unit;
  encoding[s->slots - 1] = 0;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_fit_target_encoder(ctx, self, data, encode);
}

static bool outputs_whole(const void *self, size_t j)
{
  const struct count_encoder *m = self;
  (void)j;
  return !m->normalize;
}

static const mn_param params[] = {
  MN_FLAG(struct count_encoder, normalize, false, "return the fraction of the rows instead of their number"),
  MN_END,
};

static const mn_field fields[] = {
  MN_TARGET_ENCODER_FIELDS(struct count_encoder),
  MN_END,
};

const mn_class mn_count_encoder = {
  .name = "CountEncoder",
  .family = "preprocess",
  .brief = "Encodes categories by the number or fraction of their rows.",
  .objective = "z_k = n_k",
  .source = "McGinnis et al., Journal of Open Source Software 3 (2018)",
  .notes = "Unknown categories get 0. Missing values seen in fit form a category. Sample weights count rows.",
  .example = "local enc = ml.CountEncoder{}:fit{ {\"a\"}, {\"a\"}, {\"b\"} }\n"
             "print(enc:transform{ {\"a\"}, {\"b\"}, {\"c\"} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct count_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TARGET_ENCODER_CLASS,
  .outputs_whole = outputs_whole,
};
