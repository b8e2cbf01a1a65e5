/* Losses with corners and an L2 penalty, of any number of columns: coordinate ascent on the dual, one row at a time.
 *
 * With g_i between lo_i and hi_i for each row, t_i its target and e the half width of the tube,
 *
 *     maximise sum_i (t_i g_i - e |g_i|) - sum_j (|X'g|_j - l1)_+^2 / (2 l2),      sum_i g_i = 0 with a constant,
 *
 * and b_j is X'g soft-thresholded by l1, over l2: Hsieh, Chang, Lin, Keerthi & Sundararajan, ICML 2008; with an L1 part
 * Shalev-Shwartz & Zhang, Math. Program. 155 (2016). The constant is not penalised, so that its constraint stands: it
 * is met by the method of multipliers, c = center + sum g / rho, the center following after a few rounds. What is told
 * of is certain: a dual point whose sum is 0, made by shrinking the larger side of g, gives the duality gap. */
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "descent.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS_A_LOOK = 5, ROWS_A_POLL = 1 << 14 };

struct ascent {
  mn_descent *d;
  double *g, *lo, *hi, *target, tube; /* n each                                */
  double *square;                     /* n: |x_i|^2                            */
  double *v, *b;                      /* p: X'g, and the weights of it         */
  double sum, center, inverse_rho;    /* inverse_rho: 0 without a constant     */
  double *feasible, *image;           /* n, p: of a look                       */
  size_t *order;
};

/* A row as it lies in memory; col is NULL for a dense one. */
struct row {
  const double *at;
  const int32_t *col;
  size_t size;
};

static struct row row_of(const mn_descent *d, size_t i)
{
  const mn_csr *s = d->data->sparse;
  if (!s) return (struct row){ .at = mn_row(&d->data->x, i), .size = d->p };
  return (struct row){ .at = s->at + s->start[i], .col = s->col + s->start[i], .size = s->start[i + 1] - s->start[i] };
}

static void pose_row(struct ascent *s, size_t i)
{
  const mn_descent *d = s->d;
  const mn_corner corner = mn_descent_corner(d, i);
  s->target[i] = corner.target;
  s->lo[i] = corner.lo;
  s->hi[i] = corner.hi;
  s->tube = corner.tube;
  const struct row x = row_of(d, i);
  for (size_t e = 0; e < x.size; e++) s->square[i] += x.at[e] * x.at[e];
}

static mn_status make(mn_context *ctx, mn_descent *d, const double *u, struct ascent *s)
{
  const size_t n = d->n, p = d->p;
  double *of_rows = MN_NEW(ctx, double, n, 6), *of_columns = MN_NEW(ctx, double, p + 1, 3), typical = 0;
  *s = (struct ascent){ .d = d, .order = MN_RAW(ctx, size_t, n, 1) };
  if (!of_rows || !of_columns || !s->order) return MN_NO_MEMORY;
  double **rows[] = { &s->g, &s->lo, &s->hi, &s->target, &s->square, &s->feasible };
  double **columns[] = { &s->v, &s->b, &s->image };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) *rows[k] = of_rows + k * n;
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) *columns[k] = of_columns + k * (p + 1);
  for (size_t i = 0; i < n; i++) {
    pose_row(s, i);
    s->order[i] = i;
    typical += d->share[i] * s->square[i];
  }
  mn_descent_weights(d, u, s->b, &s->center);
  s->inverse_rho = d->fit_intercept ? (typical > 0 ? typical : 1) / d->l2 : 0;
  return MN_OK;
}

static double soft(double x, double pull)
{
  return x > pull ? x - pull : x < -pull ? x + pull : 0;
}

/* The best g of row i, the others as they are; with an L1 part a step that is at most as long. */
static void step(struct ascent *s, size_t i)
{
  const mn_descent *d = s->d;
  const struct row x = row_of(d, i);
  const double curvature = s->square[i] / d->l2 + s->inverse_rho;
  double z = s->center + s->sum * s->inverse_rho;
  for (size_t e = 0; e < x.size; e++) z += x.at[e] * s->b[x.col ? (size_t)x.col[e] : e];
  const double slope = s->target[i] - z;
  double next = slope > s->tube ? s->hi[i] : slope < -s->tube ? s->lo[i] : 0;
  if (curvature > 0) next = soft(s->g[i] + slope / curvature, s->tube / curvature);
  next = fmin(fmax(next, s->lo[i]), s->hi[i]);
  const double change = next - s->g[i];
  if (!(change > 0) && !(change < 0)) return;
  s->g[i] = next;
  s->sum += change;
  for (size_t e = 0; e < x.size; e++) {
    const size_t j = x.col ? (size_t)x.col[e] : e;
    s->v[j] += change * x.at[e];
    s->b[j] = soft(s->v[j], d->l1) / d->l2;
  }
}

