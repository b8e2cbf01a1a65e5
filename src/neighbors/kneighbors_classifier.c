/* Classification by the votes of the k nearest rows.
 *
 *     p(c | x) = sum of the vote weights of the neighbors of class c / sum of all vote weights
 *
 * Cover & Hart, IEEE Trans. Inf. Theory 13 (1967); Dudani, IEEE Trans. Systems, Man, Cybernetics 6 (1976), for distance
 * weights. */
#include "../linalg/row_softmax.h"
#include "neighbors.h"
#include <string.h>

struct classifier {
  mn_neighbors neighbors;
  mn_indexes code; /* rows: class of each training row */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct classifier *m = self;
  MN_TRY(mn_neighbors_check_count(ctx, &m->neighbors, data->rows, m->neighbors.n_neighbors));
  MN_TRY(mn_neighbors_store(ctx, &m->neighbors, data));
  MN_TRY(mn_indexes_init(ctx, &m->code, data->rows));
  memcpy(m->code.at, data->code, data->rows * sizeof *m->code.at);
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct classifier *m = self;
  const size_t k = (size_t)m->neighbors.n_neighbors, classes = out->cols;
  int32_t *found;
  double *vote;
  MN_TRY(mn_neighbors_votes(ctx, &m->neighbors, data, k, &found, &vote));
  for (size_t i = 0; i < data->rows; i++) {
    double *row = mn_row(out, i);
    for (size_t j = 0; j < k; j++) row[m->code.at[found[i * k + j]]] += vote[i * k + j];
    for (size_t c = 0; c < classes; c++) row[c] = log(row[c]);
  }
  mn_row_log_softmax(data->rows, classes, out->at);
  return MN_OK;
}

/* After loading: every row has a class. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct classifier *m = self;
  MN_TRY(mn_neighbors_check(ctx, &m->neighbors));
  for (size_t i = 0; i < m->code.size; i++)
    if (m->code.at[i] < 0)
      return mn_fail(ctx, MN_BAD_FILE, "KNeighborsClassifier: the archive has a row without a class");
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct classifier *m = self;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_neighbors_program(ctx, &m->neighbors, program));
  mn_program_indexes(program, "code", m->code.size, m->code.at);
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }"
                           "for i < k { out[code[near[i]]] += vote[i] }"
                           "for c < outputs { out[c] = log(out[c]) }"
                           "log_softmax(outputs, out)");
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
  MN_LEARNED(MN_KIND_INDEXES, struct classifier, code, "rows < classes", NULL),
  MN_END,
};

const mn_class mn_kneighbors_classifier = {
  .name = "KNeighborsClassifier",
  .family = "neighbors",
  .brief = "Classification by the vote of the nearest training rows.",
  .objective = "p(c | x) = weight of the neighbors of class c / weight of all k neighbors",
  .source = "Cover & Hart, IEEE Trans. Inf. Theory 13 (1967)",
  .notes =
      "The search is exact, unless algorithm is hnsw. Ties between distances are broken by the lowest row index, "
      "ties between votes by the lowest class. Exported programs may break near-ties differently, and agree within 4 "
      "units in the last place for the metric minkowski. Scale the columns first if their units differ.",
  .example = "local model = ml.KNeighborsClassifier{ n_neighbors = 3 }\n"
             "model:fit({ {0}, {1}, {2}, {10}, {11} }, { 'near', 'near', 'near', 'far', 'far' })\n"
             "print(model:predict{ {1.5}, {9} }, model:kneighbors({ {9} }).indexes)",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_SPARSE,
  .size = sizeof(struct classifier),
  .params = params,
  .fields = fields,
  .operations = mn_nearest_operations,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
  .derive = mn_neighbors_derive,
};
