/* Approximate nearest rows by a hierarchical navigable small world graph: Malkov & Yashunin, IEEE TPAMI 42 (2020).
 *
 * Every row is linked to near rows in all directions. A search descends from sparse upper levels to the row nearest to
 * the query that it can find, and then collects the `ef` nearest rows of level 0 by following links. Rows are inserted
 * in batches, whose neighbors are searched in parallel in the graph of the rows before them, so the graph does not
 * depend on the number of threads: Manohar et al., PPoPP (2024). Distances are computed in float32, about the mean of
 * the rows.
 *
 * Rows of the last batches are first searched for as queries; `ef` is the smallest for which the fraction of their true
 * neighbors that is found (recall) reaches the target. */
#ifndef MN_SEARCH_HNSW_H
#define MN_SEARCH_HNSW_H
#include "candidates.h"
#include "../core/matrix.h"

/* 64-bit counts, so that estimators can list them as derived fields. */
typedef struct mn_hnsw {
  int64_t n, width; /* rows; columns, padded           */
  int64_t entry;    /* the node where searches begin    */
  int64_t ef, k;    /* nodes kept by a search for the k nearest */
  double recall;    /* found fraction of the neighbors, of rows not yet inserted; NaN: not measured */
  double scale;     /* of single, after `shift` was subtracted */
  double span;      /* sum of squared distances between rows that follow each other: tells whether links were made for
                       the same metric; NaN: unknown */
  mn_vector shift;  /* columns */
  mn_vector single; /* n x width float32 numbers: the rows in the order of insertion */
  mn_indexes row;   /* n: the row of each node         */
  mn_indexes upper; /* n + 1: the first upper list of each node; a node has one for each level above 0 */
  mn_indexes links; /* lists of level 0 for all nodes, then the upper lists: a count, and nodes */
} mn_hnsw;

enum { MN_HNSW_LINKS = 16, MN_HNSW_LIST = MN_HNSW_LINKS + 1, MN_HNSW_BOTTOM = 2 * MN_HNSW_LINKS + 1 };

/* Build a graph over n >= 1 rows (n x d), tuned to find a fraction `target` of the k nearest. With links, ef, k and
 * recall of an earlier graph over the same rows in *h, they are checked and used; else *h is empty. Memory as for
 * trees. MN_BAD_FILE if the links are wrong. */
mn_status mn_hnsw_init(mn_context *ctx, const char *who, mn_hnsw *h, size_t n, size_t d, const double *rows, size_t k,
                       double target, bool scratch);
void mn_hnsw_free(mn_memory *memory, mn_hnsw *h);

/* About the k nearest nodes of each of m queries (m x d): found (m x k) are rows, in no order that matters; INT32_MAX
 * for neighbors that were not found. `others`: query i is row i and not its own neighbor. */
mn_status mn_hnsw_search(mn_context *ctx, const mn_hnsw *h, size_t m, const double *queries, size_t k, bool others,
                         int32_t *found);

#endif
