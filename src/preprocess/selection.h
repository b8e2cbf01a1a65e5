/* Some of the columns: what the selectors share. */
#ifndef MN_PREPROCESS_SELECTION_H
#define MN_PREPROCESS_SELECTION_H
#include "../model/class.h"
#include "../model/program.h"

/* kept: the columns for which keep[j] holds, ascending. */
mn_status mn_selection_init(mn_context *ctx, const bool *keep, size_t cols, mn_indexes *kept);

/* The head of a class that keeps some columns: its struct begins with it, and its table takes the functions below. */
typedef struct mn_selector {
  mn_estimator base;
  mn_indexes support;
} mn_selector;

#define MN_SUPPORT MN_INDEXES(mn_selector, support, "kept < features", "the columns that are kept")

mn_status mn_selector_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* The kept columns to their places; the others stay as they are (0). */
mn_status mn_selector_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

size_t mn_selector_outputs(const void *self);
void mn_selector_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
mn_status mn_selector_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* After load: ascending columns of the model. */
mn_status mn_selector_check(mn_context *ctx, const void *self);

#endif
