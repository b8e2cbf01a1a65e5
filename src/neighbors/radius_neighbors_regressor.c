/* Regression by the weighted mean of y over the training rows within a radius. With kernel weights this is the
 * Nadaraya-Watson estimator: Theory Probab. Appl. 9 (1964); Sankhya A 26 (1964). */
#include "radius_neighbors.h"
#include <string.h>

struct regressor {
  mn_radius_neighbors radius;
  mn_matrix y;    /* rows x targets */
  mn_vector mean; /* targets        */
};

static mn_status average(mn_context *ctx, struct regressor *m)
{
  MN_TRY(mn_vector_init(ctx, &m->mean, m->y.cols));
  for (size_t i = 0; i < m->y.rows; i++)
    for (size_t t = 0; t < m->y.cols; t++) m->mean.at[t] += (mn_row(&m->y, i)[t] - m->mean.at[t]) / (double)(i + 1);
  return MN_OK;
}

static mn_status derive(mn_context *ctx, void *self)
{
  MN_TRY(average(ctx, self));
  return mn_neighbors_derive(ctx, self);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct regressor *m = self;
  MN_TRY(mn_matrix_init(ctx, &m->y, data->rows, data->y.cols));
  memcpy(m->y.at, data->y.at, data->rows * data->y.cols * sizeof *m->y.at);
  MN_TRY(mn_neighbors_store(ctx, &m->radius.neighbors, data));
  return average(ctx, m);
}

static void average_votes(const void *self, size_t n, const mn_candidate *votes, size_t targets, double *out)
{
  const struct regressor *m = self;
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    const double *y = mn_row(&m->y, (size_t)votes[i].index), weight = votes[i].value;
    for (size_t t = 0; t < targets; t++) out[t] += weight * y[t];
    total += weight;
  }
  for (size_t t = 0; t < targets; t++) out[t] = total > 0 ? out[t] / total : m->mean.at[t];
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct regressor *m = self;
  return mn_radius_vote(ctx, &m->radius, data, average_votes, out);
}

static mn_status check(mn_context *ctx, const void *self)
{
  return mn_neighbors_check(ctx, self);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct regressor *m = self;
  if (action != MN_PREDICT) return MN_OK;
  static const char *const empty[] = {
    [MN_EMPTY_NEAREST] = "total = 1.0 for t < outputs { out[t] = y[nearest * outputs + t] }",
    [MN_EMPTY_AVERAGE] = "total = 1.0 for t < outputs { out[t] = mean_y[t] }",
  };
  mn_program_reals(program, "y", m->y.rows * m->y.cols, m->y.at);
  if (m->radius.empty == MN_EMPTY_AVERAGE) mn_program_reals(program, "mean_y", m->mean.size, m->mean.at);
  mn_program_code(program, "real total = 0.0 for t < outputs { out[t] = 0.0 }");
  MN_TRY(mn_radius_program(ctx, &m->radius, "for t < outputs { out[t] += share * y[i * outputs + t] } total += share",
                           empty[m->radius.empty], program));
  mn_program_code(program, "for t < outputs { out[t] /= total }");
  return MN_OK;
}

static const mn_param params[] = { MN_RADIUS_PARAMS("the mean of y"), MN_END };

static const mn_field fields[] = {
  MN_NEIGHBORS_FIELDS,
  MN_LEARNED(MN_KIND_MATRIX, struct regressor, y, "rows x targets", NULL),
  MN_DERIVED(MN_KIND_VECTOR, struct regressor, mean),
  MN_END,
};

const mn_class mn_radius_neighbors_regressor = {
  .name = "RadiusNeighborsRegressor",
  .family = "neighbors",
  .brief = "Regression by the mean of y over the training rows within a radius.",
  .objective = "y(x) = sum of vote weight times y over the rows within radius / sum of the vote weights",
  .source = "Nadaraya, Theory Probab. Appl. 9 (1964); Watson, Sankhya A 26 (1964)",
  .notes = "The search is exact; a row at a distance of exactly radius is a neighbor. With kernel weights this is the "
           "Nadaraya-Watson estimator with compact support. For rows without neighbors see the parameter empty; "
           "scikit-learn predicts NaN. Scale the columns first if their units differ.",
  .example = "local model = ml.RadiusNeighborsRegressor{ radius = 1 }:fit({ {0}, {1}, {2}, {3} }, { 0, 1, 4, 9 })\n"
             "print(model:predict{ {1.4}, {30} })",
  .capabilities = MN_REGRESS,
  .accepts = MN_MULTITARGET | MN_SPARSE,
  .size = sizeof(struct regressor),
  .params = params,
  .fields = fields,
  .operations = mn_radius_operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = derive,
};
