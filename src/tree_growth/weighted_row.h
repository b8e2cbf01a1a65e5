/* Rows of a node with the share of each that reached it, and their stable radix sort. */
#ifndef MN_TREE_GROWTH_WEIGHTED_ROW_H
#define MN_TREE_GROWTH_WEIGHTED_ROW_H
#include "../core/threads.h"

/* A row that reached a node, with the weight of the part that did. */
typedef struct mn_weighted_row {
  uint32_t row;
  double weight;
} mn_weighted_row;

/* Sort n rows by key; equal keys keep their order. The result is in `rows` and `key`; `other` and `key_other` are
 * buffers of n. Returns false when cancelled: the rows are then in an arbitrary order. */
bool mn_sort_weighted_rows(const mn_cancel_token *token, size_t n, mn_weighted_row *rows, uint32_t *key,
                           mn_weighted_row *other, uint32_t *key_other);

#endif
