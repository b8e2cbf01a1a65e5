/* Rows and columns of a table, and tables side by side. Results are in scratch if nothing else is said. */
#ifndef MN_MODEL_TABLE_H
#define MN_MODEL_TABLE_H
#include "data.h"

/* The column called `name` of a table with names; x->cols if there is none. */
size_t mn_table_find_column(const mn_table *x, const char *name);

/* The rows row[0..n-1]. */
mn_status mn_table_rows(mn_context *ctx, const mn_table *x, const size_t *row, size_t n, mn_table *out);

/* The rows row[0..n-1] of a sparse x, then those of `more`. */
mn_status mn_table_append(mn_context *ctx, const mn_table *x, const size_t *row, size_t n, const mn_matrix *more,
                          mn_table *out);

/* The rows row[0..n-1] of X, y, codes, weights, init_score and folds; other fields are copied. */
mn_status mn_data_rows(mn_context *ctx, const mn_data *data, const size_t *row, size_t n, mn_data *out);

/* The columns col[0..n-1], which are distinct. */
mn_status mn_table_columns(mn_context *ctx, const mn_table *x, const int32_t *col, size_t n, mn_table *out);

/* Tables with the same rows side by side, sparse if `sparse`. `names` are those of the result, or NULL. A dense
 * result with the columns of one part only has the values of that part, which are not copied. */
mn_status mn_table_hconcat(mn_context *ctx, const mn_table *part, size_t parts, size_t rows, bool sparse,
                           const char *const *names, mn_table *out);

/* The same as a sparse result that outlives the operation (mn_csr_free). */
mn_status mn_table_join_sparse(mn_context *ctx, const mn_table *part, size_t parts, size_t rows, mn_csr *out);

/* The fraction of elements that are stored: all of a dense table, the nonzeros of a sparse one. */
double mn_table_density(const mn_table *part, size_t parts, size_t rows);

#endif
