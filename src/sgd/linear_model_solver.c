/* The solvers of LinearModelClassifier and LinearModelRegressor: a table says which losses and penalties each supports,
 * and "auto" takes the first suitable one of a list. */
#include "../logistic/logistic_gap.h"
#include "../loss/descent.h"
#include "../model/part_rounds.h"
#include "linear_model.h"
#include <stdio.h>

/* Names of the losses of either class, and their indexes in mn_linear_losses. */
const char *const mn_linear_model_class_losses[] = { "log_loss",       "hinge",       "squared_hinge",
                                                     "modified_huber", "exponential", NULL };
static const int64_t class_loss_index[] = { MN_LOSS_LOG_LOSS, MN_LOSS_HINGE, MN_LOSS_SQUARED_HINGE,
                                            MN_LOSS_MODIFIED_HUBER, MN_LOSS_EXPONENTIAL };
const char *const mn_linear_model_real_losses[] = {
  "squared_error", "absolute_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive",
  "quantile",      "poisson",        NULL
};
static const int64_t real_loss_index[] = { MN_LOSS_SQUARED_ERROR,
                                           MN_LOSS_ABSOLUTE_ERROR,
                                           MN_LOSS_HUBER,
                                           MN_LOSS_EPSILON_INSENSITIVE,
                                           MN_LOSS_SQUARED_EPSILON_INSENSITIVE,
                                           MN_LOSS_QUANTILE,
                                           MN_LOSS_POISSON };

static bool is_classifier(const struct mn_linear_model *m)
{
  return (m->sgd.linear.base.class->capabilities & MN_CLASSIFY) != 0;
}

int64_t mn_linear_model_loss(const struct mn_linear_model *m)
{
  return (is_classifier(m) ? class_loss_index : real_loss_index)[m->sgd.loss];
}

static double l1_ratio(const struct mn_linear_model *m)
{
  if (m->sgd.penalty == MN_SGD_ELASTICNET) return m->sgd.l1_ratio;
  return m->sgd.penalty == MN_SGD_L1 ? 1 : 0;
}

double mn_linear_model_parameter(const struct mn_linear_model *m)
{
  return mn_linear_model_loss(m) == MN_LOSS_QUANTILE ? m->quantile : m->sgd.epsilon;
}

double mn_linear_model_alpha(const struct mn_linear_model *m)
{
  return m->sgd.penalty == MN_SGD_NO_PENALTY ? 0 : m->sgd.alpha;
}

const char *const mn_linear_model_solvers[] = { "auto",       "gradient", "sgd",  "saga", "lbfgs",
                                                "coordinate", "interior", "dual", NULL };

static bool is_smooth(const struct mn_linear_model *m, const mn_data *data)
{
  (void)data;
  return mn_linear_losses[mn_linear_model_loss(m)].curvature != NULL;
}

static bool is_bounded(const struct mn_linear_model *m, const mn_data *data)
{
  return is_smooth(m, data) && isfinite(mn_linear_losses[mn_linear_model_loss(m)].max_curvature);
}

static bool is_piecewise_linear(const struct mn_linear_model *m, const mn_data *data)
{
  return !is_smooth(m, data); /* descent_interior.c knows all such losses */
}

static bool is_piecewise_with_l2(const struct mn_linear_model *m, const mn_data *data)
{
  return is_piecewise_linear(m, data) && mn_linear_model_alpha(m) * (1 - l1_ratio(m)) > 0;
}

static bool supports_any(const struct mn_linear_model *m, const mn_data *data)
{
  (void)m, (void)data;
  return true;
}

enum { MAX_GRAM_COLUMNS = 3000 }; /* auto forms matrices of columns x columns up to this size */

typedef mn_status (*descent_solver)(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
static const struct solver_row {
  bool (*supports)(const struct mn_linear_model *m, const mn_data *data);
  descent_solver solve; /* NULL: not a solver of descent.h */
} table[] = {
  [MN_SOLVER_GRADIENT] = { is_smooth, mn_descent_solve_gradient },
  [MN_SOLVER_SGD] = { supports_any, NULL },
  [MN_SOLVER_SAGA] = { is_bounded, mn_descent_solve_saga },
  [MN_SOLVER_LBFGS] = { is_smooth, mn_descent_solve_lbfgs },
  [MN_SOLVER_COORDINATE] = { is_smooth, mn_descent_solve_coordinate },
  [MN_SOLVER_INTERIOR] = { is_piecewise_linear, mn_descent_solve_interior },
  [MN_SOLVER_DUAL] = { is_piecewise_with_l2, mn_descent_solve_dual },
};

static bool is_suitable(const struct mn_linear_model *m, const mn_data *data, int64_t solver)
{
  return table[solver].supports(m, data) && (solver != MN_SOLVER_INTERIOR || data->features <= MAX_GRAM_COLUMNS);
}

mn_status mn_linear_model_choose_solver(mn_context *ctx, const struct mn_linear_model *m, const mn_data *data,
                                        int64_t *chosen)
{
  static const int64_t with_l1[] = { MN_SOLVER_INTERIOR, MN_SOLVER_DUAL, MN_SOLVER_COORDINATE, MN_SOLVER_SGD };
  static const int64_t without_l1[] = { MN_SOLVER_INTERIOR, MN_SOLVER_DUAL, MN_SOLVER_LBFGS, MN_SOLVER_SGD };
  const int64_t *candidates = mn_linear_model_alpha(m) * l1_ratio(m) > 0 ? with_l1 : without_l1;
  *chosen = m->solver;
  if (m->solver == MN_SOLVER_AUTO) {
    size_t k = 0;
    while (k < 3 && !is_suitable(m, data, candidates[k])) k++; /* the last one supports all */
    *chosen = candidates[k];
  }
  if (table[*chosen].supports(m, data)) return MN_OK;
  char supported[128] = "";
  size_t size = 0;
  for (int64_t k = MN_SOLVER_GRADIENT; k <= MN_SOLVER_DUAL; k++) {
    if (!table[k].supports(m, data)) continue;
    size += (size_t)snprintf(supported + size, sizeof supported - size, "%s%s", size > 0 ? ", " : "",
                             mn_linear_model_solvers[k]);
  }
  const char *loss = (is_classifier(m) ? mn_linear_model_class_losses : mn_linear_model_real_losses)[m->sgd.loss];
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: solver '%s' does not support loss '%s' with penalty '%s'; supported: %s",
                 m->sgd.linear.base.class->name, mn_linear_model_solvers[m->solver], loss,
                 mn_sgd_penalties[m->sgd.penalty], supported);
}

