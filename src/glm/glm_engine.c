#include "glm_engine.h"
#include "../linalg/lapack.h"
#include "../lasso/cd.h"
#include "glm_design.h"
#include "glm_products.h"
#include <string.h>

/* Of the Gram matrix of columns scaled to length 1: below this share of the largest, an eigenvalue is rounding. */
static const double least_eigenvalue = 1e-13;

/* After a step as short as this the weights are as good as those of the next one: the step with the old ones errs by
 * this share, and is shorter still. */
static const double same_weights = 1e-4;

/* How exact steps by products are: first and last; and the shortest share of a step that is tried first. In between, a
 * share of the step before: each step is then as much better than the one before as that was than its own. */
static const double most_share = 1e-2, least_share = 1e-12, least_damping = 0.05;

enum { MANY_ROUNDS = 25, MOST_HALVINGS = 40, MOST_SWEEPS = 10000 };

mn_status mn_glm_begin(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s)
{
  *s = (mn_glm_state){ .rank = m->p };
  s->b = MN_NEW(ctx, double, m->p, 1);
  s->curvature = MN_RAW(ctx, double, m->n, 1);
  s->gram = MN_RAW(ctx, double, m->by_products ? 0 : m->p, m->p);
  s->diagonal = MN_RAW(ctx, double, m->by_products ? m->p : 0, 1);
  s->mean = MN_NEW(ctx, double, m->p + 1, 1);
  s->spread = MN_RAW(ctx, double, m->p, 1);
  return s->b && s->curvature && s->gram && s->diagonal && s->mean && s->spread ? MN_OK : MN_NO_MEMORY;
}

/* --- linear equations --- */

/* Gram matrix and penalty, rows and columns divided by `scale`. */
static void scaled_hessian(const mn_glm_problem *m, const mn_glm_state *s, const double *scale, double *h)
{
  const size_t p = m->p;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      h[i * p + j] = (s->gram[i * p + j] + (i == j ? m->penalty : 0)) / scale[i] / scale[j];
}

/* The lengths of the columns at first sight stay the units of the shortest answer. */
static void keep_spread(const mn_glm_problem *m, mn_glm_state *s)
{
  for (size_t j = 0; j < m->p && !s->dependent; j++) {
    const double square = s->gram[j * m->p + j] + m->penalty;
    s->spread[j] = square > 0 ? sqrt(square) : 1;
  }
  s->dependent = true;
}

/* z = pseudo-inverse of H times r, in the units of the columns. */
static mn_status solve_shortest(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, double *r)
{
  const size_t p = m->p;
  double *h = MN_RAW(ctx, double, p, p), *value = MN_RAW(ctx, double, p, 1), *vector = MN_RAW(ctx, double, p, p);
  double *z = MN_NEW(ctx, double, p, 1);
  if (!h || !value || !vector || !z) return MN_NO_MEMORY;
  scaled_hessian(m, s, s->spread, h);
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, h, value, vector));
  s->rank = 0;
  for (size_t k = 0; k < p && value[k] > least_eigenvalue * value[0]; k++, s->rank++) {
    double dot = 0;
    for (size_t j = 0; j < p; j++) dot += vector[k * p + j] * r[j] / s->spread[j];
    for (size_t j = 0; j < p; j++) z[j] += dot / value[k] * vector[k * p + j];
  }
  for (size_t j = 0; j < p; j++) r[j] = z[j] / s->spread[j];
  return MN_OK;
}

/* *solved is false where the columns determine each other. */
static mn_status solve_by_cholesky(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, double *r,
                                   bool *solved)
{
  const size_t p = m->p;
  double *h = MN_RAW(ctx, double, p, p), *scale = MN_RAW(ctx, double, p, 1), rcond;
  size_t minor;
  *solved = false;
  if (!h || !scale) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    scale[j] = sqrt(s->gram[j * p + j] + m->penalty);
    if (!(scale[j] > 0 && scale[j] < INFINITY)) return MN_OK;
  }
  scaled_hessian(m, s, scale, h);
  MN_TRY(mn_chol_try(ctx, p, h, &rcond, &minor));
  if (minor > 0 || !(rcond > least_eigenvalue)) return MN_OK;
  for (size_t j = 0; j < p; j++) r[j] /= scale[j];
  MN_TRY(mn_chol_apply(ctx, p, 1, h, r));
  for (size_t j = 0; j < p; j++) r[j] /= scale[j];
  *solved = true;
  return MN_OK;
}

