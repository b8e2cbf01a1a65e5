/* Each column to a given range.
 *
 *     z_j = low + (x_j - data_min_j) / data_range_j * (high - low)
 *
 * The least value goes to `low` exactly. A constant column goes to `low`. Missing values are passed over, and stay. */
#include "../model/class.h"
#include "ranges.h"
#include "rescale.h"

struct min_max_scaler {
  mn_estimator base;
  mn_vector feature_range; /* what the user sets: two values, or none */
  bool clip;
  mn_vector data_min, data_max, data_range, scale; /* what fitting learns */
};

static double low_of(const struct min_max_scaler *m)
{
  return m->feature_range.size == 2 ? m->feature_range.at[0] : 0;
}

static double high_of(const struct min_max_scaler *m)
{
  return m->feature_range.size == 2 ? m->feature_range.at[1] : 1;
}

static mn_status check_feature_range(mn_context *ctx, const struct min_max_scaler *m)
{
  const mn_vector *r = &m->feature_range;
  char low[MN_NUMBER_SIZE], high[MN_NUMBER_SIZE];
  if (!r->at || (r->size == 2 && r->at[0] < r->at[1] && isfinite(r->at[1] - r->at[0]))) return MN_OK;
  if (r->size != 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MinMaxScaler: feature_range must be two numbers, got %zu", r->size);
  return mn_fail(ctx, MN_BAD_ARGUMENT, "MinMaxScaler: feature_range must be two numbers, the smaller first, got %s, %s",
                 mn_format_number(low, r->at[0]), mn_format_number(high, r->at[1]));
}

static mn_status init(mn_context *ctx, struct min_max_scaler *m, size_t p)
{
  MN_TRY(mn_vector_init(ctx, &m->data_min, p));
  MN_TRY(mn_vector_init(ctx, &m->data_max, p));
  MN_TRY(mn_vector_init(ctx, &m->data_range, p));
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  for (size_t j = 0; j < p; j++) {
    m->data_min.at[j] = INFINITY;
    m->data_max.at[j] = -INFINITY;
  }
  return MN_OK;
}

/* A column in which nothing has been seen yet has NaN for its ends between two batches, infinities within. */
static void set_unseen(struct min_max_scaler *m, double low_if_nan, double high_if_nan, bool open)
{
  for (size_t j = 0; j < m->base.n_features; j++) {
    const bool unseen = open ? isnan(m->data_min.at[j]) : m->data_min.at[j] > m->data_max.at[j];
    if (!unseen) continue;
    m->data_min.at[j] = low_if_nan;
    m->data_max.at[j] = high_if_nan;
  }
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct min_max_scaler *m = self;
  MN_TRY(check_feature_range(ctx, m));
  if (!m->data_min.at) MN_TRY(init(ctx, m, data->features));
  set_unseen(m, INFINITY, -INFINITY, true);
  MN_TRY(mn_extend_ranges(ctx, &data->x, m->data_min.at, m->data_max.at));
  set_unseen(m, (double)NAN, (double)NAN, false);
  for (size_t j = 0; j < data->features; j++) {
    const double range = m->data_max.at[j] - m->data_min.at[j];
    m->data_range.at[j] = range;
    m->scale.at[j] = (high_of(m) - low_of(m)) / (range > 0 ? range : 1);
  }
  return MN_OK;
}

/* The ends of the two ranges, as columns. */
struct map {
  double *from, *by, *times, *to;
};

static mn_status make_map(mn_context *ctx, const struct min_max_scaler *m, struct map *map)
{
  const size_t p = m->base.n_features;
  MN_TRY(check_feature_range(ctx, m)); /* it may have been set after fit */
  double *at = MN_RAW(ctx, double, 4, p);
  MN_CHECK_ALLOC(at);
  *map = (struct map){ .from = at, .by = at + p, .times = at + 2 * p, .to = at + 3 * p };
  for (size_t j = 0; j < p; j++) {
    map->from[j] = isnan(m->data_min.at[j]) ? 0 : m->data_min.at[j];
    map->by[j] = m->data_range.at[j] > 0 ? m->data_range.at[j] : 1;
    map->times[j] = high_of(m) - low_of(m);
    map->to[j] = low_of(m);
  }
  return MN_OK;
}

static void clip_to(mn_matrix *out, double low, double high)
{
  for (size_t i = 0; i < out->rows * out->cols; i++) {
    if (out->at[i] < low) out->at[i] = low;
    if (out->at[i] > high) out->at[i] = high;
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct min_max_scaler *m = self;
  struct map map;
  MN_TRY(make_map(ctx, m, &map));
  const struct mn_rescaling there = { .from = map.from, .by = map.by, .times = map.times, .to = map.to };
  MN_TRY(mn_rescale(ctx, &data->x, there, out));
  if (m->clip) clip_to(out, low_of(m), high_of(m));
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct map map;
  MN_TRY(make_map(ctx, self, &map));
  const struct mn_rescaling back = { .from = map.to, .by = map.times, .times = map.by, .to = map.from };
  return mn_rescale(ctx, &data->x, back, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct min_max_scaler *m = self;
  struct map map;
  MN_TRY(make_map(ctx, m, &map));
  const struct mn_rescaling there = { .from = map.from, .by = map.by, .times = map.times, .to = map.to };
  const struct mn_rescaling back = { .from = map.to, .by = map.times, .times = map.by, .to = map.from };
  if (action == MN_TRANSFORM_X) mn_rescale_program(program, m->base.n_features, there);
  if (action == MN_TRANSFORM_X && m->clip) mn_clip_program(program, low_of(m), high_of(m));
  if (action == MN_INVERSE_TRANSFORM) mn_rescale_program(program, m->base.n_features, back);
  return MN_OK;
}

static const mn_param params[] = {
  MN_REALS(struct min_max_scaler, feature_range, MN_NO_LIMITS, "the range wanted, { low, high }; nil: { 0, 1 }"),
  MN_FLAG(struct min_max_scaler, clip, false, "keep values that lie outside of what fit saw within the range"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct min_max_scaler, data_min, "features", "least value of each column"),
  MN_VECTOR(struct min_max_scaler, data_max, "features", "largest value of each column"),
  MN_VECTOR(struct min_max_scaler, data_range, "features", "data_max - data_min"),
  MN_VECTOR(struct min_max_scaler, scale, "features", "by how much a column grows"),
  MN_END,
};

const mn_class mn_min_max_scaler = {
  .name = "MinMaxScaler",
  .family = "preprocess",
  .brief = "Each column to a given range, 0 to 1 by default.",
  .objective = "z = low + (x - data_min) / (data_max - data_min) * (high - low)",
  .source = "Han, Kamber & Pei, Data Mining (2012), section 3.5.2",
  .notes = "Missing values are passed over by fit and stay missing. A constant column goes to the lower end. A column "
           "without any value has NaN for its ends. Weights only say which rows count: rows of weight 0 do not.",
  .example = "local scaler = ml.MinMaxScaler{ feature_range = {-1, 1} }:fit{ {1, 10}, {2, 20}, {3, 60} }\n"
             "print(scaler:transform{ {2, 30} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct min_max_scaler),
  .params = params,
  .fields = fields,
  .fit = partial_fit, /* on a fresh struct */
  .partial_fit = partial_fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .overwrites = true,
  .export = export,
};
