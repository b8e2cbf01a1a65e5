/* Sufficient statistics of the tables of a network: for a discrete node the weight of each cell; for a number, in each
 * configuration of its discrete parents, the sums of the products of (1, parents that are numbers, itself). */
#ifndef MN_BAYES_NET_STATISTICS_H
#define MN_BAYES_NET_STATISTICS_H
#include "network.h"
#include "columns.h"

typedef struct mn_family_sums {
  size_t size, *at; /* at: nodes + 1 */
} mn_family_sums;

mn_status mn_family_sums_layout(mn_context *ctx, const mn_network *net, mn_family_sums *out);

/* Whether node v and its parents are known in the row. */
bool mn_family_is_known(const mn_network *net, size_t v, const double *row);

/* Add w times the family of v in a row where it is known. */
void mn_add_family(const mn_network *net, const mn_family_sums *s, size_t v, const double *row, double w, double *sum);

/* How tables are estimated. */
typedef struct mn_table_prior {
  double ess;    /* equivalent sample size: split over the cells of each table */
  double pseudo; /* and this for each cell                                     */
} mn_table_prior;

double mn_cell_prior(const mn_network *net, size_t v, mn_table_prior prior);

/* The table of v from its sums; uniform where there are none. floor: least variance of each number. */
void mn_estimate_table(const mn_network *net, const mn_family_sums *s, size_t v, const double *sum,
                       mn_table_prior prior, const double *floor, double *space, double *table);

/* Values that `space` needs. */
size_t mn_estimate_space(const mn_network *net);

/* sum over the cells of prior x log p. */
double mn_log_prior(const mn_network *net, mn_table_prior prior);

#endif
