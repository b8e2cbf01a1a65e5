/* The neighbor index: nearest rows, and rows within a radius, for any metric (metric.h).
 *
 * kd_tree and ball_tree (neighbor_tree.h) and brute force are exact and return the same: the distances of
 * mn_space_measure, ties broken by the lowest index. hnsw (hnsw.h) is approximate; so is neighbor_descent
 * (neighbor_descent.h), which finds the neighbors of the rows themselves. Results do not depend on the number of
 * threads. Rows and queries are finite. */
#ifndef MN_SEARCH_NEIGHBOR_INDEX_H
#define MN_SEARCH_NEIGHBOR_INDEX_H
#include "candidates.h"
#include "hnsw.h"
#include "neighbor_tree.h"

typedef enum mn_index_algorithm {
  MN_INDEX_AUTO,
  MN_INDEX_KD_TREE,
  MN_INDEX_BALL_TREE,
  MN_INDEX_BRUTE,
  MN_INDEX_HNSW,
  MN_INDEX_DESCENT
} mn_index_algorithm;
/* All; without neighbor_descent; only the exact ones. */
extern const char *const mn_graph_algorithm_names[], *const mn_index_algorithm_names[],
                                                         *const mn_exact_algorithm_names[];

/* From this many rows on `auto` may be approximate, where the options allow that. */
enum { MN_MANY_INDEX_ROWS = 60000 };

/* Help for estimators that need the neighbors of all their rows and allow approximate ones. */
#define MN_GRAPH_ALGORITHM_HELP                                                                                        \
  "auto: exact up to 60,000 rows, and for few columns; above, and for the metrics euclidean, cosine, correlation and " \
  "mahalanobis, neighbor_descent: approximate neighbors of the training rows, at most 2% of them missing as a rule, "  \
  "by random projection trees and the method of Dong, Moses & Li (2011)"

typedef struct mn_index_options {
  mn_metric metric;
  int64_t algorithm; /* mn_index_algorithm; auto: exact, by size, dimension and metric */
  bool approximate;  /* auto: for many rows neighbor_descent                           */
  int64_t leaf_size; /* most rows in a leaf of a tree, >= 1                            */
  bool scratch;      /* the index lives in scratch memory and is not freed             */
  int64_t k;         /* hnsw: neighbors that searches will ask for, and the fraction   */
  double recall;     /* of them to find                                                */
  mn_hnsw graph;     /* hnsw: links of an earlier index, which are moved; or empty     */
} mn_index_options;

/* Everything is derived from the rows and the options. */
typedef struct mn_neighbor_index {
  int64_t algorithm;            /* the one in use: never auto                                        */
  int64_t descent;              /* whether the neighbors of the rows themselves are found by descent   */
  int64_t requested, leaf_size; /* as in the options                                      */
  mn_space space;
  mn_matrix embedded;    /* the embedded rows, if the space embeds                            */
  mn_neighbor_tree tree; /* of kd_tree and ball_tree                                          */
  mn_hnsw hnsw;
} mn_neighbor_index;

/* Entries for the field table of an estimator that has an index as `member`. */
#define MN_NEIGHBOR_INDEX_FIELDS(type, member)                                                                         \
  MN_DERIVED(MN_KIND_COUNT, type, member.algorithm), MN_DERIVED(MN_KIND_COUNT, type, member.descent),                  \
      MN_DERIVED(MN_KIND_COUNT, type, member.requested), MN_DERIVED(MN_KIND_COUNT, type, member.leaf_size),            \
      MN_DERIVED(MN_KIND_COUNT, type, member.space.kind), MN_DERIVED(MN_KIND_COUNT, type, member.space.form),          \
      MN_DERIVED(MN_KIND_COUNT, type, member.space.d), MN_DERIVED(MN_KIND_COUNT, type, member.space.width),            \
      MN_DERIVED(MN_KIND_REAL, type, member.space.p), MN_DERIVED(MN_KIND_VECTOR, type, member.space.center),           \
      MN_DERIVED(MN_KIND_MATRIX, type, member.space.whitening),                                                        \
      MN_DERIVED(MN_KIND_MATRIX, type, member.space.covariance), MN_DERIVED(MN_KIND_MATRIX, type, member.embedded),    \
      MN_DERIVED(MN_KIND_COUNT, type, member.tree.n), MN_DERIVED(MN_KIND_COUNT, type, member.tree.width),              \
      MN_DERIVED(MN_KIND_COUNT, type, member.tree.depth), MN_DERIVED(MN_KIND_COUNT, type, member.tree.capacity),       \
      MN_DERIVED(MN_KIND_COUNT, type, member.tree.balls), MN_DERIVED(MN_KIND_VECTOR, type, member.tree.points),        \
      MN_DERIVED(MN_KIND_VECTOR, type, member.tree.bounds), MN_DERIVED(MN_KIND_INDEXES, type, member.tree.row),        \
      MN_DERIVED(MN_KIND_COUNT, type, member.hnsw.n), MN_DERIVED(MN_KIND_COUNT, type, member.hnsw.width),              \
      MN_DERIVED(MN_KIND_COUNT, type, member.hnsw.entry), MN_DERIVED(MN_KIND_REAL, type, member.hnsw.scale),           \
      MN_DERIVED(MN_KIND_VECTOR, type, member.hnsw.shift), MN_DERIVED(MN_KIND_VECTOR, type, member.hnsw.single),       \
      MN_DERIVED(MN_KIND_INDEXES, type, member.hnsw.row), MN_DERIVED(MN_KIND_INDEXES, type, member.hnsw.upper)