/* r := inv(H) r for H = gram + penalty: by Cholesky, or the shortest of many solutions. */
static mn_status solve(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, double *r)
{
  if (m->by_products) return mn_glm_solve_products(ctx, m, s, r);
  const mn_mark mark = mn_scratch_mark(ctx);
  bool solved = m->p == 0;
  if (!s->dependent && !solved) MN_TRY(solve_by_cholesky(ctx, m, s, r, &solved));
  mn_scratch_release(ctx, mark);
  if (solved) return MN_OK;
  keep_spread(m, s);
  const mn_mark later = mn_scratch_mark(ctx);
  MN_TRY(solve_shortest(ctx, m, s, r));
  mn_scratch_release(ctx, later);
  return MN_OK;
}

/* The Gram matrix of X with the weights of the state, and of a response z (NULL: none) with it. moment: p + 1, X'W z
 * about the means, and the mean of z behind it. */
static mn_status weigh(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *z, double *moment)
{
  if (m->by_products) return mn_glm_weigh_products(ctx, m, s, z, moment);
  const size_t p = m->p, q = z ? 1 : 0, both = p + q;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *g = z ? MN_RAW(ctx, double, both, both) : s->gram, *mean = MN_NEW(ctx, double, both + 1, 1);
  if (!g || !mean) return MN_NO_MEMORY;
  s->total = 0;
  if (both > 0)
    MN_TRY(mn_glm_gram(ctx, m, z, s->curvature, &s->total, mean, g));
  else
    for (size_t i = 0; i < m->n; i++) s->total += s->curvature[i];
  for (size_t j = 0; j < p; j++) s->mean[j] = m->fit_intercept ? mean[j] : 0;
  if (z) {
    for (size_t i = 0; i < p; i++) {
      memcpy(s->gram + i * p, g + i * both, p * sizeof *g);
      moment[i] = g[i * both + p];
    }
    moment[p] = m->fit_intercept ? mean[p] : 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- the start --- */

/* The constant of the model without columns: exact for a logarithmic link, whose offsets may be huge. */
static double constant_start(const mn_glm_problem *m)
{
  const bool log_link = m->link == &mn_glm_links[MN_LINK_LOG];
  double sum = 0, total = 0, offset = 0, largest = -INFINITY, exposure = 0;
  for (size_t i = 0; m->offset && i < m->n; i++) largest = fmax(largest, m->offset[i]);
  for (size_t i = 0; i < m->n; i++) {
    const double w = m->w ? m->w[i] : 1;
    sum += w * m->y[i];
    total += w;
    offset += w * (m->offset ? m->offset[i] : 0);
    exposure += m->offset && log_link ? w * exp(m->offset[i] - largest) : 0;
  }
  const double mean = sum / total, eta = m->link->forward(m->link_power, m->family->start(mean, mean, total));
  if (!m->offset) return eta;
  return log_link ? eta - largest - log(exposure / total) : eta - offset / total;
}

/* Working responses eta - offset + (y - mu) / dmu at means near the observations; their weights into s->curvature. */
static void working_responses(const mn_glm_problem *m, mn_glm_state *s, double *z)
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < m->n; i++) {
    const double w = m->w ? m->w[i] : 1;
    sum += w * m->y[i];
    total += w;
  }
  for (size_t i = 0; i < m->n; i++) {
    const double mu = m->family->start(m->y[i], sum / total, m->trials ? m->trials[i] : 1);
    const double eta = m->link->forward(m->link_power, mu);
    double back, rest, dmu;
    m->link->inverse(m->link_power, 1, &eta, &back, &rest, &dmu);
    const double variance = m->family->variance(m->parameter, mu, 1 - mu);
    s->curvature[i] = (m->w ? m->w[i] : 1) * dmu * dmu / variance;
    z[i] = eta - (m->offset ? m->offset[i] : 0) + (m->y[i] - mu) / dmu;
    if (!(isfinite(z[i]) && isfinite(s->curvature[i]))) z[i] = s->curvature[i] = 0;
  }
}

/* Offsets that reach far can lead the step astray: the model of a constant is taken where it is the better one. */
static mn_status prefer_constant(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s,
                                 double constant)
{
  const double value = s->value, c = s->c;
  double *b = s->b, *zero = MN_NEW(ctx, double, m->p, 1);
  MN_CHECK_ALLOC(zero);
  s->b = zero;
  s->c = constant;
  MN_TRY(mn_glm_value(ctx, o, s));
  if (s->value < value) return MN_OK;
  s->b = b;
  s->c = c;
  return mn_glm_value(ctx, o, s);
}

