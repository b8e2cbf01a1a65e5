#include "folds.h"
#include "../core/threads.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where fold f of n rows begins. A whole number of rows is split into whole rows. */
static double fold_edge(double n, size_t count, size_t fold)
{
  const double k = (double)count, f = (double)fold;
  if (n != rint(n)) return n * f / k;
  const double base = floor(n / k);
  return f * base + fmin(f, n - k * base);
}

static mn_status make(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out)
{
  const double total = mn_total_weight(data);
  if (data->weights ? !(total >= (double)count || total != rint(total)) : data->rows < (size_t)count)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: cv must be at most the number of rows, %zu, got %lld", who, data->rows,
                   (long long)count);
  *out = (mn_folds){ .count = (size_t)count, .rows = data->rows };
  out->test = MN_NEW(ctx, double, out->count, data->rows);
  MN_CHECK_ALLOC(out->test);
  return MN_OK;
}

/* Distribute the interval [at, at + w) of cumulative weight over the folds that it overlaps. */
static void split_weight(mn_folds *folds, const double *edges, size_t row, double at, double w)
{
  for (size_t f = 0; f < folds->count; f++) {
    const double low = fmax(at, edges[f]), high = fmin(at + w, edges[f + 1]);
    if (high > low) folds->test[f * folds->rows + row] = high - low;
  }
}

/* Check that every fold has rows, and that training sets have rows of each class. */
static mn_status check_given(mn_context *ctx, const char *who, const mn_data *data, const mn_folds *folds)
{
  const size_t classes = data->code ? data->classes : 1;
  double *total = MN_NEW(ctx, double, classes, 2), *in_fold = total ? total + classes : NULL;
  MN_CHECK_ALLOC(total);
  for (size_t i = 0; i < data->rows; i++) total[data->code ? data->code[i] : 0] += mn_weight(data, i);
  for (size_t f = 0; f < folds->count; f++) {
    double sum = 0;
    memset(in_fold, 0, classes * sizeof *in_fold);
    for (size_t i = 0; i < data->rows; i++) {
      in_fold[data->code ? data->code[i] : 0] += folds->test[f * data->rows + i];
      sum += folds->test[f * data->rows + i];
    }
    if (!(sum > 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: folds must have rows in each of the %zu folds, but fold %zu has none", who,
                     folds->count, f + 1);
    for (size_t c = 0; c < classes; c++)
      if (in_fold[c] >= total[c])
        return mn_fail(ctx, MN_BAD_DATA, "%s: folds must leave training rows%s in each fold, but fold %zu holds all",
                       who, data->code ? " of each class" : "", f + 1);
  }
  return MN_OK;
}

static mn_status make_given(mn_context *ctx, const char *who, const mn_data *data, mn_folds *out)
{
  *out = (mn_folds){ .rows = data->rows };
  for (size_t i = 0; i < data->rows; i++)
    if (data->folds[i] > (double)out->count) out->count = (size_t)data->folds[i];
  out->test = MN_NEW(ctx, double, out->count, data->rows);
  MN_CHECK_ALLOC(out->test);
  for (size_t i = 0; i < data->rows; i++) out->test[((size_t)data->folds[i] - 1) * data->rows + i] = mn_weight(data, i);
  return check_given(ctx, who, data, out);
}

mn_status mn_folds_make(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out)
{
  if (data->folds) return make_given(ctx, who, data, out);
  MN_TRY(make(ctx, who, data, count, out));
  double at = 0, *edges = MN_RAW(ctx, double, out->count + 1, 1);
  MN_CHECK_ALLOC(edges);
  const double total = mn_total_weight(data);
  for (size_t f = 0; f <= out->count; f++) edges[f] = fold_edge(total, out->count, f);
  for (size_t i = 0; i < data->rows; i++) {
    split_weight(out, edges, i, at, mn_weight(data, i));
    at += mn_weight(data, i);
  }
  return MN_OK;
}

/* Edges of the folds within each class (classes x (count + 1)): the rows sorted by class are dealt to the folds in
 * turn. */
static void class_edges(size_t classes, size_t count, const double *size, double *edges)
{
  double previous = 0;
  for (size_t c = 0; c < classes; c++) {
    double *at = edges + c * (count + 1);
    at[0] = 0;
    for (size_t f = 0; f < count; f++) {
      const double k = (double)count, g = (double)f;
      const bool is_whole = size[c] == rint(size[c]) && previous == rint(previous);
      const double dealt = floor((previous + size[c] - g - 1) / k) - floor((previous - g - 1) / k);
      at[f + 1] = at[f] + (is_whole ? dealt : size[c] / k);
    }
    previous += size[c];
  }
}

mn_status mn_folds_stratified(mn_context *ctx, const char *who, const mn_data *data, int64_t count, mn_folds *out)
{
  if (data->folds) return make_given(ctx, who, data, out);
  MN_TRY(make(ctx, who, data, count, out));
  const size_t classes = data->classes, k = out->count;
  double *size = MN_NEW(ctx, double, classes, 1), *at = MN_NEW(ctx, double, classes, 1);
  double *edges = MN_RAW(ctx, double, classes, k + 1);
  if (!size || !at || !edges) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) size[data->code[i]] += mn_weight(data, i);
  class_edges(classes, k, size, edges);
  for (size_t i = 0; i < data->rows; i++) {
    const size_t c = (size_t)data->code[i];
    split_weight(out, edges + c * (k + 1), i, at[c], mn_weight(data, i));
    at[c] += mn_weight(data, i);
  }
  return MN_OK;
}

mn_data mn_fold_train(const mn_folds *folds, const mn_data *data, size_t fold, double *weights)
{
  const double *test = folds->test + fold * folds->rows;
  mn_data train = *data;
  for (size_t i = 0; i < data->rows; i++) weights[i] = fmax(mn_weight(data, i) - test[i], 0);
  train.weights = weights;
  return train;
}

struct fold_runs {
  mn_context **worker;
  mn_fold_function f;
  void *work;
  struct outcome {
    mn_status status;
    char text[400];
  } * outcome;
};

static void run_fold(void *user, size_t fold, size_t worker)
{
  struct fold_runs *r = user;
  mn_context *ctx = r->worker[worker];
  mn_clear(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  r->outcome[fold].status = r->f(ctx, r->work, fold);
  if (r->outcome[fold].status != MN_OK)
    snprintf(r->outcome[fold].text, sizeof r->outcome[fold].text, "%.*s", (int)sizeof r->outcome[fold].text - 1,
             mn_error_text(ctx));
  mn_scratch_release(ctx, mark);
}

mn_status mn_folds_run(mn_context *ctx, size_t count, mn_fold_function f, void *work)
{
  const size_t threads = mn_threads(ctx), workers = threads < count ? threads : count;
  struct fold_runs r = { .f = f, .work = work, .worker = MN_NEW(ctx, mn_context *, workers, 1) };
  r.outcome = MN_NEW(ctx, struct outcome, count, 1);
  if (!r.worker || !r.outcome) return MN_NO_MEMORY;
  mn_status status = mn_worker_contexts_new(ctx, workers, r.worker);
  if (status == MN_OK) status = mn_parallel(ctx, count, run_fold, &r);
  mn_worker_contexts_free(workers, r.worker);
  for (size_t i = 0; status == MN_OK && i < count; i++)
    if (r.outcome[i].status != MN_OK) status = mn_fail(ctx, r.outcome[i].status, "%s", r.outcome[i].text);
  return status;
}
