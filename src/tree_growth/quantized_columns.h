/* Values in 16 bits, for cuts drawn in large nodes: there nearly each value is a line of cache of its own, while the
 * coarse values of a row are all in one or two. Cuts are the same as without: rows of which a coarse value cannot tell
 * are looked up. */
#ifndef MN_TREE_GROWTH_QUANTIZED_COLUMNS_H
#define MN_TREE_GROWTH_QUANTIZED_COLUMNS_H
#include "search.h"

enum { MN_QUANTIZED_MIN_ROWS = 1 << 10 /* of a node at least */, MN_QUANTIZED_COLUMNS = 8 /* at once */ };

/* columns->coarse of a dense X whose values are there; left NULL where it would not pay. */
mn_status mn_quantize_columns(mn_context *ctx, mn_tree_columns *columns);

/* Room in a bench for as many columns of so many rows. */
mn_status mn_coarse_room(mn_context *ctx, const mn_tree_columns *columns, size_t rows, mn_search_workspace *b);

/* The coarse values of the rows id[0..n-1] in `count` columns to the bench. */
void mn_gather_quantized(const mn_tree_columns *columns, const uint32_t *feature, size_t count, const uint32_t *id,
                         size_t n, mn_search_workspace *b);

/* What was gathered k-th, of column j; NULL: its values are too unevenly spread. */
uint16_t *mn_gathered_quantized(const mn_tree_columns *columns, size_t j, size_t k, const mn_search_workspace *b);

/* As draw_cut (draw.c) does with values; u is random in [0, 1). step: of the rows, which then go left where it is at
 * most *last. */
bool mn_draw_quantized_threshold(const mn_tree_columns *columns, size_t j, const uint32_t *id, size_t n, double u,
                                 uint16_t *step, double *cut, uint16_t *last);

#endif
