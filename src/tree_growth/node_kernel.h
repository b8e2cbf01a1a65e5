/* Loops over the rows of a node. Plain arrays, no allocation, no checks. */
#ifndef MN_TREE_GROWTH_NODE_KERNEL_H
#define MN_TREE_GROWTH_NODE_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_SMALL_SORT = 64 };

/* Sort n <= MN_SMALL_SORT pairs by key, stably: each pair goes to the index that is the number of smaller ones. All
 * pairs are compared, many at once, which for so few is faster than any sort with branches. */
void mn_sort_small(size_t n, const uint32_t *restrict key, const uint32_t *restrict id, uint32_t *restrict out_key,
                   uint32_t *restrict out_id);

/* The smallest and the largest of n >= 1 values without NaN. */
void mn_min_max(size_t n, const double *restrict v, double *restrict low, double *restrict high);

/* left[i] := v[i] <= threshold */
void mn_mark_left(size_t n, const double *restrict v, double threshold, uint32_t *restrict left);

/* The class word of a row of class c < MN_CLASS_WORD_CLASSES has 1 in byte c, so that one sum of words counts all
 * classes. Arrays of a node are padded with zeros to a multiple of MN_ROW_PADDING: most nodes are so small that odd
 * ends would take as long again. */
enum {
  MN_CLASS_WORD_CLASSES = 8,
  MN_ROW_PADDING = 4,
  MN_MAX_CLASS_WORDS = 252 /* in one sum: a byte holds up to 255 */
};
static inline size_t mn_padded_rows(size_t n)
{
  return (n + MN_ROW_PADDING - 1) / MN_ROW_PADDING * MN_ROW_PADDING;
}

/* Sum of n <= MN_MAX_CLASS_WORDS class words: of all rows, or of those with v <= threshold. */
uint64_t mn_sum_class_words(size_t n, const uint64_t *restrict word);
uint64_t mn_sum_class_words_left(size_t n, const double *restrict v, double threshold, const uint64_t *restrict word);

/* sum[c] += the count of class c in a sum of class words. */
static inline void mn_add_class_word(uint64_t words, size_t width, double *sum)
{
  for (size_t c = 0; c < width; c++) sum[c] += (double)(words >> 8 * c & 255);
}

/* The same for quantized values (quantized_columns.h): values up to `last` are left. */
void mn_quantized_range(size_t n, const uint16_t *restrict q, uint16_t *restrict low, uint16_t *restrict high);
int mn_has_quantized(size_t n, const uint16_t *restrict q, uint16_t value);
void mn_mark_quantized_left(size_t n, const uint16_t *restrict q, uint16_t last, uint32_t *restrict left);
uint64_t mn_sum_class_words_quantized_left(size_t n, const uint16_t *restrict q, uint16_t last,
                                           const uint64_t *restrict word);

#endif
