/* Fit of a GTM by EM, from the plane of the first principal components.
 *
 *     M:  (Phi' G Phi + alpha v D) W = Phi' R X,   v = sum_ik r_ik |x_i - y_k|^2 / (n p)
 *
 * with R the responsibilities, G their sums, D = I without the constant function, and the v of the iteration before. If
 * values are missing, G and the equations are those of each column. */
#include "../eigen/principal_axes.h"
#include "../em/em.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gtm.h"
#include <string.h>

/* Least noise variance, as a fraction of the mean variance of the columns. */
static const double least_noise = 1e-9;

struct problem {
  mn_gtm_model *m;
  mn_gtm_pass pass;
  size_t basis;     /* functions without the constant one           */
  size_t functions; /* with it                                      */
  double *phi;      /* k x functions                                */
  double *y;        /* k x p: centers minus mean                    */
  double *sums;     /* of the pass                                  */
  double *a;        /* functions x functions                        */
  double *column;   /* functions                                    */
  double *mean;     /* p                                            */
  double unit;      /* mean variance of the columns, 1 if that is 0 */
  double alpha;     /* in inverse squared units of X                */
  double total;     /* sum of the weights                           */
};

/* A = Phi' diag(g) Phi + alpha v D, factorized; false if it is singular. */
static mn_status factorize(mn_context *ctx, const struct problem *s, const double *g, double v, bool *singular)
{
  const size_t f = s->functions;
  size_t minor;
  MN_TRY(mn_syrk(ctx, s->pass.k, f, s->phi, f, g, NULL, s->a, f));
  for (size_t c = 0; c < s->basis; c++) s->a[c * f + c] += s->alpha * v;
  MN_TRY(mn_chol_try(ctx, f, s->a, NULL, &minor));
  *singular = minor > 0;
  return MN_OK;
}

/* W for the sums, with one matrix for all columns or one for each. */
static mn_status find_weights(mn_context *ctx, struct problem *s, double *w, double v, bool *singular)
{
  const size_t k = s->pass.k, p = s->pass.p, f = s->functions;
  const mn_gtm_sums sums = mn_gtm_sums_of(&s->pass, s->sums);
  MN_TRY(mn_gemm(ctx, true, false, f, p, k, 1, s->phi, f, sums.rx, p, 0, w, p));
  if (!s->pass.missing) {
    MN_TRY(factorize(ctx, s, sums.weight, v, singular));
    return *singular ? MN_OK : mn_chol_apply(ctx, f, p, s->a, w);
  }
  double *g = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(g);
  for (size_t j = 0; j < p; j++) {
    for (size_t c = 0; c < k; c++) g[c] = sums.weight[c * p + j];
    MN_TRY(factorize(ctx, s, g, v, singular));
    if (*singular) return MN_OK;
    for (size_t c = 0; c < f; c++) s->column[c] = w[c * p + j];
    MN_TRY(mn_chol_apply(ctx, f, 1, s->a, s->column));
    for (size_t c = 0; c < f; c++) w[c * p + j] = s->column[c];
  }
  return MN_OK;
}

/* The mean squared residual, from the sums and the centers in s->y. */
static double find_variance(const struct problem *s)
{
  const size_t k = s->pass.k, p = s->pass.p;
  const mn_gtm_sums sums = mn_gtm_sums_of(&s->pass, s->sums);
  double residual = sums.scalars[1];
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double y = s->y[c * p + j], g = s->pass.missing ? sums.weight[c * p + j] : sums.weight[c];
      residual += y * (g * y - 2 * sums.rx[c * p + j]);
    }
  return fmax(residual / sums.scalars[2], least_noise * s->unit);
}

static mn_status place_centers(mn_context *ctx, struct problem *s, const double *w)
{
  const size_t f = s->functions, p = s->pass.p;
  return mn_gemm(ctx, false, false, s->pass.k, p, f, 1, s->phi, f, w, p, 0, s->y, p);
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  struct problem *s = problem;
  double *v = state + s->functions * s->pass.p;
  (void)workspace;
  MN_TRY(find_weights(ctx, s, state, *v, degenerate));
  if (*degenerate) return MN_OK;
  MN_TRY(place_centers(ctx, s, state));
  *v = find_variance(s);
  return MN_OK;
}

