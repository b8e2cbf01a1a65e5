/* Least squares with penalties on the norms of groups of rows of B (p x q), given the Gram matrix. */
#ifndef MN_LASSO_GROUP_BLOCKS_H
#define MN_LASSO_GROUP_BLOCKS_H
#include "cd_data.h"

/* The columns of group g are member[first[g] .. first[g + 1] - 1]. */
typedef struct mn_column_groups {
  size_t count, *first, *member;
  double *scale, *curvature; /* s_g, L_g */
} mn_column_groups;

typedef struct mn_group_blocks {
  const mn_cd_data *d;
  mn_column_groups groups;
  size_t p, q;
  double l1, l2, yy;
  double *b, *g;       /* p x q: coefficients, and the gradient Z'(V - Z B) */
  int64_t last_newton; /* sweeps before the last Newton step */
} mn_group_blocks;

static inline double mn_group_gram_at(const mn_group_blocks *s, size_t i, size_t j)
{
  return s->d->gram[i * (s->p + s->q) + j];
}

/* Norm of the group's rows of a - factor b (p x q). */
double mn_group_norm(const mn_group_blocks *s, size_t group, const double *a, double factor);

/* Newton steps on the groups with nonzero coefficients, if enough sweeps have passed to pay for them. F does not
 * increase. `sweeps`: number of sweeps so far. */
mn_status mn_group_newton(mn_context *ctx, mn_group_blocks *s, int64_t sweeps);

#endif
