/* The tree of largest mutual information. Chow & Liu, IEEE Trans. Inf. Theory 14 (1968); given a class for the
 * tree-augmented naive Bayes classifier, Friedman, Geiger & Goldszmidt, Machine Learning 29 (1997). */
#ifndef MN_BAYES_NET_CHOW_LIU_H
#define MN_BAYES_NET_CHOW_LIU_H
#include "independence.h"

/* parent[v] in a spanning tree of all nodes but `given` (SIZE_MAX: all) with the largest sum of mutual information
 * given it, with this root; -1 for the root and for `given`. Nodes of different kinds, discrete and numbers, are not
 * joined; each tree then has the node with the lowest index as its root, but for that of `root`. weight (may be NULL):
 * nodes x nodes, the mutual information. */
mn_status mn_chow_liu(mn_context *ctx, const mn_net_columns *data, size_t root, size_t given, int32_t *parent,
                      double *weight);

#endif
