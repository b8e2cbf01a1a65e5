#include "report.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

mn_status mn_page_begin(mn_context *ctx, mn_text_page *page, size_t capacity)
{
  *page = (mn_text_page){ .at = MN_NEW(ctx, char, capacity, 1), .capacity = capacity };
  MN_CHECK_ALLOC(page->at);
  return MN_OK;
}

void mn_print(mn_text_page *page, const char *format, ...)
{
  const size_t available = page->capacity - page->size;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(page->at + page->size, available, format, arguments);
  va_end(arguments);
  if (length > 0) page->size += (size_t)length < available ? (size_t)length : available - 1;
}

const char *mn_format_p_value(char text[32], double p)
{
  if (isnan(p)) return "nan";
  if (p < 2.2e-16) return "<2e-16";
  snprintf(text, 32, "%.3g", p);
  return text;
}

const char *mn_significance_stars(double p)
{
  return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : p < 0.1 ? "." : "";
}
