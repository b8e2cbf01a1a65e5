/* Piecewise linear losses with an L2 penalty and any number of columns: coordinate ascent on the dual, one row at a
 * time.
 *
 * With lo_i <= g_i <= hi_i for each row, t_i its target and e the half width of the tube,
 *
 *     maximize sum_i (t_i g_i - e |g_i|) - sum_j (|X'g|_j - l1)_+^2 / (2 l2),      sum_i g_i = 0 with an intercept,
 *
 * and b_j is X'g soft-thresholded by l1, over l2: Hsieh, Chang, Lin, Keerthi & Sundararajan, ICML 2008; with an L1 part
 * Shalev-Shwartz & Zhang, Math. Program. 155 (2016). Since the intercept is not penalized, its constraint remains; it
 * is met by the method of multipliers, c = center + sum g / rho, with center updated every few rounds. The reported
 * duality gap is certain: it uses a feasible dual point, made by shrinking the larger side of g. */
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "descent.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS_PER_CHECK = 5, ROWS_PER_POLL = 1 << 14 };

struct dual_solver {
  mn_descent *d;
  double *g, *lo, *hi, *target, tube; /* n each                                */
  double *square;                     /* n: |x_i|^2                            */
  double *v, *b;                      /* p: X'g, and the coefficients that follow from it */
  double sum, center, inverse_rho;    /* inverse_rho: 0 without an intercept */
  double *feasible, *dual_image;      /* n, p: workspace of check_gap */
  size_t *order;
};

/* A row; col is NULL for a dense one. */
struct row {
  const double *at;
  const int32_t *col;
  size_t size;
};

static struct row get_row(const mn_descent *d, size_t i)
{
  const mn_csr *s = d->data->sparse;
  if (!s) return (struct row){ .at = mn_row(&d->data->x, i), .size = d->p };
  return (struct row){ .at = s->at + s->start[i], .col = s->col + s->start[i], .size = s->start[i + 1] - s->start[i] };
}

static void init_row(struct dual_solver *s, size_t i)
{
  const mn_descent *d = s->d;
  const mn_piecewise_term corner = mn_descent_piecewise_term(d, i);
  s->target[i] = corner.target;
  s->lo[i] = corner.lo;
  s->hi[i] = corner.hi;
  s->tube = corner.tube;
  const struct row x = get_row(d, i);
  for (size_t e = 0; e < x.size; e++) s->square[i] += x.at[e] * x.at[e];
}

static mn_status init_solver(mn_context *ctx, mn_descent *d, const double *u, struct dual_solver *s)
{
  const size_t n = d->n, p = d->p;
  double *row_buffer = MN_NEW(ctx, double, n, 6), *column_buffer = MN_NEW(ctx, double, p + 1, 3), mean_square = 0;
  *s = (struct dual_solver){ .d = d, .order = MN_RAW(ctx, size_t, n, 1) };
  if (!row_buffer || !column_buffer || !s->order) return MN_NO_MEMORY;
  double **rows[] = { &s->g, &s->lo, &s->hi, &s->target, &s->square, &s->feasible };
  double **columns[] = { &s->v, &s->b, &s->dual_image };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) *rows[k] = row_buffer + k * n;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = column_buffer + k * (p + 1);
  for (size_t i = 0; i < n; i++) {
    init_row(s, i);
    s->order[i] = i;
    mean_square += d->weight[i] * s->square[i];
  }
  mn_descent_to_coefficients(d, u, s->b, &s->center);
  s->inverse_rho = d->fit_intercept ? (mean_square > 0 ? mean_square : 1) / d->l2 : 0;
  return MN_OK;
}

static double soft_threshold(double x, double pull)
{
  return x > pull ? x - pull : x < -pull ? x + pull : 0;
}

/* Maximize over g_i, the others fixed; with an L1 part the step is at most as long. */
static void update_row(struct dual_solver *s, size_t i)
{
  const mn_descent *d = s->d;
  const struct row x = get_row(d, i);
  const double curvature = s->square[i] / d->l2 + s->inverse_rho;
  double z = s->center + s->sum * s->inverse_rho;
  for (size_t e = 0; e < x.size; e++) z += x.at[e] * s->b[x.col ? (size_t)x.col[e] : e];
  const double slope = s->target[i] - z;
  double next = slope > s->tube ? s->hi[i] : slope < -s->tube ? s->lo[i] : 0;
  if (curvature > 0) next = soft_threshold(s->g[i] + slope / curvature, s->tube / curvature);
  next = fmin(fmax(next, s->lo[i]), s->hi[i]);
  const double change = next - s->g[i];
  if (!(change > 0) && !(change < 0)) return;
  s->g[i] = next;
  s->sum += change;
  for (size_t e = 0; e < x.size; e++) {
    const size_t j = x.col ? (size_t)x.col[e] : e;
    s->v[j] += change * x.at[e];
    s->b[j] = soft_threshold(s->v[j], d->l1) / d->l2;
  }
}

