/* Text that is first measured and then written: make the same calls twice, with mn_text_allocate in between. */
#ifndef MN_TREE_STRUCTURE_TEXT_BUFFER_H
#define MN_TREE_STRUCTURE_TEXT_BUFFER_H
#include "../model/class.h"

typedef struct mn_text_buffer {
  char *at; /* NULL: only measure */
  size_t size, capacity;
} mn_text_buffer;

void mn_text_printf(mn_text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
mn_status mn_text_allocate(mn_context *ctx, mn_text_buffer *t);

/* The name of a column; x3 if there is none. */
void mn_text_put_column(mn_text_buffer *t, const mn_estimator *model, size_t feature);
void mn_text_put_number(mn_text_buffer *t, double value);
void mn_text_put_label(mn_text_buffer *t, const mn_levels *levels, size_t code);

/* Indent a node that is `depth` levels below the children of the root, by at most MN_MAX_INDENT_BARS bars and then by
 * its depth as a number, so that the size of the text of a chain is not quadratic. */
enum { MN_MAX_INDENT_BARS = 40 };
void mn_text_put_indent(mn_text_buffer *t, int32_t depth);

#endif
