#include "text_buffer.h"
#include <stdarg.h>
#include <stdio.h>

void mn_text_printf(mn_text_buffer *t, const char *format, ...)
{
  const size_t left = t->at && t->size < t->capacity ? t->capacity - t->size : 0;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(left > 0 ? t->at + t->size : NULL, left, format, arguments);
  va_end(arguments);
  if (length > 0) t->size += (size_t)length;
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
