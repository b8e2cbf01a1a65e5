/* Regression on all columns and all products of two columns, by the kernel interaction trick: what its files share.
 *
 * Columns are taken about their means and over their standard deviations (z), y likewise. The model of a row is
 *
 *     y = c + sum_j t_j z_j + sum_{i<j} t_ij z_i z_j + noise,    noise ~ N(0, s2),
 *     t_j ~ N(0, s2 u_j),    t_ij ~ N(0, s2 omega^2 u_i u_j)     [squares: t_jj ~ N(0, s2 omega^2 u_j^2 / 2)]
 *
 * with c flat. In the terms of the paper: kappa_j^2 = u_j / max u, eta_1^2 = s2 max u, eta_2^2 = s2 (omega max u)^2.
 * The covariance of two rows over s2 needs all of p^2 / 2 products only on paper: with s = sum_j u_j z_j z'_j and q =
 * sum_j u_j^2 z_j^2 z'_j^2,
 *
 *     k(z, z') = s + omega^2 / 2 (s^2 - q)     [squares: without q].
 *
 * Agrawal, Huggins, Trippe & Broderick, ICML 2019, section 4. */
#ifndef MN_INTERACTION_INTERACTION_H
#define MN_INTERACTION_INTERACTION_H
#include "../model/operation.h"
#include "../linear/linear.h"

typedef struct mn_interaction {
  mn_linear linear; /* coef: main effects at the means; intercept: the prediction there */
  int64_t max_iter;
  double tol, sparsity;
  bool squares;
  double eta_1, eta_2, sigma, n;
  mn_vector kappa, center, scale; /* features */
  mn_indexes relevant;            /* columns with kappa > 0, ascending: k of them */
  /* What follows is empty when there are none. */
  double omega, unit;   /* omega above; standard deviation of y */
  mn_vector u, bend;    /* k: u; -omega^2 / 2 u_j^2 sum_a pull_a z_aj^2, in units of y */
  mn_vector root, pull; /* rows: roots of the weights; what a row adds to predictions, times its covariance */
  mn_matrix z;          /* rows x k */
} mn_interaction;

/* The rows of a fit, and room for a covariance. */
typedef struct mn_interaction_rows {
  size_t n, p;
  const double *z;       /* n x p; 0 in constant columns             */
  const double *root;    /* n: roots of the weights                  */
  const double *y;       /* n: about its mean, in units of its standard deviation, times root */
  const double *target;  /* n: y without root                      */
  const double *weights; /* n, or NULL: all 1                      */
  double weight;         /* sum of the weights                       */
  bool squares;
} mn_interaction_rows;

/* Hyperparameters; u of the k columns `at`, those of all others are 0. */
typedef struct mn_interaction_state {
  size_t k, *at;
  double *u, log_omega, objective;
} mn_interaction_state;

/* With D = diag(root), e = root, B = I + D K D and P = inv(B) - inv(B) e e' inv(B) / (e' inv(B) e):
 *
 *   s       n x n: the s above, of all pairs of rows
 *   q       n x n: the q above; not touched when there are squares
 *   factor  n x n: L of B = L L'
 *   ones    n: inv(B) e
 *   answer  n: P y */
typedef struct mn_interaction_posterior {
  double *s, *q, *factor, *ones, *answer;
  double total;    /* e' inv(B) e               */
  double constant; /* e' inv(B) y / total       */
  double rest;     /* y' P y                    */
} mn_interaction_posterior;

mn_status mn_interaction_room(mn_context *ctx, size_t n, mn_interaction_posterior *f);

/* The posterior for k columns z (n x k) of scales u; *minor > 0 when B is too large for its factor. */
mn_status mn_interaction_condition(mn_context *ctx, const mn_interaction_rows *rows, size_t k, const double *z,
                                   const double *u, double omega, mn_interaction_posterior *f, size_t *minor);

/* The Gram matrix of all effects of the columns `at`, and of y, about their means; see interaction_effects.c. */
typedef struct mn_interaction_effects {
  bool known;
  size_t k, *at;
  double *gram, *mean; /* (q + 1) x (q + 1); q + 1 */
} mn_interaction_effects;

/* --- the objective: interaction_evidence.c --- */

