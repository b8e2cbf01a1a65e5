/* Agglomerative clustering: begin with one cluster per row, and merge the two nearest until one is left.
 *
 *     single     least distance of two rows
 *     complete   largest distance of two rows
 *     average    mean distance of two rows (UPGMA)
 *     weighted   mean of the distances of the two clusters last merged (WPGMA)
 *     centroid   distance of the means (UPGMC)
 *     median     the same, but a merged cluster is at the middle between its two parts (WPGMC)
 *     ward       sqrt(2 |A| |B| / (|A| + |B|)) times the distance of the means: the growth of the sum of squares
 *
 * The last three are defined for Euclidean distances; a matrix of distances is taken to be Euclidean. */
#ifndef MN_HIERARCHY_LINKAGE_H
#define MN_HIERARCHY_LINKAGE_H
#include "../search/metric.h"
#include "merges.h"

typedef enum mn_linkage {
  MN_LINKAGE_WARD,
  MN_LINKAGE_COMPLETE,
  MN_LINKAGE_AVERAGE,
  MN_LINKAGE_SINGLE,
  MN_LINKAGE_WEIGHTED,
  MN_LINKAGE_CENTROID,
  MN_LINKAGE_MEDIAN
} mn_linkage;
extern const char *const mn_linkage_names[];

/* The n - 1 merges of n >= 1 rows, in the order in which they are made. Errors begin with `who`.
 *
 * Memory: single and, for rows that are dense with the metric euclidean, ward: O(n). Others: n (n - 1) / 2 distances.
 */
mn_status mn_link(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric, const mn_points *rows,
                  mn_merge *merges);

/* Pairs of rows of which clusters may merge. */
typedef struct mn_links {
  size_t size;
  int32_t *a, *b;
} mn_links;

/* The same if only clusters may merge that are linked: between which a pair of rows is. The distance of clusters for
 * average and complete is that of linked rows only, and merging continues with the nearest linked clusters. If the
 * pairs do not connect all rows, the shortest pair of rows is added between each two components. Linkages single,
 * complete, average, ward (dense rows, metric euclidean). */
mn_status mn_link_connected(mn_context *ctx, const char *who, mn_linkage linkage, mn_metric metric,
                            const mn_points *rows, mn_links links, mn_merge *merges);

/* Ward's linkage of dense rows in memory O(n d); merges of rows, to be numbered. Internal. */
mn_status mn_link_ward_rows(mn_context *ctx, const mn_points *rows, mn_merge *merges);

#endif
