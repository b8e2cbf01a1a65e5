#include "glm_engine.h"
#include "../factorization/lapack.h"
#include "../lasso/cd.h"
#include "glm_design.h"
#include "glm_implicit.h"
#include <string.h>

/* Smallest eigenvalue, relative to the largest, of the Gram matrix of columns scaled to length 1 that is not rounding.
 */
static const double min_eigenvalue = 1e-13;

/* After a step below this relative length the Gram matrix is not computed again: the error of the next step is this
 * share of it. */
static const double reuse_gram_below = 1e-4;

/* Accuracy of implicit steps: the first, and the lower limit. In between it follows the length of the previous step, so
 * that convergence stays superlinear. */
static const double first_tolerance = 1e-2, min_tolerance = 1e-12;

/* Smallest initial step length that damping may choose. */
static const double min_damping = 0.05;

enum { BOUNDARY_CHECK_ROUND = 25, MAX_HALVINGS = 40, MAX_SWEEPS = 10000 };

mn_status mn_glm_state_init(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s)
{
  *s = (mn_glm_state){ .rank = m->p };
  s->b = MN_NEW(ctx, double, m->p, 1);
  s->curvature = MN_RAW(ctx, double, m->n, 1);
  s->gram = MN_RAW(ctx, double, m->implicit_hessian ? 0 : m->p, m->p);
  s->diagonal = MN_RAW(ctx, double, m->implicit_hessian ? m->p : 0, 1);
  s->mean = MN_NEW(ctx, double, m->p + 1, 1);
  s->column_norm = MN_RAW(ctx, double, m->p, 1);
  return s->b && s->curvature && s->gram && s->diagonal && s->mean && s->column_norm ? MN_OK : MN_NO_MEMORY;
}

/* Gram matrix plus penalty, rows and columns divided by `scale`. */
static void scaled_hessian(const mn_glm_problem *m, const mn_glm_state *s, const double *scale, double *h)
{
  const size_t p = m->p;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      h[i * p + j] = (s->gram[i * p + j] + (i == j ? m->penalty : 0)) / scale[i] / scale[j];
}

/* The column norms when collinearity is first seen stay the units of the minimum-norm solution. */
static void set_column_norms(const mn_glm_problem *m, mn_glm_state *s)
{
  for (size_t j = 0; j < m->p && !s->rank_deficient; j++) {
    const double square = s->gram[j * m->p + j] + m->penalty;
    s->column_norm[j] = square > 0 ? sqrt(square) : 1;
  }
  s->rank_deficient = true;
}

/* r := pseudo-inverse of H times r, in the units of the columns */
static mn_status solve_min_norm(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, double *r)
{
  const size_t p = m->p;
  double *h = MN_RAW(ctx, double, p, p), *value = MN_RAW(ctx, double, p, 1), *vector = MN_RAW(ctx, double, p, p);
  double *z = MN_NEW(ctx, double, p, 1);
  if (!h || !value || !vector || !z) return MN_NO_MEMORY;
  scaled_hessian(m, s, s->column_norm, h);
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, h, value, vector));
  s->rank = 0;
  for (size_t k = 0; k < p && value[k] > min_eigenvalue * value[0]; k++, s->rank++) {
    double dot = 0;
    for (size_t j = 0; j < p; j++) dot += vector[k * p + j] * r[j] / s->column_norm[j];
    for (size_t j = 0; j < p; j++) z[j] += dot / value[k] * vector[k * p + j];
  }
  for (size_t j = 0; j < p; j++) r[j] = z[j] / s->column_norm[j];
  return MN_OK;
}

/* *solved is false where the columns are collinear. */
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
  if (minor > 0 || !(rcond > min_eigenvalue)) return MN_OK;
  for (size_t j = 0; j < p; j++) r[j] /= scale[j];
  MN_TRY(mn_chol_apply(ctx, p, 1, h, r));
  for (size_t j = 0; j < p; j++) r[j] /= scale[j];
  *solved = true;
  return MN_OK;
}

