/* Text of printed summaries: a page buffer and number formats. */
#ifndef MN_LINEAR_REPORT_H
#define MN_LINEAR_REPORT_H
#include "../core/context.h"

/* A text buffer of fixed capacity in scratch memory; text beyond it is truncated. */
typedef struct mn_text_page {
  char *at;
  size_t size, capacity;
} mn_text_page;

mn_status mn_page_begin(mn_context *ctx, mn_text_page *page, size_t capacity);
void mn_print(mn_text_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A p-value as R prints it: "<2e-16" below machine precision. */
const char *mn_format_p_value(char text[32], double p);

/* The code of R: "***" below 0.001, "**" below 0.01, "*" below 0.05, "." below 0.1. */
const char *mn_significance_stars(double p);

#endif
