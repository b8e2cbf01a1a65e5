#include "cross_fitting.h"
#include "../core/rng.h"
#include <math.h>

/* The given folds, numbered from 0. */
static mn_status copy_folds(mn_context *ctx, const char *who, const mn_data *data, int32_t *fold, size_t *folds)
{
  double last = 0, first = INFINITY;
  for (size_t i = 0; i < data->rows; i++) {
    last = fmax(last, data->folds[i]);
    first = fmin(first, data->folds[i]);
    fold[i] = (int32_t)data->folds[i] - 1;
  }
  *folds = (size_t)last;
  if (last > first) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: folds must contain at least 2 different values, got 1", who);
}

/* The classes in the order of their first rows. */
static mn_status rank_classes(mn_context *ctx, const mn_data *data, int32_t **class)
{
  int32_t *rank = MN_RAW(ctx, int32_t, data->classes, 1), next = 0;
  *class = MN_RAW(ctx, int32_t, data->rows, 1);
  if (!rank || !*class) return MN_NO_MEMORY;
  for (size_t c = 0; c < data->classes; c++) rank[c] = -1;
  for (size_t i = 0; i < data->rows; i++) {
    int32_t *own = &rank[data->code[i]];
    if (*own < 0) *own = next++;
    (*class)[i] = *own;
  }
  return MN_OK;
}

/* Sort the rows by class; NULL: there is one. begin: classes + 1. */
static void sort_by_class(const int32_t *class, size_t rows, const size_t *row, size_t classes, size_t *begin,
                          size_t *order)
{
  for (size_t c = 0; c <= classes; c++) begin[c] = 0;
  for (size_t i = 0; i < rows; i++) begin[class ? class[i] + 1 : 1]++;
  for (size_t c = 0; c < classes; c++) begin[c + 1] += begin[c];
  for (size_t i = 0; i < rows; i++) order[begin[class ? class[row[i]] : 0]++] = row[i];
  for (size_t c = classes; c > 0; c--) begin[c] = begin[c - 1];
  begin[0] = 0;
}

/* As scikit-learn's StratifiedKFold: fold f gets as many rows of a class as positions f, f + folds, ... of the rows
 * sorted by class have; its first rows go to the first fold. One class gives KFold. */
static void assign_classes(const size_t *begin, size_t classes, const size_t *order, size_t folds, int32_t *fold)
{
  for (size_t c = 0; c < classes; c++) {
    size_t next = begin[c];
    for (size_t f = 0; f < folds; f++) {
      const size_t first = begin[c] + (f + folds - begin[c] % folds) % folds;
      const size_t share = first < begin[c + 1] ? (begin[c + 1] - first - 1) / folds + 1 : 0;
      for (size_t s = 0; s < share; s++) fold[order[next++]] = (int32_t)f;
    }
  }
}

mn_status mn_assign_folds(mn_context *ctx, const char *who, const mn_data *data, struct mn_cross_fitting how,
                          int32_t **fold, size_t *folds)
{
  const size_t n = data->rows, classes = data->code ? data->classes : 1;
  int32_t *class = NULL;
  *fold = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(*fold);
  if (data->folds) return copy_folds(ctx, who, data, *fold, folds);
  if (n < 2) return mn_fail(ctx, MN_BAD_DATA, "%s: fit_transform requires at least 2 rows, got %zu", who, n);
  *folds = (size_t)how.folds < n ? (size_t)how.folds : n;
  size_t *row = MN_RAW(ctx, size_t, n, 1), *order = MN_RAW(ctx, size_t, n, 1);
  size_t *begin = MN_RAW(ctx, size_t, classes + 1, 1);
  if (!row || !order || !begin) return MN_NO_MEMORY;
  if (data->code) MN_TRY(rank_classes(ctx, data, &class));
  for (size_t i = 0; i < n; i++) row[i] = i;
  mn_rng rng = mn_stream(how.seed, 0);
  if (how.shuffle) mn_shuffle(&rng, row, n);
  sort_by_class(class, n, row, classes, begin, order);
  assign_classes(begin, classes, order, *folds, *fold);
  return MN_OK;
}
