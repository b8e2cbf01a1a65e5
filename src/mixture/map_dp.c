/* MAP-DP: clustering by a Dirichlet process mixture, whose number of clusters is found. Clusters are normal with
 * independent columns; means and precisions are integrated out under normal-gamma priors,
 *
 *     precision_j ~ Gamma(a0, b0_j),   mean_j ~ N(m0_j, 1 / (c0 precision_j)).
 *
 * Each row moves to the cluster with the largest count times predictive density, a product of Student's t, or to a new
 * cluster, whose count is the concentration. This minimizes, one label at a time, minus the logarithm of
 *
 *     p(labels, X) = concentration^K prod_k Gamma(n_k) prod_j p(x_j of cluster k) + constant.
 *
 * Raykov, Boukouvalas, Baig & Little, PLoS ONE 11 (2016). */
#include "../core/threads.h"
#include "../linear/linear.h"
#include "../model/program.h"
#include "../stats/special.h"
#include <string.h>

struct map_dp {
  mn_estimator base;
  double concentration, mean_precision_prior, shape_prior; /* parameters */
  int64_t max_iter;
  mn_vector mean_prior, variance_prior;
  mn_indexes labels;                          /* learned fields */
  mn_vector counts;                           /* clusters */
  mn_matrix means, variances, center, spread; /* center, spread: means of the rows and sums of squares about them */
  mn_vector prior_mean, prior_variance;       /* features */
  int64_t n_clusters;
};

static const double log_two_pi = 1.83787706640934548356, default_share = 0.1;

/* Clusters with room for more: counts, means and sums of squares about them. */
struct clusters {
  const struct map_dp *m;
  size_t p, used, capacity;
  double *count, *mean, *square; /* capacity; capacity x p each */
};

struct gamma_normal {
  double mean, precision, shape, rate; /* precision: of the mean, in rows */
};

static struct gamma_normal posterior(const struct map_dp *m, size_t j, double n, double mean, double square)
{
  const double c0 = m->mean_precision_prior, m0 = m->prior_mean.at[j], c = c0 + n;
  struct gamma_normal q = { .precision = c, .shape = m->shape_prior + n / 2 };
  q.mean = (c0 * m0 + n * mean) / c;
  q.rate = m->shape_prior * m->prior_variance.at[j] + square / 2 + c0 * n * (mean - m0) * (mean - m0) / (2 * c);
  return q;
}

/* The logarithm of the predictive density of x, a product over the columns. */
static double log_predictive(const struct map_dp *m, const double *x, double n, const double *mean,
                             const double *square)
{
  const double shape = m->shape_prior + n / 2, c = m->mean_precision_prior + n;
  double sum = 0;
  for (size_t j = 0; j < m->prior_mean.size; j++) {
    const struct gamma_normal q = posterior(m, j, n, mean[j], square[j]);
    const double variance = q.rate * (c + 1) / (shape * c), z = x[j] - q.mean;
    sum -= log(variance) / 2 + (shape + 0.5) * log1p(z * z / (variance * 2 * shape));
  }
  return sum + (double)m->prior_mean.size *
                   (mn_lgamma(shape + 0.5) - mn_lgamma(shape) - (log_two_pi - log(2) + log(2 * shape)) / 2);
}

/* Minus the log marginal likelihood of a cluster. */
static double cluster_cost(const struct clusters *s, size_t c)
{
  const struct map_dp *m = s->m;
  const double n = s->count[c], a0 = m->shape_prior;
  double cost = -log(m->concentration) - mn_lgamma(n);
  for (size_t j = 0; j < s->p; j++) {
    const struct gamma_normal q = posterior(m, j, n, s->mean[c * s->p + j], s->square[c * s->p + j]);
    cost += n / 2 * log_two_pi + mn_lgamma(a0) - mn_lgamma(q.shape) - a0 * log(a0 * m->prior_variance.at[j]) +
            q.shape * log(q.rate) + (log(q.precision) - log(m->mean_precision_prior)) / 2;
  }
  return cost;
}

