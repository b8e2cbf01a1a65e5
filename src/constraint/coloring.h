/* Colors of vertices that differ along each edge, by decimation as in satisfiability.h: belief propagation, or survey
 * propagation (Braunstein, Mulet, Pagnani, Weigt & Zecchina, Phys. Rev. E 68 (2003)). A local search finishes. */
#ifndef MN_CONSTRAINT_COLORING_H
#define MN_CONSTRAINT_COLORING_H
#include "../core/context.h"
#include "coloring_problem.h"

/* color: n values from 0, the best found. bias: n x (colors + 1), probabilities of each color and of none forced, when
 * nothing is fixed. report->violated: edges between equal colors. */
mn_status mn_color_graph(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s, int32_t *color,
                         double *bias, mn_decimation_report *report);

#endif
