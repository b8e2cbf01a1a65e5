/* Orders of elimination for sparse symmetric matrices, by nested dissection. Internal to src/linalg. */
#ifndef MN_LINALG_DISSECTION_H
#define MN_LINALG_DISSECTION_H
#include "../core/matrix.h"

/* order (n, out) = the rows of a symmetric pattern: first the parts on both sides of a separator, ordered in the same
 * way, then the separator. */
mn_status mn_dissection_order(mn_context *ctx, const mn_csr *a, int32_t *order);

#endif
