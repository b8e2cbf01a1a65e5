/* Rows as boosting takes them: some held out to judge by, and only levels that the model knows. */
#ifndef MN_BOOSTING_HELD_OUT_H
#define MN_BOOSTING_HELD_OUT_H
#include "../core/context.h"
#include "../core/rng.h"
#include "../model/data.h"

/* Part the rows, or where there are lengths the groups: a share into *held (of each class alike, but never all of
 * one), the others into *learned. Where there are too few, held->rows is 0. In scratch. */
mn_status mn_hold_out(mn_context *ctx, const mn_data *data, double share, mn_rng rng, mn_data *learned, mn_data *held);

/* The same data, levels that fit did not see (when it goes on from an older one) being missing. In scratch. */
mn_status mn_known_levels(mn_context *ctx, const mn_data *data, mn_data *known);

#endif
