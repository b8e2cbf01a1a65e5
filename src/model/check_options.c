/* Checks of the options of fit that accompany X and y. */
#include "../core/finite.h"
#include "check.h"

mn_status mn_check_init_score(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  const mn_matrix *score = &input->init_score;
  char number[MN_NUMBER_SIZE];
  size_t first;
  if (!score->at) return MN_OK;
  if (!(class->accepts & MN_INIT_SCORE))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'init_score'", class->name);
  if (score->rows != data->rows)
    return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must have as many rows as X, %zu, got %zu", class->name,
                   data->rows, score->rows);
  MN_TRY(mn_find_beyond(ctx, score->rows * score->cols, score->at, INFINITY, &first));
  if (first < score->rows * score->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: init_score must be finite, got %s in row %zu", class->name,
                   mn_format_number(number, score->at[first]), first / score->cols + 1);
  data->init_score = *score;
  return MN_OK;
}

mn_status mn_check_folds(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  char number[MN_NUMBER_SIZE];
  if (!input->folds) return MN_OK;
  if (!(class->accepts & MN_FOLDS))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'folds'", class->name);
  MN_TRY(mn_check_rows(ctx, class->name, "folds", input->n_folds, data->rows));
  for (size_t i = 0; i < data->rows; i++) {
    const double fold = input->folds[i];
    if (!(fold >= 1 && fold <= (double)data->rows && fold == floor(fold)))
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: folds must be whole numbers from 1 to the number of rows, got %s in row %zu", class->name,
                     mn_format_number(number, fold), i + 1);
  }
  data->folds = input->folds;
  return MN_OK;
}

/* X and y are checked like those of a fitted model: `model` has learned features and classes. */
static mn_status check_eval_data(mn_context *ctx, mn_estimator *model, const mn_input *eval, mn_data *checked)
{
  const mn_class *class = model->class;
  const bool was_fitted = model->fitted;
  model->fitted = true;
  const mn_status status = mn_check_apply_x(ctx, model, "fit", &eval->x, checked);
  model->fitted = was_fitted;
  MN_TRY(status);
  MN_TRY(mn_check_lengths(ctx, class, eval, checked));
  MN_TRY(mn_check_init_score(ctx, class, eval, checked));
  MN_TRY(mn_check_weights(ctx, class, eval, checked));
  MN_TRY(mn_check_target_like_fit(ctx, model, &eval->y, checked));
  if (model->classes) MN_TRY(mn_apply_class_weight(ctx, model, model->classes, checked));
  return mn_finish_weights(ctx, class, checked);
}

mn_status mn_check_eval(mn_context *ctx, mn_estimator *model, const mn_input *input, mn_data *data)
{
  if (!input->eval) return MN_OK;
  if (!(model->class->accepts & MN_EVAL))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'eval'", model->class->name);
  mn_data *checked = MN_NEW(ctx, mn_data, 1, 1);
  MN_CHECK_ALLOC(checked);
  const mn_status status = check_eval_data(ctx, model, input->eval, checked);
  if (status != MN_OK) mn_prefix_error(ctx, "eval");
  data->eval = checked;
  return status;
}
