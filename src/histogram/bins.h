/* The columns of X quantized to at most 256 bins, so that trees are grown on bytes. Used by histogram boosting. */
#ifndef MN_HISTOGRAM_BINS_H
#define MN_HISTOGRAM_BINS_H
#include "../model/data.h"

enum {
  MN_MAX_BINS = 255,     /* of a column, without the one for missing values */
  MN_GROUP_COLUMNS = 32, /* columns stored together: the bins of a row take half a cache line */
  MN_EDGE_CAPACITY = 256,
  MN_BINS_PADDING = 3 /* bytes behind the columns that may be read: bins are loaded in fours */
};

/* The bin of a number x is the number of edges below x, so that x <= edge[b] is equivalent to bin <= b. The bin of a
 * factor is its code. The last bin, number count[f], is for missing values. */
typedef struct mn_bins {
  size_t rows, features, groups;
  double *edge;      /* features x MN_EDGE_CAPACITY, padded with infinities                 */
  uint32_t *count;   /* features: number of bins without that for missing values, >= 1  */
  uint32_t *cell;    /* features + 1: first histogram cell; a column has count + 1 cells */
  bool *categorical; /* features                                                        */
  uint8_t **code;    /* groups: rows x stride, row-major: for histograms                 */
  uint8_t *column;   /* features x rows, the same by columns: for partitioning rows      */
  uint32_t *stride;  /* groups: 4, 8, 16 or 32 bytes                                     */
} mn_bins;

/* Make the bins of X, dense or sparse, in scratch. If a column has at most max_bins distinct values, edges are the
 * midpoints of neighboring values; otherwise bins have about equal weight (for a large X, estimated from 200000 rows).
 * Fails if a factor has more than max_bins levels. */
mn_status mn_bins_make(mn_context *ctx, const char *who, const mn_data *data, size_t max_bins, int64_t seed,
                       mn_bins *bins);

/* The midpoint, but less than the upper value b. */
static inline double mn_midpoint_below(double a, double b)
{
  const double mid = a + (b / 2 - a / 2);
  return mid < b && mid >= a ? mid : a;
}

/* Set `categorical` and `count` of the factors in X. */
mn_status mn_bins_add_factors(mn_context *ctx, const char *who, const mn_data *data, size_t max_bins, mn_bins *bins);

/* Number of columns of a group. */
static inline size_t mn_group_width(const mn_bins *bins, size_t group)
{
  const size_t left = bins->features - group * MN_GROUP_COLUMNS;
  return left < MN_GROUP_COLUMNS ? left : MN_GROUP_COLUMNS;
}

#endif