static mn_status pass(mn_context *ctx, struct dual_solver *s, int64_t round)
{
  const mn_descent *d = s->d;
  mn_rng rng = mn_stream(d->seed, (uint64_t)round);
  mn_shuffle(&rng, s->order, d->n);
  for (size_t k = 0; k < d->n; k++) {
    if (k % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    if (s->hi[s->order[k]] > s->lo[s->order[k]]) update_row(s, s->order[k]);
  }
  return MN_OK;
}

/* The dual at a feasible point near g. */
static mn_status dual_value(mn_context *ctx, struct dual_solver *s, double *value)
{
  const mn_descent *d = s->d;
  double up = 0, down = 0;
  for (size_t i = 0; i < d->n; i++) {
    up += fmax(s->g[i], 0);
    down += fmax(-s->g[i], 0);
  }
  const double up_factor = d->fit_intercept && up > down ? down / up : 1;
  const double down_factor = d->fit_intercept && down > up ? up / down : 1;
  *value = 0;
  for (size_t i = 0; i < d->n; i++) {
    s->feasible[i] = s->g[i] * (s->g[i] > 0 ? up_factor : down_factor);
    *value += s->target[i] * s->feasible[i] - s->tube * fabs(s->feasible[i]);
  }
  if (d->data->sparse)
    MN_TRY(mn_csr_multiply_transposed(ctx, d->data->sparse, 1, s->feasible, s->dual_image));
  else
    MN_TRY(mn_gemv(ctx, true, d->n, d->p, 1, d->data->x.at, d->p, s->feasible, 0, s->dual_image));
  for (size_t j = 0; j < d->p; j++) {
    const double coefficient = soft_threshold(s->dual_image[j], d->l1);
    *value -= coefficient * coefficient / (2 * d->l2);
  }
  return MN_OK;
}

/* Evaluate F at the current coefficients, copy them to u if they are the best so far, and update the gap to the best
 * dual. */
static mn_status check_gap(mn_context *ctx, struct dual_solver *s, double *u, mn_descent_result *end, double *best_dual)
{
  mn_descent *d = s->d;
  const double c = s->center + s->sum * s->inverse_rho;
  double primal, slope, dual, square = 0, sum = 0;
  MN_TRY(mn_descent_compute_scores(ctx, d, s->b, c));
  MN_TRY(mn_descent_compute_loss(ctx, d, &primal, &slope));
  for (size_t j = 0; j < d->p; j++) {
    square += s->b[j] * s->b[j];
    sum += fabs(s->b[j]);
  }
  primal += d->l1 * sum + d->l2 / 2 * square;
  if (primal < end->objective) {
    end->objective = primal;
    mn_descent_from_coefficients(d, s->b, c, u);
  }
  MN_TRY(dual_value(ctx, s, &dual));
  *best_dual = fmax(*best_dual, dual);
  end->duality_gap = fmax(end->objective - *best_dual, 0);
  return MN_OK;
}

mn_status mn_descent_solve_dual(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  struct dual_solver s;
  double best_dual = 0; /* dual at 0 */
  bool keep_going = true;
  MN_TRY(init_solver(ctx, d, u, &s));
  end->converged = false;
  end->objective = end->duality_gap = d->start_value;
  for (int64_t round = 0; keep_going && !end->converged && round < d->max_iter; round++) {
    MN_TRY(pass(ctx, &s, round));
    if ((round + 1) % ROUNDS_PER_CHECK == 0 || round + 1 == d->max_iter) {
      MN_TRY(check_gap(ctx, &s, u, end, &best_dual));
      s.center += s.sum * s.inverse_rho;
      end->converged = end->duality_gap <= d->tol * fmin(end->objective, d->start_value);
    }
    keep_going = d->progress(d->user, end->objective);
  }
  const double lowest = fmax(fmin(end->objective, d->start_value), DBL_MIN);
  end->max_subgradient = end->duality_gap / lowest * sqrt(d->start_value); /* in the scale that the other solvers use */
  return MN_OK;
}