static mn_status init_descent(mn_context *ctx, const struct mn_linear_model *m, const mn_data *data, mn_part_rounds *t,
                              mn_descent *d)
{
  const double alpha = mn_linear_model_alpha(m), ratio = l1_ratio(m);
  *d = (mn_descent){ .data = data,
                     .loss = &mn_linear_losses[mn_linear_model_loss(m)],
                     .parameter = mn_linear_model_parameter(m),
                     .l1 = alpha * ratio,
                     .l2 = alpha * (1 - ratio),
                     .tol = m->sgd.tol,
                     .fit_intercept = m->sgd.fit_intercept,
                     .max_iter = m->sgd.max_iter,
                     .seed = m->sgd.seed,
                     .progress = mn_part_round,
                     .user = t };
  return mn_descent_init(ctx, d);
}

/* Objectives of all scores at zero coefficients, and their sum. */
static mn_status compute_start_values(mn_context *ctx, mn_descent *d, const mn_sgd_problem *q, double *u,
                                      double *start_value, double *sum)
{
  *sum = 0;
  for (size_t s = 0; s < q->scores; s++) {
    d->y = q->y + s * d->n;
    MN_TRY(mn_descent_set_target(ctx, d, u));
    start_value[s] = d->start_value;
    *sum += d->start_value;
  }
  return MN_OK;
}

mn_status mn_linear_model_solve(mn_context *ctx, struct mn_linear_model *m, const mn_data *data,
                                const mn_sgd_problem *q, int64_t solver)
{
  const descent_solver solve = table[solver].solve;
  mn_report *r = &m->sgd.linear.base.report;
  mn_part_rounds t = { .ctx = ctx, .report = r, .max_iter = m->sgd.max_iter, .quiet = solve == mn_descent_solve_lbfgs };
  mn_descent d;
  MN_TRY(init_descent(ctx, m, data, &t, &d));
  double *u = MN_RAW(ctx, double, d.p + 1, 1), *start_value = MN_RAW(ctx, double, q->scores, 1), sum;
  if (!u || !start_value) return MN_NO_MEMORY;
  MN_TRY(compute_start_values(ctx, &d, q, u, start_value, &sum));
  r->converged = true;
  for (size_t s = 0; s < q->scores; s++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_descent_result result = { .objective = start_value[s], .converged = true };
    d.y = q->y + s * d.n;
    MN_TRY(mn_descent_set_target(ctx, &d, u));
    mn_part_begin(&t, start_value[s], sum);
    mn_progress_part(ctx, s, q->scores);
    if (mn_should_continue(ctx) && d.start_value > 0) MN_TRY(solve(ctx, &d, u, &result));
    MN_TRY(mn_error_status(ctx));
    mn_part_end(&t, result.objective);
    sum += result.objective - start_value[s];
    r->converged = r->converged && result.converged && mn_should_continue(ctx);
    r->change = fmax(r->change, d.start_value > 0 ? result.max_subgradient / sqrt(d.start_value) : 0);
    mn_descent_to_coefficients(&d, u, m->sgd.linear.coef.at + s * d.p, &m->sgd.linear.intercept.at[s]);
    m->gap.at[s] = is_piecewise_linear(m, data) ? result.duality_gap : (double)NAN;
    if (mn_linear_model_loss(m) == MN_LOSS_LOG_LOSS)
      MN_TRY(mn_logistic_gap_of_score(ctx, &d, m->sgd.linear.coef.at + s * d.p, m->sgd.linear.intercept.at[s],
                                      &m->gap.at[s]));
    mn_scratch_release(ctx, mark);
  }
  mn_progress_part(ctx, 0, 1);
  r->objective = sum;
  if (r->n_iter == 0) (void)mn_round(ctx, r, m->sgd.max_iter, sum); /* report at least one round */
  return mn_error_status(ctx);
}
