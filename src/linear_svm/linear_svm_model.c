#include "linear_svm_model.h"

const char *const mn_svm_dual_choices[] = { "auto", "yes", "no", NULL };
const char mn_svm_advice[] = "raise max_iter, scale the columns (StandardScaler), or lower C";
const char mn_svm_scaled_advice[] = "raise max_iter or tol, or lower C";
/* If the dual was asked for, where the primal may converge. */
static const char forced_advice[] = "use dual = 'auto', scale the columns (StandardScaler), raise max_iter, or lower C";
static const char forced_scaled_advice[] = "use dual = 'auto', raise max_iter or tol, or lower C";

enum {
  MAX_INTERIOR_COLUMNS = 3000, /* the interior point method forms matrices of columns x columns */
  AUTO_DENSE_COLUMNS = 1000, /* auto: up to so many columns it comes first, as coordinate ascent is slow for dense X */
  AUTO_SPARSE_COLUMNS = 100,
  MIN_WIDE_COLUMNS = 1000,
  FIRST_ROUNDS = 200 /* auto: coordinate ascent may take this many before another method follows */
};

typedef enum engine { ENGINE_DUAL, ENGINE_NEWTON, ENGINE_DESCENT } engine;

static mn_status choose_engine(mn_context *ctx, const struct mn_linear_svm_model *m, const mn_data *data, engine *out)
{
  const char *name = m->linear.base.class->name;
  const bool squared = m->loss == MN_SVM_SQUARED;
  *out = m->penalty == MN_SVM_L1 ? ENGINE_DESCENT : squared ? ENGINE_NEWTON : ENGINE_DUAL;
  if (m->penalty == MN_SVM_L1 && m->dual == MN_SVM_DUAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: dual = 'yes' requires penalty = 'l2', got 'l1'; use dual = 'auto'", name);
  if (m->penalty == MN_SVM_L2 && m->dual == MN_SVM_DUAL) *out = ENGINE_DUAL;
  const size_t few = data->sparse ? AUTO_SPARSE_COLUMNS : AUTO_DENSE_COLUMNS;
  if (!squared && (m->dual == MN_SVM_PRIMAL || (m->dual == MN_SVM_AUTO && data->features <= few)))
    *out = ENGINE_DESCENT;
  if (!squared && *out == ENGINE_DESCENT && data->features > MAX_INTERIOR_COLUMNS)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: this loss supports %s for at most %d columns, got %zu; use the squared loss, or %s", name,
                   m->penalty == MN_SVM_L1 ? "penalty = 'l1'" : "dual = 'no'", (int)MAX_INTERIOR_COLUMNS,
                   data->features, m->penalty == MN_SVM_L1 ? "penalty = 'l2'" : "dual = 'auto'");
  return MN_OK;
}

mn_svm_intercept mn_svm_intercept_of(const struct mn_linear_svm_model *m)
{
  if (!m->fit_intercept) return MN_SVM_NO_INTERCEPT;
  return isnan(m->intercept_scaling) ? MN_SVM_FREE : MN_SVM_PENALIZED;
}

static mn_status init_problem(mn_context *ctx, const struct mn_linear_svm_model *m, const mn_data *data,
                              mn_linear_svm *s, double **terms)
{
  const size_t n = data->rows;
  *terms = MN_RAW(ctx, double, n, 3);
  MN_CHECK_ALLOC(*terms);
  *s = (mn_linear_svm){ .data = data,
                        .n = n,
                        .p = data->features,
                        .target = *terms,
                        .up = *terms + n,
                        .down = *terms + 2 * n,
                        .tube = m->epsilon,
                        .squared = m->loss == MN_SVM_SQUARED,
                        .intercept = mn_svm_intercept_of(m),
                        .scaling = m->intercept_scaling,
                        .tol = m->tol,
                        .max_iter = m->max_iter,
                        .seed = m->seed,
                        .progress = mn_part_round };
  return MN_OK;
}

/* F of zero coefficients with the best intercept c. */
static mn_status start_value(mn_context *ctx, const mn_linear_svm *s, double *value, double *c)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *z = MN_NEW(ctx, double, s->n, 1);
  MN_CHECK_ALLOC(z);
  *c = 0;
  if (s->intercept == MN_SVM_FREE) MN_TRY(mn_svm_best_intercept(ctx, s, z, c));
  *value = mn_svm_loss(s, z, *c);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Fewer rows than columns, and too many columns for Cholesky's method: the rows are nearly always separable, and with a
 * large C the dual takes some dozen rounds where conjugate gradients take minutes. */
static bool is_wide(const mn_linear_svm *s)
{
  return s->n < s->p && s->p > MIN_WIDE_COLUMNS;
}

