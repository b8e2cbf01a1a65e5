/* Text that is measured first and then written: the same calls twice, with mn_text_allocate between them. */
#ifndef MN_TREE_STRUCTURE_TEXT_BUFFER_H
#define MN_TREE_STRUCTURE_TEXT_BUFFER_H
#include "../model/class.h"

typedef struct mn_text_buffer {
  char *at; /* NULL: only measured */
  size_t size, room;
} mn_text_buffer;

void mn_text_printf(mn_text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
mn_status mn_text_allocate(mn_context *ctx, mn_text_buffer *t);

/* The name of a column, or x3. */
void mn_text_put_column(mn_text_buffer *t, const mn_estimator *model, size_t feature);
void mn_text_put_number(mn_text_buffer *t, double value);
void mn_text_put_label(mn_text_buffer *t, const mn_levels *levels, size_t code);

/* Before a node that is `depth` below the children of the root. Beyond so many bars its depth in the tree is said in
 * their place, so that the text of a chain does not grow with its length squared. */
enum { MN_MAX_INDENT_BARS = 40 };
void mn_text_put_indent(mn_text_buffer *t, int32_t depth);

#endif
