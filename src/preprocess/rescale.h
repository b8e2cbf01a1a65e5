/* The linear transformation used by the scalers, parallel over rows. */
#ifndef MN_PREPROCESS_RESCALE_H
#define MN_PREPROCESS_RESCALE_H
#include "../model/data.h"
#include "../model/program.h"

/* out = (x - from) / by * times + to, for each column. NULL means 0, 1, 1 and 0. The inverse is { .from = to, .by =
 * times, .times = by, .to = from }. */
struct mn_rescaling {
  const double *from, *by, *times, *to;
};

/* Missing values stay missing. `out` may be `x`. */
mn_status mn_rescale(mn_context *ctx, const mn_matrix *x, struct mn_rescaling map, mn_matrix *out);

/* The same as an exported program with `cols` columns. The arrays belong to the model or are scratch. */
void mn_rescale_program(mn_program *program, size_t cols, struct mn_rescaling map);

/* Append to the program: clip values to [low, high]. */
void mn_clip_program(mn_program *program, double low, double high);

#endif