/* With l1 weights are few, and 0 is near. */
static mn_status start_at_constant(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s)
{
  memset(s->b, 0, m->p * sizeof *s->b);
  s->c = m->fit_intercept ? constant_start(m) : 0;
  return mn_glm_value(ctx, o, s);
}

/* One step of least squares from means near the observations; drawn towards the constant model as long as there are
 * means out of range. */
static mn_status start(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s)
{
  const size_t p = m->p;
  double *z = MN_RAW(ctx, double, m->n, 1), *moment = MN_RAW(ctx, double, p + 1, 1);
  if (!z || !moment) return MN_NO_MEMORY;
  if (m->l1 > 0) {
    MN_TRY(start_at_constant(ctx, m, o, s));
    if (isfinite(s->value)) return MN_OK;
  }
  working_responses(m, s, z);
  MN_TRY(weigh(ctx, m, s, z, moment));
  s->c = moment[p];
  MN_TRY(solve(ctx, m, s, moment));
  for (size_t j = 0; j < p; j++) {
    s->b[j] = moment[j];
    s->c -= s->mean[j] * s->b[j];
  }
  const double constant = m->fit_intercept ? constant_start(m) : 0;
  MN_TRY(mn_glm_value(ctx, o, s));
  if (m->fit_intercept && m->offset) MN_TRY(prefer_constant(ctx, m, o, s, constant));
  for (int halvings = 0; halvings < MOST_HALVINGS && !isfinite(s->value); halvings++) {
    for (size_t j = 0; j < p; j++) s->b[j] *= halvings < MOST_HALVINGS - 1 ? 0.5 : 0;
    s->c = m->fit_intercept ? constant + (s->c - constant) * (halvings < MOST_HALVINGS - 1 ? 0.5 : 0) : 0;
    MN_TRY(mn_glm_value(ctx, o, s));
  }
  return MN_OK;
}

/* --- Newton's method --- */

struct step {
  double *db, dc;
  double decrement; /* g' inv(H) g */
  double *trial;
  double *last, damping; /* the step before, in full, and the share of steps that is tried first */
};

/* The lasso that stands for the objective near b: minimise over z
 *
 *     1/2 (z - b)' H (z - b) + g' (z - b) + l1 |z|_1,      H the Hessian and g the gradient without the constant,
 *
 * in the form of cd.h, whose response has any part outside the columns that makes it as long as `yy` says. */