static mn_status solve(mn_context *ctx, const struct mn_linear_svm_model *m, engine choice, const mn_linear_svm *s,
                       double *b, double *c, mn_linear_svm_result *r)
{
  if (choice == ENGINE_DESCENT) return mn_svm_solve_descent(ctx, s, m, b, c, r);
  mn_linear_svm first = *s;
  const bool has_other =
      m->dual == MN_SVM_AUTO && s->max_iter > FIRST_ROUNDS && (choice == ENGINE_NEWTON || s->p <= MAX_INTERIOR_COLUMNS);
  if (choice == ENGINE_NEWTON && !(has_other && is_wide(s))) return mn_svm_solve_newton(ctx, s, b, c, r);
  if (has_other) first.max_iter = FIRST_ROUNDS;
  MN_TRY(mn_svm_solve_dual(ctx, &first, b, c, r));
  if (!has_other || r->converged || !mn_should_continue(ctx)) return MN_OK;
  return choice == ENGINE_NEWTON ? mn_svm_solve_newton(ctx, s, b, c, r) : mn_svm_solve_descent(ctx, s, m, b, c, r);
}

/* One score of all. */
struct scores {
  struct mn_linear_svm_model *m;
  const mn_data *data;
  mn_svm_terms terms;
  engine choice;
  mn_linear_svm s;
  double *buffer;        /* n x 3: target, up and down */
  double *start, *first; /* scores: F of zero coefficients, and their best intercept */
  double sum;            /* of F over the scores */
};

static void set_terms(const struct scores *w, size_t k)
{
  const size_t n = w->s.n;
  w->terms(w->m, w->data, k, w->buffer, w->buffer + n, w->buffer + 2 * n);
}

static mn_status start_scores(mn_context *ctx, struct scores *w, size_t scores)
{
  w->start = MN_RAW(ctx, double, scores, 1);
  w->first = MN_RAW(ctx, double, scores, 1);
  if (!w->start || !w->first) return MN_NO_MEMORY;
  for (size_t k = 0; k < scores; k++) {
    set_terms(w, k);
    MN_TRY(start_value(ctx, &w->s, w->start + k, w->first + k));
    w->sum += w->start[k];
  }
  return MN_OK;
}

static mn_status fit_score(mn_context *ctx, struct scores *w, size_t k)
{
  struct mn_linear_svm_model *m = w->m;
  mn_report *report = &m->linear.base.report;
  const mn_mark mark = mn_scratch_mark(ctx);
  const bool regresses = (m->linear.base.class->capabilities & MN_REGRESS) != 0;
  mn_part_rounds t = { .ctx = ctx, .report = report, .max_iter = m->max_iter };
  mn_linear_svm_result r = { .objective = w->start[k] };
  mn_part_begin(&t, w->start[k], w->sum);
  w->s.user = &t;
  set_terms(w, k);
  for (size_t i = 0; regresses && i < w->s.n; i++) w->buffer[i] -= w->first[k]; /* for accuracy if y is far from 0 */
  MN_TRY(solve(ctx, m, w->choice, &w->s, m->linear.coef.at + k * w->s.p, &m->linear.intercept.at[k], &r));
  MN_TRY(mn_error_status(ctx));
  if (regresses) m->linear.intercept.at[k] += w->first[k];
  mn_part_end(&t, r.objective);
  w->sum += r.objective - w->start[k];
  m->gap.at[k] = r.gap;
  report->change = fmax(report->change, r.gap / fmax(r.objective, DBL_MIN));
  report->converged = report->converged && r.converged;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_linear_svm_fit(mn_context *ctx, struct mn_linear_svm_model *m, const mn_data *data, size_t scores,
                            mn_svm_terms terms)
{
  mn_report *report = &m->linear.base.report;
  struct scores w = { .m = m, .data = data, .terms = terms };
  MN_TRY(choose_engine(ctx, m, data, &w.choice));
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(init_problem(ctx, m, data, &w.s, &w.buffer));
  MN_TRY(mn_linear_init(ctx, &m->linear, scores, data->features));
  MN_TRY(mn_vector_init(ctx, &m->gap, scores));
  MN_TRY(start_scores(ctx, &w, scores));
  const bool forced = m->dual == MN_SVM_DUAL;
  report->advice = forced ? forced_advice : mn_svm_advice;
  report->scaled_advice = forced ? forced_scaled_advice : mn_svm_scaled_advice;
  report->converged = true;
  for (size_t k = 0; k < scores && mn_should_continue(ctx); k++) {
    mn_progress_part(ctx, k, scores);
    MN_TRY(fit_score(ctx, &w, k));
  }
  report->converged = report->converged && mn_should_continue(ctx);
  mn_progress_part(ctx, 0, 1);
  report->objective = w.sum;
  if (report->n_iter == 0) (void)mn_round(ctx, report, m->max_iter, w.sum); /* at least one round */
  return mn_error_status(ctx);
}
