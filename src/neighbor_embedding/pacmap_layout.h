/* The layout of PaCMAP: positions y that decrease, with z_ij = 1 + |y_i - y_j|^2,
 *
 *     near_weight sum_near z / (10 + z) + mid_weight sum_mid z / (10000 + z) + sum_far 1 / (1 + z),
 *
 * by Adam. The weights change in three phases of 2/9, 2/9 and 5/9 of the iterations: 2, 3 and 1 for near pairs, and for
 * mid pairs from 1000 down to 3, 3, and 0. Wang, Huang, Rudin & Shaposhnik, JMLR 22 (2021), section 4.3. */
#ifndef MN_NEIGHBOR_EMBEDDING_PACMAP_LAYOUT_H
#define MN_NEIGHBOR_EMBEDDING_PACMAP_LAYOUT_H
#include "../core/matrix.h"
#include "pacmap_pairs.h"

typedef struct mn_pacmap_settings {
  size_t columns;
  int64_t iterations;
  double learning_rate;
} mn_pacmap_settings;

/* Move the n rows of y (n x columns, in and out) by all pairs; *loss: at the last iteration. */
mn_status mn_pacmap_optimize(mn_context *ctx, const mn_pacmap_settings *s, size_t n, mn_pacmap_counts counts,
                             const int32_t *near, const int32_t *mid, const int32_t *far, double *y, double *loss);

/* Move the n rows of y by their near pairs with fixed positions (tails x columns): near[start[i]] .. of row i. */
mn_status mn_pacmap_place(mn_context *ctx, const mn_pacmap_settings *s, size_t n, const size_t *start,
                          const int32_t *near, size_t tails, const double *fixed, double *y);

#endif
