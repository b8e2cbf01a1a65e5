/* What the gibbs*.c files share and nobody else needs. */
#ifndef MN_BAYESIAN_GIBBS_PARTS_H
#define MN_BAYESIAN_GIBBS_PARTS_H
#include "gibbs.h"

/* The rows as the sampler sees them: columns that vary, about their means, scaled; y likewise, to variance 1. */
typedef struct mn_gibbs_data {
  const mn_data *data;
  size_t p, used, *column;   /* of X; of those that vary, and which                             */
  double n, *mean;           /* sum of weights; p + 1: of the columns, and of y                 */
  double *scale, y_scale;    /* used: a column is divided by this                               */
  double *most;              /* used: prior variances beyond this are as good as infinite       */
  double yy, spare;          /* y'y; degrees of freedom of the noise without any weight         */
  double *gram, *xy;         /* used x used and used: X'X and X'y; or, with fewer rows than columns: */
  double *column_values, *y; /* used x rows and rows: X' and y                                  */
} mn_gibbs_data;

mn_status mn_gibbs_prepare(mn_context *ctx, const mn_gibbs *m, const mn_data *data, bool unit_length,
                           mn_gibbs_data *out);

/* What the variances d of the weights say of y, the weights integrated out; scratch for the sweeps of a chain. */
typedef struct mn_gibbs_factor {
  double *l, *z; /* used x used and used: of B and inv(L) S X'y; or rows x rows and rows: of I + X D X', inv(L) y */
  double logdet, rest; /* log |B|; y'y - y'X S inv(B) S X'y */
} mn_gibbs_factor;

typedef struct mn_gibbs_work {
  mn_gibbs_factor now, next;
  double *root, *t, *u, *v; /* used, used, used, rows */
} mn_gibbs_work;
mn_status mn_gibbs_room(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_work *room);

/* One draw of the scale of d, of s2 and of b, in this order, each with the later ones integrated out; then of d by the
 * prior. -2 log likelihood, in the units of y. */
mn_status mn_gibbs_sweep(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                         mn_gibbs_work *room, mn_gibbs_state *state, double *deviance);

/* All that is learned, from the draws: chains x kept rows of used + 3 values. */
mn_status mn_gibbs_learn(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, size_t rows, const double *draws);

#endif
