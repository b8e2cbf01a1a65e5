#include "glm_implicit.h"
#include "../linalg/csr.h"
#include "../lasso/cd_data.h"
#include <string.h>

enum { MAX_SWEEPS = 10000 };

/* A smaller relative duality gap is rounding; then sweep until nothing moves. */
static const double min_gap = 1e-13;

/* out = X'W row about the means; row is overwritten by W row. */
static mn_status multiply_transposed(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, double *row,
                                     double *out)
{
  double sum = 0;
  for (size_t i = 0; i < m->n; i++) sum += row[i] *= s->curvature[i];
  MN_TRY(mn_csr_multiply_transposed(ctx, m->sparse, 1, row, out));
  for (size_t j = 0; j < m->p; j++) out[j] -= s->mean[j] * sum;
  return MN_OK;
}

mn_status mn_glm_implicit_moments(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *z,
                                  double *moment)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_csr *x = m->sparse;
  double *row = MN_RAW(ctx, double, m->n, 1), z_mean = 0;
  MN_CHECK_ALLOC(row);
  s->total = 0;
  for (size_t i = 0; i < m->n; i++) s->total += s->curvature[i];
  memset(s->mean, 0, m->p * sizeof *s->mean);
  memset(s->diagonal, 0, m->p * sizeof *s->diagonal);
  const double unit = m->fit_intercept && s->total > 0 ? 1 / s->total : 0;
  for (size_t i = 0; i < m->n; i++) {
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      s->mean[x->col[e]] += unit * s->curvature[i] * x->at[e];
      s->diagonal[x->col[e]] += s->curvature[i] * x->at[e] * x->at[e];
    }
    if (z) z_mean += unit * s->curvature[i] * z[i];
  }
  for (size_t j = 0; j < m->p; j++) {
    s->diagonal[j] = fmax(s->diagonal[j] - s->total * s->mean[j] * s->mean[j], 0) + m->penalty;
    if (!(s->diagonal[j] > 0)) s->diagonal[j] = 1;
  }
  if (z) {
    for (size_t i = 0; i < m->n; i++) row[i] = z[i] - z_mean;
    MN_TRY(multiply_transposed(ctx, m, s, row, moment));
    moment[m->p] = z_mean;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_glm_implicit_multiply(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, const double *d,
                                   double *row, double *out)
{
  double shift = 0;
  for (size_t j = 0; j < m->p; j++) shift += s->mean[j] * d[j];
  MN_TRY(mn_csr_multiply(ctx, m->sparse, 1, d, row));
  for (size_t i = 0; i < m->n; i++) row[i] -= shift;
  MN_TRY(multiply_transposed(ctx, m, s, row, out));
  for (size_t j = 0; j < m->p; j++) out[j] += m->penalty * d[j];
  return MN_OK;
}

/* Squared length of r in the norm of the preconditioner. */
static double squared_norm(size_t p, const double *r, const double *diagonal)
{
  double sum = 0;
  for (size_t j = 0; j < p; j++) sum += r[j] * r[j] / diagonal[j];
  return sum;
}

/* Preconditioned conjugate gradients: Golub & Van Loan, Matrix Computations, 4th ed., algorithm 11.5.1. What is reached
 * when the iterations run out is still a descent direction. */
mn_status mn_glm_implicit_solve(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, double *r)
{
  const size_t p = m->p, max_rounds = 10 * p + 1000;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *d = MN_NEW(ctx, double, p, 1), *direction = MN_NEW(ctx, double, p, 1), *image = MN_RAW(ctx, double, p, 1);
  double *row = MN_RAW(ctx, double, m->n, 1), before = 1, now = squared_norm(p, r, s->diagonal);
  if (!d || !direction || !image || !row) return MN_NO_MEMORY;
  const double target = s->cg_tolerance * s->cg_tolerance * now;
  for (size_t round = 0; now > target && round < max_rounds; round++) {
    double along = 0;
    for (size_t j = 0; j < p; j++) direction[j] = r[j] / s->diagonal[j] + (round > 0 ? now / before * direction[j] : 0);
    MN_TRY(mn_glm_implicit_multiply(ctx, m, s, direction, row, image));
    for (size_t j = 0; j < p; j++) along += direction[j] * image[j];
    if (!(along > 0)) break;
    for (size_t j = 0; j < p; j++) {
      d[j] += now / along * direction[j];
      r[j] -= now / along * image[j];
    }
    before = now;
    now = squared_norm(p, r, s->diagonal);
    MN_TRY(mn_poll(ctx));
  }
  memcpy(r, d, p * sizeof *r);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Weighted least squares of the working responses with an L1 penalty, from the current coefficients. */
mn_status mn_glm_implicit_lasso(mn_context *ctx, const mn_glm_problem *m, const mn_glm_objective *o,
                                const mn_glm_state *s, double *z)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_cd_penalty penalty = { .l1 = m->l1 / s->total, .l2 = m->penalty / s->total };
  double *response = MN_RAW(ctx, double, m->n, 1);
  mn_cd_data d;
  mn_cd problem;
  mn_cd_report report;
  MN_CHECK_ALLOC(response);
  MN_TRY(mn_csr_multiply(ctx, m->sparse, 1, s->b, response));
  for (size_t i = 0; i < m->n; i++) response[i] += s->c - (s->curvature[i] > 0 ? o->score[i] / s->curvature[i] : 0);
  const mn_data data = { .sparse = m->sparse,
                         .rows = m->n,
                         .features = m->p,
                         .weights = s->curvature,
                         .y = { .at = response, .rows = m->n, .cols = 1 } };
  MN_TRY(mn_cd_prepare(ctx, &data, m->fit_intercept, o->transposed, &d));
  MN_TRY(mn_cd_target_at(ctx, &d, 0, s->b, &problem));
  const double target = s->cg_tolerance * s->cg_tolerance * s->value / s->total,
               tol = problem.yy > 0 ? target / problem.yy : 0;
  MN_TRY(mn_cd_solve(ctx, &problem, &penalty, (double)NAN, tol > min_gap ? tol : 0, MAX_SWEEPS, &report));
  memcpy(z, problem.b, m->p * sizeof *z);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
