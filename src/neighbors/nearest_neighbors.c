/* Neighbor searches without y: Friedman, Bentley & Finkel, ACM TOMS 3 (1977). */
#include "neighbors.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_neighbors_store(ctx, self, data);
}

static mn_status check(mn_context *ctx, const void *self)
{
  return mn_neighbors_check(ctx, self);
}

static const mn_param params[] = {
  MN_NEIGHBORS_COUNT_PARAM,
  MN_REAL(mn_neighbors, radius, 1, MN_AT_LEAST(0), "largest distance of a neighbor, in the units of the metric"),
  MN_NEIGHBORS_METRIC_PARAMS,
  MN_NEIGHBORS_GRAPH_PARAMS,
  MN_END,
};

static const mn_field fields[] = { MN_NEIGHBORS_FIELDS, MN_NEIGHBORS_GRAPH_FIELDS, MN_END };

const mn_class mn_nearest_neighbors = {
  .name = "NearestNeighbors",
  .family = "neighbors",
  .brief = "The nearest training rows, those within a radius, and their graphs.",
  .objective = "the k rows x_i with the smallest distance(x, x_i), or all with distance(x, x_i) <= radius",
  .source = "Friedman, Bentley & Finkel, ACM TOMS 3 (1977)",
  .notes = "k-d tree, ball tree and brute force return the same neighbors; ties between distances are broken by the "
           "lowest row index. kneighbors(nil) returns the neighbors of each training row, without the row itself. Each "
           "search accepts n_neighbors and radius.",
  .example = "local model = ml.NearestNeighbors{ n_neighbors = 2 }:fit{ {0}, {1}, {3}, {7} }\n"
             "print(model:kneighbors{ {2.5} }.indexes, model:radius_neighbors_graph(nil, { radius = 2 }))",
  .capabilities = 0,
  .accepts = MN_SPARSE,
  .size = sizeof(mn_neighbors),
  .params = params,
  .fields = fields,
  .operations = mn_neighbors_operations,
  .fit = fit,
  .check = check,
  .derive = mn_neighbors_derive,
};
