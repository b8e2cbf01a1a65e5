/* Columns quantized to 16 bits, for random thresholds in large nodes. There almost every value is a cache line of its
 * own, while the quantized values of a row share one or two lines. Splits are the same as without: rows whose quantized
 * value does not decide their side are looked up. */
#ifndef MN_TREE_GROWTH_QUANTIZED_COLUMNS_H
#define MN_TREE_GROWTH_QUANTIZED_COLUMNS_H
#include "search_workspace.h"

/* Smallest node for which they are used. */
enum { MN_QUANTIZED_MIN_ROWS = 1 << 10 };

/* Set columns->quantized of a dense X that keeps its values; NULL where quantization does not pay. */
mn_status mn_quantize_columns(mn_context *ctx, mn_tree_columns *columns);

/* Gather the quantized values of the rows id[0..n-1] in `count` columns into the workspace. */
void mn_gather_quantized(const mn_tree_columns *columns, const uint32_t *feature, size_t count, const uint32_t *id,
                         size_t n, mn_search_workspace *ws);

/* The k-th gathered column, which is column j; NULL if it is not quantized because its values are too uneven. */
uint16_t *mn_gathered_quantized(const mn_tree_columns *columns, size_t j, size_t k, const mn_search_workspace *ws);

/* Draw a threshold for column j as draw_threshold (draw.c) does from values; u is in [0, 1). quantized: of the rows,
 * which then go left if it is at most *last. False: all values are equal. */
bool mn_draw_quantized_threshold(const mn_tree_columns *columns, size_t j, const uint32_t *id, size_t n, double u,
                                 uint16_t *quantized, double *threshold, uint16_t *last);

#endif