/* r := inv(H) r for H = gram + penalty, by Cholesky, or the minimum-norm solution. */
static mn_status solve(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, double *r)
{
  if (m->implicit_hessian) return mn_glm_implicit_solve(ctx, m, s, r);
  const mn_mark mark = mn_scratch_mark(ctx);
  bool solved = m->p == 0;
  if (!s->rank_deficient && !solved) MN_TRY(solve_by_cholesky(ctx, m, s, r, &solved));
  mn_scratch_release(ctx, mark);
  if (solved) return MN_OK;
  set_column_norms(m, s);
  const mn_mark later = mn_scratch_mark(ctx);
  MN_TRY(solve_min_norm(ctx, m, s, r));
  mn_scratch_release(ctx, later);
  return MN_OK;
}

/* Gram matrix of X with the weights s->curvature. With a response z (or NULL), moment (p + 1) becomes X'W z about the
 * means, followed by the mean of z. */
static mn_status compute_gram(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *z,
                              double *moment)
{
  if (m->implicit_hessian) return mn_glm_implicit_moments(ctx, m, s, z, moment);
  const size_t p = m->p, q = z ? 1 : 0, columns = p + q;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *g = z ? MN_RAW(ctx, double, columns, columns) : s->gram, *mean = MN_NEW(ctx, double, columns + 1, 1);
  if (!g || !mean) return MN_NO_MEMORY;
  s->total = 0;
  if (columns > 0)
    MN_TRY(mn_glm_gram(ctx, m, z, s->curvature, &s->total, mean, g));
  else
    for (size_t i = 0; i < m->n; i++) s->total += s->curvature[i];
  for (size_t j = 0; j < p; j++) s->mean[j] = m->fit_intercept ? mean[j] : 0;
  if (z) {
    for (size_t i = 0; i < p; i++) {
      memcpy(s->gram + i * p, g + i * columns, p * sizeof *g);
      moment[i] = g[i * columns + p];
    }
    moment[p] = m->fit_intercept ? mean[p] : 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The intercept of the model without columns. Exact for a log link, whose offsets may be huge. */
static double start_intercept(const mn_glm_problem *m)
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
  const double mean = sum / total, eta = m->link->forward(m->link_power, m->family->start_mean(mean, mean, total));
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
    const double mu = m->family->start_mean(m->y[i], sum / total, m->trials ? m->trials[i] : 1);
    const double eta = m->link->forward(m->link_power, mu);
    double back, complement, dmu;
    m->link->inverse(m->link_power, 1, &eta, &back, &complement, &dmu);
    const double variance = m->family->variance(m->parameter, mu, 1 - mu);
    s->curvature[i] = (m->w ? m->w[i] : 1) * dmu * dmu / variance;
    z[i] = eta - (m->offset ? m->offset[i] : 0) + (m->y[i] - mu) / dmu;
    if (!(isfinite(z[i]) && isfinite(s->curvature[i]))) z[i] = s->curvature[i] = 0;
  }
}

/* With large offsets the step may go wrong: take the intercept-only model where it is better. */
static mn_status try_null_model(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s,
                                double intercept)
{
  const double value = s->value, c = s->c;
  double *b = s->b, *zero = MN_NEW(ctx, double, m->p, 1);
  MN_CHECK_ALLOC(zero);
  s->b = zero;
  s->c = intercept;
  MN_TRY(mn_glm_evaluate(ctx, o, s));
  if (s->value < value) return MN_OK;
  s->b = b;
  s->c = c;
  return mn_glm_evaluate(ctx, o, s);
}

/* With l1 most coefficients are 0, so 0 is a good start. */
static mn_status start_at_null_model(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s)
{
  memset(s->b, 0, m->p * sizeof *s->b);
  s->c = m->fit_intercept ? start_intercept(m) : 0;
  return mn_glm_evaluate(ctx, o, s);
}

/* One step of least squares from means near the observations; moved towards the intercept-only model while there are
 * means out of range. */
