/* Types of Bayesian linear regression by Gibbs sampling: see gibbs.h. */
#ifndef MN_BAYESIAN_GIBBS_MODEL_H
#define MN_BAYESIAN_GIBBS_MODEL_H
#include "../core/rng.h"
#include "../linear/linear.h"

/* The struct of each model begins with this. */
typedef struct mn_gibbs {
  mn_linear linear;
  int64_t chains, burn_in, draws, thin, max_iter, seed;
  double min_ess, level;
  bool fit_intercept, standardize;
  mn_vector coef_median, coef_lower, coef_upper, r_hat, ess, ess_tail;
  double sigma2, worst_r_hat, least_ess, n;
  int64_t kept;
  mn_matrix samples; /* chain after chain: p coefficients, the intercept, s2, the global parameter */
} mn_gibbs;

/* The state of one chain, in units of the scaled columns and the scaled y. */
typedef struct mn_gibbs_state {
  size_t p;
  double *b;                 /* p: coefficients                                    */
  double *d;                 /* p: prior variances of b_j, in units of s2          */
  double *local, *auxiliary; /* p: for use by the prior                            */
  double s2;                 /* noise variance                                     */
  double global;             /* the parameter of the prior that is reported        */
  double auxiliary_global;   /* for use by the prior                               */
  mn_rng random;
} mn_gibbs_state;

typedef struct mn_gibbs_prior {
  bool unit_length; /* columns are scaled to length 1 instead of variance 1 */
  /* Initialize d and the parameters of the prior, far apart in different chains. */
  void (*start)(const mn_gibbs *m, mn_gibbs_state *state);
  /* Draw d and the parameters of the prior given b and s2. */
  void (*draw)(const mn_gibbs *m, mn_gibbs_state *state);
  /* Log prior density of log(scale) if all of d is multiplied by scale^2 and the global parameter follows. */
  double (*log_density)(const mn_gibbs *m, const mn_gibbs_state *state, double scale);
  /* Apply that scale to everything but d. */
  void (*rescale)(const mn_gibbs *m, mn_gibbs_state *state, double scale);
} mn_gibbs_prior;

#endif
