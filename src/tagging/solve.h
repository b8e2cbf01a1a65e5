/* Solvers of taggers. w, n coefficients, starts at 0; the report of the model is filled. */
#ifndef MN_TAGGING_SOLVE_H
#define MN_TAGGING_SOLVE_H
#include "likelihood.h"

/* Minimize the negative log-likelihood with the penalties by L-BFGS, or OWL-QN if there is an L1 penalty. */
mn_status mn_tagger_lbfgs(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, double *w);

/* The same for a CRF by stochastic gradient descent over sequences in random order (Bottou 2010), where the L1 penalty
 * is applied cumulatively (Tsuruoka et al. 2009). */
mn_status mn_tagger_sgd(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, double *w);

/* Minimize it for LogLinear with features >= 0 and no L1 penalty by scaling each coefficient on its own: generalized
 * (Darroch & Ratcliff 1972) or improved iterative scaling (Della Pietra et al. 1997), with an L2 penalty as in Chen &
 * Rosenfeld (1999). */
mn_status mn_tagger_scaling(mn_context *ctx, const mn_tag_training *t, mn_likelihood *o, bool improved, double *w);

/* Value with penalties. */
mn_status mn_penalized_value(mn_context *ctx, mn_likelihood *o, const double *w, double *value, double *gradient);

#endif
