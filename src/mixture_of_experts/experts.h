/* Mixtures of linear regressions, with constant mixing weights or with gates that depend on x, and mixtures of logistic
 * regressions: the model, and the parts of its fit, by expectation maximization (EM) or, for labels, by L-BFGS.
 *
 *     p(y | x) = sum_k g_k(x) N(y | x b_k + c_k, s_k^2)        regression
 *     p(y | x) = sum_k g_k(x) softmax_y(x B_k + c_k)           classification
 *
 * Gates form a tree. Each node assigns probabilities to its `branching` children by a softmax of linear scores, and g_k
 * is the product of the probabilities on the path from the root to leaf k. Nodes are numbered level by level from the
 * root, 0, and the children of node v are children v * branching and following. Child c is node c + 1 or, on the last
 * level, a leaf: an expert. One level is the plain mixture of experts; no gates, the mixture of regressions. */
#ifndef MN_MIXTURE_OF_EXPERTS_EXPERTS_H
#define MN_MIXTURE_OF_EXPERTS_EXPERTS_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_experts {
  mn_estimator base;
  int64_t n_components, n_experts, levels, init, n_init, max_iter, seed; /* parameters */
  double tol, min_variance, gate_penalty, expert_penalty;
  bool fit_intercept, equal_variance;
  mn_matrix coef; /* learned fields: experts x features; for labels a row for each decision of each expert */
  mn_vector intercept, variance;
  mn_vector weights;   /* experts; empty with gates */
  mn_matrix gate_coef; /* children x features               */
  mn_vector gate_intercept;
  int64_t branching; /* children of a node; 0 without gates */
  mn_matrix responsibilities;
  double loglik, aic, bic;
  int64_t n_parameters;
} mn_experts;

enum { MN_EXPERTS_INIT_ROWS, MN_EXPERTS_INIT_PLUS_PLUS, MN_EXPERTS_INIT_RANDOM, MN_EXPERTS_INIT_MIXED }; /* init */
extern const char *const mn_experts_inits[];

/* Entries of the class tables. Classes with gates: */
#define MN_EXPERTS_LEVELS                                                                                              \
  MN_COUNT(mn_experts, levels, 1, MN_CLOSED(1, 20), "levels of gates; there are n_experts ^ levels experts in all")

#define MN_EXPERTS_FIT_INTERCEPT                                                                                       \
  MN_FLAG(mn_experts, fit_intercept, true, "learn an intercept for each expert; gates always have one")

#define MN_EXPERTS_INIT                                                                                                \
  MN_CHOICE(                                                                                                           \
      mn_experts, init, MN_EXPERTS_INIT_MIXED, mn_experts_inits,                                                       \
      "k-means++: each gate splits its rows by k-means++ centers; random: each row is assigned to a random expert; rows: each expert is fitted to a few random rows; mixed: these in turn")

#define MN_EXPERTS_GATE_FIELDS                                                                                         \
  MN_MATRIX(mn_experts, gate_coef, "ways x features",                                                                  \
            "coefficients of the gates, a row for each branch, level by level from the root and left to right; "       \
            "within a gate they sum to 0"),                                                                            \
      MN_VECTOR(mn_experts, gate_intercept, "ways", "intercepts of the gates"),                                        \
      MN_LEARNED(MN_KIND_COUNT, mn_experts, branching, "", NULL),                                                      \
      MN_MATRIX(mn_experts, responsibilities, "rows x experts", "probability of each expert for each training row")

#define MN_EXPERTS_GATE_PROBA                                                                                          \
  {                                                                                                                    \
    .name = "gate_proba", .brief = "probability of each expert at each row", .returns = "Matrix (rows x experts)",     \
    .needs = MN_NEEDS_X, .run = mn_experts_gate_proba                                                                  \
  }

/* Classes for regression: */
#define MN_EXPERTS_MIN_VARIANCE                                                                                        \
  MN_REAL(mn_experts, min_variance, 1e-6, MN_LEFT_OPEN(0, 1),                                                          \
          "lower bound of the variances, relative to the variance of y")

#define MN_EXPERTS_REGRESSOR                                                                                           \
  .size = sizeof(mn_experts), .predict = mn_experts_predict, .export = mn_experts_export, .check = mn_experts_check

/* All classes; `starts` and `change` are the defaults of n_init and tol. */
#define MN_EXPERTS_EM_PARAMS(starts, change)                                                                             \
  MN_COUNT(mn_experts, n_init, (starts), MN_AT_LEAST(1), "number of starts; the best result is kept"),                   \
      MN_COUNT(mn_experts, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),                              \
      MN_REAL(                                                                                                           \
          mn_experts, tol, (change), MN_AT_LEAST(0),                                                                     \
          "stop when the mean log likelihood per row increases by at most this, per iteration of EM or five of L-BFGS"), \
      MN_SEED(mn_experts, seed)

#define MN_EXPERTS_LIKELIHOOD(without, counted)                                                                        \
  MN_NUMBER(mn_experts, loglik, "log likelihood" without), MN_NUMBER(mn_experts, aic, "2 n_parameters - 2 loglik"),    \
      MN_NUMBER(mn_experts, bic, "n_parameters log(n) - 2 loglik, n being the sum of the sample weights"),             \
      MN_INTEGER(mn_experts, n_parameters, counted)