static void add_row(struct clusters *s, size_t c, const double *x)
{
  const double n = ++s->count[c];
  for (size_t j = 0; j < s->p; j++) {
    double *mean = s->mean + c * s->p + j;
    const double moved = x[j] - *mean;
    *mean += moved / n;
    s->square[c * s->p + j] += moved * (x[j] - *mean);
  }
}

static void remove_row(struct clusters *s, size_t c, const double *x)
{
  const double n = --s->count[c];
  for (size_t j = 0; j < s->p; j++) {
    double *mean = s->mean + c * s->p + j, *square = s->square + c * s->p + j;
    const double moved = x[j] - *mean;
    *mean = n > 0 ? *mean - moved / n : 0;
    *square = n > 0 ? fmax(*square - moved * (x[j] - *mean), 0) : 0;
  }
}

static mn_status make_room(mn_context *ctx, struct clusters *s)
{
  if (s->used < s->capacity) return MN_OK;
  const size_t capacity = 2 * s->capacity + 8;
  double *count = MN_NEW(ctx, double, capacity, 1), *mean = MN_NEW(ctx, double, capacity, s->p);
  double *square = MN_NEW(ctx, double, capacity, s->p);
  if (!count || !mean || !square) return MN_NO_MEMORY;
  if (s->used > 0) {
    memcpy(count, s->count, s->used * sizeof *count);
    memcpy(mean, s->mean, s->used * s->p * sizeof *mean);
    memcpy(square, s->square, s->used * s->p * sizeof *square);
  }
  s->count = count;
  s->mean = mean;
  s->square = square;
  s->capacity = capacity;
  return MN_OK;
}

/* The best cluster of a row that belongs to none; s->used: a new one. */
static size_t best_cluster(const struct clusters *s, const double *x, const double *zero)
{
  size_t best = s->used;
  double largest = log(s->m->concentration) + log_predictive(s->m, x, 0, zero, zero);
  for (size_t c = 0; c < s->used; c++) {
    if (!(s->count[c] > 0)) continue;
    const double value =
        log(s->count[c]) + log_predictive(s->m, x, s->count[c], s->mean + c * s->p, s->square + c * s->p);
    if (value >= largest) {
      largest = value;
      best = c;
    }
  }
  return best;
}

static size_t find_empty(const struct clusters *s)
{
  for (size_t c = 0; c < s->used; c++)
    if (!(s->count[c] > 0)) return c;
  return s->used;
}

/* One sweep over the rows; those with label -1 belong to no cluster yet. *moved: how many labels have changed. */
static mn_status sweep(mn_context *ctx, const mn_data *data, struct clusters *s, int32_t *label, const double *zero,
                       size_t *moved)
{
  *moved = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    const bool assigned = label[i] >= 0;
    const size_t before = assigned ? (size_t)label[i] : s->used;
    if (assigned) remove_row(s, before, x);
    size_t now = best_cluster(s, x, zero);
    if (now == s->used) now = assigned && !(s->count[before] > 0) ? before : find_empty(s);
    if (now == s->used) {
      MN_TRY(make_room(ctx, s));
      s->used++;
    }
    add_row(s, now, x);
    label[i] = (int32_t)now;
    *moved += !assigned || now != before;
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static double total_cost(const struct clusters *s)
{
  double cost = 0;
  for (size_t c = 0; c < s->used; c++) cost += s->count[c] > 0 ? cluster_cost(s, c) : 0;
  return cost;
}

static mn_status set_priors(mn_context *ctx, struct map_dp *m, const mn_data *data)
{
  const size_t p = data->features;
  MN_TRY(mn_vector_init(ctx, &m->prior_mean, p));
  MN_TRY(mn_vector_init(ctx, &m->prior_variance, p));
  if ((m->mean_prior.at && m->mean_prior.size != p) || (m->variance_prior.at && m->variance_prior.size != p))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MAPDP: mean_prior and variance_prior must have %zu values, got %zu", p,
                   m->mean_prior.at && m->mean_prior.size != p ? m->mean_prior.size : m->variance_prior.size);
  for (size_t j = 0; j < p; j++) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < data->rows; i++) {
      const double moved = mn_row(&data->x, i)[j] - mean;
      mean += moved / (double)(i + 1);
      square += moved * (mn_row(&data->x, i)[j] - mean);
    }
    const double variance = default_share * square / (double)data->rows;
    m->prior_mean.at[j] = m->mean_prior.at ? m->mean_prior.at[j] : mean;
    m->prior_variance.at[j] = m->variance_prior.at ? m->variance_prior.at[j] : variance > 0 ? variance : 1;
  }
  return MN_OK;
}

