/* A hierarchy of clusters: the n - 1 merges that join n rows into one cluster.
 *
 * Clusters 0 .. n - 1 are the rows, and cluster n + i is made by merge i. */
#ifndef MN_HIERARCHY_MERGES_H
#define MN_HIERARCHY_MERGES_H
#include "../core/matrix.h"

typedef struct mn_merge {
  int32_t a, b;         /* the clusters joined, a < b */
  double height, count; /* their distance; rows of the new cluster */
} mn_merge;

/* Merges of clusters that are given by any of their rows become merges of numbered clusters. `sort`: first sort them
 * by height; equal heights keep their order. Without sorting they must be in an order in which they can be made. */
mn_status mn_number_merges(mn_context *ctx, size_t n, bool sort, mn_merge *merges);

/* As a matrix (n - 1) x 4 and back: clusters from 1, height, count. Reading checks everything; errors name `who` and
 * have the given status. The matrix has m rows. */
void mn_merges_to_matrix(size_t m, const mn_merge *merges, double *matrix);
mn_status mn_merges_from_matrix(mn_context *ctx, const char *who, mn_status status, size_t m, const double *matrix,
                                mn_merge *merges);

/* Labels of the rows, 0 .. *clusters - 1 in the order of the first row of each cluster.
 *
 *   mn_cut_count   the first n - k merges are made: k clusters
 *   mn_cut_height  merges are made whose height, and the heights of all merges before them in their cluster, are below
 *                  `height`; or equal to it, if `inclusive` */
mn_status mn_cut_count(mn_context *ctx, size_t n, const mn_merge *merges, size_t k, int32_t *label, size_t *clusters);
mn_status mn_cut_height(mn_context *ctx, size_t n, const mn_merge *merges, double height, bool inclusive,
                        int32_t *label, size_t *clusters);

/* The rows in an order in which every cluster is contiguous: cluster a of each merge comes before b. */
mn_status mn_leaf_order(mn_context *ctx, size_t n, const mn_merge *merges, int32_t *order);

/* out (n x n): the height of the merge that joins each pair of rows. */
mn_status mn_cophenetic(mn_context *ctx, size_t n, const mn_merge *merges, double *out);

/* Exchange a and b of merges so that the sum of the distances between rows that are neighbors in mn_leaf_order is
 * least; a may then be above b. O(n^3) time and O(n^2) memory: Bar-Joseph, Gifford & Jaakkola, Bioinformatics 17
 * (2001). */
mn_status mn_order_leaves(mn_context *ctx, size_t n, const double *distance, mn_merge *merges);

#endif
