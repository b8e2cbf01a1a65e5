/* Mixtures of linear regressions, with constant weights or with gates that depend on x, and of logistic ones: the
 * model, and the parts of its fit by expectation and maximisation (EM).
 *
 *     p(y | x) = sum_k g_k(x) N(y | x b_k + c_k, s_k^2)        of numbers
 *     p(y | x) = sum_k g_k(x) softmax_y(x B_k + c_k)           of labels
 *
 * Gates form a tree: each node shares out its rows among `branching` children by a softmax of linear scores, and g_k is
 * the product of the shares on the way from the root to leaf k. Nodes are numbered level by level from the root, 0, and
 * the children of node v are those from v branching on; child c is node c + 1, or a leaf: the last ones are, in their
 * order. One level is the plain mixture of experts; no gates, the mixture of regressions. */
#ifndef MN_MIXTURE_EXPERTS_H
#define MN_MIXTURE_EXPERTS_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_experts {
  mn_estimator base;
  int64_t n_components, n_experts, levels, init, n_init, max_iter, seed; /* what the user sets */
  double tol, min_variance, gate_penalty, expert_penalty;
  bool fit_intercept, equal_variance;
  mn_matrix coef; /* what fitting learns: experts x features; of labels, a row for each decision of each expert */
  mn_vector intercept, variance;
  mn_vector weights;   /* experts, where there are no gates */
  mn_matrix gate_coef; /* children x features               */
  mn_vector gate_intercept;
  int64_t branching; /* children of a node; 0: no gates */
  mn_matrix responsibilities;
  double loglik, aic, bic;
  int64_t n_parameters;
} mn_experts;

enum { MN_EXPERTS_ROWS, MN_EXPERTS_PLUS_PLUS, MN_EXPERTS_RANDOM }; /* init */
extern const char *const mn_experts_inits[];

/* Rows of the tables of classes: of those with gates, */
#define MN_EXPERTS_LEVELS                                                                                              \
  MN_COUNT(mn_experts, levels, 1, MN_CLOSED(1, 20),                                                                    \
           "levels of gates, one below the other: n_experts ^ levels experts in all")

#define MN_EXPERTS_CONSTANT                                                                                            \
  MN_FLAG(mn_experts, fit_intercept, true, "each expert learns a constant term; gates always do")

#define MN_EXPERTS_GATE_FIELDS                                                                                         \
  MN_MATRIX(mn_experts, gate_coef, "ways x features",                                                                  \
            "weights of the gates, a row for each way that one leads: those of the gate at the root, then those of "   \
            "the gates below it from left to right, and so on; within a gate they add up to 0"),                       \
      MN_VECTOR(mn_experts, gate_intercept, "ways", "constant terms of the gates"),                                    \
      MN_LEARNED(MN_KIND_COUNT, mn_experts, branching, "", NULL),                                                      \
      MN_MATRIX(mn_experts, responsibilities, "rows x experts", "probability that each row of fit comes from each")

#define MN_EXPERTS_GATE_PROBA                                                                                          \
  {                                                                                                                    \
    .name = "gate_proba", .brief = "the share of each expert at each row, which add up to 1",                          \
    .returns = "Matrix (rows x experts)", .needs = MN_NEEDS_X, .run = mn_experts_gate_proba                            \
  }

/* of those that tell numbers, */
#define MN_EXPERTS_MIN_VARIANCE                                                                                        \
  MN_REAL(mn_experts, min_variance, 1e-6, MN_LEFT_OPEN(0, 1), "least variance, as a share of that of y")

/* and of all: `starts` and `change` are the defaults of n_init and tol. */
#define MN_EXPERTS_ROUNDS(starts, change)                                                                              \
  MN_COUNT(mn_experts, n_init, (starts), MN_AT_LEAST(1), "starts, of which the best is kept"),                         \
      MN_COUNT(mn_experts, max_iter, 1000, MN_AT_LEAST(1), "most rounds of EM"),                                       \
      MN_REAL(mn_experts, tol, (change), MN_AT_LEAST(0),                                                               \
              "done when the mean log likelihood of a row rises by no more"),                                          \
      MN_SEED(mn_experts, seed)

#define MN_EXPERTS_LIKELIHOOD(without, counted)                                                                        \
  MN_NUMBER(mn_experts, loglik, "log likelihood" without), MN_NUMBER(mn_experts, aic, "2 n_parameters - 2 loglik"),    \
      MN_NUMBER(mn_experts, bic, "n_parameters log(n) - 2 loglik, n being the sum of the weights of the rows"),        \
      MN_INTEGER(mn_experts, n_parameters, counted)

