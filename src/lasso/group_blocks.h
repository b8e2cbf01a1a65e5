/* Least squares with penalties on the norms of groups of rows of B (p x q), on the Gram matrix; for group_lasso.c. */
#ifndef MN_LASSO_GROUP_BLOCKS_H
#define MN_LASSO_GROUP_BLOCKS_H
#include "cd_data.h"

/* Columns in order of their groups: those of group g are member[first[g]..first[g + 1] - 1]. */
typedef struct mn_column_groups {
  size_t count, *first, *member;
  double *scale, *curvature; /* s_g, L_g */
} mn_column_groups;

typedef struct mn_group_blocks {
  const mn_cd_data *d;
  mn_column_groups groups;
  size_t p, q;
  double l1, l2, yy;
  double *b, *g;  /* p x q: weights, and the gradient Z'(V - Z B)  */
  int64_t newton; /* the sweep after which the last Newton step was */
} mn_group_blocks;

static inline double mn_group_gram_at(const mn_group_blocks *s, size_t i, size_t j)
{
  return s->d->gram[i * (s->p + s->q) + j];
}

/* Norm of the group's rows of a (p x q), less `share` times those of b. */
double mn_group_norm(const mn_group_blocks *s, size_t group, const double *a, double share);

/* Newton steps on the groups whose weights are not 0, where sweeps have been slow for long enough to pay for them; F
 * does not rise. `sweeps`: how many there have been. */
mn_status mn_group_newton(mn_context *ctx, mn_group_blocks *s, int64_t sweeps);

#endif
