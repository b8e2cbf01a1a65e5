/* What support vector machines share: parameters, learned fields, the solution of their quadratic programs, and sums
 * over support vectors. */
#ifndef MN_SVM_SVM_H
#define MN_SVM_SVM_H
#include "../kernel_methods/kernel_model.h"
#include "../model/model.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "smo.h"

typedef struct mn_svm {
  mn_kernel_model model; /* of which the stored rows are the support vectors */
  double C, nu, epsilon, tol, cache_size;
  bool shrinking, probability;
  int64_t max_iter, multi_class, seed;

  mn_indexes support;    /* vectors: their training rows                                                     */
  mn_matrix dual_coef;   /* functions x vectors, with 1 function of a regressor or detector                  */
  mn_vector intercept;   /* problems                                                                         */
  mn_vector n_support;   /* classes: number of support vectors of each class, whose vectors come in that order */
  mn_vector margin;      /* problems: 1 / |w|                                                                */
  bool pairwise;         /* problems are pairs of classes                                                    */
  mn_vector slope_below; /* problems: sigmoids of the probabilities, for decisions below 0                   */
  mn_vector slope_above; /* problems: and above                                                              */
  double tube;           /* of NuSVR: half its width                                                         */
  double threshold, radius, center_square; /* of detectors                                                       */
  double duality_gap; /* NaN: the kernel is not positive semidefinite                                     */
} mn_svm;

extern const mn_class mn_nu_svc, mn_nu_svr, mn_svdd; /* the nearest relatives of mn_svc, mn_svr, mn_one_class_svm */

/* --- one quadratic program --- */

/* Its rows and their role, and its solution. */
typedef struct mn_svm_problem {
  mn_kernel_rows rows;                             /* n                                                            */
  const double *y;                                 /* n: 1 and -1 of a classifier, targets of a regressor, or NULL */
  const double *weights;                           /* n: sample weights, or NULL                                   */
  mn_report *report;                               /* as in mn_smo                                                 */
  double *coef;                                    /* n: out, coefficients of the rows in the decision             */
  double intercept;                                /* out                                                          */
  double epsilon;                                  /* out: half width of the tube of a regressor                   */
  double start, objective, gap, violation, square; /* out, as in mn_smo; square: |w|^2   */
  int64_t n_iter;
  bool converged;
} mn_svm_problem;

/* The largest nu of a classifier for which there is a feasible point. */
double mn_svm_most_nu(const mn_svm_problem *problem);

/* Solve the program of a class; scratch is released. */
typedef mn_status (*mn_svm_solver)(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_c_svc(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_nu_svc(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_svr(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_nu_svr(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_one_class(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);
mn_status mn_svm_solve_svdd(mn_context *ctx, const mn_svm *m, mn_svm_problem *problem);

/* --- the model --- */

/* Store the support vectors of coef (functions x n, rows n apart): the rows with a coefficient that is not 0, in the
 * order of `order` (n, or NULL). */
mn_status mn_svm_store(mn_context *ctx, mn_svm *m, const mn_data *data, size_t functions, const double *coef,
                       const size_t *order);

/* The advice of fits that stop early. */
extern const char mn_smo_advice[];

/* For .warning: the kernel is not positive semidefinite. */
void mn_svm_warning(const void *self, mn_text_buffer *text);

/* Copy the outcome of a program to the report. */
void mn_svm_report(mn_svm *m, const mn_svm_problem *problem);

/* Fit a model with a single program: regressors and detectors. */
mn_status mn_svm_fit_single(mn_context *ctx, mn_svm *m, const mn_data *data, mn_svm_solver solve,
                            mn_svm_problem *problem);

/* out (rows x functions) = sum over support vectors begin .. end-1 of K(x, vector) dual_coef, in blocks of rows. */
mn_status mn_svm_sums(mn_context *ctx, const mn_svm *m, const mn_data *data, size_t begin, size_t end, double *out);

/* Exported programs (svm_export.c): a loop over the support vectors i that does the statements `add` with the value k
 * of the kernel; out = sums over the support vectors, and the statements `finish`. */
mn_status mn_svm_program(mn_context *ctx, const mn_svm *m, const char *add, mn_program *program);
mn_status mn_svm_export_sum(mn_context *ctx, const mn_svm *m, const char *finish, mn_program *program);

/* After loading. */
mn_status mn_svm_check(mn_context *ctx, const void *self);

/* --- probabilities --- */

/* The two slopes of the sigmoids of a problem, by cross-validation (svm_proba.c). */
mn_status mn_svm_fit_slopes(mn_context *ctx, const mn_svm *m, mn_svm_solver solve, const mn_svm_problem *problem,
                            uint64_t stream, double slope[2]);

/* Probability of the positive class for a decision. */
double mn_svm_sigmoid(double decision, double below, double above);

/* Class probabilities p (k) from those of pairs: r[i * k + j] = P(i | i or j). Wu, Lin & Weng, JMLR 5 (2004), method 2.
 * workspace: k * (k + 1). */
void mn_svm_couple(size_t k, const double *r, double *p, double *workspace);

/* The nearest probabilities, in squares, of which none is larger than p[best]. */
void mn_svm_make_largest(size_t k, double *p, size_t best);

#endif