/* Minus the logarithm of the restricted likelihood of y, s2 at its best, and what holds u and omega down:
 *
 *     ((W - 1) log(y' P y + floor) + log |B| + log(e' inv(B) e)) / 2
 *       + sum_j log(1 + rho v_j) + log(omega)^2 / 8,      v_j = u_j (1 + omega^2 sum_{i != j} u_i)
 *
 * v_j is what all effects of column j together are expected to add to the variance of y, over that of the noise; each
 * root of it has a half-Cauchy prior of scale 1 / sqrt(rho), rho = sparsity W log(1 + p). W: sum of the weights.
 *
 *   rows, rho  given
 *   f          of it s, answer, constant and rest are those of the state that was looked at last
 *   slope      n x n: d(2 objective) / dK there, without the priors */
typedef struct mn_interaction_problem {
  mn_context *ctx;
  mn_interaction_rows rows;
  double rho, floor, freedom;
  const bool *varies; /* p */
  bool tall;          /* the effects of all columns are fewer than the rows: then no n x n matrix is made */
  mn_interaction_posterior f;
  mn_interaction_effects effects;
  double *slope;
  mn_interaction_state *state; /* whose variables are being moved */
  double tol;
} mn_interaction_problem;

mn_status mn_interaction_prepare(mn_context *ctx, mn_interaction_problem *p);

/* The objective of a state, into it (INFINITY where B has no factor); and its derivatives by u (k) and by log(omega),
 * unless NULL. By all effects of the k columns where they are fewer than the rows, else by the kernel. */
mn_status mn_interaction_evaluate(mn_interaction_problem *p, mn_interaction_state *s, double *by_u, double *by_omega);

/* The posterior and, unless `slope` is false, p->slope at a state whose objective is finite. */
mn_status mn_interaction_look(mn_interaction_problem *p, mn_interaction_state *s, bool slope);

/* How many effects k columns have; what evaluate does by them, but for the priors (twice the first two terms above);
 * and P (n x n, unless NULL) with the answer and the constant of p->f: interaction_effects.c. */
size_t mn_interaction_count(const mn_interaction_rows *rows, size_t k);
mn_status mn_interaction_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double *by_u,
                                    double *by_omega, double *likelihood);
/* M's factor, b and the roots of the priors: q x q, q, q (scratch); *minor > 0: M has none. */
typedef struct mn_interaction_solution {
  size_t q;
  double *l, *b, *root;
} mn_interaction_solution;

mn_status mn_interaction_solve(mn_interaction_problem *p, const mn_interaction_state *s, mn_interaction_solution *t,
                               size_t *minor);

/* Values of all effects in a row z, single columns first. */
void mn_interaction_write(const mn_interaction_state *s, bool squares, const double *z, double *out);

mn_status mn_interaction_project(mn_interaction_problem *p, const mn_interaction_state *s, double *matrix);

/* After a look at a state: how much products of column j with others are wanted (below 0) or not, for all columns that
 * vary and are not in the state (INFINITY for the rest):
 *
 *     score_j = (alone G_j + sum_i with_i G_ij) / 2,    G_j, G_ij: d(2 objective) / d prior variance of that effect,
 *
 * which is sum_ab slope_ab (alone + sum_i with_i z_ai z_bi) z_aj z_bj / 2, in time linear in p whatever `with` is.
 * Where p->tall it is cheaper to write the effects out, which interaction_effects.c does.
 *
 *   with  p, >= 0 */
mn_status mn_interaction_scores(mn_interaction_problem *p, const mn_interaction_state *s, double alone,
                                const double *with, double *score);
mn_status mn_interaction_scores_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double alone,
                                           const double *with, double *score);

/* The derivatives of the objective by the u of those columns, at u = 0.
 *   with  room for p values */
mn_status mn_interaction_entering(mn_interaction_problem *p, const mn_interaction_state *s, double *with, double *by_u);

/* --- the search: interaction_search.c --- */

mn_status mn_interaction_state_make(mn_context *ctx, size_t p, mn_interaction_state *s);
mn_status mn_interaction_search(mn_context *ctx, mn_interaction *m, mn_interaction_problem *p, mn_interaction_state *s);

extern const mn_operation mn_interaction_operations[];

#endif