/* The negative log likelihood plus that of the prior of the weights, without its constant. */
static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  struct problem *s = problem;
  double squares = 0;
  (void)workspace;
  MN_TRY(place_centers(ctx, s, state));
  s->pass.noise_variance = state[s->functions * s->pass.p];
  MN_TRY(mn_gtm_run_pass(ctx, &s->pass));
  for (size_t i = 0; i < s->basis * s->pass.p; i++) squares += state[i] * state[i];
  *objective = s->alpha / 2 * squares - mn_gtm_sums_of(&s->pass, s->sums).scalars[0];
  return MN_OK;
}

/* Half the mean squared distance of a center from the nearest of its neighbors on the grid. */
static double neighbor_variance(const struct problem *s)
{
  const size_t size = (size_t)s->m->grid_size, k = s->pass.k, p = s->pass.p;
  double sum = 0;
  for (size_t a = 0; a < k; a++) {
    double least = INFINITY;
    for (size_t step = 1; step < k; step *= size)
      for (int side = -1; side <= 1; side += 2) {
        const size_t at = a / step % size;
        if (side < 0 ? at == 0 : at == size - 1) continue;
        const size_t b = side < 0 ? a - step : a + step;
        double distance = 0;
        for (size_t j = 0; j < p; j++)
          distance += (s->y[a * p + j] - s->y[b * p + j]) * (s->y[a * p + j] - s->y[b * p + j]);
        least = fmin(least, distance);
      }
    sum += least;
  }
  return sum / (2 * (double)k);
}

/* X with missing values replaced by the mean of their column. */
static mn_status fill(mn_context *ctx, const mn_data *data, double **out)
{
  const size_t n = data->rows, p = data->features;
  *out = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(*out);
  for (size_t j = 0; j < p; j++) {
    double mean = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
      const double x = data->x.at[i * p + j];
      if (isnan(x)) continue;
      total += mn_weight(data, i);
      mean += mn_weight(data, i) / total * (x - mean);
    }
    if (!(total > 0)) return mn_fail(ctx, MN_BAD_DATA, "GTM: column %zu of X has no values; remove it", j + 1);
    for (size_t i = 0; i < n; i++) {
      const double x = data->x.at[i * p + j];
      (*out)[i * p + j] = isnan(x) ? mean : x;
    }
  }
  return MN_OK;
}

/* W such that the centers approximate the plane of the principal components, with the grid at unit variance. */
static mn_status start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  struct problem *s = problem;
  const mn_data *data = s->pass.data;
  const size_t k = s->pass.k, p = s->pass.p, q = s->pass.q, axes = q < p ? q + 1 : q;
  double *x = data->x.at, *values = MN_RAW(ctx, double, axes, 1), *vectors = MN_RAW(ctx, double, axes, p), trace;
  double spread = 0;
  (void)index;
  if (!values || !vectors) return MN_NO_MEMORY;
  if (s->pass.missing) MN_TRY(fill(ctx, data, &x));
  MN_TRY(mn_principal_axes(ctx, data->rows, p, x, data->weights, axes, s->mean, values, vectors, &trace));
  s->unit = trace > 0 ? trace / (double)p : 1;
  s->alpha = s->m->alpha / s->unit;
  for (size_t c = 0; c < k; c++) spread += s->pass.latent[c * q] * s->pass.latent[c * q] / (double)k;
  memset(s->y, 0, k * p * sizeof *s->y);
  for (size_t c = 0; c < k; c++)
    for (size_t d = 0; d < q; d++) {
      const double at = s->pass.latent[c * q + d] * sqrt(values[d] / spread);
      for (size_t j = 0; j < p; j++) s->y[c * p + j] += at * vectors[d * p + j];
    }
  const mn_rows rows = { .n = k, .p = s->functions, .m = p, .x = s->phi, .y = s->y };
  MN_TRY(mn_least_squares(ctx, &rows, 1e-10, state, NULL, NULL));
  MN_TRY(place_centers(ctx, s, state));
  const double rest = axes > q ? values[q] : 0;
  state[s->functions * p] = fmax(fmax(neighbor_variance(s), rest), least_noise * s->unit);
  return expect(ctx, problem, workspace, state, objective);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR, "GTM: the equations of the coefficients are singular; increase alpha");
}

