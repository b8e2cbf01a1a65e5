#include "svmlight.h"
#include "decimal.h"
#include "output.h"
#include <stdio.h>

static mn_status write_number(mn_context *ctx, mn_output *out, double value)
{
  char text[MN_DOUBLE_SIZE];
  return mn_output_write(ctx, out, text, mn_write_double(text, value));
}

static mn_status write_row(mn_context *ctx, mn_output *out, const mn_csr *x, size_t row, int base)
{
  for (size_t k = x->start[row]; k < x->start[row + 1]; k++) {
    char text[16];
    const int size = snprintf(text, sizeof text, " %lld:", (long long)x->col[k] + base);
    MN_TRY(mn_output_write(ctx, out, text, (size_t)size));
    MN_TRY(write_number(ctx, out, x->at[k]));
  }
  return mn_output_write(ctx, out, "\n", 1);
}

static mn_status write_rows(mn_context *ctx, mn_output *out, const mn_csr *x, const mn_vector *y,
                            const mn_indexes *lengths, int base)
{
  size_t query = 0, in_query = 0; /* rows of it written */
  for (size_t i = 0; i < x->rows; i++) {
    MN_TRY(write_number(ctx, out, y ? y->at[i] : 0));
    if (lengths) {
      char text[32];
      while (in_query == (size_t)lengths->at[query]) {
        query++;
        in_query = 0;
      }
      in_query++;
      const int size = snprintf(text, sizeof text, " qid:%zu", query + 1);
      MN_TRY(mn_output_write(ctx, out, text, (size_t)size));
    }
    MN_TRY(write_row(ctx, out, x, i, base));
  }
  return MN_OK;
}

static mn_status check(mn_context *ctx, const char *label, const mn_csr *x, const mn_vector *y,
                       const mn_indexes *lengths)
{
  size_t rows = 0;
  if (y && y->size != x->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: y must have as many values as X has rows, %zu, got %zu", label, x->rows,
                   y->size);
  for (size_t i = 0; lengths && i < lengths->size; i++)
    if (lengths->at[i] < 0 || __builtin_add_overflow(rows, (size_t)lengths->at[i], &rows))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: lengths must be 0 or more, got %d at %zu", label, lengths->at[i],
                     i + 1);
  if (lengths && rows != x->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: lengths must sum up to the rows of X, %zu, got %zu", label, x->rows,
                   rows);
  for (size_t i = 0; y && i < y->size; i++)
    if (y->at[i] != y->at[i])
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must not be nan, got nan in row %zu", label, i + 1);
  for (size_t i = 0; i < x->rows; i++)
    for (size_t k = x->start[i]; k < x->start[i + 1]; k++)
      if (x->at[k] != x->at[k])
        return mn_fail(ctx, MN_BAD_DATA, "%s: X must not be nan, got nan in row %zu, column %lld", label, i + 1,
                       (long long)x->col[k] + 1);
  return MN_OK;
}

static mn_status write_all(mn_context *ctx, const char *path, const mn_csr *x, const mn_vector *y,
                           const mn_indexes *lengths, mn_svmlight_base base, char **bytes, size_t *size)
{
  mn_output out;
  MN_TRY(check(ctx, path ? path : "svmlight", x, y, lengths));
  mn_status status = mn_output_open(ctx, path, &out);
  if (status == MN_OK) status = write_rows(ctx, &out, x, y, lengths, base != MN_SVMLIGHT_ZERO);
  if (status == MN_OK && !path) mn_output_detach(&out, bytes, size);
  return mn_output_close(ctx, &out, status);
}

mn_status mn_write_svmlight(mn_context *ctx, const char *path, const mn_csr *x, const mn_vector *y,
                            const mn_indexes *lengths, mn_svmlight_base base)
{
  return write_all(ctx, path, x, y, lengths, base, NULL, NULL);
}

mn_status mn_format_svmlight(mn_context *ctx, const mn_csr *x, const mn_vector *y, const mn_indexes *lengths,
                             mn_svmlight_base base, char **bytes, size_t *size)
{
  *bytes = NULL;
  *size = 0;
  return write_all(ctx, NULL, x, y, lengths, base, bytes, size);
}
