/* What the searches of neighbor_index.h share. Internal to src/search. */
#ifndef MN_SEARCH_NEIGHBOR_SEARCH_H
#define MN_SEARCH_NEIGHBOR_SEARCH_H
#include "../core/threads.h"
#include "candidates.h"
#include "neighbor_tree.h"

/* One search for all queries: of the k nearest if k > 0, else of all within the radius. */
typedef struct mn_neighbor_search {
  mn_context *ctx; /* to ask whether the search was cancelled */
  const mn_space *space;
  const mn_neighbor_tree *tree;
  const mn_points *rows, *queries;
  const double *embedded_rows, *embedded_queries; /* NULL if sparse or precomputed         */
  bool exact;                                     /* mn_space_scans_exactly                */
  bool others;                                    /* query i is row i: not its own neighbor */
  bool unordered;                                 /* the k nearest need not be sorted */
  size_t k;
  double radius;
  mn_candidate *nearest; /* queries x k, out: reduced distances                                */
  size_t *start;         /* out: start[i + 1] = number of neighbors of query i; or where lists begin */
  mn_candidate *lists;   /* out, with distances; NULL: count only                              */
} mn_neighbor_search;

/* The neighbors of one query so far. */
typedef struct mn_collector {
  const mn_neighbor_search *search;
  size_t query;
  double limit;       /* points that scan farther than this are not neighbors */
  mn_candidate *heap; /* k nearest, if few in order; NULL: within the radius, or a pool       */
  mn_candidate *pool; /* candidates, of which the k nearest are selected; NULL: heap or list */
  mn_candidate *list; /* NULL: count only                                                    */
  size_t count;       /* of the pool or list                                                 */
} mn_collector;

enum { MN_TREE_PIECE = 64 /* rows of a leaf that are scanned together */ };

/* The size of a pool, which many neighbors require; 0: collect without one. */
size_t mn_collector_pool_size(const mn_neighbor_search *s);

/* pool: NULL, or mn_collector_pool_size candidates of workspace. */
mn_collector mn_collector_begin(const mn_neighbor_search *s, size_t query, mn_candidate *pool);

/* Add a row whose scanned distance is at most the limit. */
void mn_collector_add(mn_collector *c, double scanned, int32_t row);

/* Add a row whose reduced distance is known. */
void mn_collector_add_reduced(mn_collector *c, double reduced, int32_t row);

/* Add the rows of a leaf of the tree; q: the embedded query. */
void mn_collector_scan_leaf(mn_collector *c, const double *q, size_t leaf);

/* Select, sort or count. */
void mn_collector_end(mn_collector *c);

/* The searches: all queries of `s`. */
mn_status mn_search_tree(mn_context *ctx, const mn_neighbor_search *s);

/* The same if the queries are the rows of a tree with boxes, for a few neighbors. */
bool mn_can_join_rows(const mn_neighbor_search *s);
mn_status mn_join_rows(mn_context *ctx, const mn_neighbor_search *s);

mn_status mn_search_scan(mn_context *ctx, const mn_neighbor_search *s);
mn_status mn_search_sparse(mn_context *ctx, const mn_neighbor_search *s);
mn_status mn_search_precomputed(mn_context *ctx, const mn_neighbor_search *s);

#endif
