/* Memory for the search of splits, and sorting in it. */
#ifndef MN_TREE_GROWTH_SEARCH_WORKSPACE_H
#define MN_TREE_GROWTH_SEARCH_WORKSPACE_H
#include "../core/threads.h"
#include "search_types.h"

/* Quantized columns that are gathered at once. */
enum { MN_QUANTIZED_COLUMNS = 8 };

/* Workspace of one thread. Arrays have `rows` elements unless noted. */
typedef struct mn_search_workspace {
  mn_cancel_token token;
  size_t rows;                /* capacity of what is attached */
  uint32_t *key, *id;         /* sorted by key. These share memory with `pair`, as do value, class_word and, where
                                 thresholds are searched, raw_key: each is read before the next is written */
  uint32_t *raw_key, *raw_id; /* keys and rows before sorting; rows with missing values at the end of raw_id */
  uint64_t *pair[2];
  double *value; /* for random thresholds */
  uint64_t *class_word;
  struct {
    uint16_t *columns; /* up to MN_QUANTIZED_COLUMNS of them, `stride` apart */
    size_t stride;
    uint16_t *column; /* the one of the feature being searched, or NULL */
  } quantized;
  struct {
    uint32_t *entry, *index; /* see sparse_column.c */
  } sparse;
  double *left, *right; /* width: sums of the two sides */
  struct {
    uint32_t *left; /* codes that go left, ascending    */
    double *score;  /* sort key of the levels of a node */
    uint32_t *start, *order, *id;
  } levels;
  /* The y of the node, for the criterion absolute_error. */
  struct {
    double *fenwick_weight, *fenwick_sum; /* 2 x rows, by position of y                            */
    uint32_t *position;                   /* stride: position of the y of each row within the node */
    double *sorted;
  } y;
} mn_search_workspace;

/* Allocate for nodes of at most `rows` rows of views with the given stride. Before use, attach memory for sorting. */
mn_status mn_search_workspace_make(mn_context *ctx, const mn_split_settings *settings, size_t rows, size_t stride,
                                   mn_search_workspace *ws);

/* Attach `pairs`, of mn_search_pairs_size(rows) numbers, as memory for sorting nodes of at most `rows` rows. */
size_t mn_search_pairs_size(size_t rows);
void mn_search_workspace_attach(const mn_split_settings *settings, uint64_t *pairs, size_t rows,
                                mn_search_workspace *ws);

/* Let key and id share the memory of one of the pair arrays. */
void mn_set_sorted_buffers(mn_search_workspace *ws, uint64_t *pairs);

/* Sort the rows raw_id by ws->raw_key, which lies between low and high, into ws->key and ws->id. False: cancelled. */
bool mn_sort_rows(mn_search_workspace *ws, const uint32_t *raw_id, size_t n, uint32_t low, uint32_t high);

/* Order of uint32_t for qsort. */
int mn_compare_codes(const void *a, const void *b);

#endif
