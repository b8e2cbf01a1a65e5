#include "quantized_trees_kernel.h"
#include "../core/clones.h"

static inline __attribute__((always_inline)) void select_by_threshold(const uint8_t *restrict code, uint8_t threshold,
                                                                      uint8_t shift, const uint8_t *left,
                                                                      const uint8_t *right, uint8_t *to)
{
  MN_INDEPENDENT
  for (size_t i = 0; i < MN_TREE_BLOCK_ROWS; i++) {
    const uint8_t a = left[i], b = right[i]; /* reading both makes this a select, not a branch */
    to[i] = (uint8_t)(code[i] + shift) <= threshold ? a : b;
  }
}

static inline __attribute__((always_inline)) void select_by_subset(const uint8_t *restrict code,
                                                                   const uint32_t *restrict subset, const uint8_t *left,
                                                                   const uint8_t *right, uint8_t *to)
{
  MN_INDEPENDENT
  for (size_t i = 0; i < MN_TREE_BLOCK_ROWS; i++) {
    const uint8_t a = left[i], b = right[i];
    to[i] = subset[code[i] / 32] >> code[i] % 32 & 1 ? a : b;
  }
}

MN_CLONES(void, mn_quantized_tree_walk,
          (size_t splits, const mn_quantized_split *split, const uint8_t *restrict code, uint8_t *leaf),
          (splits, split, code, leaf))
{
  for (size_t s = 0; s < splits; s++) {
    const mn_quantized_split w = split[s];
    const uint8_t *x = code + (size_t)w.column * MN_TREE_BLOCK_ROWS;
    const uint8_t *left = leaf + (size_t)w.left * MN_TREE_BLOCK_ROWS,
                  *right = leaf + (size_t)w.right * MN_TREE_BLOCK_ROWS;
    uint8_t *to = leaf + (size_t)w.to * MN_TREE_BLOCK_ROWS;
    if (w.subset)
      select_by_subset(x, w.subset, left, right, to);
    else
      select_by_threshold(x, w.threshold, w.shift, left, right, to);
  }
}

void mn_add_leaf_values(size_t n, const uint8_t *restrict leaf, const double *restrict value, size_t step,
                        double *restrict out)
{
  if (step == 1) {
    for (size_t i = 0; i < n; i++) out[i] += value[leaf[i]];
    return;
  }
  for (size_t i = 0; i < n; i++) out[i * step] += value[leaf[i]];
}
