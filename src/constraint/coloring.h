/* Colors of vertices that differ along each edge, by decimation as in satisfiability.h: belief propagation, or survey
 * propagation (Braunstein, Mulet, Pagnani, Weigt & Zecchina, Phys. Rev. E 68 (2003)). A local search finishes. */
#ifndef MN_CONSTRAINT_COLORING_H
#define MN_CONSTRAINT_COLORING_H
#include "../core/context.h"
#include "coloring_problem.h"

typedef struct mn_coloring_report {
  size_t violated; /* edges between equal colors */
  size_t attempts; /* of the last attempt: */
  size_t rounds, unconverged, fixed, sweeps;
  uint64_t moves;
} mn_coloring_report;

/* color: n values from 0, the best found. bias: n x (colors + 1), probabilities of each color and of none forced, when
 * nothing is fixed. */
mn_status mn_color_graph(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, int32_t *color,
                         double *bias, mn_coloring_report *report);

#endif
