/* Sammon's mapping: coordinates z whose distances d_ij are near the given distances delta_ij, small ones most of all,
 *
 *     E = 1 / sum_{i<j} delta_ij  sum_{i<j} (delta_ij - d_ij)^2 / delta_ij,
 *
 * which is the stress of multidimensional scaling with the weights 1 / delta_ij, and is minimized by majorization
 * (smacof.h) in place of Sammon's gradient steps. Rows at distance 0 are one point, with a weight for each. Sammon,
 * IEEE Transactions on Computers C-18 (1969). */
#include "../model/program.h"
#include "scaling_starts.h"
#include "training_distances.h"
#include "../actions/embedding.h"
#include <string.h>

struct sammon {
  mn_estimator base;
  int64_t n_components, metric, init, n_init, max_iter, seed; /* parameters */
  double p, tol;
  mn_matrix covariance, start;
  mn_matrix embedding, training_rows; /* learned fields */
  double stress;
};

static const char who[] = "SammonMapping";

/* Rows closer than this fraction of the largest distance are one point. */
static const double same = 1e-10;

static mn_metric metric_of(const struct sammon *m)
{
  return (mn_metric){ m->metric, m->p, &m->covariance };
}

/* The different points among n rows. */
struct points {
  size_t count;
  size_t *of_row; /* n: the point of each row          */
  size_t *row;    /* count: the first row of the point */
  double *size;   /* count: number of its rows         */
};

static mn_status find_points(mn_context *ctx, size_t n, const double *delta, struct points *p)
{
  *p = (struct points){ .of_row = MN_RAW(ctx, size_t, n, 1),
                        .row = MN_RAW(ctx, size_t, n, 1),
                        .size = MN_NEW(ctx, double, n, 1) };
  if (!p->of_row || !p->row || !p->size) return MN_NO_MEMORY;
  double largest = 0;
  for (size_t i = 0; i < n * n; i++) largest = fmax(largest, delta[i]);
  for (size_t i = 0; i < n; i++) {
    size_t a = 0;
    while (a < p->count && delta[i * n + p->row[a]] > same * largest) a++;
    if (a == p->count) p->row[p->count++] = i;
    p->of_row[i] = a;
    p->size[a] += 1;
  }
  return MN_OK;
}

/* The distances of the points and their weights: rows of the first times rows of the second, over the distance. */
static mn_status weigh_points(mn_context *ctx, size_t n, const double *delta, const struct points *p, mn_smacof *s)
{
  double *distance = MN_RAW(ctx, double, p->count, p->count), *weight = MN_RAW(ctx, double, p->count, p->count);
  if (!distance || !weight) return MN_NO_MEMORY;
  for (size_t a = 0; a < p->count; a++)
    for (size_t b = 0; b < p->count; b++) {
      const double d = delta[p->row[a] * n + p->row[b]];
      distance[a * p->count + b] = d;
      weight[a * p->count + b] = a == b ? 0 : p->size[a] * p->size[b] / d;
    }
  s->delta = distance;
  s->weights = weight;
  return MN_OK;
}

