/* k-prototypes: clusters of rows of numbers and categories. The distance is the squared Euclidean distance of the
 * numbers, plus gamma for each category that differs; prototypes.h has the algorithm. */
#include "prototype_model.h"

static const char *const inits[] = { "k-means++", "random", NULL };

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "Means and most frequent categories of each cluster as a table.",
    .returns = "text",
    .run = mn_prototype_model_summary },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_prototype_model, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_REAL(mn_prototype_model, gamma, MN_UNSET_REAL, MN_AT_LEAST(0),
          "cost of a category that differs, in squared units of the numbers; nil: half the mean standard deviation of "
          "the columns of numbers"),
  MN_COLUMNS(mn_prototype_model, categorical,
             "columns of categories, by number or name; factor columns always are; nil: only they"),
  MN_CHOICE(mn_prototype_model, init, MN_PROTOTYPES_PLUS_PLUS, inits,
            "initial centers. k-means++: rows drawn with probability proportional to their distance from earlier ones; "
            "random: different rows"),
  MN_COUNT(mn_prototype_model, n_init, 10, MN_CLOSED(1, INT32_MAX), "number of starts, of which the best is kept"),
  MN_COUNT(mn_prototype_model, max_iter, 100, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_SEED(mn_prototype_model, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_prototype_model, cluster_centers, "clusters x features",
            "center of each cluster: means; of a factor column the number of the most frequent level"),
  MN_INDEXES(mn_prototype_model, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(mn_prototype_model, inertia, "weighted sum of the distances to the nearest center"),
  MN_NUMBER(mn_prototype_model, mismatch_cost, "cost of a category that differs: gamma or its default"),
  MN_VECTOR(mn_prototype_model, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_END,
};

const mn_class mn_kprototypes = {
  .name = "KPrototypes",
  .family = "cluster",
  .brief = "k-prototypes clustering of numbers and categories together.",
  .objective = "sum_i w_i (|x_i - c_l(i)|^2 over numbers + gamma (number of categories that differ))",
  .source = "Huang, Data Mining and Knowledge Discovery 2 (1998)",
  .notes = "Scale the columns of numbers first: gamma, whose default is that of the Python package kmodes, weighs "
           "categories against them. All rows are assigned before the centers move. A category that fit has not seen "
           "differs from all. transform returns the distance to each center, and summary shows the centers with their "
           "labels. Without categories it is k-means, without numbers k-modes.",
  .example = "local data = ml.Frame { { 'size', { 1, 2, 8, 9 } }, { 'color', { 'red', 'red', 'blue', 'red' } } }\n"
             "local model = ml.KPrototypes{ n_clusters = 2 }:fit(data)\n"
             "print(model:summary())",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_FACTORS,
  .size = sizeof(mn_prototype_model),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_prototype_model_fit,
  .warning = mn_prototype_model_warning,
  .predict = mn_prototype_model_predict,
  .transform = mn_prototype_model_transform,
  .export = mn_prototype_model_export,
  .export_tolerance = 1e-12,
  .outputs = mn_prototype_model_outputs,
  .check = mn_prototype_model_check,
};
