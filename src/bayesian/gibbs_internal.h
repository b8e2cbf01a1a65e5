/* Declarations shared by the gibbs*.c files only. */
#ifndef MN_BAYESIAN_GIBBS_INTERNAL_H
#define MN_BAYESIAN_GIBBS_INTERNAL_H
#include "gibbs_model.h"

/* The training data as the sampler uses them: columns that are not constant, centered and scaled; y centered and scaled
 * to variance 1. Either `gram` and `xy` are set or, with fewer rows than columns, `column_values` and `y`. */
typedef struct mn_gibbs_data {
  const mn_data *data;
  size_t p, used, *column;   /* columns of X; those that are not constant, and their indices       */
  double n, *mean;           /* sum of sample weights; p + 1: means of the columns and of y        */
  double *scale, y_scale;    /* used: divisors of the columns; divisor of y                        */
  double *max_d;             /* used: prior variances above this have the same effect              */
  double yy, df;             /* y'y; degrees of freedom of the noise, not counting coefficients    */
  double *gram, *xy;         /* used x used, used: X'X and X'y                                     */
  double *column_values, *y; /* used x rows, rows: X' and y                                        */
} mn_gibbs_data;

mn_status mn_gibbs_prepare(mn_context *ctx, const mn_gibbs *m, const mn_data *data, bool unit_length,
                           mn_gibbs_data *out);

/* The marginal likelihood of y given d, with the coefficients integrated out. */
typedef struct mn_gibbs_factor {
  double *l, *z; /* used x used, used: factor L of B, inv(L) S X'y; or rows x rows, rows: of I + X D X', inv(L) y */
  double logdet, rest; /* log |B|; R = y'y - y'X S inv(B) S X'y */
} mn_gibbs_factor;

/* Workspace of one chain. */
typedef struct mn_gibbs_workspace {
  mn_gibbs_factor current, proposal;
  double *root, *t, *u, *v; /* used: square roots of d; used; used; rows */
} mn_gibbs_workspace;
mn_status mn_gibbs_workspace_init(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_workspace *ws);

/* Draw the scale of d, then s2, then b, each with the later ones integrated out; then d from the prior.
 *
 *   deviance  out: -2 log likelihood in the units of y */
mn_status mn_gibbs_sweep(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                         mn_gibbs_workspace *ws, mn_gibbs_state *state, double *deviance);

/* Set the learned fields from the draws.
 *
 *   draws  rows x (used + 3), the chains one after the other */
mn_status mn_gibbs_learn(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, size_t rows, const double *draws);

#endif
