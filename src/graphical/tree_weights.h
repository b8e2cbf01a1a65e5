/* Tree-reweighted message passing: an upper bound of the log partition function.
 *
 * Wainwright, Jaakkola & Willsky, IEEE Trans. Information Theory 51 (2005). The weights rho are the probabilities with
 * which edges appear in random spanning trees; the bound is improved by conditional gradients, whose step goes to the
 * spanning tree of largest mutual information. */
#ifndef MN_GRAPHICAL_TREE_WEIGHTS_H
#define MN_GRAPHICAL_TREE_WEIGHTS_H
#include "messages.h"

/* rho[f], which begins as shares of spanning trees that cover all edges. Factors have at most two variables without
 * evidence, else MN_BAD_ARGUMENT; those with fewer have weight 1. */
mn_status mn_tree_weights(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                          double *rho);

/* Messages with these weights, improved `updates` times; *log_partition bounds it from above if out->report.converged.
 * options->rho is ignored. */
mn_status mn_tree_reweighted(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                             const mn_message_options *options, size_t updates, mn_messages *out,
                             double *log_partition);

#endif
