/* How a probability depends on the entries of a table. */
#ifndef MN_BAYES_NET_SENSITIVITY_H
#define MN_BAYES_NET_SENSITIVITY_H
#include "inference.h"

/* d P(query = value | evidence) / d p for each entry p of the table of the discrete node v, laid out as the table, if
 * the other entries of its row are scaled so that they add up to 1 (equally for an entry of 1).
 *
 *     P(q, e) = sum_i p_i A_i,  P(e) = sum_i p_i B_i,  with A, B from one run in which the table is replaced by ones.
 *
 * Laskey, IEEE Trans. Syst. Man Cybern. 25 (1995); Chan & Darwiche, UAI 2005. */
mn_status mn_sensitivity(mn_context *ctx, const mn_network *net, const mn_inference_options *options,
                         const double *evidence, size_t query, size_t value, size_t v, double *derivative);

#endif
