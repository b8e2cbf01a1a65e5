#include "walk.h"

void mn_walk_begin(mn_walk *w, size_t n, const size_t *card, const size_t *stride, size_t base)
{
  w->dims = 0;
  w->base = base;
  w->rows = 1;
  for (size_t i = 0; i < n; i++) {
    if (card[i] == 1) continue;
    const size_t last = w->dims - 1; /* unused while dims is 0 */
    if (w->dims > 0 && w->stride[last] == card[i] * stride[i]) {
      w->card[last] *= card[i];
      w->stride[last] = stride[i];
      continue;
    }
    w->card[w->dims] = card[i];
    w->stride[w->dims] = stride[i];
    w->dims++;
  }
  if (w->dims == 0) w->card[w->dims] = 1, w->stride[w->dims] = 0, w->dims = 1;
  for (size_t d = 0; d < w->dims; d++) w->counter[d] = 0;
  for (size_t d = 0; d + 1 < w->dims; d++) w->rows *= w->card[d];
}

enum { POLL_ROWS = 1 << 15 };

/* The loop over rows, with a poll after each `interval` of them and `body` for one row: `length` elements, at t and, in
 * steps of `step`, at o. */
#define WALK(interval, body)                                                                                           \
  const size_t length = w->card[w->dims - 1], step = w->stride[w->dims - 1];                                           \
  for (size_t row = 0; row < w->rows; row++, t += length, mn_walk_next(w)) {                                           \
    if (row % (interval) == (interval)-1) MN_TRY(mn_poll(ctx));                                                        \
    body                                                                                                               \
  }                                                                                                                    \
  return MN_OK

mn_status mn_walk_add(mn_context *ctx, mn_walk *w, double *t, const double *o)
{
  WALK(POLL_ROWS, {
    const double *from = o + w->base;
    if (step == 0)
      for (size_t k = 0; k < length; k++) t[k] += from[0];
    else
      for (size_t k = 0; k < length; k++) t[k] += from[k * step];
  });
}

mn_status mn_walk_multiply(mn_context *ctx, mn_walk *w, double *t, const double *o)
{
  WALK(POLL_ROWS, {
    const double *from = o + w->base;
    if (step == 0)
      for (size_t k = 0; k < length; k++) t[k] *= from[0];
    else
      for (size_t k = 0; k < length; k++) t[k] *= from[k * step];
  });
}

mn_status mn_walk_sum(mn_context *ctx, mn_walk *w, const double *t, double *o)
{
  WALK(POLL_ROWS, {
    double *to = o + w->base;
    if (step == 0) {
      double sum = 0;
      for (size_t k = 0; k < length; k++) sum += t[k];
      to[0] += sum;
    } else {
      for (size_t k = 0; k < length; k++) to[k * step] += t[k];
    }
  });
}

mn_status mn_walk_max(mn_context *ctx, mn_walk *w, const double *t, double *o)
{
  WALK(POLL_ROWS, {
    double *to = o + w->base;
    for (size_t k = 0; k < length; k++)
      if (t[k] > to[k * step]) to[k * step] = t[k];
  });
}
