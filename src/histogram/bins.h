/* Columns cut into at most 256 bins, so that a tree is grown on bytes: the form in which histogram boosting sees X. */
#ifndef MN_HISTOGRAM_BINS_H
#define MN_HISTOGRAM_BINS_H
#include "../model/data.h"

enum {
  MN_MAX_BINS = 255,     /* of a column; one more is for missing values */
  MN_GROUP_COLUMNS = 32, /* columns that lie together: the bins of a row in half a line of cache */
  MN_EDGE_CAPACITY = 256,
  MN_BINS_PADDING = 3 /* bytes behind the columns that may be read: bins are loaded by fours */
};

/* Bin of a value x in a numeric column: the number of edges below x, so x <= edge[b] goes with bins 0..b. Bin of a
 * factor column: its code. The last bin, number count[f], is for missing values. */
typedef struct mn_bins {
  size_t rows, features, groups;
  double *edge;      /* features x MN_EDGE_CAPACITY; behind the last edge infinities        */
  uint32_t *count;   /* features: bins but for that of missing values, at least 1       */
  uint32_t *cell;    /* features + 1: the first histogram cell; count + 1 cells a column */
  bool *categorical; /* features                                                        */
  uint8_t **code;    /* groups: rows x stride, row-major: for histograms                 */
  uint8_t *column;   /* features x rows, the same once more: for splitting rows by one   */
  uint32_t *stride;  /* groups: 4, 8, 16 or 32 bytes                                     */
} mn_bins;

/* Bins of X, dense or sparse, in scratch. Edges lie halfway between neighbouring values where a column has no more than
 * `most` different ones, else so that bins have about equal weight (in a large X that of 200000 rows). A factor column
 * with more than `most` levels is refused. */
mn_status mn_bins_make(mn_context *ctx, const char *who, const mn_data *data, size_t most, int64_t seed, mn_bins *bins);

/* Columns of a group. */
static inline size_t mn_group_width(const mn_bins *bins, size_t group)
{
  const size_t left = bins->features - group * MN_GROUP_COLUMNS;
  return left < MN_GROUP_COLUMNS ? left : MN_GROUP_COLUMNS;
}

#endif
