/* Rules for the bandwidth, with s the root mean square of the standard deviations of the columns, n rows (those that
 * the weights stand for) and d columns:
 *
 *     scott       s n^(-1 / (d + 4))
 *     silverman   s (n (d + 2) / 4)^(-1 / (d + 4))
 *     lscv        minimizes integral f^2 - 2 / n sum_i f_-i(x_i)      Rudemo, Scand. J. Stat. 9 (1982)
 *     likelihood  maximizes sum_i log f_-i(x_i)                       Habbema et al. (1974)
 *
 * f_-i leaves out row i (mn_left_out); with weights the mean in lscv is sum_i,j w_i w_j K_ij / sum_i,j w_i w_j over the
 * pairs that remain. All but the last are for the Gaussian kernel; the bandwidth of another kernel is such that its
 * standard deviation is the same. The last two search factors of the first: a grid from 1/26 to 26, smallest first,
 * which ends when the criterion has risen for some steps, since wide kernels reach all rows; then Brent's method. With
 * one or two columns the sums of lscv over all pairs of rows are Fourier series, where these are shorter.
 *
 * Scott, Multivariate Density Estimation (1992); Silverman, Density Estimation (1986). */
#include "density_bandwidth.h"
#include "../optim/brent.h"
#include "copies.h"
#include "density_space.h"
#include "gaussian_pairs.h"
#include <math.h>

const char *const mn_density_rule_names[] = { "scott", "silverman", "lscv", "likelihood", NULL };

/* Tolerance of the sums while searching. */
static const double SEARCH_RTOL = 1e-9;

/* The variance of one coordinate of the kernel in d dimensions. */
static double kernel_variance(mn_kernel_shape shape, size_t d)
{
  return exp(mn_shape_log_moment(shape, d + 2) - mn_shape_log_moment(shape, d)) / (double)d;
}

static double weight(const mn_density *density, size_t row)
{
  return density->weights ? density->weights[density->place[row]] : 1;
}

/* s; 1 for the metric mahalanobis, whose unit is the standard deviation. */
static double spread(const mn_density *density, const mn_matrix *x)
{
  double sum = 0;
  if (density->space->kind == MN_METRIC_MAHALANOBIS) return 1;
  for (size_t j = 0; j < x->cols; j++) {
    double total = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < x->rows; i++) {
      total += weight(density, i);
      mean += weight(density, i) / total * (mn_row(x, i)[j] - mean);
    }
    for (size_t i = 0; i < x->rows; i++)
      squares += weight(density, i) / total * (mn_row(x, i)[j] - mean) * (mn_row(x, i)[j] - mean);
    sum += squares / (double)x->cols;
  }
  return sqrt(sum);
}

struct search {
  mn_context *ctx;
  mn_density density;
  mn_density_rule rule;
  const double *points;
  mn_gaussian_pairs pairs; /* for lscv */
  size_t n;
  double total, own; /* sums of w_i and of w_i times what is left out of it */
  double reference, *left_out, *whole;
  mn_status status;
};

/* The criterion of lscv from sums over all pairs of rows: of the kernel of bandwidth sqrt(2) h, and of that of h. */
static double least_squares_of_pairs(struct search *s, double h)
{
  const mn_density *d = &s->density;
  const double total = s->total, root2 = sqrt(2);
  double wide = 0, narrow = 0;
  s->status = mn_gaussian_pairs_sum(s->ctx, &s->pairs, root2 * h, &wide);
  if (s->status == MN_OK) s->status = mn_gaussian_pairs_sum(s->ctx, &s->pairs, h, &narrow);
  if (s->status != MN_OK) return INFINITY;
  wide *= exp(-mn_density_log_integral(d->space, d->shape, root2 * h)) / (total * total);
  narrow = (narrow - s->own) * exp(-mn_density_log_integral(d->space, d->shape, h)) / (total * total - s->own);
  return wide - 2 * narrow;
}

/* Terms of lscv: the density of the kernel of bandwidth sqrt(2) h at the rows, and that of leaving out at h. */
static double least_squares(struct search *s, double h)
{
  mn_density *d = &s->density;
  const double total = s->total, pairs = total - s->own / total, root2 = sqrt(2);
  double square = 0, cross = 0;
  d->bandwidth = root2 * h;
  s->status = mn_density_log_sums(s->ctx, d, s->n, s->points, false, s->whole);
  if (s->status != MN_OK) return INFINITY;
  const double wide = mn_density_log_integral(d->space, d->shape, root2 * h);
  const double narrow = mn_density_log_integral(d->space, d->shape, h);
  for (size_t i = 0; i < s->n; i++) {
    square += weight(d, i) / total * exp(s->whole[i] - wide - log(total));
    cross += weight(d, i) / total * exp(s->left_out[i] - narrow - log(pairs));
  }
  return square - 2 * cross;
}

