/* EM of AdaptivePPCA. The E step finds P(S | x) of every subset and the moments of z given S; the M step is the
 * regression of the rows on z and a constant, with the sums over all rows and subsets
 *
 *     A = sum w P(S | x) E{(z, 1)(z, 1)'},   B = sum w E{(z, 1)} x',   (W, mean) = inv(A) B,
 *
 * the noise is what the regression leaves of sum w |x|^2, and the weight of a subset its share of the rows. The
 * variance of z_k is a parameter, too, whose estimate is then moved into the length of w_k: the model is the same, and
 * lengths converge in a few iterations instead of hundreds if there is little noise.
 *
 * Liu, Rubin & Wu, Biometrika 85 (1998), parameter expansion. */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../decomposition/components.h"
#include "../em/em.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "adaptive_ppca.h"
#include <string.h>

/* The noise variance is at least this fraction of the mean variance of the columns. A subset has at least this share of
 * the weights, a component without rows this precision of its coordinates. */
static const double least_noise = 1e-10, least_weight = 1e-12, least_precision = 1e-10;

struct problem {
  const struct adaptive_ppca *m;
  const double *x, *weights; /* rows about the means of the columns */
  size_t n, p, k;
  double total, variance; /* sum of the weights; mean variance of the columns */
  mn_blocks blocks;
};

/* The state: W (k x p), mean (p), noise, weights of the subsets. */
struct view {
  double *w, *mean, *noise, *weight;
};

static struct view view_state(const struct problem *f, double *state)
{
  double *mean = state + f->k * f->p;
  return (struct view){ state, mean, mean + f->p, mean + f->p + 1 };
}

/* Sums of the E step, and its workspace. q = k + 1. */
struct sums {
  const struct problem *f;
  mn_subsets subsets;
  struct view state;
  size_t width;         /* of the sums of a block: A (q x q), counts of subsets, sum w |x - mean|^2, log likelihood */
  double *total, *part; /* width; blocks x width */
  double *latent, *space, *start; /* n x q: w E{(z, 1)}; workers x (subsets + active + k); k: W mean */
};

static mn_status make_workspace(mn_context *ctx, void *problem, void **workspace)
{
  const struct problem *f = problem;
  struct sums *s = MN_NEW(ctx, struct sums, 1, 1);
  const size_t q = f->k + 1;
  MN_CHECK_ALLOC(s);
  s->f = f;
  MN_TRY(mn_subsets_init(ctx, f->k, (size_t)f->m->n_active, &s->subsets));
  s->width = q * q + s->subsets.count + 2;
  s->total = MN_RAW(ctx, double, s->width, 1);
  s->part = MN_RAW(ctx, double, f->blocks.count, s->width);
  s->latent = MN_RAW(ctx, double, f->n, q);
  s->space = MN_RAW(ctx, double, mn_threads(ctx), s->subsets.count + s->subsets.active + f->k);
  s->start = MN_RAW(ctx, double, f->k, 1);
  if (!s->total || !s->part || !s->latent || !s->space || !s->start) return MN_NO_MEMORY;
  *workspace = s;
  return MN_OK;
}

/* Add what row i has in subset `i`, of probability r. a: q x q */
static void add_subset(const struct sums *s, size_t subset, double noise, double wr, const double *z, double *a,
                       double *latent)
{
  const size_t active = s->subsets.active, q = s->f->k + 1;
  const int32_t *member = s->subsets.member + subset * active;
  const double *inverse = s->subsets.inverse + subset * active * active;
  for (size_t c = 0; c < active; c++) {
    double *row = a + (size_t)member[c] * q;
    for (size_t d = 0; d <= c; d++) row[member[d]] += wr * (z[c] * z[d] + noise * inverse[c * active + d]);
    latent[member[c]] += wr * z[c];
  }
}

