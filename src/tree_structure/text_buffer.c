#include "text_buffer.h"
#include <stdarg.h>
#include <stdio.h>

void mn_text_printf(mn_text_buffer *t, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(t->at ? t->at + t->size : NULL, t->at ? t->capacity - t->size : 0, format, list);
  va_end(list);
  if (n > 0) t->size += (size_t)n;
}

mn_status mn_text_allocate(mn_context *ctx, mn_text_buffer *t)
{
  t->capacity = t->size + 1;
  t->size = 0;
  t->at = MN_RAW(ctx, char, t->capacity, 1);
  MN_CHECK_ALLOC(t->at);
  t->at[0] = '\0';
  return MN_OK;
}

void mn_text_put_column(mn_text_buffer *t, const mn_estimator *model, size_t feature)
{
  if (model->feature_names.size > 0)
    mn_text_printf(t, "%s", model->feature_names.at[feature]);
  else
    mn_text_printf(t, "x%zu", feature + 1);
}

void mn_text_put_number(mn_text_buffer *t, double value)
{
  mn_text_printf(t, "%.6g", value);
}

void mn_text_put_label(mn_text_buffer *t, const mn_levels *levels, size_t code)
{
  char label[64];
  mn_text_printf(t, "%s", mn_format_label(label, sizeof label, mn_levels_at(levels, code)));
}

void mn_text_put_indent(mn_text_buffer *t, int32_t depth)
{
  for (int32_t d = 0; d < depth && d < MN_MAX_INDENT_BARS; d++) mn_text_printf(t, "|   ");
  if (depth > MN_MAX_INDENT_BARS) mn_text_printf(t, "(depth %d) ", (int)depth + 1);
}
