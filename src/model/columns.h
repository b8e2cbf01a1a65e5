/* Columns of X that parameters give by number or name, found among those of fit. */
#ifndef MN_MODEL_COLUMNS_H
#define MN_MODEL_COLUMNS_H
#include "class.h"

/* The index, from 0, of the column with this name; unnamed columns are x1, x2, ... as in summaries. `where`: appended
 * to what was given in the message, such as " in list 2", or "". */
mn_status mn_column_named(mn_context *ctx, const mn_estimator *model, const char *param, const char *name,
                          const char *where, size_t *out);

/* The index, from 0, of a column that is set. */
mn_status mn_find_column(mn_context *ctx, const mn_estimator *model, const char *param, const mn_feature *column,
                         size_t *out);

/* Set out[j] to true for the columns of a list. out: features. */
mn_status mn_find_columns(mn_context *ctx, const mn_estimator *model, const char *param, const mn_feature_list *columns,
                          bool *out);

/* The numbers of all columns in scratch memory, `unnamed` for those that are not named; NULL if the parameter is unset.
 */
mn_status mn_find_column_values(mn_context *ctx, const mn_estimator *model, const char *param,
                                const mn_feature_list *columns, double unnamed, const double **out);

#endif
