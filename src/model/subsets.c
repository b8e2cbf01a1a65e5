/* Fits of one model to several subsets of the rows of X, which is checked once. */
#include "../core/threads.h"
#include "check.h"

/* Whether a subset has a row of each class, so that fit to it alone has the same codes. */
static mn_status has_all_classes(mn_context *ctx, const mn_data *data, const mn_row_list *subset, bool *all)
{
  bool *seen = MN_NEW(ctx, bool, data->classes, 1);
  MN_CHECK_ALLOC(seen);
  size_t classes = 0;
  for (size_t i = 0; i < subset->n && classes < data->classes; i++) {
    bool *one = &seen[data->code[subset->at[i]]];
    classes += !*one;
    *one = true;
  }
  *all = classes == data->classes;
  return MN_OK;
}

/* Options that a subset would have to cut, and weights, which may depend on the frequencies of the classes. */
static bool has_options(const mn_input *input)
{
  return input->weights || input->lengths || input->target_x.rows > 0 || input->init_score.at || input->folds ||
         input->eval;
}

bool mn_can_fit_subsets(const mn_estimator *model, const mn_input *input)
{
  return model->class->fit_subsets && !mn_can_resume(model) && !input->x.sparse && !input->x.levels &&
         !has_options(input);
}

/* What mn_check_target learned. */
static void learn_same_target(mn_context *ctx, const mn_estimator *from, mn_estimator *to)
{
  to->n_targets = from->n_targets;
  to->one_target = from->one_target;
  mn_levels_release(mn_context_memory(ctx), to->classes);
  to->classes = mn_levels_retain(from->classes);
}

static mn_status fit_copies(mn_context *ctx, const mn_input *input, const mn_row_list *subset, size_t n,
                            mn_estimator *const *copy, bool *done)
{
  const mn_class *class = copy[0]->class;
  mn_data data = { 0 };
  MN_TRY(mn_check_fit_x(ctx, class, &input->x, &data));
  for (size_t s = 0; s < n; s++) MN_TRY(mn_learn_features(ctx, copy[s], &input->x));
  MN_TRY(mn_check_target(ctx, copy[0], input, NULL, &data));
  for (size_t s = 1; s < n; s++) learn_same_target(ctx, copy[0], copy[s]);
  if (data.weights || data.unfiltered) return MN_OK;
  for (size_t s = 0; s < n; s++) {
    bool all = true;
    if (data.code) MN_TRY(has_all_classes(ctx, &data, &subset[s], &all));
    if (!all) return MN_OK;
  }
  return mn_final_status(ctx, copy[0], class->fit_subsets(ctx, copy, subset, n, &data, done));
}

mn_status mn_fit_subsets(mn_context *ctx, const mn_estimator *model, const mn_input *input, const mn_row_list *subset,
                         size_t n, mn_estimator **fitted)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_estimator **copy = MN_NEW(ctx, mn_estimator *, n, 1);
  bool *done = MN_NEW(ctx, bool, n, 1);
  mn_status status = copy && done ? MN_OK : MN_NO_MEMORY;
  for (size_t s = 0; status == MN_OK && s < n; s++) {
    copy[s] = mn_estimator_clone(ctx, model);
    if (!copy[s]) status = MN_NO_MEMORY;
  }
  if (status == MN_OK) status = fit_copies(ctx, input, subset, n, copy, done);
  for (size_t s = 0; copy && s < n; s++) {
    const bool keep = status == MN_OK && done[s];
    if (keep)
      copy[s]->fitted = true;
    else
      mn_estimator_free(mn_context_memory(ctx), copy[s]);
    fitted[s] = keep ? copy[s] : NULL;
  }
  mn_scratch_release(ctx, mark);
  return status;
}
