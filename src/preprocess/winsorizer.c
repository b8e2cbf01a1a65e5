/* Moves outliers to the nearest limit of their column. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "column_values.h"
#include "moments.h"

enum capping { GAUSSIAN, IQR, MAD, QUANTILES };
enum tail { TAIL_BOTH, TAIL_LEFT, TAIL_RIGHT };
enum { BLOCK_VALUES = 1 << 16 };

#define NORMAL_MAD 0.67449 /* the median of |x| of a standard normal x, as feature_engine rounds it */

struct winsorizer {
  mn_estimator base;
  int64_t capping_method, tail; /* parameters */
  double fold;
  mn_vector left_caps, right_caps; /* learned fields */
};

struct work {
  struct winsorizer *model;
  double fold;
};

/* Limits of a column whose scale is 0 would make it constant: it has none. */
static void set_caps(struct winsorizer *m, size_t j, double low, double high, double scale)
{
  const bool capped = scale > 0;
  m->left_caps.at[j] = capped && m->tail != TAIL_RIGHT ? low : -INFINITY;
  m->right_caps.at[j] = capped && m->tail != TAIL_LEFT ? high : INFINITY;
}

static void cap_quartiles(struct winsorizer *m, size_t j, double fold, struct mn_column_values *values)
{
  const double level[2] = { 0.25, 0.75 };
  double q[2];
  mn_column_quantiles(values, 2, level, q);
  set_caps(m, j, q[0] - fold * (q[1] - q[0]), q[1] + fold * (q[1] - q[0]), q[1] - q[0]);
}

static void cap_quantiles(struct winsorizer *m, size_t j, double fold, struct mn_column_values *values)
{
  const double level[2] = { fold, 1 - fold };
  double q[2];
  mn_column_quantiles(values, 2, level, q);
  set_caps(m, j, q[0], q[1], q[1] - q[0]);
}

static void cap_deviations(struct winsorizer *m, size_t j, double fold, struct mn_column_values *values)
{
  const double half = 0.5;
  double median, deviation;
  mn_column_quantiles(values, 1, &half, &median);
  for (size_t i = 0; i < values->size; i++) values->at[i] = fabs(values->at[i] - median);
  mn_column_quantiles(values, 1, &half, &deviation);
  const double scale = deviation / NORMAL_MAD;
  set_caps(m, j, median - fold * scale, median + fold * scale, scale);
}

static void cap_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  switch ((enum capping)w->model->capping_method) {
  case IQR: cap_quartiles(w->model, j, w->fold, values); break;
  case MAD: cap_deviations(w->model, j, w->fold, values); break;
  case QUANTILES: cap_quantiles(w->model, j, w->fold, values); break;
  case GAUSSIAN: break;
  }
}

static mn_status cap_gaussian(mn_context *ctx, struct winsorizer *m, double fold, const mn_data *data)
{
  struct mn_moments sum;
  MN_TRY(mn_moments_init(ctx, data->features, &sum));
  MN_TRY(mn_moments_add(ctx, data, &sum));
  for (size_t j = 0; j < data->features; j++) {
    const double scale = mn_moments_std(&sum, j);
    set_caps(m, j, sum.mean[j] - fold * scale, sum.mean[j] + fold * scale, scale);
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  static const double folds[] = { [GAUSSIAN] = 3, [IQR] = 1.5, [MAD] = 3.29, [QUANTILES] = 0.05 };
  struct winsorizer *m = self;
  const double fold = isnan(m->fold) ? folds[m->capping_method] : m->fold;
  char number[MN_NUMBER_SIZE];
  if (m->capping_method == QUANTILES && !(fold < 0.5))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "Winsorizer: fold must be < 0.5 for capping_method = \"quantiles\", got %s",
                   mn_format_number(number, fold));
  MN_TRY(mn_vector_init(ctx, &m->left_caps, data->features));
  MN_TRY(mn_vector_init(ctx, &m->right_caps, data->features));
  if (m->capping_method == GAUSSIAN) return cap_gaussian(ctx, m, fold, data);
  return mn_for_each_column(ctx, data, cap_column, NULL, &(struct work){ .model = m, .fold = fold });
}

struct clipping {
  const struct winsorizer *model;
  const mn_matrix *x;
  mn_matrix *out;
  mn_blocks blocks;
};

static void clip_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct clipping *w = work;
  const double *low = w->model->left_caps.at, *high = w->model->right_caps.at;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(w->x, i);
    double *out = mn_row(w->out, i);
    for (size_t j = 0; j < w->x->cols; j++) out[j] = x[j] < low[j] ? low[j] : x[j] > high[j] ? high[j] : x[j];
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct clipping w = { .model = self, .x = &data->x, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, clip_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct winsorizer *m = self;
  const size_t p = m->base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *low = MN_RAW(ctx, double, p, 1), *high = MN_RAW(ctx, double, p, 1);
  if (!low || !high) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) { /* programs have no infinity */
    low[j] = fmax(m->left_caps.at[j], -DBL_MAX);
    high[j] = fmin(m->right_caps.at[j], DBL_MAX);
  }
  mn_program_reals(program, "low", p, low);
  mn_program_reals(program, "high", p, high);
  mn_program_code(program, "for j < features { out[j] = x[j] < low[j] ? low[j] : x[j] > high[j] ? high[j] : x[j] }");
  return MN_OK;
}

static const char *const cappings[] = { "gaussian", "iqr", "mad", "quantiles", NULL };
static const char *const tails[] = { "both", "left", "right", NULL };

static const mn_param params[] = {
  MN_CHOICE(struct winsorizer, capping_method, GAUSSIAN, cappings,
            "limits from mean and standard deviation, quartiles and interquartile range, median and MAD, or quantiles"),
  MN_CHOICE(struct winsorizer, tail, TAIL_BOTH, tails, "tails to clip: small values, large values, or both"),
  MN_REAL(struct winsorizer, fold, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "distance of the limits in units of the scale; for quantiles the fraction beyond each limit. nil: 3 for "
          "gaussian, 1.5 for iqr, 3.29 for mad, 0.05 for quantiles"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct winsorizer, left_caps, "features", "lower limit of each column; -inf: none"),
  MN_VECTOR(struct winsorizer, right_caps, "features", "upper limit of each column; inf: none"),
  MN_END,
};

const mn_class mn_winsorizer = {
  .name = "Winsorizer",
  .family = "preprocess",
  .brief = "Clips outliers to limits learned for each column.",
  .objective = "z_j = min(max(x_j, left_j), right_j)",
  .source = "Hastings et al., Annals of Mathematical Statistics 18 (1947)",
  .notes = "As in feature_engine, but both tails are clipped by default (only the right one there). A column "
           "whose scale is 0, for example the median absolute deviation of mostly equal values, is not clipped "
           "(an error there). Missing values stay missing.",
  .example = "local X = { {1}, {2}, {3}, {4}, {100} }\n"
             "print(ml.Winsorizer{ capping_method = \"iqr\" }:fit_transform(X))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct winsorizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .export = export,
};
