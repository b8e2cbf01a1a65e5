/* Rotations of the loadings of factors, orthogonal and oblique. */
#ifndef MN_LATENT_FACTOR_ROTATION_H
#define MN_LATENT_FACTOR_ROTATION_H
#include "../core/context.h"

typedef enum mn_rotation {
  MN_ROTATION_NONE,
  MN_ROTATION_VARIMAX,
  MN_ROTATION_QUARTIMAX,
  MN_ROTATION_PROMAX,
  MN_ROTATION_OBLIMIN
} mn_rotation;
extern const char *const mn_rotations[]; /* for MN_CHOICE */

/* Rotate in place; then make the largest element of each row positive.
 *
 *   kaiser    rotate columns of length 1, and give them their lengths back; promax: in its varimax only, as in R
 *   power     of promax
 *   loadings  k x p: rows are factors
 *   phi       k x k, out: correlations of the factors; orthogonal: the identity
 *
 * The covariance that the factors explain, loadings' phi loadings, stays the same. */
mn_status mn_rotate_factors(mn_context *ctx, mn_rotation rotation, bool kaiser, double power, size_t k, size_t p,
                            double *loadings, double *phi);

#endif
