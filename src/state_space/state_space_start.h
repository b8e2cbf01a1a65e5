/* What EM for state space models starts from. */
#ifndef MN_STATE_SPACE_MODEL_START_H
#define MN_STATE_SPACE_MODEL_START_H
#include "state_space.h"

/* Parameters as they lie in the state of EM: F, Q: d x d; H: p x d; c: p; R: p x p; mean and covariance of the first
 * state: d, d x d. */
typedef struct mn_state_space_parts {
  double *f, *q, *h, *c, *r, *mean, *cov;
} mn_state_space_parts;

size_t mn_state_space_parts_size(size_t d, size_t p);
mn_state_space_parts mn_state_space_parts_at(size_t d, size_t p, double *state);

/* Set zeroed parts to the parameters that are given, and to a start for the others. */
mn_status mn_state_space_first_guess(mn_context *ctx, const mn_state_space *m, const mn_data *data,
                                     mn_state_space_parts *start);

#endif
