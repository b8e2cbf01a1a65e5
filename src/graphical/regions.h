/* Generalized belief propagation: regions of variables that contain short loops.
 *
 * Yedidia, Freeman & Weiss, IEEE Trans. Information Theory 51 (2005): the Kikuchi free energy
 *
 *     F = sum_R c_R sum_x b_R(x) (log b_R(x) - table_R(x)),      c_R = 1 - sum_{S contains R} c_S
 *
 * over outer regions (factors, short loops, clusters of the user) and all their intersections. Messages between outer
 * regions and intersections, as in Heskes, Albers & Kappen (2003); with the double loop, which bounds the concave terms
 * by tangents, they always converge. */
#ifndef MN_GRAPHICAL_REGIONS_H
#define MN_GRAPHICAL_REGIONS_H
#include "messages.h"

typedef struct mn_region_options {
  const char *who;
  mn_message_options passing; /* damping, tol, max_iter */
  size_t loops;               /* longest loops of pairs that become regions: 0, 3 or 4 */
  bool double_loop;
  const double *cluster; /* further outer regions: variables from 1, each cluster followed by a 0 */
  size_t clusters;       /* length of that list */
} mn_region_options;

/* A set of variables, ascending. */
typedef struct mn_region {
  const size_t *at;
  size_t n;
} mn_region;

typedef struct mn_region_graph {
  size_t outer, inner;  /* numbers of regions                                                */
  mn_region *region;    /* outer ones first; intersections after them, larger ones first     */
  double *count;        /* counting number of each                                           */
  size_t *start, *over; /* inner region i is part of the outer ones over[start[i]] ...       */
} mn_region_graph;

mn_status mn_make_regions(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_region_options *options, mn_region_graph *out);

/* Marginals (variables x width), the Kikuchi approximation of the log partition function, the number of regions. */
mn_status mn_region_propagation(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                                const mn_region_options *options, size_t width, double *marginals,
                                double *log_partition, size_t *regions, mn_message_report *report);

#endif
