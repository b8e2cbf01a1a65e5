/* Text of printed summaries. */
#ifndef MN_LINEAR_REPORT_H
#define MN_LINEAR_REPORT_H
#include "../core/context.h"

/* A page of fixed room (scratch); what does not fit is cut. */
typedef struct mn_text_page {
  char *at;
  size_t size, room;
} mn_text_page;

mn_status mn_page_begin(mn_context *ctx, mn_text_page *page, size_t room);
void mn_print(mn_text_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A p-value as R prints it: "<2e-16" below the precision of double. */
const char *mn_p_value(char text[32], double p);
const char *mn_stars(double p);

#endif