static mn_status solve_lasso(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *downhill,
                             double *z)
{
  const size_t p = m->p;
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_cd_penalty penalty = { .l1 = m->l1, .l2 = m->penalty };
  double *c = MN_RAW(ctx, double, p, 1), yy = 2 * s->value;
  mn_cd problem;
  mn_cd_report report;
  MN_CHECK_ALLOC(c);
  for (size_t i = 0; i < p; i++) {
    double dot = 0;
    for (size_t j = 0; j < p; j++) dot += s->gram[i * p + j] * s->b[j];
    c[i] = downhill[i] + m->penalty * s->b[i] + dot;
    yy += fabs(s->b[i] * dot) + 2 * fabs(s->b[i] * c[i]);
  }
  MN_TRY(mn_cd_from_gram(ctx, &problem, p, s->gram, p, c, yy));
  MN_TRY(mn_cd_solve(ctx, &problem, &penalty, (double)NAN, 0, MOST_SWEEPS, &report));
  memcpy(z, problem.b, p * sizeof *z);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* d' H d, the constant left out */
static mn_status curvature_along(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, const double *d,
                                 double *along)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *image = MN_NEW(ctx, double, m->p, 1), *row = MN_RAW(ctx, double, m->by_products ? m->n : 0, 1), sum = 0;
  if (!image || !row) return MN_NO_MEMORY;
  if (m->by_products) MN_TRY(mn_glm_times_products(ctx, m, s, d, row, image));
  for (size_t i = 0; i < m->p; i++) {
    if (!m->by_products) image[i] = m->penalty * d[i];
    for (size_t j = 0; j < m->p && d[i] != 0 && !m->by_products; j++) image[i] += s->gram[i * m->p + j] * d[j];
    sum += d[i] * image[i];
  }
  *along = fmax(sum, 0);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status find_step(mn_context *ctx, const mn_glm_problem *m, const mn_glm_objective *o, mn_glm_state *s,
                           bool weigh_anew, struct step *step)
{
  if (weigh_anew || m->by_products) MN_TRY(weigh(ctx, m, s, NULL, NULL));
  const bool constant = m->fit_intercept && s->total > 0;
  for (size_t j = 0; j < m->p; j++) step->db[j] = -(o->gb[j] - (constant ? s->mean[j] * o->gc : 0));
  if (m->l1 > 0) {
    if (m->by_products)
      MN_TRY(mn_glm_lasso_products(ctx, m, o, s, step->trial));
    else
      MN_TRY(solve_lasso(ctx, m, s, step->db, step->trial));
    for (size_t j = 0; j < m->p; j++) step->db[j] = step->trial[j] - s->b[j];
  } else {
    MN_TRY(solve(ctx, m, s, step->db));
  }
  step->dc = constant ? -o->gc / s->total : 0;
  step->decrement = -o->gc * step->dc;
  for (size_t j = 0; constant && j < m->p; j++) step->dc -= s->mean[j] * step->db[j];
  if (m->l1 > 0) {
    double along;
    MN_TRY(curvature_along(ctx, m, s, step->db, &along));
    step->decrement += along;
    return MN_OK;
  }
  step->decrement = -o->gc * step->dc;
  for (size_t j = 0; j < m->p; j++) step->decrement -= o->gb[j] * step->db[j];
  return MN_OK;
}

/* Expected second derivatives may be so much smaller than true ones that each step leads to the other side of the
 * minimum, and the one after it back. How much smaller is what two steps tell: along the first the second would be 0 if
 * its share had been right. */
static void damp(const mn_glm_problem *m, struct step *step)
{
  double along = 0, square = 0;
  for (size_t j = 0; j < m->p; j++) {
    along += step->db[j] * step->last[j];
    square += step->last[j] * step->last[j];
    step->last[j] = step->db[j];
  }
  const double left = square > 0 ? 1 - along / square : 1;
  step->damping = left > 0 ? fmin(1, fmax(step->damping / left, least_damping)) : 1;
}

/* Along the step, halved until the objective falls enough. Near the optimum the fall drowns in the rounding of the
 * deviance while the step is still good: there a rise within that rounding is no reason to stop. *moved is false when
 * there is nothing to gain. */
static mn_status move(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s, struct step *step,
                      bool *moved)
{
  const size_t p = m->p;
  const double value = s->value, c = s->c, near = step->decrement < 1e-6 * value ? 1e-10 : 1e-14;
  double length = step->damping, *b = s->b;
  *moved = true;
  for (int halvings = 0; halvings < MOST_HALVINGS; halvings++, length /= 2) {
    for (size_t j = 0; j < p; j++) step->trial[j] = b[j] + length * step->db[j];
    s->b = step->trial;
    s->c = c + length * step->dc;
    MN_TRY(mn_glm_value(ctx, o, s));
    if (!(s->value <= value - 1e-4 * length * step->decrement + near * value)) continue;
    step->trial = b;
    return MN_OK;
  }
  *moved = false;
  s->b = b;
  s->c = c;
  return mn_glm_value(ctx, o, s);
}

/* A mean so near to the end of its range that the coefficient which took it there has no finite estimate. */
static bool at_edge(const mn_glm_problem *m, const mn_glm_objective *o)
{
  if (isinf(m->family->high) && isinf(m->family->low)) return false;
  return o->least_mean < 1e-10 * fmax(o->mean_of_means, o->mean_answer) ||
         (isfinite(m->family->high) && o->least_rest < 1e-10);
}

static mn_status iterate(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, double tol, int64_t max_iter,
                         mn_report *report, mn_glm_state *s, bool *converged)
{
  struct step step = { .db = MN_NEW(ctx, double, m->p, 1), .trial = MN_NEW(ctx, double, m->p, 1), .damping = 1 };
  step.last = MN_NEW(ctx, double, m->p, 1);
  if (!step.db || !step.trial || !step.last) return MN_NO_MEMORY;
  const double first = s->value;
  double before = INFINITY, change = INFINITY;
  bool go_on = true, moved = true;
  int stuck = 0;
  *converged = false;
  for (int64_t round = 0; go_on && moved && !*converged && round < max_iter; round++) {
    s->share = fmin(fmax(change / 10, least_share), most_share);
    MN_TRY(find_step(ctx, m, o, s, !(change < same_weights), &step));
    change = sqrt(fmax(step.decrement, 0) / fmax(s->value, fmax(1e-14 * first, DBL_MIN)));
    stuck = step.decrement >= before ? stuck + 1 : 0;
    *converged = change <= tol || (change < 1e-6 && stuck >= (m->l1 > 0 ? 3 : 1)); /* damped steps may rise between */
    before = step.decrement;
    if (m->l1 > 0) damp(m, &step);
    MN_TRY(move(ctx, m, o, s, &step, &moved));
    *converged = *converged || !moved;
    if (round >= MANY_ROUNDS && at_edge(m, o)) {
      s->at_edge = true;
      *converged = go_on = false;
    }
    if (!report) continue;
    report->change = change;
    go_on = mn_round(ctx, report, max_iter, s->value / o->weights) && go_on;
  }
  if (m->information) MN_TRY(weigh(ctx, m, s, NULL, NULL));
  return mn_error_status(ctx);
}

/* --- a sample --- */

static size_t sample_size(size_t p)
{
  return 128 * p + 4000;
}

/* Every (n / sample)-th value of rows of `width`. */
static const double *sample_of(mn_context *ctx, const double *from, size_t n, size_t width, size_t sample)
{
  double *out = from ? MN_RAW(ctx, double, sample, width) : NULL;
  for (size_t i = 0; out && i < sample; i++) {
    const size_t row = (size_t)((double)i * (double)n / (double)sample);
    memcpy(out + i * width, from + row * width, width * sizeof *out);
  }
  return out;
}

/* Many rows: a sample of them tells the answer to a per cent or so, in a fraction of the time of one step. *found is
 * false when it does not, as where the sample can be told apart and the whole cannot. */
static mn_status start_from_sample(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s,
                                   bool *found)
{
  const size_t sample = sample_size(m->p);
  *found = false;
  if (m->n < 4 * sample || m->sparse) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_glm_problem part = *m;
  mn_glm_state state;
  part.n = sample;
  part.information = false;
  part.x = sample_of(ctx, m->x, m->n, m->p, sample);
  part.y = sample_of(ctx, m->y, m->n, 1, sample);
  part.w = sample_of(ctx, m->w, m->n, 1, sample);
  part.trials = sample_of(ctx, m->trials, m->n, 1, sample);
  part.offset = sample_of(ctx, m->offset, m->n, 1, sample);
  part.penalty *= (double)sample / (double)m->n;
  part.l1 *= (double)sample / (double)m->n;
  if (!part.x || !part.y || (m->w && !part.w) || (m->trials && !part.trials) || (m->offset && !part.offset))
    return MN_NO_MEMORY;
  MN_TRY(mn_glm_begin(ctx, &part, &state));
  mn_glm_objective small;
  MN_TRY(mn_glm_prepare(ctx, &part, &small));
  MN_TRY(start(ctx, &part, &small, &state));
  if (isfinite(state.value)) MN_TRY(iterate(ctx, &part, &small, 1e-3, 15, NULL, &state, found));
  *found = *found && state.rank == m->p;
  if (*found) {
    memcpy(s->b, state.b, m->p * sizeof *s->b);
    s->c = state.c;
  }
  mn_scratch_release(ctx, mark);
  if (!*found) return MN_OK;
  MN_TRY(mn_glm_value(ctx, o, s));
  *found = isfinite(s->value);
  return MN_OK;
}

mn_status mn_glm_minimise(mn_context *ctx, const mn_glm_problem *m, double tol, int64_t max_iter, mn_report *report,
                          mn_glm_state *s, bool *converged)
{
  mn_glm_objective o;
  bool found;
  double *home = s->b; /* steps take turns with memory of their own */
  s->dependent = s->at_edge = false;
  s->share = most_share;
  s->rank = m->p;
  MN_TRY(mn_glm_prepare(ctx, m, &o));
  MN_TRY(start_from_sample(ctx, m, &o, s, &found));
  if (!found) MN_TRY(start(ctx, m, &o, s));
  if (!isfinite(s->value))
    return mn_fail(ctx, MN_BAD_DATA,
                   "GLM: no coefficients were found whose means all lie in the range of the family; try link = 'log'%s",
                   m->offset ? ", and see whether the offsets are on the scale of the link" : "");
  MN_TRY(iterate(ctx, m, &o, tol, max_iter, report, s, converged));
  if (s->b != home) memcpy(home, s->b, m->p * sizeof *home);
  s->b = home;
  if (m->l1 > 0) s->rank = 0;
  for (size_t j = 0; j < m->p && m->l1 > 0; j++) s->rank += s->b[j] != 0;
  return MN_OK;
}
