/* Gaussian process regression by conditioning each row on a few earlier ones: with A = K + noise I and the rows in some
 * order,
 *
 *     log p(y) = sum_i log N(y_i; h_i'b + g_i'(y_N - H_N b), s_i),  N: the nearest rows before row i,
 *     g_i = inv(A_NN) A_Ni,  s_i = A_ii - A_iN g_i
 *
 * which is exact if N holds all rows before row i. Vecchia, JRSS B 50 (1988); Guinness, Technometrics 60 (2018). */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_VECCHIA_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_VECCHIA_H
#include "../gaussian_process/gp_regression.h"

typedef enum mn_vecchia_order { MN_VECCHIA_MAXMIN, MN_VECCHIA_RANDOM, MN_VECCHIA_COORDINATE } mn_vecchia_order;

/* order[i]: the row at place i, for n rows of d columns. maxmin: the row nearest to the center, then each time the row
 * farthest from those before it, in O(n^2 d). coordinate: ascending sums of the columns. */
mn_status mn_vecchia_find_order(mn_context *ctx, mn_vecchia_order kind, size_t n, size_t d, const double *x,
                                int64_t seed, size_t *order);

/* The k nearest of the rows x for each query, by brute force; queries NULL: of row i among those before it, min(i, k)
 * of them. found: queries x k, ascending indexes, -1 after the last one. */
mn_status mn_vecchia_neighbors(mn_context *ctx, size_t n, size_t d, const double *x, size_t queries,
                               const double *query, size_t k, int32_t *found);

/* Rows in their order, and their neighbors. */
typedef struct mn_vecchia_problem {
  mn_kernel_rows rows;     /* n rows of d columns                       */
  size_t q, columns;       /* targets; and of r                         */
  const double *r;         /* n x columns: [y h]                        */
  size_t m;                /* most neighbors of a row                   */
  const int32_t *neighbor; /* n x m, or of the queries; -1 after the last */
  double noise;            /* added to the diagonal                     */
} mn_vecchia_problem;

/* What is found at given hyperparameters. Arrays are of mn_vecchia_new. */
typedef struct mn_vecchia_state {
  double *precision, *b;         /* of mn_gp_eliminate_mean                                                      */
  double *error;                 /* n x columns: v = (r_i - g_i'r_N) / sqrt(s_i)                                 */
  double *weight;                /* n x (m + 1): w = (-g_i, 1) / sqrt(s_i)                                       */
  double *solved;                /* n x (m + 1) columns: inv(A_NN) r_N, rows of the columns, then zeros          */
  double *log_variance;          /* n: log s_i                                                                   */
  double *jitters;               /* n: added to the diagonal for row i                                           */
  double log_likelihood, jitter; /* NaN: it cannot be computed; the largest jitter */
} mn_vecchia_state;

mn_status mn_vecchia_new(mn_context *ctx, const mn_vecchia_problem *p, mn_vecchia_state *s);

/* The log likelihood, and its gradient by the free hyperparameters unless NULL. A matrix A of a row and its neighbors
 * that is not positive definite gets a jitter, as in gp_regression.h. */
mn_status mn_vecchia_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *p,
                              mn_vecchia_state *s, double *gradient);

/* At new rows, whose neighbors are p->neighbor: g'r_N (rows x columns), and the variance s of a new observation, >= 0.
 */
mn_status mn_vecchia_predict(mn_context *ctx, const mn_kernel *kernel, const mn_vecchia_problem *p,
                             const mn_kernel_rows *at, double *means, double *variance);

#endif
