#include "../model/columns.h"
#include "centers.h"
#include "prototype_model.h"

static bool is_kmodes(const mn_prototype_model *m)
{
  return m->base.class == &mn_kmodes;
}

/* The cost of a category that differs. */
static double mismatch_cost(const mn_prototype_model *m)
{
  return is_kmodes(m) ? 1 : m->mismatch_cost;
}

/* All columns; or factor columns and those of the parameter. */
static mn_status find_categorical(mn_context *ctx, const mn_prototype_model *m, size_t features, bool **categorical)
{
  const mn_levels_list *levels = &m->base.feature_levels;
  *categorical = MN_NEW(ctx, bool, features, 1);
  MN_CHECK_ALLOC(*categorical);
  MN_TRY(mn_find_columns(ctx, &m->base, "categorical", &m->categorical, *categorical));
  for (size_t j = 0; j < features; j++)
    if (is_kmodes(m) || (levels->size > 0 && levels->at[j])) (*categorical)[j] = true;
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

mn_status mn_prototype_model_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_prototype_model *m = self;
  const char *who = m->base.class->name;
  mn_prototype_result r;
  bool *categorical;
  MN_TRY(mn_centers_check(ctx, who, m->n_clusters, &(mn_matrix){ 0 }, data));
  MN_TRY(find_categorical(ctx, m, data->features, &categorical));
  if (!is_kmodes(m)) m->mismatch_cost = isnan(m->gamma) ? default_gamma(data, categorical) : m->gamma;
  const mn_prototype_settings s = { .k = (size_t)m->n_clusters,
                                    .init = m->init,
                                    .n_init = m->n_init,
                                    .max_iter = m->max_iter,
                                    .seed = m->seed,
                                    .gamma = mismatch_cost(m),
                                    .categorical = categorical };
  MN_TRY(mn_prototypes_run(ctx, &s, data, &r));
  m->base.report = r.report;
  MN_TRY(mn_centers_check_inertia(ctx, who, r.cost));
  m->inertia = r.cost;
  return mn_centers_store(ctx, data->rows, data->features, s.k, r.centers, r.label, r.counts, &m->cluster_centers,
                          &m->labels, &m->counts);
}

mn_status mn_prototype_model_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_prototype_model *m = self;
  bool *categorical;
  MN_TRY(find_categorical(ctx, m, data->features, &categorical));
  return mn_prototypes_nearest(ctx, &m->cluster_centers, categorical, mismatch_cost(m), data, out);
}

mn_status mn_prototype_model_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_prototype_model *m = self;
  bool *categorical;
  MN_TRY(find_categorical(ctx, m, data->features, &categorical));
  return mn_prototypes_distances(ctx, &m->cluster_centers, categorical, mismatch_cost(m), data, out);
}

mn_status mn_prototype_model_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                     mn_results *results)
{
  const mn_prototype_model *m = self;
  (void)data;
  (void)options;
  return mn_prototypes_summary(ctx, &m->base, &m->cluster_centers, &m->counts, results);
}

mn_status mn_prototype_model_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_prototype_model *m = self;
  const mn_levels_list *levels = &m->base.feature_levels;
  const size_t p = m->cluster_centers.cols;
  double *offset = MN_NEW(ctx, double, p, 1);
  int32_t *kind = MN_NEW(ctx, int32_t, p, 1);
  bool *categorical;
  if (!offset || !kind) return MN_NO_MEMORY;
  MN_TRY(find_categorical(ctx, m, p, &categorical));
  for (size_t j = 0; j < p; j++) {
    offset[j] = levels->size > 0 && levels->at[j] ? 1 : 0;
    kind[j] = categorical[j];
  }
  mn_program_reals(program, "centers", m->cluster_centers.rows * p, m->cluster_centers.at);
  mn_program_reals(program, "offset", p, offset);
  mn_program_indexes(program, "kind", p, kind);
  mn_program_real(program, "gamma", mismatch_cost(m));
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

mn_status mn_prototype_model_check(mn_context *ctx, const void *self)
{
  const mn_prototype_model *m = self;
  return mn_prototypes_check(ctx, &m->base, &m->cluster_centers);
}

void mn_prototype_model_warning(const void *self, mn_text_buffer *text)
{
  const mn_prototype_model *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

size_t mn_prototype_model_outputs(const void *self)
{
  return ((const mn_prototype_model *)self)->cluster_centers.rows;
}
