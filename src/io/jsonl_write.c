#include "decimal.h"
#include "jsonl.h"
#include "output.h"
#include <math.h>
#include <stdio.h>

static mn_status put(mn_context *ctx, mn_output *out, const char *at, size_t size)
{
  return mn_output_write(ctx, out, at, size);
}

/* A string in quotation marks, with escapes. */
static mn_status put_string(mn_context *ctx, mn_output *out, const char *at, size_t size)
{
  char escape[8];
  size_t from = 0;
  MN_TRY(put(ctx, out, "\"", 1));
  for (size_t i = 0; i < size; i++) {
    const unsigned char c = (unsigned char)at[i];
    if (c >= ' ' && c != '"' && c != '\\') continue;
    const int n = c < ' ' ? snprintf(escape, sizeof escape, "\\u%04x", c) : snprintf(escape, sizeof escape, "\\%c", c);
    MN_TRY(put(ctx, out, at + from, i - from));
    MN_TRY(put(ctx, out, escape, (size_t)n));
    from = i + 1;
  }
  MN_TRY(put(ctx, out, at + from, size - from));
  return put(ctx, out, "\"", 1);
}

static mn_status put_number(mn_context *ctx, mn_output *out, double value)
{
  char text[MN_DOUBLE_SIZE];
  if (isinf(value)) return mn_fail(ctx, MN_BAD_DATA, "write_jsonl: JSON has no infinity");
  return put(ctx, out, text, mn_write_double(text, value));
}

static mn_status put_label(mn_context *ctx, mn_output *out, mn_label label)
{
  char text[32];
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: return label.as.boolean ? put(ctx, out, "true", 4) : put(ctx, out, "false", 5);
  case MN_LABEL_INTEGER:
    return put(ctx, out, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)label.as.integer));
  case MN_LABEL_FLOAT: return put_number(ctx, out, label.as.number);
  case MN_LABEL_TEXT: break;
  }
  return put_string(ctx, out, label.as.text.bytes, label.as.text.size);
}

static mn_status put_value(mn_context *ctx, mn_output *out, const mn_column *column, size_t row)
{
  if (column->kind == MN_COLUMN_FACTOR) {
    const int32_t code = column->factor.code[row];
    return code < 0 ? put(ctx, out, "null", 4) : put_label(ctx, out, mn_levels_at(column->factor.levels, (size_t)code));
  }
  const double value = column->number.at[row];
  if (isinf(value))
    return mn_fail(ctx, MN_BAD_DATA, "write_jsonl: JSON has no infinity; column '%s' has one in row %zu", column->name,
                   row + 1);
  return isnan(value) ? put(ctx, out, "null", 4) : put_number(ctx, out, value);
}

static mn_status put_row(mn_context *ctx, mn_output *out, const mn_columns *columns, size_t row)
{
  for (size_t j = 0; j < columns->size; j++) {
    const mn_column *column = &columns->at[j];
    MN_TRY(put(ctx, out, j == 0 ? "{" : ", ", j == 0 ? 1 : 2));
    MN_TRY(put_string(ctx, out, column->name, strlen(column->name)));
    MN_TRY(put(ctx, out, ": ", 2));
    MN_TRY(put_value(ctx, out, column, row));
  }
  return columns->size == 0 ? put(ctx, out, "{}\n", 3) : put(ctx, out, "}\n", 2);
}

static mn_status write_rows(mn_context *ctx, const char *path, const mn_columns *columns, char **bytes, size_t *size)
{
  mn_output out;
  mn_status status = mn_output_open(ctx, path, &out);
  for (size_t i = 0; status == MN_OK && i < columns->rows; i++) {
    status = put_row(ctx, &out, columns, i);
    if (status == MN_OK) status = mn_poll(ctx);
  }
  if (status == MN_OK && !path) mn_output_detach(&out, bytes, size);
  return mn_output_close(ctx, &out, status);
}

mn_status mn_write_jsonl(mn_context *ctx, const char *path, const mn_columns *columns)
{
  return write_rows(ctx, path, columns, NULL, NULL);
}

mn_status mn_format_jsonl(mn_context *ctx, const mn_columns *columns, char **bytes, size_t *size)
{
  *bytes = NULL;
  *size = 0;
  return write_rows(ctx, NULL, columns, bytes, size);
}
