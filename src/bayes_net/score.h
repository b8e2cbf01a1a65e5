/* Scores of a node given its parents, which add up to the score of a structure; higher is better.
 *
 *   loglik   log likelihood at its maximum
 *   aic      loglik - k,                 k: free parameters
 *   bic      loglik - k log(n) / 2
 *   bdeu     log marginal likelihood with Dirichlet priors of ess / (configurations x values) for each cell
 *   k2       the same with 1 for each cell
 *   bge      log marginal likelihood of normal nodes (bge.h); all nodes must be numbers
 *
 * Heckerman, Geiger & Chickering, Machine Learning 20 (1995); Cooper & Herskovits, Machine Learning 9 (1992). Numbers
 * are linear Gaussian (network.h): loglik, aic, bic and bge only. */
#ifndef MN_BAYES_NET_SCORE_H
#define MN_BAYES_NET_SCORE_H
#include "columns.h"

enum mn_net_criterion { MN_NET_LOGLIK, MN_NET_AIC, MN_NET_BIC, MN_NET_BDEU, MN_NET_K2, MN_NET_BGE };

typedef struct mn_scorer {
  const mn_net_columns *data;
  enum mn_net_criterion criterion;
  double ess;
  double *x_log_x;  /* rows + 1: of whole counts; NULL with weights */
  double *variance; /* nodes: of numbers */
  double *sums;     /* nodes x nodes: of bge */
} mn_scorer;

mn_status mn_scorer_init(mn_context *ctx, const mn_net_columns *data, enum mn_net_criterion criterion, double ess,
                         mn_scorer *out);

/* What one worker needs. */
typedef struct mn_score_space {
  mn_configs configs;
  uint32_t *base; /* rows */
  void *count;    /* `cells` counts */
  size_t cells;
  double *moment;  /* numbers: (nodes + 2)^2 and a row */
  uint32_t *order; /* rows by configuration, and first[configurations + 1] */
  double *coef;    /* nodes + 2 */
  int32_t *list;   /* nodes + 2: for the caller */
} mn_score_space;

mn_status mn_score_space_new(mn_context *ctx, const mn_scorer *s, size_t cells, mn_score_space *out);

/* Cells that scoring v with these parents needs at most. 0: more than MN_MAX_TABLE. */
size_t mn_score_cells(const mn_scorer *s, size_t v, size_t k, const int32_t *parents);

/* The score of v; -inf if the space does not suffice. */
double mn_score_node(const mn_scorer *s, mn_score_space *space, size_t v, size_t k, const int32_t *parents);

/* The same for many further parents: prepare the discrete node v with its present parents, then add one. Reads `base`
 * of `prepared` only, so that several workers may share it; `space` provides the counts. */
void mn_score_prepare(const mn_scorer *s, mn_score_space *prepared, size_t v, size_t k, const int32_t *parents);
double mn_score_with(const mn_scorer *s, const mn_score_space *prepared, mn_score_space *space, size_t v, size_t u);

/* Sum of the weights of each value of v in each configuration: sum[configuration x card], not compressed. */
void mn_family_counts(const mn_net_columns *data, size_t v, size_t k, const int32_t *parents, double *sum);

/* Least squares of the number v on the parents that are numbers, for rows[0..n): mean square of the residuals, at least
 * `floor`, and the coefficients a, b_1, ...; the sum of the weights. */
typedef struct mn_number_fit {
  double variance, total;
} mn_number_fit;
mn_number_fit mn_fit_numbers(const mn_net_columns *data, const uint32_t *rows, size_t n, size_t v, size_t k,
                             const int32_t *parents, double floor, double *moment, double *coef);

/* Solve the normal equations in the lower triangle of m, (k + 1) x (k + 1) centered sums of products, the last row that
 * of y, which is overwritten; returns the residual sum of squares. Columns that depend on earlier ones get 0. */
double mn_solve_moments(size_t k, double *m, double *coef);

/* Least variance of a residual, relative to the variance of the node. */
#define MN_VARIANCE_FLOOR 1e-6
double mn_variance_floor(const mn_scorer *s, size_t v);

#endif
