/* k-prototypes: clusters of rows of numbers and categories. The distance is the squared Euclidean distance of the
 * numbers, plus gamma for each category that differs; prototypes.h has the algorithm. */
#include "../model/columns.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "centers.h"
#include "prototypes.h"
#include <string.h>

static const char *const inits[] = { "k-means++", "random", NULL };

struct kprototypes {
  mn_estimator base;
  int64_t n_clusters, init, n_init, max_iter, seed; /* parameters */
  double gamma;
  mn_feature_list categorical;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  mn_vector counts;
  double inertia, mismatch_cost;
};

/* Factor columns and those of the parameter. */
static mn_status find_categorical(mn_context *ctx, const struct kprototypes *m, const mn_data *data, bool **categorical)
{
  *categorical = MN_NEW(ctx, bool, data->features, 1);
  MN_CHECK_ALLOC(*categorical);
  MN_TRY(mn_find_columns(ctx, &m->base, "categorical", &m->categorical, *categorical));
  for (size_t j = 0; j < data->features; j++)
    if (data->levels && data->levels[j]) (*categorical)[j] = true;
  return MN_OK;
}

static double standard_deviation(const mn_data *data, size_t j)
{
  double total = 0, mean = 0, square = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i), delta = mn_row(&data->x, i)[j] - mean;
    total += w;
    mean += w / total * delta;
    square += w * delta * (mn_row(&data->x, i)[j] - mean);
  }
  return sqrt(square / total);
}

/* Half the mean standard deviation of the numeric columns; 1 if that is 0, as without such columns. */
static double default_gamma(const mn_data *data, const bool *categorical)
{
  double sum = 0, columns = 0;
  for (size_t j = 0; j < data->features; j++) {
    if (categorical[j]) continue;
    sum += standard_deviation(data, j);
    columns++;
  }
  return sum > 0 ? sum / columns / 2 : 1;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kprototypes *m = self;
  mn_prototype_result r;
  bool *categorical;
  MN_TRY(mn_centers_check(ctx, "KPrototypes", m->n_clusters, &(mn_matrix){ 0 }, data));
  MN_TRY(find_categorical(ctx, m, data, &categorical));
  m->mismatch_cost = isnan(m->gamma) ? default_gamma(data, categorical) : m->gamma;
  const mn_prototype_settings s = { .k = (size_t)m->n_clusters,
                                    .init = m->init,
                                    .n_init = m->n_init,
                                    .max_iter = m->max_iter,
                                    .seed = m->seed,
                                    .gamma = m->mismatch_cost,
                                    .categorical = categorical };
  MN_TRY(mn_prototypes_run(ctx, &s, data, &r));
  m->base.report = r.report;
  MN_TRY(mn_centers_check_inertia(ctx, "KPrototypes", r.cost));
  m->inertia = r.cost;
  return mn_centers_store(ctx, data->rows, data->features, s.k, r.centers, r.label, r.counts, &m->cluster_centers,
                          &m->labels, &m->counts);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kprototypes *m = self;
  bool *categorical;
  MN_TRY(find_categorical(ctx, m, data, &categorical));
  return mn_prototypes_nearest(ctx, &m->cluster_centers, categorical, m->mismatch_cost, data, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kprototypes *m = self;
  bool *categorical;
  MN_TRY(find_categorical(ctx, m, data, &categorical));
  return mn_prototypes_distances(ctx, &m->cluster_centers, categorical, m->mismatch_cost, data, out);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct kprototypes *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct kprototypes *)self)->cluster_centers.rows;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct kprototypes *m = self;
  (void)data;
  (void)options;
  return mn_prototypes_summary(ctx, &m->base, &m->cluster_centers, &m->counts, results);
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "Means and most frequent categories of each cluster as a table.",
    .returns = "text",
    .run = summary },
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kprototypes *m = self;
  const mn_levels_list *levels = &m->base.feature_levels;
  const size_t p = m->cluster_centers.cols;
  double *offset = MN_NEW(ctx, double, p, 1);
  bool *categorical = MN_NEW(ctx, bool, p, 1);
  int32_t *kind = MN_NEW(ctx, int32_t, p, 1);
  if (!offset || !categorical || !kind) return MN_NO_MEMORY;
  MN_TRY(mn_find_columns(ctx, &m->base, "categorical", &m->categorical, categorical));
  for (size_t j = 0; j < p; j++) {
    const bool factor = levels->size > 0 && levels->at[j];
    offset[j] = factor ? 1 : 0;
    kind[j] = factor || categorical[j];
  }
  mn_program_reals(program, "centers", m->cluster_centers.rows * p, m->cluster_centers.at);
  mn_program_reals(program, "offset", p, offset);
  mn_program_indexes(program, "kind", p, kind);
  mn_program_real(program, "gamma", m->mismatch_cost);
  mn_program_count(program, "clusters", m->cluster_centers.rows);
  if (action == MN_PREDICT) mn_program_code(program, "real best = infinity int nearest = 0");
  mn_program_code(program, "for c < clusters { real d = 0.0"
                           "   for j < features {"
                           "     real apart = x[j] + offset[j] - centers[c * features + j]"
                           "     if kind[j] == 0 { d += apart * apart }"
                           "     if kind[j] == 1 { d += apart == 0.0 ? 0.0 : gamma }"
                           "   }");
  mn_program_code(program, action == MN_PREDICT ? "if d < best { best = d nearest = c } } out[0] = nearest + 0.0"
                                                : "out[c] = d }");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct kprototypes *m = self;
  return mn_prototypes_check(ctx, &m->base, &m->cluster_centers);
}

static const mn_param params[] = {
  MN_COUNT(struct kprototypes, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_REAL(struct kprototypes, gamma, MN_UNSET_REAL, MN_AT_LEAST(0),
          "cost of a category that differs, in squared units of the numbers; nil: half the mean standard deviation of "
          "the columns of numbers"),
  MN_COLUMNS(struct kprototypes, categorical,
             "columns of categories, by number or name; factor columns always are; nil: only they"),
  MN_CHOICE(struct kprototypes, init, MN_PROTOTYPES_PLUS_PLUS, inits,
            "initial centers. k-means++: rows drawn with probability proportional to their distance from earlier ones; "
            "random: different rows"),
  MN_COUNT(struct kprototypes, n_init, 10, MN_CLOSED(1, INT32_MAX), "number of starts, of which the best is kept"),
  MN_COUNT(struct kprototypes, max_iter, 100, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_SEED(struct kprototypes, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct kprototypes, cluster_centers, "clusters x features",
            "center of each cluster: means; of a factor column the number of the most frequent level"),
  MN_INDEXES(struct kprototypes, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct kprototypes, inertia, "weighted sum of the distances to the nearest center"),
  MN_NUMBER(struct kprototypes, mismatch_cost, "cost of a category that differs: gamma or its default"),
  MN_VECTOR(struct kprototypes, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
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
  .size = sizeof(struct kprototypes),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .export = export,
  .export_tolerance = 1e-12,
  .outputs = outputs,
  .check = check,
};