static void expect_block(void *work, size_t block, size_t worker)
{
  const struct sums *s = work;
  const struct problem *f = s->f;
  const size_t k = f->k, q = k + 1, p = f->p, count = s->subsets.count, active = s->subsets.active;
  double *log_proba = s->space + worker * (count + active + k), *z = log_proba + count, *b = z + active;
  double *a = s->part + block * s->width, *counts = a + q * q, *rest = counts + count;
  memset(a, 0, s->width * sizeof *a);
  for (size_t i = mn_block_begin(&f->blocks, block); i < mn_block_end(&f->blocks, block); i++) {
    const double w = f->weights ? f->weights[i] : 1;
    double *latent = s->latent + i * q;
    for (size_t c = 0; c < k; c++) b[c] = latent[c] - s->start[c];
    const double square = mn_ordered_distance2(p, f->x + i * p, s->state.mean);
    memset(latent, 0, q * sizeof *latent);
    latent[k] = w;
    rest[0] += w * mn_ordered_dot(p, f->x + i * p, f->x + i * p);
    rest[1] += w * mn_subsets_row(&s->subsets, *s->state.noise, b, square, log_proba);
    for (size_t j = 0; j < count; j++) {
      const double wr = w * exp(log_proba[j]);
      counts[j] += wr;
      if (!(wr > 0)) continue;
      mn_subset_mean(&s->subsets, j, b, z);
      add_subset(s, j, *s->state.noise, wr, z, a, latent);
    }
    for (size_t c = 0; c < q; c++) a[k * q + c] += latent[c];
  }
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  const struct problem *f = problem;
  struct sums *s = workspace;
  const size_t q = f->k + 1;
  s->state = view_state(f, (double *)(uintptr_t)state);
  MN_TRY(mn_subsets_prepare(ctx, &s->subsets, f->p, s->state.w, *s->state.noise, s->state.weight));
  for (size_t c = 0; c < f->k; c++) s->start[c] = mn_ordered_dot(f->p, s->state.w + c * f->p, s->state.mean);
  MN_TRY(mn_gemm(ctx, false, true, f->n, f->k, f->p, 1, f->x, f->p, s->state.w, f->p, 0, s->latent, q));
  MN_TRY(mn_parallel(ctx, f->blocks.count, expect_block, s));
  mn_sum_blocks(f->blocks.count, s->width, s->part, s->total);
  *objective = -s->total[s->width - 1];
  return MN_OK;
}

/* Multiply each axis by the standard deviation of its coordinates, where it is active. */
static void rescale(const struct sums *s, const struct view *v)
{
  const size_t q = s->f->k + 1;
  const double *counts = s->total + q * q;
  for (size_t c = 0; c < s->f->k; c++) {
    double rows = 0;
    for (size_t i = 0; i < s->subsets.count * s->subsets.active; i++)
      rows += (size_t)s->subsets.member[i] == c ? counts[i / s->subsets.active] : 0;
    const double square = s->total[c * (q + 1)];
    for (size_t j = 0; j < s->f->p && square > 0 && rows > 0; j++) v->w[c * s->f->p + j] *= sqrt(square / rows);
  }
}

/* With inv(A) B = C, sum w E|x - C' (z, 1)|^2 = sum w |x|^2 - trace(C' B). */
static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const struct problem *f = problem;
  struct sums *s = workspace;
  const size_t p = f->p, q = f->k + 1;
  const struct view v = view_state(f, state);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *a = MN_RAW(ctx, double, q, q), *b = MN_RAW(ctx, double, q, p), *solution = MN_RAW(ctx, double, q, p);
  double rest = s->total[s->width - 2];
  size_t minor;
  if (!a || !b || !solution) return MN_NO_MEMORY;
  MN_TRY(mn_gemm(ctx, true, false, q, p, f->n, 1, s->latent, q, f->x, p, 0, b, p));
  memcpy(solution, b, q * p * sizeof *b);
  memcpy(a, s->total, q * q * sizeof *a);
  for (size_t c = 0; c < f->k; c++) a[c * q + c] += least_precision * f->total;
  MN_TRY(mn_chol_try(ctx, q, a, NULL, &minor));
  *degenerate = minor > 0;
  if (*degenerate) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, q, p, a, solution));
  memcpy(v.w, solution, q * p * sizeof *solution); /* W, then the mean */
  rest -= mn_ordered_dot(q * p, solution, b);
  *v.noise = fmax(rest / (f->total * (double)p), least_noise * f->variance);
  const double *counts = s->total + q * q;
  for (size_t i = 0; i < s->subsets.count; i++) v.weight[i] = fmax(counts[i] / f->total, least_weight);
  rescale(s, &v);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* A row with probability proportional to its squared distance from the nearest of the axes so far, which pass through
 * rows. distance: n, of all rows; in and out. */
