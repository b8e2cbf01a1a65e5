/* Multidimensional scaling by majorization: smacof.h. A new row is placed by the same majorization with the training
 * rows fixed; in non-metric scaling its distances become disparities by the monotone function of the fit. */
#include "../model/program.h"
#include "../stats/pool_violators.h"
#include "guttman_kernel.h"
#include "scaling_starts.h"
#include "training_distances.h"
#include "../actions/embedding.h"

struct mds {
  mn_estimator base;
  int64_t n_components, metric, metric_mds, ties, init, n_init, max_iter, seed; /* parameters */
  double p, tol;
  mn_matrix covariance, pair_weights, start;
  mn_matrix embedding, training_rows; /* learned fields */
  mn_vector x_thresholds, y_thresholds;
  double stress, normalized_stress;
};

static const char who[] = "MDS";
enum { PRIMARY, SECONDARY };
static const char *const tie_names[] = { "primary", "secondary", NULL };

static mn_metric metric_of(const struct mds *m)
{
  return (mn_metric){ m->metric, m->p, &m->covariance };
}

/* *weights = the parameter pair_weights without its diagonal, or NULL. */
static mn_status read_weights(mn_context *ctx, const struct mds *m, size_t n, const double **weights)
{
  const mn_matrix *given = &m->pair_weights;
  *weights = NULL;
  if (!given->at) return MN_OK;
  if (given->rows != n || given->cols != n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: pair_weights must be rows x rows = %zu x %zu, got %zu x %zu", who, n, n,
                   given->rows, given->cols);
  double *copy = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(copy);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double w = mn_row(given, i)[j], other = mn_row(given, j)[i];
      if (fabs(w - other) > 1e-12 * fmax(w, other))
        return mn_fail(ctx, MN_BAD_ARGUMENT,
                       "%s: pair_weights must be symmetric, got different ones of rows %zu and %zu", who, i + 1, j + 1);
      copy[i * n + j] = i == j ? 0 : w;
    }
  *weights = copy;
  return MN_OK;
}

/* The monotone function from given distances to disparities of the embedding. */
static mn_status store_knots(mn_context *ctx, struct mds *m, mn_smacof *s)
{
  const size_t n = s->n, k = s->k;
  double *points = MN_RAW(ctx, double, k, n), *at, *value;
  size_t count;
  MN_CHECK_ALLOC(points);
  mn_points_by_column(n, k, m->embedding.at, points);
  for (size_t i = 0; i < n; i++) mn_distances_to_points(n, k, points, mn_row(&m->embedding, i), s->distance + i * n);
  MN_TRY(mn_disparity_knots(ctx, &s->order, s->distance, &count, &at, &value));
  MN_TRY(mn_vector_init(ctx, &m->x_thresholds, count));
  MN_TRY(mn_vector_init(ctx, &m->y_thresholds, count));
  for (size_t i = 0; i < count; i++) {
    m->x_thresholds.at[i] = at[i];
    m->y_thresholds.at[i] = value[i];
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mds *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  mn_smacof s = { .n = n,
                  .k = k,
                  .nonmetric = !m->metric_mds,
                  .split_ties = m->ties == PRIMARY,
                  .tol = m->tol,
                  .max_iter = m->max_iter };
  MN_TRY(mn_check_scaling(ctx, who, n, k, &m->start));
  double *delta = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(delta);
  s.delta = delta;
  MN_TRY(read_weights(ctx, m, n, &s.weights));
  MN_TRY(mn_training_distances(ctx, who, metric_of(m), data, delta));
  MN_TRY(mn_smacof_init(ctx, who, &s));
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, k));
  const mn_scaling_starts starts = { m->start.at, m->init, m->n_init, m->seed };
  MN_TRY(mn_smacof_best(ctx, &s, &starts, &m->base.report, m->embedding.at));
  m->stress = m->base.report.objective;
  m->normalized_stress = s.total > 0 ? sqrt(m->stress / s.total) : 0;
  if (s.nonmetric) MN_TRY(store_knots(ctx, m, &s));
  return mn_keep_training_rows(ctx, metric_of(m), data, &m->training_rows);
}

/* --- new rows --- */

