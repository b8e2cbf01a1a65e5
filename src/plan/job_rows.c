#include "job_rows.h"
#include "../core/gather.h"
#include "../model/table.h"

enum { ALIGNED_ROWS = 16 }; /* so many rows of codes fill 64 bytes; rows of reals fill a multiple */

bool mn_subset_needs_copy(const mn_input *from, const size_t *rows, size_t n)
{
  if (n == 0 || (from->x.sparse && n < from->x.rows) || rows[0] % ALIGNED_ROWS != 0) return true;
  for (size_t i = 1; i < n; i++)
    if (rows[i] != rows[0] + i) return true;
  return false;
}

mn_status mn_subset_reserve(mn_context *ctx, mn_subset *s, const mn_input *from)
{
  if (!from->x.sparse && !s->x) {
    s->x = MN_RAW(ctx, double, s->max_rows, from->x.cols);
    MN_CHECK_ALLOC(s->x);
  }
  if (from->weights && !s->weights) {
    s->weights = MN_RAW(ctx, double, s->max_rows, 1);
    MN_CHECK_ALLOC(s->weights);
  }
  return MN_OK;
}

/* The rows first .. first+n-1, in place. */
static void view_rows(const mn_input *from, const mn_target *y, size_t first, size_t n, mn_input *out)
{
  *out = (mn_input){ .x = from->x, .y = *y, .weights = from->weights, .n_weights = from->n_weights };
  if (n == from->x.rows) return;
  out->x.rows = out->x.dense.rows = n;
  out->x.dense.at += first * from->x.cols;
  out->x.moderate = from->x.moderate ? out->x.dense.at : NULL;
  if (y->kind == MN_TARGET_REALS) {
    out->y.reals.at += first * y->reals.cols;
    out->y.reals.rows = n;
  } else if (y->kind == MN_TARGET_LABELS) {
    out->y.labels.code += first;
    out->y.labels.size = n;
  }
  if (!from->weights) return;
  out->weights += first;
  out->n_weights = n;
}

static mn_status copy_target(mn_context *ctx, const mn_target *y, const size_t *rows, size_t n, mn_target *out)
{
  *out = *y;
  if (y->kind == MN_TARGET_REALS) {
    out->reals = (mn_matrix){ .at = MN_RAW(ctx, double, n, y->reals.cols), .rows = n, .cols = y->reals.cols };
    MN_CHECK_ALLOC(out->reals.at);
    mn_gather_rows(&y->reals, rows, n, &out->reals);
  } else if (y->kind == MN_TARGET_LABELS) {
    out->labels.code = MN_RAW(ctx, int32_t, n, 1);
    MN_CHECK_ALLOC(out->labels.code);
    out->labels.size = n;
    for (size_t i = 0; i < n; i++) out->labels.code[i] = y->labels.code[rows[i]];
  }
  return MN_OK;
}

/* Rows of X and weights. */
static mn_status copy_rows(mn_context *ctx, mn_subset *s, const mn_input *from, const size_t *rows, size_t n)
{
  s->rows = NULL;
  s->input = (mn_input){ .x = from->x };
  if (from->x.sparse) {
    MN_TRY(mn_table_rows(ctx, &from->x, rows, n, &s->input.x));
  } else {
    s->input.x.rows = n;
    s->input.x.dense = (mn_matrix){ .at = s->x, .rows = n, .cols = from->x.cols };
    s->input.x.moderate = from->x.moderate ? s->x : NULL;
    MN_TRY(mn_gather_many_rows(ctx, &from->x.dense, rows, n, &s->input.x.dense));
    s->rows = rows;
    s->n = n;
  }
  if (!from->weights) return MN_OK;
  for (size_t i = 0; i < n; i++) s->weights[i] = from->weights[rows[i]];
  s->input.weights = s->weights;
  s->input.n_weights = n;
  return MN_OK;
}

mn_status mn_subset_read(mn_context *ctx, mn_subset *s, const mn_input *from, const mn_target *y, const size_t *rows,
                         size_t n)
{
  const bool is_read = s->rows == rows && s->n == n;
  if (!is_read && !mn_subset_needs_copy(from, rows, n)) {
    s->rows = NULL;
    view_rows(from, y, rows[0], n, &s->input);
    return MN_OK;
  }
  if (!is_read) MN_TRY(copy_rows(ctx, s, from, rows, n));
  return copy_target(ctx, y, rows, n, &s->input.y);
}
