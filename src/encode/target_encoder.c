/* Encodes categories by the mean of the target, shrunk toward the overall mean. */
#include "target_statistics.h"

enum target_type { TYPE_AUTO, TYPE_CONTINUOUS, TYPE_BINARY, TYPE_MULTICLASS };

struct target_encoder {
  mn_category_encoder encoder;
  int64_t target_type, cv, seed; /* parameters */
  double smooth;
  bool shuffle;
};

static double between(double lambda, double mean, double all)
{
  return lambda * mean + (1 - lambda) * all;
}

/* smooth = m:  (n mean_k + m mean) / (n + m)
 * unset:       lambda mean_k + (1 - lambda) mean,  lambda = n v / (n v + s_k),  where v is the variance of y and s_k
 *              that within the category (empirical Bayes, Micci-Barreca 2001) */
static double encode_one(const struct target_encoder *m, const struct mn_target_statistics *s, size_t k, size_t t)
{
  const size_t all = s->slots - 1, at = k * s->targets + t;
  const double mean = s->mean[all * s->targets + t], n = s->weight[k];
  if (!(n > 0)) return mean;
  if (!isnan(m->smooth)) return between(n / (n + m->smooth), s->mean[at], mean);
  const double between_rows = n * (s->square[all * s->targets + t] / s->weight[all]), within = s->square[at] / n;
  return between_rows + within > 0 ? between(between_rows / (between_rows + within), s->mean[at], mean) : mean;
}

static void encode(const void *self, const struct mn_target_statistics *s, double *encoding)
{
  const size_t all = s->slots - 1;
  for (size_t k = 0; k <= all; k++)
    for (size_t t = 0; t < s->targets; t++)
      encoding[k * s->targets + t] = k < all ? encode_one(self, s, k, t) : s->mean[all * s->targets + t];
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct target_encoder *m = self;
  if (m->target_type == TYPE_BINARY && data->classes > 2)
    return mn_fail(ctx, MN_BAD_DATA, "TargetEncoder: y must have 2 classes for target_type = \"binary\", got %zu",
                   data->classes);
  return mn_fit_target_encoder(ctx, &m->encoder, data, encode);
}

static mn_status training_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct target_encoder *m = self;
  const struct mn_cross_fitting how = { .folds = m->cv, .seed = m->seed, .shuffle = m->shuffle };
  return mn_cross_fit(ctx, &m->encoder, data, how, encode, out);
}

static unsigned target_kind(const void *self)
{
  switch ((enum target_type)((const struct target_encoder *)self)->target_type) {
  case TYPE_CONTINUOUS: return MN_Y_REALS;
  case TYPE_BINARY:
  case TYPE_MULTICLASS: return MN_Y_LABELS;
  case TYPE_AUTO: break;
  }
  return MN_Y_REALS | MN_Y_LABELS;
}

static const char *const target_types[] = { "auto", "continuous", "binary", "multiclass", NULL };

static const mn_param params[] = {
  MN_CHOICE(struct target_encoder, target_type, TYPE_AUTO, target_types,
            "type of y; auto: labels are classes, numbers are continuous"),
  MN_REAL(struct target_encoder, smooth, MN_UNSET_REAL, MN_AT_LEAST(0),
          "weight of the overall mean, in rows; nil: empirical Bayes estimate for each category"),
  MN_COUNT(struct target_encoder, cv, 5, MN_CLOSED(2, INT32_MAX),
           "number of folds in fit_transform, at most the number of rows"),
  MN_FLAG(struct target_encoder, shuffle, true, "shuffle the rows before they are split into folds"),
  MN_SEED(struct target_encoder, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_TARGET_ENCODER_FIELDS(struct target_encoder),
  MN_END,
};

const mn_class mn_target_encoder = {
  .name = "TargetEncoder",
  .family = "preprocess",
  .brief = "Encodes categories by the mean of y, shrunk to its overall mean.",
  .objective = "z_k = lambda_k mean(y | k) + (1 - lambda_k) mean(y)",
  .source = "Micci-Barreca, ACM SIGKDD Explorations 3 (2001)",
  .notes = "fit_transform, also as a step of a pipeline, encodes each row from the other folds, so it differs "
           "from fit followed by transform. The option folds of fit gives the fold of each row. Unknown "
           "categories get the mean of y; missing values seen in fit form a category. More than two classes "
           "give one column per class. Integers are continuous unless target_type says otherwise (classes in "
           "scikit-learn).",
  .example = "local X = { {\"a\"}, {\"a\"}, {\"b\"}, {\"b\"}, {\"b\"} }\n"
             "local enc = ml.TargetEncoder{ smooth = 1 }:fit(X, { 1, 3, 8, 9, 10 })\n"
             "print(enc:transform{ {\"a\"}, {\"b\"}, {\"c\"} })",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS | MN_Y_REALS | MN_Y_LABELS | MN_Y_CLASSES | MN_FOLDS,
  .size = sizeof(struct target_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .training_transform = training_transform,
  .target_kind = target_kind,
  MN_TARGET_ENCODER_CLASS,
};
