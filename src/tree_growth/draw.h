/* Random splits. */
#ifndef MN_TREE_GROWTH_DRAW_H
#define MN_TREE_GROWTH_DRAW_H
#include "scan.h"

/* A number in [0, 1) that is a hash of the key. */
double mn_hash_uniform(uint64_t key);

/* Draw a split, and set ws->raw_key[i] to whether row i goes left. The first draws a set of levels with some rows on
 * either side. The second draws a threshold between the smallest and the largest value; false if all are equal. */
void mn_draw_levels(const struct mn_gathered_rows *rows, uint64_t key, mn_search_workspace *ws);
bool mn_draw_threshold(const mn_split_settings *settings, const mn_training_view *view,
                       const struct mn_gathered_rows *rows, size_t j, uint64_t key, mn_search_workspace *ws,
                       mn_split *split);

/* Draw and score a threshold where the rows have class words. False: all values are equal. */
bool mn_search_class_words(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                           size_t n, const mn_node_stats *stats, size_t j, uint64_t key, mn_search_workspace *ws,
                           mn_split *split);

/* Score the split of column j that was drawn, with the rows without a value on the better side. */
void mn_score_drawn_split(mn_scan *s, const struct mn_gathered_rows *rows, size_t j, mn_search_workspace *ws,
                          mn_split *split);

#endif
