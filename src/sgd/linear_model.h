/* Shared by the estimators LinearModelClassifier and LinearModelRegressor and their solvers. */
#ifndef MN_SGD_LINEAR_MODEL_H
#define MN_SGD_LINEAR_MODEL_H
#include "sgd.h"

struct mn_linear_model {
  mn_sgd sgd; /* its parameters serve all solvers */
  int64_t solver;
  double quantile;
  mn_vector gap;
};

enum mn_linear_model_solver {
  MN_SOLVER_AUTO,
  MN_SOLVER_GRADIENT,
  MN_SOLVER_SGD,
  MN_SOLVER_SAGA,
  MN_SOLVER_LBFGS,
  MN_SOLVER_COORDINATE,
  MN_SOLVER_INTERIOR,
  MN_SOLVER_DUAL
};

/* Names of the solvers and of the losses of either class, NULL-terminated. */
extern const char *const mn_linear_model_solvers[];
extern const char *const mn_linear_model_class_losses[];
extern const char *const mn_linear_model_real_losses[];

/* The loss as an index of mn_linear_losses, and its parameter. */
int64_t mn_linear_model_loss(const struct mn_linear_model *m);
double mn_linear_model_parameter(const struct mn_linear_model *m);

/* Penalty strength; 0 with penalty none. */
double mn_linear_model_alpha(const struct mn_linear_model *m);

/* Resolve solver auto; MN_BAD_ARGUMENT when the solver does not support the loss or penalty. */
mn_status mn_linear_model_choose_solver(mn_context *ctx, const struct mn_linear_model *m, const mn_data *data,
                                        int64_t *chosen);

/* Fit all scores of a problem by a solver of descent.h, any but sgd: coef, intercept, gap and report of m. */
mn_status mn_linear_model_solve(mn_context *ctx, struct mn_linear_model *m, const mn_data *data,
                                const mn_sgd_problem *problem, int64_t solver);

#endif