/* The data in units of their own: columns and y about their means (as they came without an intercept), divided by their
 * root mean square, so that what is small, and what the penalty means, does not depend on units. */
typedef struct mn_experts_problem {
  const mn_data *data;
  size_t n, p, k;                    /* rows, features, experts                             */
  size_t branching, nodes, children; /* of the tree; all 0 without gates                    */
  size_t labels;                     /* classes of y; 0 where y are numbers                 */
  double *z, *y;                     /* n x p, n; y is 0 where there are labels             */
  double *a;                         /* n x (p + 1): 1, z                                   */
  double *e;                         /* n x q: what experts regress on, a or z              */
  size_t q, width;                   /* columns of e; coefficients of an expert: q, or labels x q */
  double total;                      /* sum of the weights                                  */
  double *center, *scale;            /* p + 1: of the columns, then of y                    */
  double min_variance, gate_penalty; /* in these units                                      */
  double expert_penalty;             /* the same, of each weight of the softmax             */
  bool equal_variance;
  mn_blocks blocks;
  double *r;                      /* n x k, out of the E step: responsibilities */
  double *score;                  /* n x children: log shares of the children   */
  double *u;                      /* n: weights of one regression, or of a node */
  double *label_score;            /* n x k x labels: of each expert             */
  double *target, *residue;       /* n x the most of branching and labels       */
  double *part;                   /* blocks                                     */
  int64_t gate_rank, design_rank; /* independent columns of a; of e, where there are labels                */
  int64_t expert_rank;            /* independent coefficients of all experts that the last M step fitted   */
} mn_experts_problem;

/* What EM improves. */
typedef struct mn_experts_state {
  double *b;        /* k x width: of e                        */
  double *variance; /* k                                      */
  double *weight;   /* k: where there are no gates            */
  double *v;        /* children x (p + 1): of a; those of the children of one node add up to 0 */
  size_t floored;   /* experts whose variance is the least one */
} mn_experts_state;

/* Scale the data and take all workspace (scratch). k, branching, nodes and children are set before. */
mn_status mn_experts_prepare(mn_context *ctx, const mn_experts *m, const mn_data *data, mn_experts_problem *s);
mn_status mn_experts_state_make(mn_context *ctx, const mn_experts_problem *p, mn_experts_state *s);
void mn_experts_state_copy(const mn_experts_problem *p, const mn_experts_state *from, mn_experts_state *to);

/* Responsibilities of a start, into p->r. */
mn_status mn_experts_start(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, mn_rng *rng);

/* p->r and the log likelihood of the scaled data, at s. */
mn_status mn_experts_expect(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s, double *loglik);

/* s for the responsibilities p->r; gates go on from those in s, up the likelihood. */
mn_status mn_experts_maximise(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s);
mn_status mn_experts_maximise_gates(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s);

/* Experts that tell labels (experts_labels.c): scores of all rows at s; the log probability by each of the label that a
 * row has, from them; an expert for the weights p->u of the rows, whose sum is above 0. */
mn_status mn_experts_label_scores(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s);
void mn_experts_label_row(const mn_experts_problem *p, size_t row, double *log_density);
mn_status mn_experts_fit_labels(mn_context *ctx, mn_experts_problem *p, double *b);
double mn_experts_label_penalty(const mn_experts_problem *p, const mn_experts_state *s);

/* Half the penalties times the squared weights of the gates, and of experts that tell labels. */
double mn_experts_penalty(const mn_experts_problem *p, const mn_experts_state *s);

/* From n x children scores to log shares of each child among those of its node. */
void mn_experts_shares(size_t n, size_t branching, size_t children, double *score);

/* From log shares of the children of one row to those of the experts: sums along the ways from the root. In place; the
 * last k of them are the experts'. */
void mn_experts_descend(size_t branching, size_t children, double *score);

/* Of all classes: `size` experts, `branching` 0 without gates. */
mn_status mn_experts_fit(mn_context *ctx, mn_experts *m, const mn_data *data, size_t size, size_t branching,
                         size_t children);
mn_status mn_experts_fit_tree(mn_context *ctx, void *self, const mn_data *data); /* n_experts and levels say which */
mn_status mn_experts_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_experts_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_experts_check(mn_context *ctx, const void *self);

/* Operations: the last three of both. */
mn_status mn_experts_gate_proba(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results);
mn_status mn_experts_predict_each(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);
mn_status mn_experts_posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results);
mn_status mn_experts_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results);
#endif