static mn_status find_start(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s)
{
  const size_t p = m->p;
  double *z = MN_RAW(ctx, double, m->n, 1), *moment = MN_RAW(ctx, double, p + 1, 1);
  if (!z || !moment) return MN_NO_MEMORY;
  if (m->l1 > 0) {
    MN_TRY(start_at_null_model(ctx, m, o, s));
    if (isfinite(s->value)) return MN_OK;
  }
  working_responses(m, s, z);
  MN_TRY(compute_gram(ctx, m, s, z, moment));
  s->c = moment[p];
  MN_TRY(solve(ctx, m, s, moment));
  for (size_t j = 0; j < p; j++) {
    s->b[j] = moment[j];
    s->c -= s->mean[j] * s->b[j];
  }
  const double intercept = m->fit_intercept ? start_intercept(m) : 0;
  MN_TRY(mn_glm_evaluate(ctx, o, s));
  if (m->fit_intercept && m->offset) MN_TRY(try_null_model(ctx, m, o, s, intercept));
  for (int halvings = 0; halvings < MAX_HALVINGS && !isfinite(s->value); halvings++) {
    for (size_t j = 0; j < p; j++) s->b[j] *= halvings < MAX_HALVINGS - 1 ? 0.5 : 0;
    s->c = m->fit_intercept ? intercept + (s->c - intercept) * (halvings < MAX_HALVINGS - 1 ? 0.5 : 0) : 0;
    MN_TRY(mn_glm_evaluate(ctx, o, s));
  }
  return MN_OK;
}

struct step {
  double *db, dc;
  double decrement; /* g' inv(H) g */
  double *trial;
  double *previous, damping; /* the previous step in full; initial step length */
};

/* The lasso that approximates the objective near b: minimize over z
 *
 *     1/2 (z - b)' H (z - b) + g' (z - b) + l1 |z|_1,      H the Hessian and g the gradient, intercept eliminated,
 *
 * in the form of cd.h. The part of its response outside the column space is arbitrary; `yy` makes it large enough. */
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
  MN_TRY(mn_cd_solve(ctx, &problem, &penalty, (double)NAN, 0, MAX_SWEEPS, &report));
  memcpy(z, problem.b, p * sizeof *z);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* d' H d, intercept eliminated */
