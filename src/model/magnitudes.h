/* Checks of numbers whose squares overflow. */
#ifndef MN_MODEL_MAGNITUDES_H
#define MN_MODEL_MAGNITUDES_H
#include "../search/metric.h"
#include "class.h"

/* For fits that compute squares: MN_BAD_DATA, with the position, if a value of X or of a real y is 1e100 or more in
 * magnitude, so that sums of products could overflow. */
mn_status mn_check_magnitudes(mn_context *ctx, const mn_estimator *model, const mn_data *data);
/* The same for y alone: for trees, which compare X but sum y. */
mn_status mn_check_y_magnitudes(mn_context *ctx, const mn_estimator *model, const mn_data *data);

/* The same for distances between rows of X, if the metric squares numbers. */
mn_status mn_check_metric_magnitudes(mn_context *ctx, const mn_estimator *model, int64_t metric, const mn_data *data);

#endif