static size_t draw_row(const struct problem *f, mn_rng *rng, double *distance)
{
  const size_t p = f->p, chosen = mn_random_weighted(rng, distance, f->n);
  const double *axis = f->x + chosen * p, length = mn_ordered_dot(p, axis, axis);
  for (size_t i = 0; i < f->n && length > 0; i++) {
    const double *x = f->x + i * p, along = mn_ordered_dot(p, x, axis), square = mn_ordered_dot(p, x, x);
    distance[i] = fmin(distance[i], fmax(square - along * along / length, 0));
  }
  return chosen;
}

/* Axes through random rows, and as much noise as variance, so that all of them may turn. */
static mn_status start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  const struct problem *f = problem;
  const struct sums *s = workspace;
  const struct view v = view_state(f, state);
  const double tiny = 1e-3 * sqrt(f->variance);
  double *distance = s->latent; /* not in use before the E step */
  mn_rng rng = mn_stream(f->m->seed, index);
  memset(v.mean, 0, f->p * sizeof *v.mean);
  for (size_t i = 0; i < f->n; i++) distance[i] = mn_ordered_dot(f->p, f->x + i * f->p, f->x + i * f->p);
  for (size_t c = 0; c < f->k; c++) {
    const double *row = f->x + draw_row(f, &rng, distance) * f->p;
    for (size_t j = 0; j < f->p; j++) v.w[c * f->p + j] = row[j] + tiny * mn_random_normal(&rng);
  }
  *v.noise = f->variance;
  for (size_t i = 0; i < s->subsets.count; i++) v.weight[i] = 1 / (double)s->subsets.count;
  return expect(ctx, problem, workspace, state, objective);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem, (void)index;
  return mn_fail(ctx, MN_SINGULAR, "AdaptivePPCA: the axes are not determined; reduce n_components");
}

/* Number the components by descending length, and the subsets with them. */
static mn_status store(mn_context *ctx, struct adaptive_ppca *m, const struct problem *f, const mn_subsets *s,
                       const double *mean, double *state)
{
  const struct view v = view_state(f, state);
  const size_t k = f->k, p = f->p, active = s->active;
  size_t *order = MN_RAW(ctx, size_t, k, 1);
  int32_t *number = MN_RAW(ctx, int32_t, k, 1), *members = MN_RAW(ctx, int32_t, active, 1);
  double *length = MN_RAW(ctx, double, k, 1);
  if (!order || !number || !members || !length) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    size_t at = c;
    length[c] = mn_ordered_dot(p, v.w + c * p, v.w + c * p);
    for (; at > 0 && length[order[at - 1]] < length[c]; at--) order[at] = order[at - 1];
    order[at] = c;
  }
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  MN_TRY(mn_matrix_init(ctx, &m->subsets, s->count, k));
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->weights, s->count));
  for (size_t c = 0; c < k; c++) {
    number[order[c]] = (int32_t)c;
    memcpy(mn_row(&m->components, c), v.w + order[c] * p, p * sizeof *v.w);
  }
  mn_fix_signs(k, p, m->components.at);
  for (size_t j = 0; j < p; j++) m->mean.at[j] = mean[j] + v.mean[j];
  for (size_t i = 0; i < s->count; i++) {
    for (size_t a = 0; a < active; a++) {
      const int32_t c = number[s->member[i * active + a]];
      size_t at = a;
      for (; at > 0 && members[at - 1] > c; at--) members[at] = members[at - 1];
      members[at] = c;
    }
    m->weights.at[mn_subset_rank(s, members)] = v.weight[i];
    for (size_t a = 0; a < active; a++) mn_row(&m->subsets, i)[s->member[i * active + a]] = 1;
  }
  m->noise_variance = *v.noise;
  return MN_OK;
}