static double evaluate(void *user, double t)
{
  struct search *s = user;
  mn_density *d = &s->density;
  const double h = s->reference * exp(t);
  double sum = 0;
  if (s->status != MN_OK) return INFINITY;
  if (s->rule == MN_DENSITY_LSCV && mn_gaussian_pairs_suit(&s->pairs, h)) return least_squares_of_pairs(s, h);
  d->bandwidth = h;
  s->status = mn_density_log_sums(s->ctx, d, s->n, s->points, true, s->left_out);
  if (s->status != MN_OK) return INFINITY;
  if (s->rule == MN_DENSITY_LSCV) return least_squares(s, h);
  const double log_integral = mn_density_log_integral(d->space, d->shape, h);
  for (size_t i = 0; i < s->n; i++) sum += weight(d, i) / s->total * (s->left_out[i] - log_integral);
  return -sum;
}

/* Rows and weights for sums over all pairs. */
static mn_status prepare_pairs(struct search *s)
{
  const mn_density *d = &s->density;
  s->pairs = (mn_gaussian_pairs){ .n = s->n, .d = (size_t)d->space->width, .points = s->points };
  if (!d->weights) return MN_OK;
  double *weights = MN_RAW(s->ctx, double, s->n, 1);
  MN_CHECK_ALLOC(weights);
  for (size_t i = 0; i < s->n; i++) weights[i] = weight(d, i);
  s->pairs.weights = weights;
  return MN_OK;
}

/* Factors are powers of 1.5. */
enum { GRID_SIDE = 8, RISING = 4 };
static const double LOG_STEP = 0.40546510810816438, TOLERANCE = 1e-6;

static mn_status search_factor(struct search *s, double *factor)
{
  double best = INFINITY, t = 0, refined, value;
  for (int k = -GRID_SIDE, lowest = 0; k <= GRID_SIDE; k++) {
    const double here = evaluate(s, k * LOG_STEP);
    MN_TRY(s->status);
    if (here < best) {
      best = here;
      lowest = k;
      t = k * LOG_STEP;
    } else if (best < INFINITY && k >= lowest + RISING) {
      break;
    }
  }
  MN_TRY(mn_brent_minimize(s->ctx, evaluate, s, t - LOG_STEP, t + LOG_STEP, TOLERANCE, &refined, &value));
  MN_TRY(s->status);
  *factor = exp(value < best ? refined : t);
  return MN_OK;
}

static mn_status check_metric(mn_context *ctx, const char *who, const mn_space *space, mn_density_rule rule)
{
  const char *rule_name = mn_density_rule_names[rule], *metric = mn_metric_names[space->kind];
  const bool squares = space->kind == MN_METRIC_MAHALANOBIS || space->form == MN_FORM_SQUARES;
  if (!mn_metric_is_norm(space->kind) && (rule != MN_DENSITY_LIKELIHOOD || space->kind != MN_METRIC_HAVERSINE))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: bandwidth_rule '%s' is not defined for the metric %s; set bandwidth", who,
                   rule_name, metric);
  if (rule == MN_DENSITY_LSCV && !squares)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: bandwidth_rule 'lscv' requires the metric euclidean or mahalanobis, got %s; use 'likelihood'",
                   who, metric);
  return MN_OK;
}

mn_status mn_density_choose_bandwidth(mn_context *ctx, const char *who, const mn_density *density,
                                      mn_kernel_shape shape, mn_density_rule rule, const mn_matrix *x,
                                      const double *points, double *h)
{
  MN_TRY(check_metric(ctx, who, density->space, rule));
  const double d = (double)x->cols, total = density->sums[0], s = spread(density, x);
  const double deviation = sqrt(kernel_variance(shape, x->cols));
  const double factor = rule == MN_DENSITY_SILVERMAN ? (d + 2) / 4 : 1;
  const double scott =
      s > 0 ? s * pow(mn_effective_rows(x->rows, density->weights, density->place) * factor, -1 / (d + 4)) : 1;
  *h = scott / deviation;
  if (rule == MN_DENSITY_SCOTT || rule == MN_DENSITY_SILVERMAN || !(s > 0) || !(total > 1)) return MN_OK;
  struct search search = { .ctx = ctx, .density = *density, .rule = rule, .points = points, .n = x->rows };
  search.density.shape = rule == MN_DENSITY_LSCV ? MN_SHAPE_GAUSSIAN : shape;
  search.total = total;
  for (size_t i = 0; i < x->rows; i++)
    search.own += weight(density, i) * mn_left_out(weight(density, i), density->counts);
  search.density.rtol = SEARCH_RTOL;
  search.density.atol = 0;
  search.reference = rule == MN_DENSITY_LSCV ? scott : *h;
  search.left_out = MN_RAW(ctx, double, x->rows, 2);
  MN_CHECK_ALLOC(search.left_out);
  search.whole = search.left_out + x->rows;
  MN_TRY(prepare_pairs(&search));
  double best;
  MN_TRY(search_factor(&search, &best));
  *h *= best;
  return MN_OK;
}
