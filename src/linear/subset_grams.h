/* Normal equations of least squares on several subsets of the rows of one X, as in cross-validation.
 *
 * Rows that belong to the same subsets form a group: in k-fold cross-validation, those of a fold. X is read once, for
 * the matrices of the groups; that of a subset is the sum over its groups. Sums have no cancellation, as subtracting
 * a fold from the total would. */
#ifndef MN_LINEAR_SUBSET_GRAMS_H
#define MN_LINEAR_SUBSET_GRAMS_H
#include "../model/data.h"

/* The solution for one subset with the penalty alpha |b|^2, in buffers of the caller. */
typedef struct mn_subset_solution {
  double n;       /* number of rows                                                 */
  double *mean;   /* p + q: of X and y; 0 without an intercept                      */
  double *g;      /* (p + q) x (p + q): the Gram matrix of [X y], about these means */
  double *factor; /* p x p: L with L L' = X'X + alpha I                             */
  double *coef;   /* p x q                                                          */
  double rcond;   /* of X'X + alpha I with its columns scaled to norm 1             */
} mn_subset_solution;

/* Called with the solution of subset s. */
typedef mn_status (*mn_subset_function)(mn_context *ctx, void *work, size_t s, const mn_subset_solution *solution);

/* Call f for each subset that is solved by a Cholesky factor with 11 digits. The others are skipped: small or
 * ill-conditioned ones, those with a row twice or with at most p rows, and those that would need more memory for groups
 * than X takes.
 *
 *   subset, n  lists of rows
 *   data       dense, without weights */
mn_status mn_solve_subsets(mn_context *ctx, const mn_data *data, const mn_row_list *subset, size_t n, bool centered,
                           double alpha, mn_subset_function f, void *work);

#endif
