/* Shared parts of kernel interaction regression: regression on all columns and all products of two columns.
 *
 * Columns z and y are centered and scaled to unit variance. The model of a row is
 *
 *     y = c + sum_j t_j z_j + sum_{i<j} t_ij z_i z_j + noise,    noise ~ N(0, s2),
 *     t_j ~ N(0, s2 u_j),    t_ij ~ N(0, s2 omega^2 u_i u_j)     [squares: t_jj ~ N(0, s2 omega^2 u_j^2 / 2)]
 *
 * with a flat prior on c. In the notation of the paper: kappa_j^2 = u_j / max u, eta_1^2 = s2 max u, eta_2^2 = s2
 * (omega max u)^2. The covariance of two rows over s2 does not need the p^2 / 2 products: with s = sum_j u_j z_j z'_j
 * and q = sum_j u_j^2 z_j^2 z'_j^2,
 *
 *     k(z, z') = s + omega^2 / 2 (s^2 - q)     [squares: without q].
 *
 * Agrawal, Huggins, Trippe & Broderick, ICML 2019, section 4. */
#ifndef MN_INTERACTION_INTERACTION_H
#define MN_INTERACTION_INTERACTION_H
#include "../model/operation.h"
#include "../linear/linear.h"

typedef struct mn_interaction {
  mn_linear linear; /* coef: main effects at the column means; intercept: prediction there */
  int64_t max_iter;
  double tol, sparsity;
  bool squares;
  double eta_1, eta_2, sigma, n;
  mn_vector kappa, center, scale; /* features */
  mn_indexes relevant;            /* columns with kappa > 0, ascending: k of them */
  /* The rest is empty if no column is relevant. */
  double omega, unit;   /* omega above; standard deviation of y */
  mn_vector u, bend;    /* k: u; coefficients of z_j^2, -omega^2 / 2 u_j^2 sum_a pull_a z_aj^2, in units of y */
  mn_vector root, pull; /* rows: roots of the weights; dual coefficients (a = D P y), in units of y */
  mn_matrix z;          /* rows x k */
} mn_interaction;

/* The training rows. */
typedef struct mn_interaction_rows {
  size_t n, p;
  const double *z;       /* n x p; 0 in constant columns             */
  const double *root;    /* n: roots of the weights                  */
  const double *y;       /* n: centered, scaled to unit variance, times root */
  const double *target;  /* n: y without root                      */
  const double *weights; /* n, or NULL: all 1                      */
  double total_weight;   /* sum of the weights                       */
  bool squares;
} mn_interaction_rows;

/* Hyperparameters: u of the k columns in `column`; u of all others is 0. */
typedef struct mn_interaction_state {
  size_t k, *column;
  double *u, log_omega, objective;
} mn_interaction_state;

/* With D = diag(root), e = root, B = I + D K D and P = inv(B) - inv(B) e e' inv(B) / (e' inv(B) e):
 *
 *   s       n x n: the s above, of all pairs of rows
 *   q       n x n: the q above; unused with squares
 *   factor  n x n: L of B = L L'
 *   ones    n: inv(B) e
 *   py      n: P y */
typedef struct mn_interaction_posterior {
  double *s, *q, *factor, *ones, *py;
  double total;     /* e' inv(B) e         */
  double intercept; /* e' inv(B) y / total */
  double ypy;       /* y' P y              */
} mn_interaction_posterior;

mn_status mn_interaction_posterior_init(mn_context *ctx, size_t n, mn_interaction_posterior *f);

/* The posterior for k columns z (n x k) with prior variances u; *minor > 0 if the factorization of B fails. */
mn_status mn_interaction_posterior_compute(mn_context *ctx, const mn_interaction_rows *rows, size_t k, const double *z,
                                           const double *u, double omega, mn_interaction_posterior *f, size_t *minor);

/* The Gram matrix of all centered effects of the columns in `column`, and of y; see interaction_effects.c. */
typedef struct mn_interaction_effects {
  bool valid;
  size_t k, *column;
  double *gram, *mean; /* (q + 1) x (q + 1); q + 1 */
} mn_interaction_effects;

