/* Messages along the edges of a graph that is being colored.
 *
 * Survey propagation: eta_ij(c), the probability that i is forced to c by its neighbors other than j,
 *
 *     eta_ij(c) = sum_{T with c} (-1)^(|T| - 1) A_T / sum_{T not empty} (-1)^(|T| - 1) A_T,
 *     A_T = prod_{k not j} (1 - sum_{p in T} eta_ki(p)),
 *
 * over sets T of colors: A_T is the probability that all of T are free. Belief propagation: sets of one color alone. */
#ifndef MN_CONSTRAINT_COLOR_MESSAGES_H
#define MN_CONSTRAINT_COLOR_MESSAGES_H
#include "../core/context.h"
#include "../core/rng.h"
#include "coloring_problem.h"

typedef struct mn_color_messages {
  size_t n, colors, max_iter;
  bool survey;
  double tol;
  size_t *first;    /* n + 1 */
  size_t *neighbor; /* first[n] */
  size_t *back;     /* first[n]: place of the message in the other direction */
  int32_t *fixed;   /* n: color, or -1 */
  double *in;       /* first[n] x colors: from the neighbor */
  double *work;     /* (largest degree + 1) x (colors + 3) */
  size_t *order;    /* n */
} mn_color_messages;

mn_status mn_color_messages_new(mn_context *ctx, const mn_edges *g, const mn_coloring_settings *s,
                                mn_color_messages *q);

/* Draw all messages. */
void mn_color_messages_draw(mn_color_messages *q, mn_rng *rng);

mn_status mn_color_messages_run(mn_context *ctx, mn_color_messages *q, mn_rng *rng, size_t *sweeps, bool *converged);

/* Probabilities of each color, and last of not being forced. */
void mn_color_bias(const mn_color_messages *q, size_t v, double *bias);

#endif