static mn_status curvature_along(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, const double *d,
                                 double *along)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *image = MN_NEW(ctx, double, m->p, 1), *row = MN_RAW(ctx, double, m->implicit_hessian ? m->n : 0, 1), sum = 0;
  if (!image || !row) return MN_NO_MEMORY;
  if (m->implicit_hessian) MN_TRY(mn_glm_implicit_multiply(ctx, m, s, d, row, image));
  for (size_t i = 0; i < m->p; i++) {
    if (!m->implicit_hessian) image[i] = m->penalty * d[i];
    for (size_t j = 0; j < m->p && d[i] != 0 && !m->implicit_hessian; j++) image[i] += s->gram[i * m->p + j] * d[j];
    sum += d[i] * image[i];
  }
  *along = fmax(sum, 0);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status find_step(mn_context *ctx, const mn_glm_problem *m, const mn_glm_objective *o, mn_glm_state *s,
                           bool update_gram, struct step *step)
{
  if (update_gram || m->implicit_hessian) MN_TRY(compute_gram(ctx, m, s, NULL, NULL));
  const bool has_intercept = m->fit_intercept && s->total > 0;
  for (size_t j = 0; j < m->p; j++) step->db[j] = -(o->gb[j] - (has_intercept ? s->mean[j] * o->gc : 0));
  if (m->l1 > 0) {
    if (m->implicit_hessian)
      MN_TRY(mn_glm_implicit_lasso(ctx, m, o, s, step->trial));
    else
      MN_TRY(solve_lasso(ctx, m, s, step->db, step->trial));
    for (size_t j = 0; j < m->p; j++) step->db[j] = step->trial[j] - s->b[j];
  } else {
    MN_TRY(solve(ctx, m, s, step->db));
  }
  step->dc = has_intercept ? -o->gc / s->total : 0;
  step->decrement = -o->gc * step->dc;
  for (size_t j = 0; has_intercept && j < m->p; j++) step->dc -= s->mean[j] * step->db[j];
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

/* Expected second derivatives may be so much smaller than the true ones that steps overshoot the minimum and oscillate.
 * Two successive steps show by how much: their projections on each other vanish at the right step length. */
static void update_damping(const mn_glm_problem *m, struct step *step)
{
  double along = 0, square = 0;
  for (size_t j = 0; j < m->p; j++) {
    along += step->db[j] * step->previous[j];
    square += step->previous[j] * step->previous[j];
    step->previous[j] = step->db[j];
  }
  const double left = square > 0 ? 1 - along / square : 1;
  step->damping = left > 0 ? fmin(1, fmax(step->damping / left, min_damping)) : 1;
}

/* Backtrack along the step until the objective falls enough. Near the optimum the fall is below the rounding of the
 * deviance while the step is still good, so a rise within rounding is accepted there. *moved is false when nothing can
 * be gained. */
static mn_status line_search(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, mn_glm_state *s,
                             struct step *step, bool *moved)
{
  const size_t p = m->p;
  const double value = s->value, c = s->c, slack = step->decrement < 1e-6 * value ? 1e-10 : 1e-14;
  double length = step->damping, *b = s->b;
  *moved = true;
  for (int halvings = 0; halvings < MAX_HALVINGS; halvings++, length /= 2) {
    for (size_t j = 0; j < p; j++) step->trial[j] = b[j] + length * step->db[j];
    s->b = step->trial;
    s->c = c + length * step->dc;
    MN_TRY(mn_glm_evaluate(ctx, o, s));
    if (!(s->value <= value - 1e-4 * length * step->decrement + slack * value)) continue;
    step->trial = b;
    return MN_OK;
  }
  *moved = false;
  s->b = b;
  s->c = c;
  return mn_glm_evaluate(ctx, o, s);
}

/* Whether a mean is so close to the limit of its range that its coefficients have no finite estimate. */
static bool at_boundary(const mn_glm_problem *m, const mn_glm_objective *o)
{
  if (isinf(m->family->mu_max) && isinf(m->family->mu_min)) return false;
  return o->min_mean < 1e-10 * fmax(o->mean_mu, o->mean_y) ||
         (isfinite(m->family->mu_max) && o->min_complement < 1e-10);
}

static mn_status iterate(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o, double tol, int64_t max_iter,
                         mn_report *report, mn_glm_state *s, bool *converged)
{
  struct step step = { .db = MN_NEW(ctx, double, m->p, 1), .trial = MN_NEW(ctx, double, m->p, 1), .damping = 1 };
  step.previous = MN_NEW(ctx, double, m->p, 1);
  if (!step.db || !step.trial || !step.previous) return MN_NO_MEMORY;
  const double start_value = s->value;
  double before = INFINITY, change = INFINITY;
  bool keep_going = true, moved = true;
  int stalled = 0;
  *converged = false;
  for (int64_t round = 0; keep_going && moved && !*converged && round < max_iter; round++) {
    s->cg_tolerance = fmin(fmax(change / 10, min_tolerance), first_tolerance);
    MN_TRY(find_step(ctx, m, o, s, !(change < reuse_gram_below), &step));
    change = sqrt(fmax(step.decrement, 0) / fmax(s->value, fmax(1e-14 * start_value, DBL_MIN)));
    stalled = step.decrement >= before ? stalled + 1 : 0;
    *converged =
        change <= tol || (change < 1e-6 && stalled >= (m->l1 > 0 ? 3 : 1)); /* damped steps may be longer in between */
    before = step.decrement;
    if (m->l1 > 0) update_damping(m, &step);
    MN_TRY(line_search(ctx, m, o, s, &step, &moved));
    *converged = *converged || !moved;
    if (round >= BOUNDARY_CHECK_ROUND && at_boundary(m, o)) {
      s->at_boundary = true;
      *converged = keep_going = false;
    }
    if (!report) continue;
    report->change = change;
    keep_going = mn_round(ctx, report, max_iter, s->value / o->weight_sum) && keep_going;
  }
  if (m->information) MN_TRY(compute_gram(ctx, m, s, NULL, NULL));
  return mn_error_status(ctx);
}

static size_t sample_size(size_t p)
{
  return 128 * p + 4000;
}

/* Every (n / sample)-th row of an array of rows of `width` values. */
static const double *sample_rows(mn_context *ctx, const double *from, size_t n, size_t width, size_t sample)
{
  double *out = from ? MN_RAW(ctx, double, sample, width) : NULL;
  for (size_t i = 0; out && i < sample; i++) {
    const size_t row = (size_t)((double)i * (double)n / (double)sample);
    memcpy(out + i * width, from + row * width, width * sizeof *out);
  }
  return out;
}

/* With many rows, solve a sample first: that gives the solution to about 1% for a fraction of the cost of one step.
 * *found is false when it does not, for example when the sample is separable and the whole is not. */
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
  part.x = sample_rows(ctx, m->x, m->n, m->p, sample);
  part.y = sample_rows(ctx, m->y, m->n, 1, sample);
  part.w = sample_rows(ctx, m->w, m->n, 1, sample);
  part.trials = sample_rows(ctx, m->trials, m->n, 1, sample);
  part.offset = sample_rows(ctx, m->offset, m->n, 1, sample);
  part.penalty *= (double)sample / (double)m->n;
  part.l1 *= (double)sample / (double)m->n;
  if (!part.x || !part.y || (m->w && !part.w) || (m->trials && !part.trials) || (m->offset && !part.offset))
    return MN_NO_MEMORY;
  MN_TRY(mn_glm_state_init(ctx, &part, &state));
  mn_glm_objective small;
  MN_TRY(mn_glm_objective_init(ctx, &part, &small));
  MN_TRY(find_start(ctx, &part, &small, &state));
  if (isfinite(state.value)) MN_TRY(iterate(ctx, &part, &small, 1e-3, 15, NULL, &state, found));
  *found = *found && state.rank == m->p;
  if (*found) {
    memcpy(s->b, state.b, m->p * sizeof *s->b);
    s->c = state.c;
  }
  mn_scratch_release(ctx, mark);
  if (!*found) return MN_OK;
  MN_TRY(mn_glm_evaluate(ctx, o, s));
  *found = isfinite(s->value);
  return MN_OK;
}

