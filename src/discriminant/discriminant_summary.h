/* What the summaries of the discriminant analyzes share: classes with their priors and means. */
#ifndef MN_DISCRIMINANT_DISCRIMINANT_SUMMARY_H
#define MN_DISCRIMINANT_DISCRIMINANT_SUMMARY_H
#include "../linear/report.h"
#include "../model/operation.h"

/* Names (scratch) of the classes. */
mn_status mn_class_labels(mn_context *ctx, const mn_estimator *model, const char ***labels);

/* Print a table with a row for each of `rows` names and a column for each of `cols` names; `at` is rows x cols. */
void mn_print_table(mn_text_page *page, const char *title, const char *const *rows, size_t n, const char *const *cols,
                    size_t p, const double *at);

/* Bytes of a table. */
size_t mn_table_size(size_t rows, size_t cols);

/* Add the Frame `classes` (class, prior) and the Matrix `means`. */
mn_status mn_add_classes(mn_context *ctx, const char *const *labels, const mn_vector *prior, const mn_matrix *means,
                         mn_results *results);

#endif
