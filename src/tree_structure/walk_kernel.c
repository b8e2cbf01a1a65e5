#include "walk_kernel.h"

/* There is no branch on a value: a wrong prediction would cost more than everything else here. */
void mn_walk_trees(const int32_t *const *restrict root, const double *restrict x, const int32_t **restrict leaf)
{
  uint32_t at[MN_WALK_TREES] = { 0 }, moved;
  do {
    moved = 0;
    for (size_t r = 0; r < MN_WALK_TREES; r++) {
      const int32_t *w = root[r] + MN_NODE_WORDS * (size_t)at[r];
      const uint32_t left = (uint32_t)mn_node_left(w), right = x[mn_node_feature(w)] > mn_node_real(w);
      const uint32_t inner = 0 - (uint32_t)(left > 0);
      at[r] ^= (at[r] ^ (left + right)) & inner;
      moved |= inner;
    }
  } while (moved);
  for (size_t r = 0; r < MN_WALK_TREES; r++) leaf[r] = root[r] + MN_NODE_WORDS * (size_t)at[r];
}
