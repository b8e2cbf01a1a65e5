/* Estimation of the tables of a network from rows; missing values by expectation maximization, whose objective is the
 * log likelihood plus the log density of the Dirichlet priors. */
#ifndef MN_BAYES_NET_FIT_H
#define MN_BAYES_NET_FIT_H
#include "statistics.h"
#include "../em/em.h"

typedef struct mn_net_fit {
  const mn_network *net; /* its table, if there is one, is where EM starts */
  const mn_matrix *rows; /* NaN for missing                               */
  const double *weights; /* or NULL                                       */
  mn_table_prior prior;
  size_t starts, max_iter;
  double tol; /* stop when an iteration raises the objective by at most tol for each row */
  int64_t seed;
  double limit; /* bytes of the tables of exact inference */
} mn_net_fit;

/* table: net->at[nodes]. The report has n_iter 0 if no value is missing; its trace is to be freed. */
mn_status mn_net_fit_tables(mn_context *ctx, const mn_net_fit *fit, double *table, double *log_likelihood,
                            mn_report *report);

/* The expected statistics of rows with missing values at the tables of the network; in *log_p the weighted log
 * likelihood. sum: s->size. */
mn_status mn_expected_sums(mn_context *ctx, const mn_network *net, const mn_family_sums *s, const mn_matrix *rows,
                           const double *weights, double limit, double *sum, double *log_p);

/* log p(row) of rows with missing values, summed over these; -inf for impossible rows. */
mn_status mn_log_incomplete_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double limit,
                                 double *out);

#endif