static mn_status pass(mn_context *ctx, struct ascent *s, int64_t round)
{
  const mn_descent *d = s->d;
  mn_rng rng = mn_stream(d->seed, (uint64_t)round);
  mn_shuffle(&rng, s->order, d->n);
  for (size_t k = 0; k < d->n; k++) {
    if (k % ROWS_A_POLL == 0) MN_TRY(mn_poll(ctx));
    if (s->hi[s->order[k]] > s->lo[s->order[k]]) step(s, s->order[k]);
  }
  return MN_OK;
}

/* The dual at a point near g that meets its constraint. */
static mn_status dual_value(mn_context *ctx, struct ascent *s, double *value)
{
  const mn_descent *d = s->d;
  double up = 0, down = 0;
  for (size_t i = 0; i < d->n; i++) {
    up += fmax(s->g[i], 0);
    down += fmax(-s->g[i], 0);
  }
  const double of_up = d->fit_intercept && up > down ? down / up : 1;
  const double of_down = d->fit_intercept && down > up ? up / down : 1;
  *value = 0;
  for (size_t i = 0; i < d->n; i++) {
    s->feasible[i] = s->g[i] * (s->g[i] > 0 ? of_up : of_down);
    *value += s->target[i] * s->feasible[i] - s->tube * fabs(s->feasible[i]);
  }
  if (d->data->sparse)
    MN_TRY(mn_csr_multiply_transposed(ctx, d->data->sparse, 1, s->feasible, s->image));
  else
    MN_TRY(mn_gemv(ctx, true, d->n, d->p, 1, d->data->x.at, d->p, s->feasible, 0, s->image));
  for (size_t j = 0; j < d->p; j++) {
    const double reached = soft(s->image[j], d->l1);
    *value -= reached * reached / (2 * d->l2);
  }
  return MN_OK;
}

/* F at the weights of now, which u becomes if they are the best so far; and the gap to the best dual. */
static mn_status look(mn_context *ctx, struct ascent *s, double *u, mn_descent_end *end, double *highest)
{
  mn_descent *d = s->d;
  const double c = s->center + s->sum * s->inverse_rho;
  double primal, slope, dual, square = 0, sum = 0;
  MN_TRY(mn_descent_scores(ctx, d, s->b, c));
  MN_TRY(mn_descent_lose(ctx, d, &primal, &slope));
  for (size_t j = 0; j < d->p; j++) {
    square += s->b[j] * s->b[j];
    sum += fabs(s->b[j]);
  }
  primal += d->l1 * sum + d->l2 / 2 * square;
  if (primal < end->objective) {
    end->objective = primal;
    mn_descent_start(d, s->b, c, u);
  }
  MN_TRY(dual_value(ctx, s, &dual));
  *highest = fmax(*highest, dual);
  end->duality_gap = fmax(end->objective - *highest, 0);
  return MN_OK;
}

mn_status mn_descent_by_dual(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end)
{
  struct ascent s;
  double highest = 0; /* the dual at 0 */
  bool go_on = true;
  MN_TRY(make(ctx, d, u, &s));
  end->converged = false;
  end->objective = end->duality_gap = d->begin;
  for (int64_t round = 0; go_on && !end->converged && round < d->max_iter; round++) {
    MN_TRY(pass(ctx, &s, round));
    if ((round + 1) % ROUNDS_A_LOOK == 0 || round + 1 == d->max_iter) {
      MN_TRY(look(ctx, &s, u, end, &highest));
      s.center += s.sum * s.inverse_rho;
      end->converged = end->duality_gap <= d->tol * fmin(end->objective, d->begin);
    }
    go_on = d->note(d->user, end->objective);
  }
  const double least = fmax(fmin(end->objective, d->begin), DBL_MIN);
  end->steepest = end->duality_gap / least * sqrt(d->begin); /* as the others tell of theirs */
  return MN_OK;
}
