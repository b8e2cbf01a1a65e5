/* The marginal likelihood of normal nodes (BGe). With Y a set of l of the n nodes, N rows, S their centered sums of
 * products, and the prior mean at the mean of the rows,
 *
 *   p(Y) = pi^(-lN/2) (a/(N + a))^(l/2) G_l((N + w - n + l)/2) / G_l((w - n + l)/2)
 *          det(T_Y)^((w - n + l)/2) / det(T_Y + S_Y)^((N + w - n + l)/2),
 *
 *   a = ess,  w = n + a + 1,  T = t I,  t = a (w - n - 1)/(a + 1),  G_l: multivariate gamma function,
 *
 * and the score of v is log p(v and its parents) - log p(parents).
 *
 * Geiger & Heckerman, Annals of Statistics 30 (2002), with the exponents as corrected by Kuipers, Moffa & Heckerman,
 * Annals of Statistics 42 (2014). Weighted rows count as fractions of a row. */
#ifndef MN_BAYES_NET_BGE_H
#define MN_BAYES_NET_BGE_H
#include "columns.h"

/* Centered sums of products of all nodes, which are numbers: a nodes x nodes matrix. */
mn_status mn_bge_sums(mn_context *ctx, const mn_net_columns *data, double **out);

/* The score of v. `moment` provides (k + 1)^2 numbers. */
double mn_bge_score(const mn_net_columns *data, const double *sums, double ess, size_t v, size_t k,
                    const int32_t *parents, double *moment);

#endif
