#include "label_model.h"
#include "../core/threads.h"
#include "../kernel_methods/kernel_model.h"
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include "../neighbors/neighbors.h"
#include <string.h>

enum { RBF, KNN };
const char *const mn_label_kernels[] = { "rbf", "knn", NULL };

/* --- the graph: dense, or `width` neighbors of each row --- */

struct graph {
  size_t n, width; /* width 0: dense                                  */
  double *dense;   /* n x n                                           */
  int32_t *near;   /* n x width: the rows nearest to each row         */
  double *scale;   /* n: G_ij = scale_i scale_j A_ij and G_ii = 0; NULL: G = A */
};

static mn_status make_kernel(mn_context *ctx, const mn_label_model *m, mn_kernel *kernel)
{
  return mn_kernel_from_name(ctx, MN_KERNEL_RBF, m->gamma, 3, 1, kernel);
}

static mn_kernel_rows training_rows(const mn_label_model *m)
{
  return (mn_kernel_rows){ .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
}

static mn_status fill_dense(mn_context *ctx, const mn_label_model *m, struct graph *g)
{
  mn_kernel kernel = { 0 };
  const mn_kernel_rows rows = training_rows(m);
  g->dense = MN_RAW(ctx, double, g->n, g->n);
  MN_CHECK_ALLOC(g->dense);
  MN_TRY(make_kernel(ctx, m, &kernel));
  const mn_status status = mn_kernel_matrix(ctx, &kernel, &rows, g->dense, g->n);
  mn_kernel_free(mn_context_memory(ctx), &kernel);
  return status;
}

/* The nearest training rows of the queries. */
static mn_status find_near(mn_context *ctx, const mn_label_model *m, const mn_points *queries, int32_t **near)
{
  const mn_points rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
  const char *who = m->base.class->name;
  const size_t k = (size_t)m->n_neighbors;
  if (k > rows.n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most the number of rows, %zu, got %zu", who,
                   rows.n, k);
  mn_neighbor_index index = { 0 };
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN, .p = 2 },
                                     .leaf_size = 30,
                                     .scratch = true };
  double *distance = MN_RAW(ctx, double, queries->n, k);
  *near = MN_RAW(ctx, int32_t, queries->n, k);
  if (!distance || !*near) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_index_init(ctx, who, &index, &rows, options));
  return mn_neighbor_nearest(ctx, &index, &rows, queries, k, *near, distance);
}

static mn_status make_graph(mn_context *ctx, const mn_label_model *m, struct graph *g)
{
  *g = (struct graph){ .n = m->x.rows, .width = m->kernel == KNN ? (size_t)m->n_neighbors : 0 };
  if (m->kernel == RBF) return fill_dense(ctx, m, g);
  const mn_points rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
  return find_near(ctx, m, &rows, &g->near);
}

/* scale_j = 1 / sqrt(sum_i A_ij without A_jj); 1 for a row that is similar to no other. */
static mn_status normalize_graph(mn_context *ctx, struct graph *g)
{
  double *degree = MN_NEW(ctx, double, g->n, 1);
  MN_CHECK_ALLOC(degree);
  for (size_t i = 0; i < g->n; i++) {
    for (size_t j = 0; j < g->width; j++) {
      const size_t at = (size_t)g->near[i * g->width + j];
      if (at != i) degree[at] += 1;
    }
    if (g->dense) g->dense[i * g->n + i] = 0;
    for (size_t j = 0; g->dense && j < g->n; j++) degree[j] += g->dense[i * g->n + j];
  }
  for (size_t i = 0; i < g->n; i++) degree[i] = degree[i] > 0 ? 1 / sqrt(degree[i]) : 1;
  g->scale = degree;
  return MN_OK;
}

/* --- the iteration --- */

struct step {
  const struct graph *g;
  size_t classes;
  const double *from;
  double *to;
  mn_blocks blocks;
};