static mn_status check_size(mn_context *ctx, const mn_gtm_model *m, size_t p, size_t *k, size_t *basis)
{
  enum { MAX_NODES = 1 << 14, MAX_BASIS = 1 << 10 };
  const size_t q = (size_t)m->n_components;
  if (q > p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GTM: n_components must be at most the number of columns, %zu, got %zu", p, q);
  *k = mn_gtm_power((size_t)m->grid_size, q, MAX_NODES);
  *basis = mn_gtm_power((size_t)m->basis_size, q, MAX_BASIS);
  if (*k == SIZE_MAX || *basis == SIZE_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GTM: to the power of n_components, grid_size must be at most %d and basis_size at most %d; reduce "
                   "them",
                   MAX_NODES, MAX_BASIS);
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_gtm_model *m, const mn_data *data, struct problem *s)
{
  const size_t p = data->features, q = (size_t)m->n_components;
  size_t k = 0, basis = 0;
  MN_TRY(check_size(ctx, m, p, &k, &basis));
  *s = (struct problem){ .m = m, .basis = basis, .functions = basis + 1, .total = mn_total_weight(data) };
  s->mean = MN_RAW(ctx, double, p, 1);
  s->y = MN_RAW(ctx, double, k, p);
  s->phi = MN_RAW(ctx, double, k, s->functions);
  s->a = MN_RAW(ctx, double, s->functions, s->functions);
  s->column = MN_RAW(ctx, double, s->functions, 1);
  if (!s->mean || !s->y || !s->phi || !s->a || !s->column) return MN_NO_MEMORY;
  MN_TRY(mn_matrix_init(ctx, &m->latent_points, k, q));
  for (size_t c = 0; c < k; c++) mn_gtm_grid_point((size_t)m->grid_size, q, c, mn_row(&m->latent_points, c));
  mn_gtm_basis(m, k, m->latent_points.at, s->phi, s->functions);
  for (size_t c = 0; c < k; c++) s->phi[c * s->functions + basis] = 1;
  s->pass = (mn_gtm_pass){ .data = data,
                           .k = k,
                           .p = p,
                           .q = q,
                           .origin = s->mean,
                           .y = s->y,
                           .latent = m->latent_points.at,
                           .missing = mn_gtm_has_missing(data) };
  s->sums = MN_RAW(ctx, double, mn_gtm_sums_size(&s->pass), 1);
  s->pass.sums = s->sums;
  return s->sums ? MN_OK : MN_NO_MEMORY;
}

static mn_status store(mn_context *ctx, mn_gtm_model *m, struct problem *s, const double *state)
{
  const size_t k = s->pass.k, p = s->pass.p;
  double objective;
  MN_TRY(expect(ctx, s, NULL, state, &objective));
  m->loglike = mn_gtm_sums_of(&s->pass, s->sums).scalars[0];
  m->noise_variance = s->pass.noise_variance;
  MN_TRY(mn_matrix_init(ctx, &m->coef, s->basis, p));
  MN_TRY(mn_vector_init(ctx, &m->intercept, p));
  MN_TRY(mn_matrix_init(ctx, &m->centers, k, p));
  memcpy(m->coef.at, state, s->basis * p * sizeof *state);
  for (size_t j = 0; j < p; j++) m->intercept.at[j] = state[s->basis * p + j] + s->mean[j];
  return mn_gtm_map(ctx, m, k, m->latent_points.at, m->centers.at);
}

mn_status mn_gtm_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gtm_model *m = self;
  struct problem s;
  MN_TRY(prepare(ctx, m, data, &s));
  const mn_em em = { .problem = &s,
                     .state_size = s.functions * s.pass.p + 1,
                     .starts = 1,
                     .max_iter = m->max_iter,
                     .tol = m->tol,
                     .scale = s.total,
                     .advice = "increase max_iter or tol",
                     .start = start,
                     .maximize = maximize,
                     .expect = expect,
                     .fail = fail };
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  return store(ctx, m, &s, state);
}
