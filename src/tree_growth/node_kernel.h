/* Loops over the rows of a node. Plain arrays, no allocation, no checks. */
#ifndef MN_TREE_GROWTH_NODE_KERNEL_H
#define MN_TREE_GROWTH_NODE_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_SMALL_SORT = 64 };

/* n <= MN_SMALL_SORT pairs by key, equal keys in their order: each goes to the place that is the number of smaller
 * ones. All pairs are compared, many at once, which for so few beats every sort that branches. */
void mn_sort_small(size_t n, const uint32_t *restrict key, const uint32_t *restrict id, uint32_t *restrict out_key,
                   uint32_t *restrict out_id);

/* The least and the largest of n >= 1 values without NaN. */
void mn_min_max(size_t n, const double *restrict v, double *restrict low, double *restrict high);

/* left[i] = v[i] <= cut */
void mn_mark_left(size_t n, const double *restrict v, double cut, uint32_t *restrict left);

/* Votes: 1 in byte c of a word for a row of class c < MN_CLASS_WORD_CLASSES, so that one sum counts all classes. Their
 * number is a multiple of MN_ROW_PADDING, filled up with 0: most nodes are so small that odd ends would cost as much
 * again. */
enum {
  MN_CLASS_WORD_CLASSES = 8,
  MN_ROW_PADDING = 4,
  MN_MAX_CLASS_WORDS = 252 /* of one sum: a byte is full at 255 */
};
static inline size_t mn_padded_rows(size_t n)
{
  return (n + MN_ROW_PADDING - 1) / MN_ROW_PADDING * MN_ROW_PADDING;
}

/* The sum of n <= MN_MAX_CLASS_WORDS votes: of all, or of those whose value is at most the cut. */
uint64_t mn_sum_class_words(size_t n, const uint64_t *restrict vote);
uint64_t mn_sum_class_words_left(size_t n, const double *restrict v, double cut, const uint64_t *restrict vote);

/* The same of coarse values (coarse.h): those up to `last` are left. */
void mn_quantized_range(size_t n, const uint16_t *restrict step, uint16_t *restrict low, uint16_t *restrict high);
int mn_has_quantized(size_t n, const uint16_t *restrict step, uint16_t s);
void mn_mark_quantized_left(size_t n, const uint16_t *restrict step, uint16_t last, uint32_t *restrict left);
uint64_t mn_sum_class_words_quantized_left(size_t n, const uint16_t *restrict step, uint16_t last,
                                           const uint64_t *restrict vote);

#endif
