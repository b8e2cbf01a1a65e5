/* The C API of manilius.h: run a model, with one worker for each thread. */
#include "host.h"
#include <string.h>

struct manilius_worker {
  const manilius_model *model;
  mn_context *ctx;
};

/* The enumerations of manilius.h have the values of those of the core. */
_Static_assert((int)MANILIUS_CANCELLED == (int)MN_CANCELLED && (int)MANILIUS_BAD_FILE == (int)MN_BAD_FILE, "status");
_Static_assert((int)MANILIUS_SCORE_SAMPLES == (int)MN_SCORE_SAMPLES && (int)MANILIUS_TRANSFORM == (int)MN_TRANSFORM_X,
               "action");

manilius_worker *manilius_worker_new(manilius_model *model)
{
  manilius_worker *worker = mn_alloc(model->memory, sizeof *worker);
  mn_context *ctx = worker ? mn_context_new(model->memory, 1) : NULL;
  if (!ctx) {
    mn_free(model->memory, worker);
    return NULL;
  }
  *worker = (manilius_worker){ .model = model, .ctx = ctx };
  return worker;
}

void manilius_worker_free(manilius_worker *worker)
{
  if (!worker) return;
  mn_context_free(worker->ctx);
  mn_free(worker->model->memory, worker);
}

void manilius_worker_threads(manilius_worker *worker, size_t threads)
{
  mn_set_threads(worker->ctx, threads);
}

static mn_status run_transform(mn_context *ctx, const mn_plan *plan, const mn_table *x, mn_matrix *out)
{
  mn_table made;
  MN_TRY(mn_plan_transform(ctx, plan, x, &made));
  if (made.rows != out->rows || made.cols != out->cols)
    return mn_fail(ctx, MN_BAD_DATA, "transform returned %zu x %zu values, expected %zu x %zu", made.rows, made.cols,
                   out->rows, out->cols);
  if (!made.sparse) {
    for (size_t i = 0; i < made.rows; i++) memcpy(mn_row(out, i), mn_row(&made.dense, i), made.cols * sizeof *out->at);
    return MN_OK;
  }
  for (size_t i = 0; i < made.rows; i++)
    for (size_t k = made.sparse->start[i]; k < made.sparse->start[i + 1]; k++)
      mn_row(out, i)[made.sparse->col[k]] = made.sparse->at[k];
  return MN_OK;
}

static mn_status run(manilius_worker *worker, mn_action action, const double *x, size_t rows, double *out)
{
  const manilius_model *model = worker->model;
  const size_t cols = action == MN_INVERSE_TRANSFORM ? manilius_width(model, MANILIUS_TRANSFORM) : model->features;
  const size_t width = manilius_width(model, (manilius_action)action);
  size_t bytes;
  if (width == 0) return mn_fail(worker->ctx, MN_BAD_ARGUMENT, "the model has no %s", mn_action_name(action));
  if (!mn_checked_size(sizeof *x, rows, cols, &bytes) || !mn_checked_size(sizeof *out, rows, width, &bytes))
    return mn_fail(worker->ctx, MN_BAD_ARGUMENT, "rows must be fewer, got %zu", rows);
  memset(out, 0, bytes);
  mn_input input = { .x = { .rows = rows, .cols = cols, .levels = model->levels } };
  input.x.dense = (mn_matrix){ .at = (double *)x, .rows = rows, .cols = cols };
  if (action == MN_INVERSE_TRANSFORM) input.x.levels = NULL;
  mn_matrix result = { .at = out, .rows = rows, .cols = width };
  if (action == MN_TRANSFORM_X) return run_transform(worker->ctx, model->plan, &input.x, &result);
  return mn_plan_apply(worker->ctx, model->plan, action, &input, &result);
}

manilius_status manilius_apply(manilius_worker *worker, manilius_action action, const double *x, size_t rows,
                               double *out)
{
  mn_clear(worker->ctx);
  if (action < 0 || action >= (int)MN_ACTIONS)
    return (manilius_status)mn_fail(worker->ctx, MN_BAD_ARGUMENT, "action must be one of manilius_action, got %d",
                                    (int)action);
  const mn_mark mark = mn_scratch_mark(worker->ctx);
  const mn_status status = run(worker, (mn_action)action, x, rows, out);
  mn_scratch_release(worker->ctx, mark);
  return (manilius_status)status;
}

manilius_status manilius_predict(manilius_worker *worker, const double *x, size_t rows, double *out)
{
  return manilius_apply(worker, MANILIUS_PREDICT, x, rows, out);
}

const char *manilius_error(const manilius_worker *worker)
{
  return mn_error_text(worker->ctx);
}
