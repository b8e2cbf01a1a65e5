/* k-modes: clusters of rows of categories. The distance of two rows is the number of columns in which they differ, and
 * the center of a cluster has the most frequent category of each column; prototypes.h has the algorithm. */
#include "../model/operation.h"
#include "../model/program.h"
#include "centers.h"
#include "prototypes.h"
#include <string.h>

static const char *const inits[] = { "k-means++", "random", "cao", NULL };

struct kmodes {
  mn_estimator base;
  int64_t n_clusters, init, n_init, max_iter, seed; /* parameters */
  mn_matrix cluster_centers;                        /* learned fields */
  mn_indexes labels;
  mn_vector counts;
  double inertia;
};

/* All columns are categories. */
static mn_status all_columns(mn_context *ctx, size_t features, bool **categorical)
{
  *categorical = MN_RAW(ctx, bool, features, 1);
  MN_CHECK_ALLOC(*categorical);
  for (size_t j = 0; j < features; j++) (*categorical)[j] = true;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kmodes *m = self;
  mn_prototype_result r;
  bool *categorical;
  MN_TRY(mn_centers_check(ctx, "KModes", m->n_clusters, &(mn_matrix){ 0 }, data));
  MN_TRY(all_columns(ctx, data->features, &categorical));
  const mn_prototype_settings s = { .k = (size_t)m->n_clusters,
                                    .init = m->init,
                                    .n_init = m->n_init,
                                    .max_iter = m->max_iter,
                                    .seed = m->seed,
                                    .gamma = 1,
                                    .categorical = categorical };
  MN_TRY(mn_prototypes_run(ctx, &s, data, &r));
  m->base.report = r.report;
  m->inertia = r.cost;
  return mn_centers_store(ctx, data->rows, data->features, s.k, r.centers, r.label, r.counts, &m->cluster_centers,
                          &m->labels, &m->counts);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  bool *categorical;
  MN_TRY(all_columns(ctx, data->features, &categorical));
  return mn_prototypes_nearest(ctx, &((const struct kmodes *)self)->cluster_centers, categorical, 1, data, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  bool *categorical;
  MN_TRY(all_columns(ctx, data->features, &categorical));
  return mn_prototypes_distances(ctx, &((const struct kmodes *)self)->cluster_centers, categorical, 1, data, out);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct kmodes *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct kmodes *)self)->cluster_centers.rows;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct kmodes *m = self;
  (void)data;
  (void)options;
  return mn_prototypes_summary(ctx, &m->base, &m->cluster_centers, &m->counts, results);
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "The most frequent categories of each cluster as a table.",
    .returns = "text",
    .run = summary },
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kmodes *m = self;
  const mn_levels_list *levels = &m->base.feature_levels;
  const size_t p = m->cluster_centers.cols;
  double *offset = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(offset);
  for (size_t j = 0; j < levels->size; j++) offset[j] = levels->at[j] ? 1 : 0;
  mn_program_reals(program, "centers", m->cluster_centers.rows * p, m->cluster_centers.at);
  mn_program_reals(program, "offset", p, offset);
  mn_program_count(program, "clusters", m->cluster_centers.rows);
  if (action == MN_PREDICT) mn_program_code(program, "real best = infinity int nearest = 0");
  mn_program_code(program, "for c < clusters { real d = 0.0"
                           "   for j < features {"
                           "     real code = x[j] + offset[j]"
                           "     d += code == centers[c * features + j] ? 0.0 : 1.0"
                           "   }");
  mn_program_code(program, action == MN_PREDICT ? "if d < best { best = d nearest = c } } out[0] = nearest + 0.0"
                                                : "out[c] = d }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct kmodes, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct kmodes, init, MN_PROTOTYPES_CAO, inits,
            "initial centers. cao: rows of frequent categories that are far apart, without chance; k-means++: rows "
            "drawn with probability proportional to their distance from earlier ones; random: different rows"),
  MN_COUNT(struct kmodes, n_init, 1, MN_CLOSED(1, INT32_MAX),
           "number of starts, of which the best is kept; cao: always 1"),
  MN_COUNT(struct kmodes, max_iter, 100, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_SEED(struct kmodes, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct kmodes, cluster_centers, "clusters x features",
            "mode of each cluster: of a factor column the number of the level, else the value"),
  MN_INDEXES(struct kmodes, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct kmodes, inertia, "weighted number of values that differ from the center of their row"),
  MN_VECTOR(struct kmodes, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_END,
};

/* Categories of factor columns are levels. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct kmodes *m = self;
  return mn_prototypes_check(ctx, &m->base, &m->cluster_centers);
}

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
  .size = sizeof(struct kmodes),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
  .check = check,
};