static void multiply_near(void *user, size_t block, size_t worker)
{
  (void)worker;
  const struct step *s = user;
  const struct graph *g = s->g;
  const size_t k = s->classes;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++) {
    double *to = s->to + i * k;
    memset(to, 0, k * sizeof *to);
    for (size_t j = 0; j < g->width; j++) {
      const size_t at = (size_t)g->near[i * g->width + j];
      if (g->scale && at == i) continue;
      for (size_t c = 0; c < k; c++) to[c] += s->from[at * k + c];
    }
  }
}

/* to = G from; `from` is scaled in place. */
static mn_status multiply(mn_context *ctx, const struct graph *g, size_t k, double *from, double *to)
{
  const size_t n = g->n;
  for (size_t i = 0; g->scale && i < n; i++)
    for (size_t c = 0; c < k; c++) from[i * k + c] *= g->scale[i];
  if (g->dense) {
    MN_TRY(mn_gemm(ctx, false, false, n, k, n, 1, g->dense, n, from, k, 0, to, k));
  } else {
    struct step s = { .g = g, .classes = k, .from = from, .to = to, .blocks = mn_make_blocks(n, 256, SIZE_MAX) };
    MN_TRY(mn_parallel(ctx, s.blocks.count, multiply_near, &s));
  }
  for (size_t i = 0; g->scale && i < n; i++)
    for (size_t c = 0; c < k; c++) to[i * k + c] *= g->scale[i];
  return MN_OK;
}

/* Divide each row by its sum; a row of zeros, which no label reaches, becomes `empty`. */
static void normalize_rows(size_t n, size_t k, double empty, double *f)
{
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += f[i * k + c];
    for (size_t c = 0; c < k; c++) f[i * k + c] = sum > 0 ? f[i * k + c] / sum : empty;
  }
}

/* Labelled rows keep their labels, or move towards them: F = alpha G F + (1 - alpha) Y. */
static void clamp(const mn_data *data, double alpha, bool spread, double *f)
{
  const size_t k = data->classes;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t c = 0; c < k; c++) {
      const double y = data->code[i] == (int32_t)c;
      if (spread)
        f[i * k + c] = alpha * f[i * k + c] + (1 - alpha) * y;
      else if (data->code[i] >= 0)
        f[i * k + c] = y;
    }
}

static double total_change(size_t size, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < size; i++) sum += fabs(a[i] - b[i]);
  return sum;
}

static mn_status iterate(mn_context *ctx, mn_label_model *m, const mn_data *data, const struct graph *g, bool spread)
{
  const size_t n = data->rows, k = data->classes, size = n * k;
  double *f = m->label_distributions.at, *from = MN_RAW(ctx, double, size, 1), *to = MN_RAW(ctx, double, size, 1);
  if (!from || !to) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    if (data->code[i] >= 0) f[i * k + (size_t)data->code[i]] = 1;
  bool proceed = true;
  for (int64_t i = 0; i < m->max_iter && proceed && !m->base.report.converged; i++) {
    memcpy(from, f, size * sizeof *f);
    MN_TRY(multiply(ctx, g, k, from, to));
    if (!spread) normalize_rows(n, k, 0, to);
    clamp(data, m->alpha, spread, to);
    const double change = total_change(size, to, f);
    memcpy(f, to, size * sizeof *f);
    proceed = mn_round(ctx, &m->base.report, m->max_iter, change);
    m->base.report.converged = change < m->tol || !(change > 0);
    MN_TRY(mn_poll(ctx));
  }
  m->base.report.advice = "increase max_iter or tol";
  return MN_OK;
}

static void choose_labels(mn_label_model *m)
{
  const size_t k = m->label_distributions.cols;
  for (size_t i = 0; i < m->transduction.size; i++) {
    const double *f = mn_row(&m->label_distributions, i);
    size_t best = 0;
    for (size_t c = 1; c < k; c++) best = f[c] > f[best] ? c : best;
    m->transduction.at[i] = (int32_t)best;
  }
}