mn_status mn_glm_minimize(mn_context *ctx, const mn_glm_problem *m, double tol, int64_t max_iter, mn_report *report,
                          mn_glm_state *s, bool *converged)
{
  mn_glm_objective o;
  bool found;
  double *own_b = s->b; /* line_search swaps s->b with its own buffer */
  s->rank_deficient = s->at_boundary = false;
  s->cg_tolerance = first_tolerance;
  s->rank = m->p;
  MN_TRY(mn_glm_objective_init(ctx, m, &o));
  MN_TRY(start_from_sample(ctx, m, &o, s, &found));
  if (!found) MN_TRY(find_start(ctx, m, &o, s));
  if (!isfinite(s->value))
    return mn_fail(ctx, MN_BAD_DATA,
                   "GLM: no starting coefficients keep all means in the range of the family; try link = 'log'%s",
                   m->offset ? ", and check that the offsets are on the scale of the link" : "");
  MN_TRY(iterate(ctx, m, &o, tol, max_iter, report, s, converged));
  if (s->b != own_b) memcpy(own_b, s->b, m->p * sizeof *own_b);
  s->b = own_b;
  if (m->l1 > 0) s->rank = 0;
  for (size_t j = 0; j < m->p && m->l1 > 0; j++) s->rank += s->b[j] != 0;
  return MN_OK;
}
