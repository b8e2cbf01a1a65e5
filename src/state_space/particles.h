/* Weighted particles: the state of a particle filter. Gordon, Salmond & Smith, IEE Proc. F 140 (1993); Kitagawa, J.
 * Comput. Graph. Stat. 5 (1996). */
#ifndef MN_STATE_SPACE_PARTICLES_H
#define MN_STATE_SPACE_PARTICLES_H
#include "../core/context.h"

typedef struct mn_particle_report {
  double log_sum; /* log of the sum of the weights; -infinity if all are 0 */
  double ess;     /* effective number of particles, 1 / sum of squares of the normalized weights */
} mn_particle_report;

/* weight (n) := exp(log_weight), normalized; 1 / n if no log_weight is above -infinity. */
void mn_particle_weights(size_t n, const double *log_weight, double *weight, mn_particle_report *report);

/* Weighted mean (d) and covariance (d x d) of particles, n x d. */
void mn_particle_moments(size_t n, size_t d, const double *particles, const double *weight, double *mean, double *cov);

/* Systematic resampling: the particles under (i + u) / n, i = 0 .. n-1, of the cumulative weights; 0 <= u < 1. */
void mn_particle_draw(size_t n, const double *weight, double u, size_t *index);

#endif
