/* Regression by the weighted mean of y over the k nearest rows. Cover, IEEE Trans. Inf. Theory 14 (1968). */
#include "neighbors.h"
#include <string.h>

struct regressor {
  mn_neighbors neighbors;
  mn_matrix y; /* rows x targets */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct regressor *m = self;
  MN_TRY(mn_neighbors_check_count(ctx, &m->neighbors, data->rows, m->neighbors.n_neighbors));
  MN_TRY(mn_neighbors_store(ctx, &m->neighbors, data));
  MN_TRY(mn_matrix_init(ctx, &m->y, data->rows, data->y.cols));
  memcpy(m->y.at, data->y.at, data->rows * data->y.cols * sizeof *m->y.at);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct regressor *m = self;
  const size_t k = (size_t)m->neighbors.n_neighbors, targets = out->cols;
  int32_t *found;
  double *vote;
  MN_TRY(mn_neighbors_votes(ctx, &m->neighbors, data, k, &found, &vote));
  for (size_t i = 0; i < data->rows; i++) {
    double *row = mn_row(out, i), total = 0;
    for (size_t j = 0; j < k; j++) {
      const double *y = mn_row(&m->y, (size_t)found[i * k + j]), weight = vote[i * k + j];
      for (size_t t = 0; t < targets; t++) row[t] += weight * y[t];
      total += weight;
    }
    for (size_t t = 0; t < targets; t++) row[t] /= total;
  }
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  return mn_neighbors_check(ctx, self);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct regressor *m = self;
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_neighbors_program(ctx, &m->neighbors, program));
  mn_program_reals(program, "y", m->y.rows * m->y.cols, m->y.at);
  mn_program_code(program, "real total = 0.0"
                           " for t < outputs { out[t] = 0.0 }"
                           " for i < k {"
                           "   for t < outputs { out[t] += vote[i] * y[near[i] * outputs + t] }"
                           "   total += vote[i]"
                           " }"
                           " for t < outputs { out[t] /= total }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_NEIGHBORS_COUNT_PARAM,
  MN_NEIGHBORS_VOTE_PARAMS(
      "bandwidth of kernel weights; nil: distance to the nearest row that is not a neighbor, or to the farthest "
      "neighbor if all rows are neighbors"),
  MN_NEIGHBORS_METRIC_PARAMS,
  MN_NEIGHBORS_SEARCH_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NEIGHBORS_FIELDS,
  MN_NEIGHBORS_GRAPH_FIELDS,
  MN_LEARNED(MN_KIND_MATRIX, struct regressor, y, "rows x targets", NULL),
  MN_END,
};

const mn_class mn_kneighbors_regressor = {
  .name = "KNeighborsRegressor",
  .family = "neighbors",
  .brief = "Regression by the mean of y over the nearest training rows.",
  .objective = "y(x) = sum of vote weight times y over the k nearest rows / sum of the vote weights",
  .source = "Cover, IEEE Trans. Inf. Theory 14 (1968)",
  .notes =
      "The search is exact, unless algorithm is hnsw. Ties between distances are broken by the lowest row index. "
      "Exported programs may break near-ties differently, and agree within 4 units in the last place for the metric "
      "minkowski. Scale the columns first if their units differ.",
  .example = "local model = ml.KNeighborsRegressor{ n_neighbors = 2 }:fit({ {0}, {1}, {2}, {3} }, { 0, 1, 4, 9 })\n"
             "print(model:predict{ {1.4} })",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_MULTITARGET | MN_SPARSE,
  .size = sizeof(struct regressor),
  .params = params,
  .fields = fields,
  .operations = mn_nearest_operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = mn_neighbors_derive,
};
