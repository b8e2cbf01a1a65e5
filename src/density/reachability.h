/* The reachability plot of OPTICS, and the clusters in it: Ankerst, Breunig, Kriegel & Sander, SIGMOD 1999.
 *
 * Values are given in the order of the rows, `ordering` holds the rows in the order of the plot. */
#ifndef MN_DENSITY_REACHABILITY_H
#define MN_DENSITY_REACHABILITY_H
#include "../search/neighbor_index.h"

typedef struct mn_reachability {
  size_t n;
  int32_t *ordering;    /* n                                                        */
  double *reachability; /* n; INFINITY for the first row of each connected part     */
  double *core;         /* n core distances; INFINITY if above max_eps              */
  int32_t *predecessor; /* n: the row from which each was reached; -1: none         */
} mn_reachability;

/* Fill `r`, in arrays from the caller: begin with the first row, and continue with the row that is nearest to those
 * before it; ties are broken by the lowest index. Errors begin with `who`. */
mn_status mn_order_by_reachability(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                                   size_t min_samples, double max_eps, mn_reachability *r);

/* The clusters of DBSCAN for a radius eps, up to rows at their borders: label n, out; -1 for noise. */
void mn_cut_reachability(const mn_reachability *r, double eps, int32_t *label, size_t *clusters);

typedef struct mn_steep {
  double xi; /* relative change of a steep point */
  size_t min_samples, min_cluster_size;
  bool predecessor_correction;
} mn_steep;

/* A cluster: the rows at positions begin .. end of the plot. */
typedef struct mn_steep_area {
  size_t begin, end;
} mn_steep_area;

/* The clusters between steep slopes, the smaller ones first (scratch), and labels by those that contain no others. */
mn_status mn_find_spans(mn_context *ctx, const mn_reachability *r, mn_steep settings, mn_steep_area **spans,
                        size_t *count);
void mn_label_spans(const mn_reachability *r, const mn_steep_area *spans, size_t count, int32_t *label,
                    size_t *clusters);

#endif
