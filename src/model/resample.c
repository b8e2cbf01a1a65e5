/* Fit models that resample, and the rows that they give to the next step. */
#include "../linalg/csr.h"
#include "check.h"
#include "table.h"
#include <string.h>

/* Replace sparse X by a dense copy in scratch. */
static mn_status densify(mn_context *ctx, mn_data *data)
{
  data->x = (mn_matrix){ .at = MN_NEW(ctx, double, data->rows, data->features), .rows = data->rows };
  data->x.cols = data->features;
  MN_CHECK_ALLOC(data->x.at);
  mn_csr_to_dense(data->sparse, &data->x);
  data->sparse = NULL;
  return MN_OK;
}

/* y is checked as in fit, on a clone, which learns the same classes. */
static mn_status resample(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_resampled *out)
{
  mn_data data = { 0 };
  mn_estimator *clone = mn_estimator_clone(ctx, model);
  MN_CHECK_ALLOC(clone);
  mn_status status = mn_check_apply_x(ctx, model, "fit_resample", &input->x, &data);
  if (status == MN_OK) status = mn_check_target(ctx, clone, input, NULL, &data);
  if (status == MN_OK && data.sparse && !model->class->resamples_sparse) status = densify(ctx, &data);
  if (status == MN_OK) status = mn_final_status(ctx, model, model->class->resample(ctx, model, &data, out));
  mn_estimator_free(mn_context_memory(ctx), clone);
  return status;
}

mn_status mn_fit_resample(mn_context *ctx, const mn_estimator *model, const mn_input *input, mn_estimator **fitted,
                          mn_resampled *out)
{
  const mn_input seen = { .x = input->x, .y = input->y };
  mn_estimator *made = NULL;
  *out = (mn_resampled){ 0 };
  if (!model->class->resample) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s has no fit_resample", model->class->name);
  MN_TRY(mn_fit(ctx, model, &seen, &made));
  const mn_status status = resample(ctx, made, &seen, out);
  if (status == MN_OK)
    *fitted = made;
  else
    mn_estimator_free(mn_context_memory(ctx), made);
  return status;
}

mn_status mn_resampled_x(mn_context *ctx, const mn_table *x, const mn_resampled *r, mn_table *out)
{
  const size_t given = r->rows - r->made.rows;
  if (r->made.rows == 0) return mn_table_rows(ctx, x, r->source, r->rows, out);
  if (x->sparse) return mn_table_append(ctx, x, r->source, given, &r->made, out);
  *out = *x;
  out->rows = r->rows;
  out->dense = (mn_matrix){ .at = MN_RAW(ctx, double, r->rows, x->cols), .rows = r->rows, .cols = x->cols };
  MN_CHECK_ALLOC(out->dense.at);
  mn_gather_rows(&x->dense, r->source, given, &out->dense);
  memcpy(mn_row(&out->dense, given), r->made.at, r->made.rows * x->cols * sizeof *r->made.at);
  return MN_OK;
}

static mn_status resampled_y(mn_context *ctx, const mn_target *y, const mn_resampled *r, mn_target *out)
{
  *out = *y;
  if (y->kind == MN_TARGET_REALS) {
    out->reals = (mn_matrix){ .at = MN_RAW(ctx, double, r->rows, y->reals.cols), .rows = r->rows };
    out->reals.cols = y->reals.cols;
    MN_CHECK_ALLOC(out->reals.at);
    mn_gather_rows(&y->reals, r->source, r->rows, &out->reals);
  } else if (y->kind == MN_TARGET_LABELS) {
    out->labels.code = MN_RAW(ctx, int32_t, r->rows, 1);
    MN_CHECK_ALLOC(out->labels.code);
    for (size_t i = 0; i < r->rows; i++) out->labels.code[i] = y->labels.code[r->source[i]];
    out->labels.size = r->rows;
  }
  return MN_OK;
}

static mn_status resampled_weights(mn_context *ctx, const char *who, const mn_input *input, const mn_resampled *r,
                                   mn_input *out)
{
  if (!input->weights) return MN_OK;
  MN_TRY(mn_check_rows(ctx, who, "weights", input->n_weights, input->x.rows));
  double *weights = MN_RAW(ctx, double, r->rows, 1);
  MN_CHECK_ALLOC(weights);
  for (size_t i = 0; i < r->rows; i++) weights[i] = input->weights[r->source[i]];
  out->weights = weights;
  out->n_weights = r->rows;
  return MN_OK;
}

mn_status mn_resampled_input(mn_context *ctx, const char *who, const mn_input *input, const mn_resampled *r,
                             mn_input *out)
{
  const char *option = input->lengths ? "lengths" : input->folds ? "folds" : input->init_score.at ? "init_score" : NULL;
  if (option)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: the option '%s' belongs to the rows before resampling; remove %s or the option", who, option,
                   who);
  mn_input made = *input;
  made.cache = NULL; /* of X before resampling */
  MN_TRY(mn_resampled_x(ctx, &input->x, r, &made.x));
  MN_TRY(resampled_y(ctx, &input->y, r, &made.y));
  MN_TRY(resampled_weights(ctx, who, input, r, &made));
  *out = made;
  return MN_OK;
}
