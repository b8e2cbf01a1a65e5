/* Parts of the text of a tree. */
#ifndef MN_TREE_STRUCTURE_TREE_TEXT_H
#define MN_TREE_STRUCTURE_TREE_TEXT_H
#include "../core/text_buffer.h"
#include "../model/class.h"

/* The name of a column; x3 if there is none. */
void mn_text_put_column(mn_text_buffer *t, const mn_estimator *model, size_t feature);
void mn_text_put_number(mn_text_buffer *t, double value);
void mn_text_put_label(mn_text_buffer *t, const mn_levels *levels, size_t code);

/* Indent a node that is `depth` levels below the children of the root, by at most MN_MAX_INDENT_BARS bars and then by
 * its depth as a number, so that the size of the text of a chain is not quadratic. */
enum { MN_MAX_INDENT_BARS = 40 };
void mn_text_put_indent(mn_text_buffer *t, int32_t depth);

#endif
