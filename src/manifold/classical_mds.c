/* Classical multidimensional scaling: classical.h. New rows are placed by Gower's formula. */
#include "../model/program.h"
#include "classical.h"
#include "training_distances.h"
#include "../actions/embedding.h"
#include <stdio.h>

struct classical_mds {
  mn_estimator base;
  int64_t n_components, metric; /* parameters */
  double p;
  mn_matrix covariance;
  mn_matrix embedding, projection; /* rows x components; projection: embedding / (2 lambda)    */
  mn_matrix training_rows;         /* empty with precomputed distances                         */
  mn_vector eigenvalues, explained_variance_ratio, squared_means;
  double goodness_of_fit;
};

static const char who[] = "ClassicalMDS";

static mn_metric metric_of(const struct classical_mds *m)
{
  return (mn_metric){ m->metric, m->p, &m->covariance };
}

static mn_status store(mn_context *ctx, struct classical_mds *m, size_t n, size_t k, const mn_classical_scaling *s)
{
  MN_TRY(mn_keep_scaling(ctx, n, k, s, &m->embedding, &m->projection, &m->eigenvalues, &m->squared_means));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance_ratio, k));
  double squares = 0;
  for (size_t c = 0; c < k; c++) {
    squares += s->values[c] * s->values[c];
    m->explained_variance_ratio.at[c] = s->values[c] > 0 ? s->values[c] / s->trace : 0;
  }
  m->goodness_of_fit = squares > 0 ? fmin(squares / s->squares, 1) : 0;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct classical_mds *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  if (k > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be at most the number of rows, %zu, got %zu", who, n,
                   k);
  MN_TRY(mn_check_pairs(ctx, who, n, "fit a sample of the rows and transform the others, or use PCA"));
  double *distance = MN_RAW(ctx, double, n, n);
  mn_classical_scaling s;
  MN_CHECK_ALLOC(distance);
  MN_TRY(mn_training_distances(ctx, who, metric_of(m), data, distance));
  MN_TRY(mn_classical_scale(ctx, n, k, distance, &s));
  MN_TRY(store(ctx, m, n, k, &s));
  return mn_keep_training_rows(ctx, metric_of(m), data, &m->training_rows);
}

/* --- new rows --- */

static mn_status place(mn_context *ctx, const void *self, size_t rows, const double *distance, double *out)
{
  const struct classical_mds *m = self;
  return mn_place_by_gower(ctx, rows, distance, &m->projection, m->squared_means.at, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct classical_mds *m = self;
  return mn_place_rows(ctx, who, metric_of(m), &m->training_rows, data, place, m, out);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "mds%zu", j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct classical_mds *m = self;
  return mn_check_training_rows(ctx, &m->base, metric_of(m), m->embedding.rows, &m->training_rows);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct classical_mds *m = self;
  const size_t n = m->embedding.rows;
  if (action != MN_TRANSFORM_X) return MN_OK;
  if (m->metric != MN_METRIC_PRECOMPUTED && m->metric != MN_METRIC_EUCLIDEAN && m->metric != MN_METRIC_MANHATTAN)
    return mn_cannot_export(ctx, &m->base, "only the metrics euclidean, manhattan and precomputed can be exported");
  mn_program_count(program, "rows", n);
  mn_program_reals(program, "means", n, m->squared_means.at);
  mn_program_reals(program, "projection", n * m->projection.cols, m->projection.at);
  if (m->training_rows.at) mn_program_reals(program, "points", n * m->training_rows.cols, m->training_rows.at);
  mn_program_code(program, "for c < outputs { out[c] = 0.0 } for i < rows {");
  mn_program_code(program, m->metric == MN_METRIC_PRECOMPUTED ? "real d = x[i]"
                           : m->metric == MN_METRIC_EUCLIDEAN
                               ? "real d = sqrt(distance2(features, x, 0, points, i * features))"
                               : "real d = manhattan(features, x, 0, points, i * features)");
  mn_program_code(program, "real closer = means[i] - d * d"
                           " for c < outputs { out[c] += closer * projection[i * outputs + c] } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct classical_mds, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "number of coordinates, at most the number of rows"),
  MN_CHOICE(struct classical_mds, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct classical_mds, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct classical_mds, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct classical_mds, embedding, "rows x components", "coordinates of the training rows"),
  MN_VECTOR(struct classical_mds, eigenvalues, "components",
            "largest eigenvalues of the matrix of inner products, descending; 0 if not positive"),
  MN_VECTOR(struct classical_mds, explained_variance_ratio, "components",
            "each eigenvalue over the sum of all, negative ones included, so it may exceed 1"),
  MN_NUMBER(struct classical_mds, goodness_of_fit,
            "sum of the squared eigenvalues over that of all, from 0 to 1; 0 if all are 0"),
  MN_LEARNED(MN_KIND_MATRIX, struct classical_mds, projection, "rows x components", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct classical_mds, squared_means, "rows", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct classical_mds, training_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_classical_mds = {
  .name = "ClassicalMDS",
  .family = "manifold",
  .brief = "Classical multidimensional scaling: coordinates from distances.",
  .objective = "minimize sum_ij (b_ij - z_i z_j')^2, with B = -1/2 H D2 H of squared distances D2, H = I - 1 1' / n",
  .source = "Torgerson, Psychometrika 17 (1952); Gower, Biometrika 53 (1966), 55 (1968)",
  .notes =
      "Equals PCA for Euclidean distances, and R's cmdscale. The largest element of each coordinate in magnitude is "
      "positive. New rows are placed by Gower's formula. Distances that no points have give negative eigenvalues: their "
      "coordinates are 0. goodness_of_fit is Mardia's second criterion. Distances of all pairs take 8 n^2 bytes: 3 GB "
      "for 20,000 rows; fit a sample of more rows and transform the others.",
  .example = "local X = { {0, 3, 4}, {3, 0, 5}, {4, 5, 0} }\n"
             "local model = ml.ClassicalMDS{ metric = 'precomputed' }:fit(X)\n"
             "print(model.embedding, model.goodness_of_fit)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM,
  .size = sizeof(struct classical_mds),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .export = export,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .output_name = output_name,
  .check = check,
};
