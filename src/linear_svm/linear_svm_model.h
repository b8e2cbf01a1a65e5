/* What LinearSVC and LinearSVR share: parameters, choice of the solver, and one fit for each score. */
#ifndef MN_LINEAR_SVM_MODEL_H
#define MN_LINEAR_SVM_MODEL_H
#include "../linear/coef_summary.h"
#include "../linear/linear.h"
#include "../model/part_rounds.h"
#include "linear_svm.h"

struct mn_linear_svm_model {
  mn_linear linear;
  double C, tol, epsilon, intercept_scaling; /* parameters */
  int64_t loss, penalty, multi_class, dual, max_iter, seed;
  bool fit_intercept;
  mn_vector gap; /* learned: scores */
};

enum { MN_SVM_SQUARED, MN_SVM_LINEAR };           /* loss: index of the names of both classes */
enum { MN_SVM_L2, MN_SVM_L1 };                    /* penalty */
enum { MN_SVM_AUTO, MN_SVM_DUAL, MN_SVM_PRIMAL }; /* dual */
enum { MN_LINEAR_SVM_OVR, MN_SVM_CRAMMER_SINGER, MN_SVM_WESTON_WATKINS };

/* The kind of intercept that the parameters ask for. */
mn_svm_intercept mn_svm_intercept_of(const struct mn_linear_svm_model *m);

/* The terms of a score: target, up and down of each row. */
typedef void (*mn_svm_terms)(const struct mn_linear_svm_model *m, const mn_data *data, size_t score, double *target,
                             double *up, double *down);

/* Fit all scores, one after the other: coef, intercept, gap and report of m. */
mn_status mn_linear_svm_fit(mn_context *ctx, struct mn_linear_svm_model *m, const mn_data *data, size_t scores,
                            mn_svm_terms terms);

/* Fit the scores of all classes together, for multi_class crammer_singer and weston_watkins. */
mn_status mn_svm_fit_multiclass(mn_context *ctx, struct mn_linear_svm_model *m, const mn_data *data);

/* Penalized linear models with an L1 norm, or an interior point method for hinge losses, by descent.h. `loss`: index
 * of mn_linear_losses; y: targets. */
mn_status mn_svm_solve_descent(mn_context *ctx, const mn_linear_svm *s, const struct mn_linear_svm_model *m, double *b,
                               double *c, mn_linear_svm_result *r);

extern const char mn_svm_advice[], mn_svm_scaled_advice[];

#define MN_SVM_C(text) MN_PENALTY(struct mn_linear_svm_model, C, 1.0, MN_GREATER_THAN(0), text)
#define MN_SVM_STOP_PARAMS                                                                                             \
  MN_COUNT(struct mn_linear_svm_model, max_iter, 1000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds"),           \
      MN_REAL(struct mn_linear_svm_model, tol, 1e-8, MN_AT_LEAST(0),                                                   \
              "stop when the duality gap is at most this fraction of the objective")
#define MN_SVM_PARAMS                                                                                                  \
  MN_FLAG(struct mn_linear_svm_model, fit_intercept, true, "fit an intercept"),                                        \
      MN_REAL(struct mn_linear_svm_model, intercept_scaling, MN_UNSET_REAL, MN_GREATER_THAN(0),                        \
              "penalize the intercept like the coefficient of a column of this value, as liblinear does; nil: no "     \
              "penalty on it"),                                                                                        \
      MN_CHOICE(struct mn_linear_svm_model, dual, MN_SVM_AUTO, mn_svm_dual_choices,                                    \
                "solve the dual by coordinate ascent (yes), or the primal (no); auto chooses by loss, penalty and "    \
                "shape of X"),                                                                                         \
      MN_SVM_STOP_PARAMS, MN_SEED(struct mn_linear_svm_model, seed)
extern const char *const mn_svm_dual_choices[];

#define MN_SVM_GAP(scores)                                                                                             \
  MN_VECTOR(struct mn_linear_svm_model, gap, scores,                                                                   \
            "duality gap of each score: its objective is at most this far above the minimum")

#define MN_LINEAR_SVM_FIELDS(scores) MN_LINEAR_FIELDS(scores), MN_SVM_GAP(scores)

#endif
