/* What searching for cuts (search.c), drawing them (draw.c) and summing up nodes (tally.c) share. */
#ifndef MN_TREE_GROWTH_SEARCH_PARTS_H
#define MN_TREE_GROWTH_SEARCH_PARTS_H
#include "node_kernel.h"
#include "scan.h"

/* The rows of a node that have a value of the column, those that have none, and the range of the ranks. */
struct mn_gathered_rows {
  const uint32_t *id, *missing;
  size_t n, n_missing;
  uint32_t low, high;
};

/* Key and id of the bench in place of one of its pairs. */
void mn_set_sorted_buffers(mn_search_workspace *b, uint64_t *pairs);

/* Rows raw_id by bench->raw_key, which lie between low and high, into key and id of the bench, which are set to where
 * there is room. False: cancelled, and nothing is there. */
bool mn_sort_rows(mn_search_workspace *b, const uint32_t *raw_id, size_t n, uint32_t low, uint32_t high);

int mn_compare_codes(const void *a, const void *b); /* of uint32_t, for qsort */

/* What rounding may do to a proxy. */
double mn_proxy_tolerance(const mn_split_settings *rules, const mn_node_stats *t);

/* bench->raw_key[i]: does row i go left. The first: levels by chance, some on either side. The other: a cut between the
 * least and the largest value, false where all are alike. */
void mn_draw_levels(const struct mn_gathered_rows *rows, uint64_t key, mn_search_workspace *b);
bool mn_draw_threshold(const mn_split_settings *rules, const mn_training_view *g, const struct mn_gathered_rows *rows,
                       size_t j, uint64_t key, mn_search_workspace *b, mn_split *split);

/* In [0, 1), of what names the random numbers of a node and a column. */
double mn_hash_uniform(uint64_t key);

/* A cut drawn between the least and the largest of values, but below the largest. u: random in [0, 1). */
static inline double mn_threshold_between(double low, double high, double u)
{
  const double cut = low + u * (high - low);
  return (cut < high ? cut : low) + 0.0; /* no -0 */
}

/* sum[c] += the votes for class c. */
static inline void mn_add_class_word(uint64_t votes, size_t width, double *sum)
{
  for (size_t c = 0; c < width; c++) sum[c] += (double)(votes >> 8 * c & 255);
}

/* Sums over the n rows of which left[i] is not 0 (NULL: over all) are added: width sums, their weight, and what they
 * count in min_samples_leaf. */
void mn_add_rows(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, const uint32_t *left,
                 size_t n, double *sum, double *weight, double *count);

/* A drawn cut of numbers where the rows have votes. False: all values are alike. */
bool mn_search_class_words(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n,
                           const mn_node_stats *tally, size_t j, uint64_t key, mn_search_workspace *b, mn_split *split);

/* The drawn cut of column j, with the missing rows on the better side. */
void mn_score_drawn_split(mn_scan *s, const struct mn_gathered_rows *rows, size_t j, mn_search_workspace *b,
                          mn_split *split);

#endif