/* z (points x s->k) = the mapping of the points. */
static mn_status map_points(mn_context *ctx, struct sammon *m, const struct points *p, mn_smacof *s, double *z)
{
  const size_t n = p->count, k = s->k;
  double *given = m->start.at ? MN_RAW(ctx, double, n, k) : NULL;
  if (m->start.at && !given) return MN_NO_MEMORY;
  for (size_t a = 0; given && a < n; a++) memcpy(given + a * k, mn_row(&m->start, p->row[a]), k * sizeof *given);
  const mn_scaling_starts starts = { given, m->init, m->n_init, m->seed };
  MN_TRY(mn_smacof_init(ctx, who, s));
  return mn_smacof_best(ctx, s, &starts, &m->base.report, z);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct sammon *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  struct points p;
  MN_TRY(mn_check_scaling(ctx, who, n, k, &m->start));
  double *delta = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(delta);
  MN_TRY(mn_training_distances(ctx, who, metric_of(m), data, delta));
  MN_TRY(find_points(ctx, n, delta, &p));
  mn_smacof s = { .n = p.count, .k = k < p.count ? k : p.count, .tol = m->tol, .max_iter = m->max_iter };
  double *z = MN_RAW(ctx, double, s.n, s.k);
  MN_CHECK_ALLOC(z);
  MN_TRY(weigh_points(ctx, n, delta, &p, &s));
  MN_TRY(map_points(ctx, m, &p, &s, z));
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, k)); /* coordinates beyond the number of points are 0 */
  for (size_t i = 0; i < n; i++) memcpy(mn_row(&m->embedding, i), z + p.of_row[i] * s.k, s.k * sizeof *z);
  m->stress = s.total > 0 ? m->base.report.objective / s.total : 0;
  return mn_keep_training_rows(ctx, metric_of(m), data, &m->training_rows);
}

/* A row at distance 0 from a training row is placed there. */
static mn_status place(mn_context *ctx, const void *self, size_t rows, const double *distance, double *out)
{
  const mn_matrix *z = &((const struct sammon *)self)->embedding;
  const size_t n = z->rows;
  double *weight = MN_RAW(ctx, double, rows, n);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < rows * n; i++) weight[i] = distance[i] > 0 ? 1 / distance[i] : 1;
  MN_TRY(mn_place_by_majorization(ctx, rows, distance, weight, z, out));
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < n; j++)
      if (!(distance[i * n + j] > 0)) {
        memcpy(out + i * z->cols, mn_row(z, j), z->cols * sizeof *out);
        break;
      }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct sammon *m = self;
  return mn_place_rows(ctx, who, metric_of(m), &m->training_rows, data, place, m, out);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct sammon *m = self;
  return mn_check_training_rows(ctx, &m->base, metric_of(m), m->embedding.rows, &m->training_rows);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct sammon *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(struct sammon, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "number of coordinates, at most the number of rows"),
  MN_CHOICE(struct sammon, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct sammon, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct sammon, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_CHOICE(struct sammon, init, MN_SCALING_CLASSICAL, mn_scaling_starts_names,
            "coordinates to start from: of ClassicalMDS, or drawn at random"),
  MN_TABLE(struct sammon, start, MN_NO_LIMITS(), "coordinates to start from, rows x n_components; nil: by init"),
  MN_COUNT(struct sammon, n_init, 4, MN_CLOSED(1, INT32_MAX), "number of random starts, of which the best is kept"),
  MN_COUNT(struct sammon, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_REAL(struct sammon, tol, 1e-6, MN_AT_LEAST(0), "stop when Sammon's stress decreases by at most this"),
  MN_SEED(struct sammon, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct sammon, embedding, "rows x components", "coordinates of the training rows"),
  MN_NUMBER(struct sammon, stress, "Sammon's stress, from 0"),
  MN_LEARNED(MN_KIND_MATRIX, struct sammon, training_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_sammon_mapping = {
  .name = "SammonMapping",
  .family = "manifold",
  .brief = "Sammon's mapping: scaling that preserves small distances most of all.",
  .objective = "sum_{i<j} (delta_ij - |z_i - z_j|)^2 / delta_ij over coordinates z, over sum_{i<j} delta_ij",
  .source = "Sammon, IEEE Transactions on Computers C-18 (1969)",
  .notes =
      "The stress is that of MASS::sammon, minimized by majorization, which never increases it. It has local "
      "minima: compare init = 'random'. Rows closer than 1e-10 of the largest distance are one point. New rows are "
      "placed with the training rows fixed. Distances and their weights take 24 n^2 bytes; fitting takes time n^3: "
      "beyond some thousand rows, fit a sample and transform the others.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }\n"
             "local model = ml.SammonMapping{}:fit(X)\n"
             "print(model.stress)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .size = sizeof(struct sammon),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .training_transform = mn_training_embedding,
  .export = export,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .check = check,
};
