/* Selection of columns: shared by the selectors. */
#ifndef MN_PREPROCESS_SELECTION_H
#define MN_PREPROCESS_SELECTION_H
#include "../model/class.h"
#include "../model/program.h"

/* Set `kept` to the columns with keep[j], ascending. */
mn_status mn_selection_init(mn_context *ctx, const bool *keep, size_t cols, mn_indexes *kept);

/* The struct of each selector begins with this; its class table uses the functions below. */
typedef struct mn_selector {
  mn_estimator base;
  mn_indexes support;
} mn_selector;

#define MN_SUPPORT MN_INDEXES(mn_selector, support, "kept < features", "indices of the selected columns")

mn_status mn_selector_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

/* Copy the kept columns to their positions; the others stay 0. */
mn_status mn_selector_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

size_t mn_selector_outputs(const void *self);
void mn_selector_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
mn_status mn_selector_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

/* Check a loaded model. */
mn_status mn_selector_check(mn_context *ctx, const void *self);

/* Members of the class tables. */
#define MN_SELECTOR_CLASS                                                                                              \
  .transform = mn_selector_transform, .inverse_transform = mn_selector_inverse_transform,                              \
  .outputs = mn_selector_outputs, .output_name = mn_selector_output_name, .check = mn_selector_check,                  \
  .export = mn_selector_export

#endif
