/* Encodes categories by their weight of evidence for the second class. */
#include "target_statistics.h"

struct woe_encoder {
  mn_category_encoder encoder;
  double regularization; /* parameters */
  int64_t cv, seed;
  bool shuffle;
  mn_vector information_value; /* learned field */
};

/* The fractions of both classes that fall into slot k, with r rows added to the slot and 2 r to each class. */
static void class_shares(const struct woe_encoder *m, const struct mn_target_statistics *s, size_t k, double *positive,
                         double *negative)
{
  const double r = m->regularization, n = s->weight[k], all = s->weight[s->slots - 1];
  const double with = n * s->mean[k], all_with = all * s->mean[s->slots - 1];
  *positive = (with + r) / (all_with + 2 * r);
  *negative = (n - with + r) / (all - all_with + 2 * r);
}

/* The weight of evidence of a category with one row is 0; also of one that has a single class in the rows outside of a
 * fold, without regularization. */
static double evidence(const struct woe_encoder *m, const struct mn_target_statistics *s, size_t k)
{
  double positive, negative;
  class_shares(m, s, k, &positive, &negative);
  return s->weight[k] > 1 && positive > 0 && negative > 0 ? log(positive / negative) : 0;
}

static void encode(const void *self, const struct mn_target_statistics *s, double *encoding)
{
  for (size_t k = 0; k + 1 < s->slots; k++) encoding[k] = evidence(self, s, k);
  encoding[s->slots - 1] = 0;
}

/* The weight of evidence of category c of column j would be infinite. */
static mn_status pure_category(mn_context *ctx, const struct woe_encoder *m, size_t j, size_t c)
{
  const mn_names *names = &m->encoder.base.feature_names;
  char text[128];
  mn_group_name(&m->encoder.categories, names->size > 0 ? (const char *const *)names->at : NULL, j,
                (size_t)mn_category_groups(&m->encoder.categories, j)[c], text, sizeof text);
  return mn_fail(ctx, MN_BAD_DATA,
                 "WOEEncoder: regularization must be > 0, because the category %s has rows of one class only", text);
}

/* IV = sum over categories of (fraction of the second class - fraction of the first) WOE */
static mn_status learn_information(mn_context *ctx, struct woe_encoder *m, const mn_data *data)
{
  struct mn_target_statistics *s;
  double positive, negative;
  MN_TRY(mn_target_statistics_init(ctx, &m->encoder, data, NULL, 1, &s));
  MN_TRY(mn_vector_init(ctx, &m->information_value, data->features));
  for (size_t j = 0, k = 0; j < data->features; j++)
    for (size_t c = 0, n = mn_category_count(&m->encoder.categories, j); c < n; c++, k++) {
      class_shares(m, s, k, &positive, &negative);
      if (s->weight[k] > 1 && !(positive > 0 && negative > 0)) return pure_category(ctx, m, j, c);
      m->information_value.at[j] += (positive - negative) * m->encoder.encodings.at[k];
    }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct woe_encoder *m = self;
  MN_TRY(mn_fit_target_encoder(ctx, &m->encoder, data, encode));
  return learn_information(ctx, m, data);
}

static mn_status training_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct woe_encoder *m = self;
  const struct mn_cross_fitting how = { .folds = m->cv, .seed = m->seed, .shuffle = m->shuffle };
  if (m->cv == 1) return mn_target_encoder_transform(ctx, self, data, out);
  return mn_cross_fit(ctx, &m->encoder, data, how, encode, out);
}

static const mn_param params[] = {
  MN_REAL(struct woe_encoder, regularization, 1, MN_AT_LEAST(0),
          "number of rows of each class added to every category, which keeps logarithms finite"),
  MN_COUNT(struct woe_encoder, cv, 5, MN_CLOSED(1, INT32_MAX),
           "number of folds in fit_transform; 1: training rows are encoded like new rows, as in a scorecard"),
  MN_FLAG(struct woe_encoder, shuffle, true, "shuffle the rows before they are split into folds"),
  MN_SEED(struct woe_encoder, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_TARGET_ENCODER_FIELDS(struct woe_encoder),
  MN_VECTOR(struct woe_encoder, information_value, "features",
            "information value of each column; above 0.3 is strong, below 0.02 useless"),
  MN_END,
};

const mn_class mn_woe_encoder = {
  .name = "WOEEncoder",
  .family = "preprocess",
  .brief = "Encodes categories by their weight of evidence for the second class.",
  .objective = "z_k = ln( (n_1k + r) / (n_1 + 2 r) / ((n_0k + r) / (n_0 + 2 r)) )",
  .source = "Good, Probability and the Weighing of Evidence (1950)",
  .notes = "y must have two classes. fit_transform, also as a step of a pipeline, encodes each row from the "
           "other folds unless cv is 1 (category_encoders includes the row itself). Unknown categories and "
           "categories with a single row get 0; missing values seen in fit form a category.",
  .example = "local X, y = { {\"a\"}, {\"a\"}, {\"b\"}, {\"b\"} }, { \"bad\", \"bad\", \"bad\", \"good\" }\n"
             "local enc = ml.WOEEncoder{ regularization = 0.5 }:fit(X, y)\n"
             "print(enc:transform{ {\"a\"}, {\"b\"}, {\"c\"} }, enc.information_value)",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS | MN_Y_LABELS | MN_BINARY_ONLY | MN_FOLDS,
  .size = sizeof(struct woe_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .training_transform = training_transform,
  MN_TARGET_ENCODER_CLASS,
};