mn_status mn_label_model_fit(mn_context *ctx, mn_label_model *m, const mn_data *data, bool spread)
{
  struct graph g;
  MN_TRY(mn_matrix_init(ctx, &m->x, data->rows, data->features));
  memcpy(m->x.at, data->x.at, data->rows * data->features * sizeof *m->x.at);
  MN_TRY(mn_matrix_init(ctx, &m->label_distributions, data->rows, data->classes));
  MN_TRY(mn_indexes_init(ctx, &m->transduction, data->rows));
  MN_TRY(make_graph(ctx, m, &g));
  if (spread) MN_TRY(normalize_graph(ctx, &g));
  MN_TRY(iterate(ctx, m, data, &g, spread));
  normalize_rows(data->rows, data->classes, 1 / (double)data->classes, m->label_distributions.at);
  choose_labels(m);
  m->all_labelled = true;
  for (size_t i = 0; i < data->rows; i++) m->all_labelled = m->all_labelled && data->code[i] >= 0;
  return MN_OK;
}

/* Two classes of which one is -1 are a common way to write two classes. */
void mn_label_model_warning(const void *self, mn_text_buffer *text)
{
  const mn_label_model *m = self;
  const mn_label minus_one = { .kind = MN_LABEL_INTEGER, .as.integer = -1 };
  if (m->all_labelled && mn_levels_size(m->base.classes) > 2 && mn_levels_find(m->base.classes, minus_one) >= 0)
    mn_text_printf(text, "every row of y has a label, and -1 is one of the classes; rows without a label must be nan, "
                         "or nil in ml.Factor { ..., n = rows }");
}

/* --- new rows --- */

/* out += the distributions of the nearest training rows. */
static mn_status add_near(mn_context *ctx, const mn_label_model *m, const mn_data *data, mn_matrix *out)
{
  const mn_points queries = mn_data_points(data);
  const size_t k = (size_t)m->n_neighbors;
  int32_t *near;
  MN_TRY(find_near(ctx, m, &queries, &near));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < k; j++) {
      const double *f = mn_row(&m->label_distributions, (size_t)near[i * k + j]);
      for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] += f[c];
    }
  return MN_OK;
}

static mn_status add_similar(mn_context *ctx, const mn_label_model *m, const mn_data *data, mn_matrix *out)
{
  mn_kernel kernel = { 0 };
  const mn_kernel_rows queries = { .n = data->rows, .d = data->features, .x = data->x.at }, rows = training_rows(m);
  MN_TRY(make_kernel(ctx, m, &kernel));
  const mn_status status =
      mn_kernel_product(ctx, &kernel, &queries, &rows, out->cols, m->label_distributions.at, out->at);
  mn_kernel_free(mn_context_memory(ctx), &kernel);
  return status;
}

mn_status mn_label_model_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_label_model *m = self;
  MN_TRY((m->kernel == KNN ? add_near : add_similar)(ctx, m, data, out));
  normalize_rows(out->rows, out->cols, 1 / (double)out->cols, out->at);
  for (size_t i = 0; i < out->rows * out->cols; i++) out->at[i] = log(out->at[i]);
  mn_row_log_softmax(out->rows, out->cols, out->at);
  return MN_OK;
}

mn_status mn_label_model_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_label_model *m = self;
  mn_kernel kernel = { 0 };
  if (m->kernel == KNN) return mn_cannot_export(ctx, &m->base, "kernel = 'knn' searches the training rows; use rbf");
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(make_kernel(ctx, m, &kernel));
  const mn_status status =
      mn_kernel_export_product(ctx, &m->base, &kernel, &m->x, m->label_distributions.cols, m->label_distributions.at,
                               "real total = 0.0 for c < outputs { total += out[c] }"
                               "for c < outputs { out[c] = log(total > 0.0 ? out[c] / total : 1.0 / outputs) }"
                               "log_softmax(outputs, out)",
                               program);
  mn_kernel_free(mn_context_memory(ctx), &kernel);
  return status;
}
