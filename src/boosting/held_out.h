/* Prepare the rows for boosting: hold out a validation set, and treat unknown levels as missing. */
#ifndef MN_BOOSTING_HELD_OUT_H
#define MN_BOOSTING_HELD_OUT_H
#include "../core/context.h"
#include "../core/rng.h"
#include "../model/data.h"

/* Split the rows, or the groups if there are lengths: a fraction into *held_out (stratified by class, never all of a
 * class), the others into *train. If there are too few, held_out->rows is 0. In scratch. */
mn_status mn_hold_out(mn_context *ctx, const mn_data *data, double share, mn_rng rng, mn_data *train,
                      mn_data *held_out);

/* The same data, with levels unknown to the first fit set to missing (warm_start). In scratch. */
mn_status mn_mask_unknown_levels(mn_context *ctx, const mn_data *data, mn_data *known);

#endif
