/* Some of the columns: what the selectors share. */
#ifndef MN_SELECTION_H
#define MN_SELECTION_H
#include "../model/class.h"
#include "../model/program.h"

/* kept: the columns for which keep[j] holds, ascending. */
mn_status mn_selection_init(mn_context *ctx, const bool *keep, size_t cols, mn_indexes *kept);

/* out = the kept columns of x. */
void mn_take_columns(const mn_matrix *x, const mn_indexes *kept, mn_matrix *out);

/* The kept columns to their places; the others stay as they are (0). */
void mn_put_columns(const mn_matrix *x, const mn_indexes *kept, mn_matrix *out);

void mn_selected_name(const mn_indexes *kept, size_t j, const char *const *inputs, char *text, size_t size);

/* transform of the selectors for program.h: an .export needs no more. */
void mn_selection_program(const mn_indexes *kept, mn_action action, mn_program *program);

/* After load: ascending columns of the model. */
bool mn_selection_is_sound(const mn_indexes *kept, size_t cols);

#endif
