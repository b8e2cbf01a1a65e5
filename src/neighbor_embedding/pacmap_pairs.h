/* The pairs of rows of PaCMAP, as flat lists: those of row i are at [i * count] .. [(i + 1) * count - 1].
 *
 *   near  the `near` nearest rows by d_ij^2 / (s_i s_j), where s_i is the mean distance to the 4th to 6th neighbor
 *   mid   the second nearest of six rows drawn at random, `mid` times
 *   far   `far` rows drawn at random that are not near
 *
 * Wang, Huang, Rudin & Shaposhnik, Journal of Machine Learning Research 22 (2021), section 4.3. */
#ifndef MN_NEIGHBOR_EMBEDDING_PACMAP_PAIRS_H
#define MN_NEIGHBOR_EMBEDDING_PACMAP_PAIRS_H
#include "../search/neighbor_index.h"

typedef struct mn_pacmap_counts {
  size_t near, mid, far; /* for each row: near + far < n, mid < n, near >= 1 */
} mn_pacmap_counts;

/* Fill the three lists, n times their count each. `angular`: distances are those of unit vectors, and the index has the
 * metric cosine. Rows are drawn from streams named by their index. */
mn_status mn_pacmap_pairs(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, bool angular,
                          mn_pacmap_counts counts, int64_t seed, int32_t *near, int32_t *mid, int32_t *far);

#endif
