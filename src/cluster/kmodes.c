/* k-modes: clusters of rows of categories. The distance of two rows is the number of columns in which they differ, and
 * the center of a cluster has the most frequent category of each column; prototypes.h has the algorithm. */
#include "prototype_model.h"

static const char *const inits[] = { "k-means++", "random", "cao", NULL };

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "The most frequent categories of each cluster as a table.",
    .returns = "text",
    .run = mn_prototype_model_summary },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_prototype_model, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(mn_prototype_model, init, MN_PROTOTYPES_CAO, inits,
            "initial centers. cao: rows of frequent categories that are far apart, without chance; k-means++: rows "
            "drawn with probability proportional to their distance from earlier ones; random: different rows"),
  MN_COUNT(mn_prototype_model, n_init, 1, MN_CLOSED(1, INT32_MAX),
           "number of starts, of which the best is kept; cao: always 1"),
  MN_COUNT(mn_prototype_model, max_iter, 100, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_SEED(mn_prototype_model, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_prototype_model, cluster_centers, "clusters x features",
            "mode of each cluster: of a factor column the number of the level, else the value"),
  MN_INDEXES(mn_prototype_model, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(mn_prototype_model, inertia, "weighted number of values that differ from the center of their row"),
  MN_VECTOR(mn_prototype_model, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_END,
};

const mn_class mn_kmodes = {
  .name = "KModes",
  .family = "cluster",
  .brief = "k-modes clustering of categories: like k-means, by the values that differ.",
  .objective = "sum_i w_i (number of columns j with x_ij != c_l(i)j)",
  .source = "Huang, Data Mining and Knowledge Discovery 2 (1998)",
  .notes =
      "Every column counts as categories, also columns of numbers. All rows are assigned before the centers move, "
      "where the Python package kmodes moves rows one by one; results differ slightly. A category that fit has not "
      "seen differs from all. transform returns the number of columns that differ from each center; summary shows "
      "the centers with their labels. For numbers and categories together see KPrototypes.",
  .example =
      "local data = ml.Frame { { 'color', { 'red', 'red', 'blue', 'blue' } }, { 'size', { 's', 'm', 'l', 'l' } } }\n"
      "local model = ml.KModes{ n_clusters = 2 }:fit(data)\n"
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
  .outputs = mn_prototype_model_outputs,
  .check = mn_prototype_model_check,
};
