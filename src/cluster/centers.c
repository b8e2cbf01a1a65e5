#include "centers.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "lloyd.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 15 };

mn_status mn_centers_predict(mn_context *ctx, const mn_matrix *centers, const mn_data *data, mn_matrix *out)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  mn_data unweighted = *data;
  MN_CHECK_ALLOC(label);
  unweighted.weights = NULL;
  MN_TRY(mn_kmeans_assign(ctx, &unweighted, centers->rows, centers->at, label, NULL, NULL, NULL, NULL));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

struct distances {
  const mn_matrix *centers;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
  double *buffer; /* of each worker: a sparse row */
};

static void distances_block(void *work, size_t block, size_t worker)
{
  const struct distances *w = work;
  double *buffer = w->buffer + (w->data->sparse ? worker * w->data->features : 0);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i);
    mn_ordered_distances2(w->out->cols, w->data->features, w->centers->at, mn_dense_row(w->data, i, buffer), out);
    for (size_t c = 0; c < w->out->cols; c++) out[c] = sqrt(out[c]);
  }
}

mn_status mn_centers_transform(mn_context *ctx, const mn_matrix *centers, const mn_data *data, mn_matrix *out)
{
  struct distances w = { .centers = centers,
                         .data = data,
                         .out = out,
                         .blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features + 1, SIZE_MAX),
                         .buffer = MN_RAW(ctx, double, mn_threads(ctx), data->sparse ? data->features : 0) };
  MN_CHECK_ALLOC(w.buffer);
  return mn_parallel(ctx, w.blocks.count, distances_block, &w);
}

void mn_centers_export(const mn_matrix *centers, mn_action action, mn_program *program)
{
  mn_program_reals(program, "centers", centers->rows * centers->cols, centers->at);
  mn_program_count(program, "clusters", centers->rows);
  if (action == MN_PREDICT)
    mn_program_code(program, "real best = infinity"
                             " int nearest = 0"
                             " for c < clusters {"
                             "   real d = distance2(features, x, 0, centers, c * features)"
                             "   if d < best { best = d nearest = c }"
                             " }"
                             " out[0] = nearest + 0.0");
  if (action == MN_TRANSFORM_X)
    mn_program_code(program, "for c < clusters { out[c] = sqrt(distance2(features, centers, c * features, x, 0)) }");
}

mn_status mn_centers_store(mn_context *ctx, size_t n, size_t d, size_t k, const double *centers, const int32_t *label,
                           const double *counts, mn_matrix *out_centers, mn_indexes *out_labels, mn_vector *out_counts)
{
  mn_memory *memory = mn_context_memory(ctx);
  mn_matrix_free(memory, out_centers);
  mn_indexes_free(memory, out_labels);
  mn_vector_free(memory, out_counts);
  MN_TRY(mn_matrix_init(ctx, out_centers, k, d));
  MN_TRY(mn_indexes_init(ctx, out_labels, n));
  MN_TRY(mn_vector_init(ctx, out_counts, k));
  memcpy(out_centers->at, centers, k * d * sizeof *centers);
  memcpy(out_labels->at, label, n * sizeof *label);
  memcpy(out_counts->at, counts, k * sizeof *counts);
  return MN_OK;
}

double mn_centers_move(size_t k, size_t d, const double *sums, const double *totals, double *centers, double *counts)
{
  double moved2 = 0;
  for (size_t c = 0; c < k; c++) {
    if (!(totals[c] > 0)) continue;
    counts[c] += totals[c];
    for (size_t j = 0; j < d; j++) {
      const double step = (sums[c * d + j] - totals[c] * centers[c * d + j]) / counts[c];
      centers[c * d + j] += step;
      moved2 += step * step;
    }
  }
  return moved2;
}

mn_status mn_centers_check(mn_context *ctx, const char *who, int64_t n_clusters, const mn_matrix *start,
                           const mn_data *data)
{
  if ((uint64_t)n_clusters > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_clusters must be at most the number of rows, %zu, got %lld", who,
                   data->rows, (long long)n_clusters);
  if (start->at && (start->rows != (size_t)n_clusters || start->cols != data->features))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: start must be n_clusters x features = %lld x %zu, got %zu x %zu", who,
                   (long long)n_clusters, data->features, start->rows, start->cols);
  return MN_OK;
}

mn_status mn_centers_check_inertia(mn_context *ctx, const char *who, double inertia)
{
  if (isfinite(inertia)) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: squared distances overflow; scale the columns of X (StandardScaler)", who);
}

static void warn(size_t used, int64_t n_clusters, mn_text_buffer *text)
{
  if (used < (size_t)n_clusters)
    mn_text_printf(text, "only %zu of %lld clusters have rows, as when X has fewer distinct rows; decrease n_clusters",
                   used, (long long)n_clusters);
}

void mn_centers_warning(int64_t n_clusters, const mn_vector *counts, mn_text_buffer *text)
{
  size_t used = 0;
  for (size_t c = 0; c < counts->size; c++) used += counts->at[c] > 0;
  warn(used, n_clusters, text);
}

void mn_centers_label_warning(int64_t n_clusters, const mn_indexes *labels, mn_text_buffer *text)
{
  size_t used = 0;
  for (int64_t c = 0; c < n_clusters; c++) {
    size_t i = 0;
    while (i < labels->size && labels->at[i] != c) i++;
    used += i < labels->size;
  }
  warn(used, n_clusters, text);
}