/* Number the clusters by decreasing count, then by their first row. */
static mn_status store(mn_context *ctx, struct map_dp *m, const mn_data *data, const struct clusters *s,
                       const int32_t *label)
{
  size_t *order = MN_RAW(ctx, size_t, s->used, 1), k = 0;
  int32_t *number = MN_RAW(ctx, int32_t, s->used, 1);
  if (!order || !number) return MN_NO_MEMORY;
  for (size_t c = 0; c < s->used; c++) {
    if (!(s->count[c] > 0)) continue;
    size_t at = k++;
    for (; at > 0 && s->count[order[at - 1]] < s->count[c]; at--) order[at] = order[at - 1];
    order[at] = c;
  }
  m->n_clusters = (int64_t)k;
  MN_TRY(mn_indexes_init(ctx, &m->labels, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, k));
  MN_TRY(mn_matrix_init(ctx, &m->means, k, s->p));
  MN_TRY(mn_matrix_init(ctx, &m->variances, k, s->p));
  MN_TRY(mn_matrix_init(ctx, &m->center, k, s->p));
  MN_TRY(mn_matrix_init(ctx, &m->spread, k, s->p));
  for (size_t c = 0; c < k; c++) {
    const size_t from = order[c];
    number[from] = (int32_t)c;
    m->counts.at[c] = s->count[from];
    for (size_t j = 0; j < s->p; j++) {
      const struct gamma_normal q =
          posterior(m, j, s->count[from], s->mean[from * s->p + j], s->square[from * s->p + j]);
      mn_row(&m->means, c)[j] = q.mean;
      mn_row(&m->variances, c)[j] = q.rate / q.shape;
      mn_row(&m->center, c)[j] = s->mean[from * s->p + j];
      mn_row(&m->spread, c)[j] = s->square[from * s->p + j];
    }
  }
  for (size_t i = 0; i < data->rows; i++) m->labels.at[i] = number[label[i]];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct map_dp *m = self;
  struct clusters s = { .m = m, .p = data->features };
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  double *zero = MN_NEW(ctx, double, data->features, 1);
  mn_report *r = &m->base.report;
  bool proceed = true;
  if (!label || !zero) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(set_priors(ctx, m, data));
  MN_TRY(make_room(ctx, &s));
  for (size_t i = 0; i < data->rows; i++) label[i] = -1; /* the first sweep adds the rows one after the other */
  r->advice = "increase max_iter";
  while (proceed && !r->converged && r->n_iter < m->max_iter) {
    size_t moved;
    MN_TRY(sweep(ctx, data, &s, label, zero, &moved));
    r->converged = moved == 0;
    r->change = (double)moved;
    proceed = mn_round(ctx, r, m->max_iter, total_cost(&s));
  }
  MN_TRY(mn_error_status(ctx));
  return store(ctx, m, data, &s, label);
}

struct apply {
  const struct map_dp *m;
  const mn_data *data;
  mn_matrix *out;
  const double *zero;
  bool density;
  mn_blocks blocks;
};

static void apply_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct apply *w = work;
  const struct map_dp *m = w->m;
  double total = m->concentration;
  for (size_t c = 0; c < m->counts.size; c++) total += m->counts.at[c];
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&w->data->x, i);
    double largest = log(m->concentration) + log_predictive(m, x, 0, w->zero, w->zero), sum = 1;
    double best = -INFINITY;
    for (size_t c = 0; c < m->counts.size; c++) {
      const double value =
          log(m->counts.at[c]) + log_predictive(m, x, m->counts.at[c], mn_row(&m->center, c), mn_row(&m->spread, c));
      sum = value > largest ? sum * exp(largest - value) + 1 : sum + exp(value - largest);
      largest = fmax(largest, value);
      if (!w->density && value > best) {
        best = value;
        w->out->at[i] = (double)c;
      }
    }
    if (w->density) w->out->at[i] = largest + log(sum) - log(total);
  }
}

