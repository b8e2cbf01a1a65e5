/* Encodes categories by the mean of the target; a training row by the mean of the other rows of its category. */
#include "../core/rng.h"
#include "target_statistics.h"

struct leave_one_out_encoder {
  mn_category_encoder encoder;
  double sigma; /* parameters */
  int64_t seed;
};

/* The mean of a category with a single row would be that row's target, so it gets the overall mean instead. */
static void encode(const void *self, const struct mn_target_statistics *s, double *encoding)
{
  (void)self;
  const double *all = s->mean + (s->slots - 1) * s->targets;
  for (size_t k = 0; k < s->slots; k++)
    for (size_t t = 0; t < s->targets; t++)
      encoding[k * s->targets + t] = s->weight[k] > 1 ? s->mean[k * s->targets + t] : all[t];
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_fit_target_encoder(ctx, self, data, encode);
}

static double target_of(const mn_data *data, const struct mn_target_statistics *s, size_t i, size_t t)
{
  if (!data->code) return s->exponent == 0 ? data->y.at[i] : ldexp(data->y.at[i], -s->exponent);
  return data->code[i] == (int32_t)(s->targets == 1 ? 1 : t);
}

/* The mean of slot k without row i:  (W mean - w y) / (W - w) */
static double mean_of_others(const struct mn_target_statistics *s, size_t k, size_t t, double w, double y)
{
  const double others = s->weight[k] - w, mean = s->mean[k * s->targets + t];
  if (!(others > 1e-9 * w)) return s->mean[(s->slots - 1) * s->targets + t];
  return (s->weight[k] * mean - w * y) / others;
}

static mn_status training_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct leave_one_out_encoder *m = self;
  struct mn_target_statistics *s;
  int32_t *slot;
  MN_TRY(mn_target_statistics_init(ctx, &m->encoder, data, NULL, 1, &s));
  MN_TRY(mn_row_slots(ctx, &m->encoder, data, &slot));
  for (size_t i = 0; i < data->rows; i++) {
    mn_rng rng = mn_stream(m->seed, i);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < out->cols; c++) {
      const size_t j = c / s->targets, t = c % s->targets;
      const double y = target_of(data, s, i, t), w = mn_weight(data, i);
      const double noise = m->sigma > 0 ? 1 + m->sigma * mn_random_normal(&rng) : 1;
      const double mean = mean_of_others(s, (size_t)slot[i * data->features + j], t, w, y);
      mn_row(out, i)[c] = noise * (s->exponent == 0 ? mean : ldexp(mean, s->exponent));
    }
  }
  return MN_OK;
}

static unsigned target_kind(const void *self)
{
  (void)self;
  return MN_Y_REALS | MN_Y_LABELS;
}

static const mn_param params[] = {
  MN_REAL(struct leave_one_out_encoder, sigma, 0, MN_AT_LEAST(0),
          "standard deviation of normal noise with mean 1 that multiplies the training encodings; 0: no noise"),
  MN_SEED(struct leave_one_out_encoder, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_TARGET_ENCODER_FIELDS(struct leave_one_out_encoder),
  MN_END,
};

const mn_class mn_leave_one_out_encoder = {
  .name = "LeaveOneOutEncoder",
  .family = "preprocess",
  .brief = "Encodes categories by the mean of y; a training row does not count itself.",
  .objective = "z_i = mean of y over the other rows of the category of row i",
  .source = "Zhang, Winning Data Science Competitions (2015)",
  .notes = "fit_transform, also as a step of a pipeline, leaves out the row itself. Within a category the "
           "encoding then decreases as y increases, which leaks y to flexible models such as trees: set sigma, "
           "or use TargetEncoder. Unknown categories and categories with a single row get the mean of y; "
           "missing values seen in fit form a category. More than two classes give one column per class.",
  .example = "local X, y = { {\"a\"}, {\"a\"}, {\"b\"}, {\"b\"} }, { 1, 3, 8, 9 }\n"
             "local enc = ml.LeaveOneOutEncoder{}\n"
             "print(enc:fit_transform(X, y), enc:transform{ {\"a\"}, {\"c\"} })",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS | MN_Y_REALS | MN_Y_LABELS | MN_Y_CLASSES,
  .size = sizeof(struct leave_one_out_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .training_transform = training_transform,
  .target_kind = target_kind,
  MN_TARGET_ENCODER_CLASS,
};