/* The training data, centered (with an intercept) and divided by the root mean square of each column, so that
 * tolerances and penalties do not depend on units. */
typedef struct mn_experts_problem {
  const mn_data *data;
  size_t n, p, k;                    /* rows, features, experts                             */
  size_t branching, nodes, children; /* of the tree of gates; all 0 without gates */
  size_t labels;                     /* classes of y; 0 for regression */
  double *z, *y;                     /* n x p, n; y is 0 for classification */
  double *a;                         /* n x (p + 1): 1, z                                   */
  double *e;                         /* n x q: design of the experts, a or z */
  size_t q, width;                   /* columns of e; coefficients of an expert: q, or labels x q */
  double total;                      /* sum of the sample weights */
  double *center, *scale;            /* p + 1: of the columns, then y */
  double min_variance, gate_penalty; /* in scaled units */
  double expert_penalty;             /* the same, on each coefficient of the softmax */
  bool equal_variance;
  mn_blocks blocks;
  double *r;                      /* n x k: responsibilities, set by the E step */
  double *score;                  /* n x children: log probabilities of the children */
  double *u;                      /* n: sample weights of one regression or gate */
  double *label_score;            /* n x k x labels: scores of each expert */
  double *target, *residual;      /* n x max(branching, labels) */
  double *part;                   /* blocks: partial sums */
  int64_t gate_rank, design_rank; /* rank of a; rank of e for classification */
  int64_t expert_rank;            /* independent coefficients of all experts, set by the fit */
} mn_experts_problem;

/* The parameters that the fit updates, all numbers in one array that begins with b. */
typedef struct mn_experts_state {
  double *b;        /* k x width: coefficients on e */
  double *variance; /* k                                      */
  double *weight;   /* k: mixing weights, without gates */
  double *v;        /* children x (p + 1): coefficients of the gates on a; they sum to 0 over the children of a node */
  size_t floored;   /* experts whose variance is at the lower bound */
} mn_experts_state;

/* Scale the data and allocate the workspace (scratch). k, branching, nodes and children are set before. */
mn_status mn_experts_prepare(mn_context *ctx, const mn_experts *m, const mn_data *data, mn_experts_problem *s);
size_t mn_experts_state_size(const mn_experts_problem *p);
mn_status mn_experts_state_init(mn_context *ctx, const mn_experts_problem *p, mn_experts_state *s);
void mn_experts_state_copy(const mn_experts_problem *p, const mn_experts_state *from, mn_experts_state *to);

/* Initial responsibilities of a start, into p->r. `index` counts the starts from 0. */
mn_status mn_experts_init_responsibilities(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, int64_t index,
                                           mn_rng *rng);

/* The E step: p->r and the log likelihood of the scaled data at s. */
mn_status mn_experts_e_step(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s, double *loglik);

/* The M step: s for the responsibilities p->r. Gates are improved from their current coefficients, not optimized. */
mn_status mn_experts_m_step(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s);
mn_status mn_experts_fit_gates(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s);

/* Logistic experts (experts_logistic.c).
 *
 *   mn_experts_label_scores     scores of all rows at s
 *   mn_experts_label_densities  from the scores, the log probability of the label of a row by each expert
 *   mn_experts_fit_labels       fit an expert to `count` rows of equal weight */
mn_status mn_experts_label_scores(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s);
void mn_experts_label_densities(const mn_experts_problem *p, size_t row, double *log_density);
mn_status mn_experts_fit_labels(mn_context *ctx, const mn_experts_problem *p, size_t count, const size_t *row,
                                double *b);
double mn_experts_label_penalty(const mn_experts_problem *p, const mn_experts_state *s);

/* Instead of EM, for logistic experts (experts_direct.c): from the initial responsibilities, coefficients to start
 * from; then descend on the objective until it decreases by less than tol per row. max_iter counts the iterations in
 * `report` and is the unit of progress of both. */
mn_status mn_experts_start_labels(mn_context *ctx, mn_experts_problem *p, int64_t max_iter, mn_experts_state *s);
mn_status mn_experts_descend(mn_context *ctx, mn_experts_problem *p, double tol, int64_t max_iter, mn_experts_state *s,
                             mn_report *report);

/* Half the penalties times the squared coefficients of the gates and of logistic experts. */
double mn_experts_penalty(const mn_experts_problem *p, const mn_experts_state *s);

/* Turn n x children scores into log probabilities of the children within their nodes. */
void mn_experts_gate_log_softmax(size_t n, size_t branching, size_t children, double *score);

/* Turn log probabilities of the children of one row into those of the nodes and experts: sums along the paths from the
 * root. In place; the last k values are those of the experts. */
void mn_experts_add_along_paths(size_t branching, size_t children, double *score);

/* Shared by all classes. `size` experts; branching is 0 without gates. */
mn_status mn_experts_fit(mn_context *ctx, mn_experts *m, const mn_data *data, size_t size, size_t branching,
                         size_t children);

/* The same for the tree given by n_experts and levels. */
mn_status mn_experts_fit_tree(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_experts_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_experts_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_experts_check(mn_context *ctx, const void *self);

/* Operations. Posterior and interval are for regression only. */
mn_status mn_experts_gate_proba(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results);
mn_status mn_experts_predict_each(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);
mn_status mn_experts_posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results);
mn_status mn_experts_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results);
#endif
