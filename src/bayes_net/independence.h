/* Tests of the independence of two nodes given others: of discrete nodes by the chi-squared or G statistic of the
 * tables of all configurations, with (r - 1)(s - 1) degrees of freedom for each of them; of numbers by Fisher's
 * transformation of the partial correlation. */
#ifndef MN_BAYES_NET_INDEPENDENCE_H
#define MN_BAYES_NET_INDEPENDENCE_H
#include "score.h"

enum mn_independence_test { MN_TEST_CHI2, MN_TEST_G, MN_TEST_FISHER_Z };

typedef struct mn_independence {
  const mn_net_columns *data;
  enum mn_independence_test test;
  double *correlation; /* nodes x nodes, for Fisher's z */
} mn_independence;

typedef struct mn_test_result {
  double statistic, df, p; /* df: NaN for Fisher's z */
} mn_test_result;

mn_status mn_independence_init(mn_context *ctx, const mn_net_columns *data, enum mn_independence_test test,
                               mn_independence *out);

/* Cells that a test of u and v needs at most. */
size_t mn_test_cells(const mn_net_columns *data, size_t u, size_t v);

/* Test u and v given k others. p = 1 if the space has too few cells, or there are too few rows. */
mn_test_result mn_test_independence(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t k,
                                    const int32_t *given);

/* Mutual information in nats of u and v, given a discrete node, or SIZE_MAX. */
double mn_node_information(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t given);

#endif
