/* What models of the form z = V x share, V the rows `components`. */
#ifndef MN_DECOMPOSITION_COMPONENTS_H
#define MN_DECOMPOSITION_COMPONENTS_H
#include "../core/matrix.h"
#include "../eigen/signs.h"
#include "../model/data.h"

/* out = X V': rows x components. A few dense rows are multiplied by dot products, whose summation order is the same on
 * every CPU and in exported programs. */
mn_status mn_project_rows(mn_context *ctx, const mn_data *data, const mn_matrix *components, mn_matrix *out);

#endif
