/* Scales each column to a given range.
 *
 *     z_j = low + (x_j - data_min_j) / data_range_j * (high - low)
 *
 * The minimum becomes `low` exactly, and so does a constant column. Missing values are ignored and stay missing. */
#include "../model/class.h"
#include "ranges.h"
#include "rescale.h"

struct min_max_scaler {
  mn_estimator base;
  mn_vector feature_range; /* parameters: two values, or none */
  bool clip;
  mn_vector data_min, data_max, data_range, scale; /* learned fields */
};

static double range_low(const struct min_max_scaler *m)
{
  return m->feature_range.size == 2 ? m->feature_range.at[0] : 0;
}

static double range_high(const struct min_max_scaler *m)
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

/* Columns without values have NaN bounds between batches, and infinite bounds while a batch is added. */
static void set_empty_bounds(struct min_max_scaler *m, double low_if_nan, double high_if_nan, bool before_batch)
{
  for (size_t j = 0; j < m->base.n_features; j++) {
    const bool empty = before_batch ? isnan(m->data_min.at[j]) : m->data_min.at[j] > m->data_max.at[j];
    if (!empty) continue;
    m->data_min.at[j] = low_if_nan;
    m->data_max.at[j] = high_if_nan;
  }
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct min_max_scaler *m = self;
  MN_TRY(check_feature_range(ctx, m));
  if (!m->data_min.at) MN_TRY(init(ctx, m, data->features));
  set_empty_bounds(m, INFINITY, -INFINITY, true);
  MN_TRY(mn_extend_ranges(ctx, &data->x, m->data_min.at, m->data_max.at));
  set_empty_bounds(m, (double)NAN, (double)NAN, false);
  for (size_t j = 0; j < data->features; j++) {
    const double range = m->data_max.at[j] - m->data_min.at[j];
    if (range == INFINITY)
      return mn_fail(ctx, MN_BAD_DATA, "MinMaxScaler: the range of column %zu is too large; divide X by 10", j + 1);
    m->data_range.at[j] = range;
    m->scale.at[j] = (range_high(m) - range_low(m)) / (range > 0 ? range : 1);
  }
  return MN_OK;
}

/* The coefficients of the linear map, one per column. */
struct map {
  double *from, *by, *times, *to;
};

static mn_status make_map(mn_context *ctx, const struct min_max_scaler *m, struct map *map)
{
  const size_t p = m->base.n_features;
  MN_TRY(check_feature_range(ctx, m)); /* the parameter may have changed since fit */
  double *at = MN_RAW(ctx, double, 4, p);
  MN_CHECK_ALLOC(at);
  *map = (struct map){ .from = at, .by = at + p, .times = at + 2 * p, .to = at + 3 * p };
  for (size_t j = 0; j < p; j++) {
    map->from[j] = isnan(m->data_min.at[j]) ? 0 : m->data_min.at[j];
    map->by[j] = m->data_range.at[j] > 0 ? m->data_range.at[j] : 1;
    map->times[j] = range_high(m) - range_low(m);
    map->to[j] = range_low(m);
  }
  return MN_OK;
}

static void clip_values(mn_matrix *out, double low, double high)
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
  const struct mn_rescaling forward = { .from = map.from, .by = map.by, .times = map.times, .to = map.to };
  MN_TRY(mn_rescale(ctx, &data->x, forward, out));
  if (m->clip) clip_values(out, range_low(m), range_high(m));
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct map map;
  MN_TRY(make_map(ctx, self, &map));
  const struct mn_rescaling inverse = { .from = map.to, .by = map.times, .times = map.by, .to = map.from };
  return mn_rescale(ctx, &data->x, inverse, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct min_max_scaler *m = self;
  struct map map;
  MN_TRY(make_map(ctx, m, &map));
  const struct mn_rescaling forward = { .from = map.from, .by = map.by, .times = map.times, .to = map.to };
  const struct mn_rescaling inverse = { .from = map.to, .by = map.times, .times = map.by, .to = map.from };
  if (action == MN_TRANSFORM_X) mn_rescale_program(program, m->base.n_features, forward);
  if (action == MN_TRANSFORM_X && m->clip) mn_clip_program(program, range_low(m), range_high(m));
  if (action == MN_INVERSE_TRANSFORM) mn_rescale_program(program, m->base.n_features, inverse);
  return MN_OK;
}

static const mn_param params[] = {
  MN_REALS(struct min_max_scaler, feature_range, MN_NO_LIMITS(), "target range, { low, high }; nil: { 0, 1 }"),
  MN_FLAG(struct min_max_scaler, clip, false, "clip values beyond those of fit to feature_range"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct min_max_scaler, data_min, "features", "minimum of each column"),
  MN_VECTOR(struct min_max_scaler, data_max, "features", "maximum of each column"),
  MN_VECTOR(struct min_max_scaler, data_range, "features", "data_max - data_min"),
  MN_VECTOR(struct min_max_scaler, scale, "features", "factor of each column"),
  MN_END,
};

const mn_class mn_min_max_scaler = {
  .name = "MinMaxScaler",
  .family = "preprocess",
  .brief = "Scales each column to a given range, 0 to 1 by default.",
  .objective = "z = low + (x - data_min) / (data_max - data_min) * (high - low)",
  .source = "Han, Kamber & Pei, Data Mining (2012), section 3.5.2",
  .notes = "fit ignores missing values; they stay missing. "
           "A constant column becomes the lower end of the range. "
           "A column without values has NaN bounds. "
           "Rows of weight 0 are ignored; other weights have no effect.",
  .example = "local scaler = ml.MinMaxScaler{ feature_range = {-1, 1} }:fit{ {1, 10}, {2, 20}, {3, 60} }\n"
             "print(scaler:transform{ {2, 30} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct min_max_scaler),
  .params = params,
  .fields = fields,
  MN_FIT_IN_BATCHES(partial_fit),
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .export = export,
};
