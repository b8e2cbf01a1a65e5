/* Beta calibration of the log-odds z that a classifier gives to the second of two classes: with q = 1 / (1 + e^-z),
 *
 *     log(p / (1 - p)) = a log q - b log(1 - q) + c,      a >= 0, b >= 0,
 *
 * of maximum likelihood. a = b = 1 and c = 0 is the identity, so that calibrated probabilities are not distorted.
 *
 * Kull, Silva Filho & Flach, AISTATS (2017) and Electronic Journal of Statistics 11 (2017). */
#include "../model/class.h"
#include "../model/program.h"
#include "logistic_curve.h"

struct beta_calibration {
  mn_estimator base;
  double a, b, c; /* learned fields */
};

/* Keeps the coefficients finite if the scores separate the classes. */
static const double penalty = 1e-11;

static double log_one_plus_exp(double z)
{
  return (z > 0 ? z : 0) + log1p(exp(-fabs(z)));
}

/* The rows and their terms log q and -log(1 - q). */
struct rows {
  const mn_data *data;
  double *term, *target; /* rows x 2, rows */
};

static mn_status prepare(mn_context *ctx, const mn_data *data, struct rows *r)
{
  *r = (struct rows){ data, MN_RAW(ctx, double, data->rows, 2), MN_RAW(ctx, double, data->rows, 1) };
  if (!r->term || !r->target) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    r->term[2 * i] = -log_one_plus_exp(-data->x.at[i]);
    r->term[2 * i + 1] = log_one_plus_exp(data->x.at[i]);
    r->target[i] = data->code[i] > 0;
  }
  return MN_OK;
}

/* The fit with some of the terms: best = { a, b, c, loss } if that is better. */
static mn_status try_terms(mn_context *ctx, const struct rows *r, bool with_a, bool with_b, double best[4])
{
  const size_t n = r->data->rows, terms = (size_t)with_a + with_b;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *term = MN_RAW(ctx, double, n, terms > 0 ? terms : 1), coef[3], loss;
  MN_CHECK_ALLOC(term);
  for (size_t i = 0; i < n; i++) {
    size_t at = i * terms;
    if (with_a) term[at++] = r->term[2 * i];
    if (with_b) term[at] = r->term[2 * i + 1];
  }
  const mn_logistic_curve curve = { n, terms, term, r->target, r->data->weights, penalty };
  MN_TRY(mn_fit_logistic_curve(ctx, &curve, coef, &loss));
  const double a = with_a ? coef[0] : 0, b = with_b ? coef[with_a] : 0;
  if (a >= 0 && b >= 0 && loss < best[3]) best[0] = a, best[1] = b, best[2] = coef[terms], best[3] = loss;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The loss is convex, so a feasible minimum over all terms is the solution; otherwise a or b is 0. */
static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct beta_calibration *m = self;
  struct rows r;
  double best[4] = { 0, 0, 0, INFINITY };
  MN_TRY(prepare(ctx, data, &r));
  MN_TRY(try_terms(ctx, &r, true, true, best));
  if (best[3] == (double)INFINITY) {
    MN_TRY(try_terms(ctx, &r, true, false, best));
    MN_TRY(try_terms(ctx, &r, false, true, best));
    MN_TRY(try_terms(ctx, &r, false, false, best));
  }
  m->a = best[0];
  m->b = best[1];
  m->c = best[2];
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct beta_calibration *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double x = data->x.at[i], tail = log1p(exp(-fabs(x)));
    mn_log_sigmoid(m->a * ((x < 0 ? x : 0) - tail) + m->b * ((x > 0 ? x : 0) + tail) + m->c, mn_row(out, i));
  }
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct beta_calibration *m = self;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_real(program, "a", m->a);
  mn_program_real(program, "b", m->b);
  mn_program_real(program, "c", m->c);
  mn_program_code(program, "real v = x[0] real rest = log1p(exp(-abs(v)))"
                           " real z = a * ((v < 0 ? v : 0.0) - rest) + b * ((v > 0 ? v : 0.0) + rest) + c"
                           " real tail = log1p(exp(-abs(z)))"
                           " out[0] = (-z < 0 ? -z : 0.0) - tail out[1] = (z < 0 ? z : 0.0) - tail");
  return MN_OK;
}

static const mn_param params[] = { MN_END };

static const mn_field fields[] = {
  MN_NUMBER(struct beta_calibration, a, "coefficient of log q"),
  MN_NUMBER(struct beta_calibration, b, "coefficient of -log(1 - q)"),
  MN_NUMBER(struct beta_calibration, c, "intercept"),
  MN_END,
};

const mn_class mn_beta_calibration = {
  .name = "BetaCalibration",
  .family = "probability",
  .brief = "Beta calibration: three-parameter curves of probabilities, identity included.",
  .objective = "log(p / (1 - p)) = a log q - b log(1 - q) + c, q = 1 / (1 + exp(-x)), a >= 0, b >= 0",
  .source = "Kull, Silva Filho & Flach, Electronic Journal of Statistics 11 (2017)",
  .notes = "X is one column: the log-odds log(q / (1 - q)) of the second class on rows that the classifier was not "
           "fitted to. CalibratedClassifier { method = \"beta\" } computes them from the probabilities of a "
           "classifier.",
  .example = "local log_odds, y = { {-2}, {-1}, {0}, {1}, {2} }, { 'no', 'no', 'yes', 'no', 'yes' }\n"
             "print(ml.BetaCalibration{}:fit(log_odds, y):predict_proba{ {0.5} })",
  .capabilities = MN_CLASSIFY,
  .accepts = MN_WEIGHTS | MN_ONE_COLUMN | MN_BINARY_ONLY,
  .size = sizeof(struct beta_calibration),
  .params = params,
  .fields = fields,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
};