/* The learned fields of an index with hnsw: saved, since building takes longer than reading. */
#define MN_NEIGHBOR_GRAPH_FIELDS(type, member)                                                                         \
  { .name = "links", .kind = MN_KIND_INDEXES, .offset = offsetof(type, member.hnsw.links), .shape = "links?" },        \
      { .name = "ef", .kind = MN_KIND_COUNT, .offset = offsetof(type, member.hnsw.ef), .shape = "" },                  \
      { .name = "links_span",                                                                                          \
        .kind = MN_KIND_REAL,                                                                                          \
        .offset = offsetof(type, member.hnsw.span),                                                                    \
        .shape = "",                                                                                                   \
        .optional = true },                                                                                            \
      { .name = "tuned_neighbors", .kind = MN_KIND_COUNT, .offset = offsetof(type, member.hnsw.k), .shape = "" },      \
  {                                                                                                                    \
    .name = "measured_recall", .kind = MN_KIND_REAL, .offset = offsetof(type, member.hnsw.recall), .shape = "",        \
    .optional = true,                                                                                                  \
    .brief = "recall of hnsw, measured on rows that were not yet in the graph; nil if the search is exact, or for "    \
             "few rows"                                                                                                \
  }

/* Build an index over n >= 1 rows. It does not keep the rows: every search gets the same ones again. Errors begin with
 * `who`. After a failure an index that is not in scratch must be freed. */
mn_status mn_neighbor_index_init(mn_context *ctx, const char *who, mn_neighbor_index *index, const mn_points *rows,
                                 mn_index_options options);
void mn_neighbor_index_free(mn_memory *memory, mn_neighbor_index *index);

/* The k nearest rows of each query, nearest first.
 *
 *   queries   columns as the rows; NULL: the rows themselves, which are not their own neighbors
 *   k         1 .. rows->n; 1 .. rows->n - 1 without queries
 *   found     out: queries x k, 0-based
 *   distance  out: queries x k. NULL: neither distances nor the order are needed, which saves sorting
 *
 * MN_BAD_ARGUMENT if k is out of range. */
mn_status mn_neighbor_nearest(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                              const mn_points *queries, size_t k, int32_t *found, double *distance);

/* Lists of rows and distances, one for each query. Scratch memory. */
typedef struct mn_neighbor_lists {
  size_t n;         /* queries */
  size_t *start;    /* n + 1: list i is at[start[i]] .. at[start[i + 1] - 1] */
  mn_candidate *at; /* row and distance */
} mn_neighbor_lists;

/* All rows within `radius` >= 0 of each query, at a distance of exactly `radius` too; in order of index, or of distance
 * if `sorted`. Without neighbors a list is empty. */
mn_status mn_neighbor_within(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                             const mn_points *queries, double radius, bool sorted, mn_neighbor_lists *lists);

/* The k nearest as lists, in order of index: mn_neighbor_nearest for graphs. */
mn_status mn_neighbor_nearest_lists(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                                    const mn_points *queries, size_t k, mn_neighbor_lists *lists);

/* Lists in order of index as a new sparse matrix (queries x cols), which owns its memory: distances, or 1 for each
 * neighbor. Zero distances are explicit zeros. */
mn_status mn_neighbor_lists_graph(mn_context *ctx, const mn_neighbor_lists *lists, size_t cols, bool distances,
                                  mn_csr *graph);

#endif