static mn_status apply(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out, bool density)
{
  struct apply w = { .m = self, .data = data, .out = out, .density = density };
  w.zero = MN_NEW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(w.zero);
  w.blocks = mn_make_blocks(data->rows, 256, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, apply_block, &w);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, self, data, out, false);
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, self, data, out, true);
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct map_dp *m = self;
  bool valid = (uint64_t)m->n_clusters == m->counts.size;
  for (size_t c = 0; valid && c < m->counts.size; c++) valid = m->counts.at[c] > 0;
  for (size_t j = 0; valid && j < m->prior_variance.size; j++) valid = m->prior_variance.at[j] > 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "MAPDP: clusters and priors are inconsistent");
}

static const mn_param params[] = {
  MN_REAL(struct map_dp, concentration, 1, MN_GREATER_THAN(0),
          "concentration of the Dirichlet process: rows that a new cluster counts as; larger gives more clusters"),
  MN_REAL(struct map_dp, mean_precision_prior, 0.1, MN_GREATER_THAN(0),
          "rows that the prior of a mean counts as; smaller allows distant clusters"),
  MN_REAL(struct map_dp, shape_prior, 2, MN_GREATER_THAN(0),
          "shape of the gamma prior of the precisions: half the rows that variance_prior counts as"),
  MN_REALS(struct map_dp, mean_prior, MN_NO_LIMITS(), "prior mean of each column; nil: the mean of X"),
  MN_REALS(struct map_dp, variance_prior, MN_GREATER_THAN(0),
           "variance expected within a cluster, for each column; nil: a tenth of the variance of X"),
  MN_COUNT(struct map_dp, max_iter, 100, MN_AT_LEAST(1), "maximum number of sweeps over the rows"),
  MN_END,
};

static const mn_field fields[] = {
  MN_INTEGER(struct map_dp, n_clusters, "number of clusters found"),
  MN_INDEXES(struct map_dp, labels, "rows < clusters", "cluster of each training row"),
  MN_VECTOR(struct map_dp, counts, "clusters", "rows of each cluster, in decreasing order"),
  MN_MATRIX(struct map_dp, means, "clusters x features", "posterior mean of each cluster"),
  MN_MATRIX(struct map_dp, variances, "clusters x features", "posterior variance of each column in each cluster"),
  MN_LEARNED(MN_KIND_MATRIX, struct map_dp, center, "clusters x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct map_dp, spread, "clusters x features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct map_dp, prior_mean, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct map_dp, prior_variance, "features", NULL),
  MN_END,
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "programs do not have its predictive density");
}

const mn_class mn_map_dp = {
  .name = "MAPDP",
  .family = "mixture",
  .brief = "Clustering by a Dirichlet process that finds the number of clusters.",
  .objective = "-log p(labels, X), means and precisions integrated out",
  .source = "Raykov, Boukouvalas, Baig & Little, PLoS ONE 11 (2016)",
  .notes =
      "As simple and fast as k-means, with clusters of different sizes and axis-parallel spreads, and no number of clusters "
      "to choose: concentration and variance_prior decide. The result depends on the order of the rows. predict assigns the "
      "likeliest cluster; score_samples is the predictive density, which allows for a new one.",
  .example = "local model = ml.MAPDP{}:fit{ {0, 0}, {0, 1}, {1, 0}, {20, 20}, {21, 20}, {20, 21} }\n"
             "print(model.n_clusters, model.labels)",
  .capabilities = MN_CLUSTER | MN_DENSITY | MN_ITERATE,
  .size = sizeof(struct map_dp),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .score_samples = score_samples,
  .export = export,
  .check = check,
};
