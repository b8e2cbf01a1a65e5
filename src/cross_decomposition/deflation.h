/* Components of partial least squares one after the other, each subtracted from X and Y before the next. */
#ifndef MN_CROSS_DECOMPOSITION_DEFLATION_H
#define MN_CROSS_DECOMPOSITION_DEFLATION_H
#include "pls.h"

/* Find the components: the weights are the first singular vectors of X'Y. They are the fixed point of the iterations of
 * NIPALS. `canonical`: Y is deflated by its own scores u, and the weights of y have norm 1; otherwise by those of X,
 * and the weights of y are Y't / t't. */
mn_status mn_pls_deflate(mn_context *ctx, mn_pls_work *s, bool canonical);

#endif