static mn_status place(mn_context *ctx, const void *self, size_t rows, const double *distance, double *out)
{
  const struct mds *m = self;
  const size_t n = m->embedding.rows, knots = m->x_thresholds.size;
  double *disparity = NULL;
  if (knots > 0) {
    disparity = MN_RAW(ctx, double, rows, n);
    MN_CHECK_ALLOC(disparity);
    for (size_t i = 0; i < rows * n; i++)
      disparity[i] = mn_between_knots(knots, m->x_thresholds.at, m->y_thresholds.at, distance[i]);
  }
  return mn_place_by_majorization(ctx, rows, disparity ? disparity : distance, NULL, &m->embedding, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mds *m = self;
  return mn_place_rows(ctx, who, metric_of(m), &m->training_rows, data, place, m, out);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mds *m = self;
  return mn_check_training_rows(ctx, &m->base, metric_of(m), m->embedding.rows, &m->training_rows);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mds *m = self;
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(struct mds, n_components, 2, MN_CLOSED(1, INT32_MAX), "number of coordinates, at most the number of rows"),
  MN_CHOICE(struct mds, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct mds, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct mds, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_FLAG(struct mds, metric_mds, true,
          "true: distances themselves are approximated; false: non-metric scaling, which uses their order only"),
  MN_CHOICE(struct mds, ties, PRIMARY, tie_names,
            "non-metric: pairs at equal distances may get different disparities (primary), or must not (secondary)"),
  MN_TABLE(
      struct mds, pair_weights, MN_AT_LEAST(0),
      "weights of the pairs, a symmetric matrix rows x rows; 0: the distance is unknown, X has any number there; nil: all 1"),
  MN_CHOICE(struct mds, init, MN_SCALING_CLASSICAL, mn_scaling_starts_names,
            "coordinates to start from: of ClassicalMDS, or drawn at random"),
  MN_TABLE(struct mds, start, MN_NO_LIMITS(), "coordinates to start from, rows x n_components; nil: by init"),
  MN_COUNT(struct mds, n_init, 4, MN_CLOSED(1, INT32_MAX), "number of random starts, of which the best is kept"),
  MN_COUNT(struct mds, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_REAL(struct mds, tol, 1e-6, MN_AT_LEAST(0),
          "stop when the stress decreases by at most this fraction of the sum of squared distances"),
  MN_SEED(struct mds, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mds, embedding, "rows x components", "coordinates of the training rows"),
  MN_NUMBER(struct mds, stress, "weighted sum over pairs of rows of the squared error of the distance or disparity"),
  MN_NUMBER(struct mds, normalized_stress,
            "Kruskal's stress-1: root of the stress over the sum of the squared distances or disparities; below 0.1 is "
            "good, above 0.2 poor"),
  MN_VECTOR(struct mds, x_thresholds, "knots?", "non-metric: given distances at the knots of the monotone function"),
  MN_VECTOR(struct mds, y_thresholds, "knots?", "non-metric: their disparities, linear between the knots"),
  MN_LEARNED(MN_KIND_MATRIX, struct mds, training_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_mds = {
  .name = "MDS",
  .family = "manifold",
  .brief = "Multidimensional scaling, metric or non-metric, by majorization (SMACOF).",
  .objective = "sum_{i<j} w_ij (delta_ij - |z_i - z_j|)^2 over coordinates z, for distances or disparities delta",
  .source = "Kruskal (1964); de Leeuw (1977); Borg & Groenen, Modern Multidimensional Scaling (2005)",
  .notes =
      "The stress never increases. It has local minima: compare init = 'random'. fit_transform returns the embedding; "
      "transform places new rows with the training rows fixed. Metric iterations are those of scikit-learn from the same "
      "start. Non-metric scaling minimizes Kruskal's stress-1, as MASS::isoMDS; scikit-learn has the ties 'secondary'. "
      "Disparities are scaled to the mean square 1. Distances take 8 n^2 bytes.",
  .example = "local X = { {0, 3, 4}, {3, 0, 5}, {4, 5, 0} }\n"
             "local model = ml.MDS{ metric = 'precomputed' }:fit(X)\n"
             "print(model.embedding, model.normalized_stress)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .size = sizeof(struct mds),
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