static mn_status check_sizes(mn_context *ctx, const struct adaptive_ppca *m, const mn_data *data)
{
  const size_t k = (size_t)m->n_components, active = (size_t)m->n_active;
  if (active > k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "AdaptivePPCA: n_active must be at most n_components = %zu, got %zu", k,
                   active);
  if (active >= data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "AdaptivePPCA: n_active must be less than columns = %zu, got %zu",
                   data->features, active);
  if (data->rows <= k)
    return mn_fail(ctx, MN_BAD_DATA, "AdaptivePPCA: X must have more rows than n_components = %zu, got %zu", k,
                   data->rows);
  if (mn_subset_count(k, active) > MN_MAX_SUBSETS)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "AdaptivePPCA: there are more than %d subsets of %zu of %zu components; reduce n_components or "
                   "n_active, or use IndianBuffetProcess",
                   MN_MAX_SUBSETS, active, k);
  return MN_OK;
}

/* Rows about the means of the columns. */
static mn_status center(mn_context *ctx, const mn_data *data, struct problem *f, double **mean)
{
  double *x = MN_RAW(ctx, double, f->n, f->p);
  *mean = MN_NEW(ctx, double, f->p, 1);
  if (!x || !*mean) return MN_NO_MEMORY;
  for (size_t i = 0; i < f->n; i++) {
    const double w = mn_weight(data, i);
    f->total += w;
    for (size_t j = 0; j < f->p; j++) (*mean)[j] += w / f->total * (mn_row(&data->x, i)[j] - (*mean)[j]);
  }
  for (size_t i = 0; i < f->n; i++) {
    const double w = mn_weight(data, i) / f->total / (double)f->p;
    for (size_t j = 0; j < f->p; j++) {
      const double d = x[i * f->p + j] = mn_row(&data->x, i)[j] - (*mean)[j];
      f->variance += w * d * d;
    }
  }
  f->x = x;
  if (!isfinite(f->variance))
    return mn_fail(ctx, MN_BAD_DATA, "AdaptivePPCA: the squares of X overflow; scale the columns");
  if (!(f->variance > 0)) return mn_fail(ctx, MN_BAD_DATA, "AdaptivePPCA: all columns of X are constant");
  return MN_OK;
}

mn_status mn_adaptive_ppca_fit(mn_context *ctx, void *self, const mn_data *data)
{
  enum { MIN_BLOCK = 128, MAX_BLOCKS = 32, SMALL = 1 << 18 };
  struct adaptive_ppca *m = self;
  struct problem f = { .m = m, .n = data->rows, .p = data->features, .k = (size_t)m->n_components };
  mn_subsets subsets;
  double *mean;
  MN_TRY(check_sizes(ctx, m, data));
  f.weights = data->weights;
  f.blocks = mn_make_blocks(f.n, MIN_BLOCK, MAX_BLOCKS);
  MN_TRY(center(ctx, data, &f, &mean));
  MN_TRY(mn_subsets_init(ctx, f.k, (size_t)m->n_active, &subsets));
  const mn_em em = { .problem = &f,
                     .state_size = f.k * f.p + f.p + 1 + subsets.count,
                     .starts = (size_t)m->n_init,
                     .starts_in_threads = f.n * (f.p + subsets.count) < SMALL,
                     .max_iter = m->max_iter,
                     .tol = m->tol,
                     .scale = f.total,
                     .advice = "increase max_iter or tol",
                     .make_workspace = make_workspace,
                     .start = start,
                     .maximize = maximize,
                     .expect = expect,
                     .fail = fail };
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  MN_TRY(store(ctx, m, &f, &subsets, mean, state));
  m->n = f.total;
  m->loglike = -m->base.report.objective;
  m->n_parameters = (int64_t)(f.k * f.p + f.p + subsets.count); /* W, mean, noise, weights that sum to 1 */
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglike;
  m->bic = log(f.total) * (double)m->n_parameters - 2 * m->loglike;
  return MN_OK;
}