/* The objective (interaction_evidence.c) is minus the log restricted likelihood of y, maximized over s2, plus penalties
 * on u and omega:
 *
 *     ((W - 1) log(y' P y + floor) + log |B| + log(e' inv(B) e)) / 2
 *       + sum_j log(1 + rho v_j) + log(omega)^2 / 8,      v_j = u_j (1 + omega^2 sum_{i != j} u_i)
 *
 * v_j is the expected contribution of all effects of column j to the variance of y, relative to the noise; its root has
 * a half-Cauchy prior of scale 1 / sqrt(rho), rho = sparsity W log(1 + p). W: sum of the weights.
 *
 *   rows, rho  given
 *   f          s, py, intercept and ypy are those of the state of the last update
 *   gradient   n x n: d(2 objective) / dK there, without the penalties */
typedef struct mn_interaction_problem {
  mn_context *ctx;
  mn_interaction_rows rows;
  double rho, floor, freedom;
  const bool *varies; /* p */
  bool few_effects;   /* the effects of all columns are fewer than the rows: no n x n matrix is allocated */
  mn_interaction_posterior f;
  mn_interaction_effects effects;
  double *gradient;
  mn_interaction_state *state; /* the state that is being optimized */
  double tol;
} mn_interaction_problem;

mn_status mn_interaction_problem_init(mn_context *ctx, mn_interaction_problem *p);

/* Compute s->objective (INFINITY if B has no factor) and, unless NULL, its derivatives by u (k) and log(omega). Uses
 * the effects of the k columns if they are fewer than the rows, and the kernel otherwise. */
mn_status mn_interaction_evaluate(mn_interaction_problem *p, mn_interaction_state *s, double *d_u, double *d_log_omega);

/* Compute the posterior and, if `gradient`, p->gradient at a state with a finite objective. */
mn_status mn_interaction_update(mn_interaction_problem *p, mn_interaction_state *s, bool gradient);

/* The number of effects of k columns (interaction_effects.c). */
size_t mn_interaction_count_effects(const mn_interaction_rows *rows, size_t k);

/* mn_interaction_evaluate by effects, without the penalties: `likelihood` is twice the first two terms of the
 * objective. */
mn_status mn_interaction_evaluate_effects(mn_interaction_problem *p, const mn_interaction_state *s, double *d_u,
                                          double *d_log_omega, double *likelihood);

/* The factor of M, b, and the roots of the prior variances: q x q, q, q (scratch). *minor > 0: M has no factor. */
typedef struct mn_interaction_solution {
  size_t q;
  double *l, *b, *root;
} mn_interaction_solution;

mn_status mn_interaction_solve_effects(mn_interaction_problem *p, const mn_interaction_state *s,
                                       mn_interaction_solution *t, size_t *minor);

/* Values of all effects in a row z, main effects first. */
void mn_interaction_expand_row(const mn_interaction_state *s, bool squares, const double *z, double *out);

/* P (n x n, unless NULL), and py and intercept of p->f, by effects. */
mn_status mn_interaction_projection(mn_interaction_problem *p, const mn_interaction_state *s, double *matrix);

/* After an update at a state: scores of the columns that vary and are not in the state (INFINITY for the others), by
 * how much their effects would lower the objective (negative: they would):
 *
 *     score_j = (main G_j + sum_i pair_i G_ij) / 2,    G_j, G_ij: d(2 objective) / d prior variance of that effect,
 *
 * which is sum_ab gradient_ab (main + sum_i pair_i z_ai z_bi) z_aj z_bj / 2, in time linear in p for any `pair`. With
 * p->few_effects it is cheaper to expand the effects (interaction_effects.c).
 *
 *   pair  p, >= 0 */
mn_status mn_interaction_scores(mn_interaction_problem *p, const mn_interaction_state *s, double main,
                                const double *pair, double *score);
mn_status mn_interaction_scores_by_effects(mn_interaction_problem *p, const mn_interaction_state *s, double main,
                                           const double *pair, double *score);

/* The derivatives of the objective by the u of columns outside the state, at u = 0.
 *   pair  workspace: p values */
mn_status mn_interaction_entry_derivatives(mn_interaction_problem *p, const mn_interaction_state *s, double *pair,
                                           double *d_u);

mn_status mn_interaction_state_init(mn_context *ctx, size_t p, mn_interaction_state *s);
/* Find the best set of columns and its hyperparameters (interaction_search.c). */
mn_status mn_interaction_search(mn_context *ctx, mn_interaction *m, mn_interaction_problem *p, mn_interaction_state *s);

extern const mn_operation mn_interaction_operations[];

#endif
