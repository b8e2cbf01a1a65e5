/* One tree evaluated for many rows without a branch. Plain arrays, no allocation, no checks. */
#ifndef MN_TREE_STRUCTURE_QUANTIZED_TREES_KERNEL_H
#define MN_TREE_STRUCTURE_QUANTIZED_TREES_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Rows evaluated at once: eight vectors of AVX2. With 31 leaves and 28 features everything stays in L1. */
enum { MN_TREE_BLOCK_ROWS = 256, MN_SUBSET_WORDS = 8 };

/* One split, over lines of MN_TREE_BLOCK_ROWS bytes. A row goes left if code + shift <= threshold, as bytes: a missing
 * value has code 255, which shift = 1 turns into 0. */
typedef struct mn_quantized_split {
  uint32_t column;          /* line of codes                                                     */
  uint16_t left, right, to; /* lines of leaves: of both children, and of the node                */
  uint8_t threshold, shift; /* for numbers                                                       */
  uint32_t *subset;         /* for factors: MN_SUBSET_WORDS words, a bit for each code that goes left; else NULL */
} mn_quantized_split;

/* Leaf line of each node := that of the child to which the row goes, from the last split to the root. */
void mn_quantized_tree_walk(size_t splits, const mn_quantized_split *split, const uint8_t *restrict code,
                            uint8_t *leaf);

/* out[i * step] += value[leaf[i]] */
void mn_add_leaf_values(size_t n, const uint8_t *restrict leaf, const double *restrict value, size_t step,
                        double *restrict out);

#endif
