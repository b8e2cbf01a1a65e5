/* The components of the rows at the beginning of EM, by a short k-means on a sample of the rows. */
#include "../cluster/kmeans_start.h"
#include "../cluster/lloyd.h"
#include "gaussian.h"
#include <string.h>

const char *const mn_mixture_starts[] = { "kmeans", "k-means++", "random", "random_from_data", NULL };

enum { SAMPLE_ROWS = 20000, MAX_ROUNDS = 50 };

/* At most SAMPLE_ROWS rows, drawn without replacement; all rows in their order if there are fewer. */
static mn_status sample_rows(mn_context *ctx, const mn_data *data, mn_rng *rng, mn_data *sample)
{
  *sample = (mn_data){ .rows = data->rows, .features = data->features, .x = data->x, .weights = data->weights };
  if (data->rows <= SAMPLE_ROWS) return MN_OK;
  size_t *row = MN_RAW(ctx, size_t, data->rows, 1);
  double *x = MN_RAW(ctx, double, SAMPLE_ROWS, data->features), *w = MN_RAW(ctx, double, SAMPLE_ROWS, 1);
  if (!row || !x || !w) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) row[i] = i;
  for (size_t i = 0; i < SAMPLE_ROWS; i++) {
    const size_t other = i + mn_random_below(rng, data->rows - i), chosen = row[other];
    row[other] = row[i];
    memcpy(x + i * data->features, mn_row(&data->x, chosen), data->features * sizeof *x);
    w[i] = mn_weight(data, chosen);
  }
  sample->rows = SAMPLE_ROWS;
  sample->x = (mn_matrix){ .at = x, .rows = SAMPLE_ROWS, .cols = data->features };
  sample->weights = data->weights ? w : NULL;
  return MN_OK;
}

/* Lloyd's algorithm. A center without rows stays where it is. */
static mn_status improve_centers(mn_context *ctx, const mn_data *sample, size_t k, double *centers)
{
  const size_t p = sample->features;
  int32_t *label = MN_RAW(ctx, int32_t, sample->rows, 1);
  double *sums = MN_RAW(ctx, double, k, p), *totals = MN_RAW(ctx, double, k, 1), inertia, before = INFINITY;
  if (!label || !sums || !totals) return MN_NO_MEMORY;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    MN_TRY(mn_kmeans_assign(ctx, sample, k, centers, label, NULL, sums, totals, &inertia));
    if (!(inertia < before)) break;
    before = inertia;
    for (size_t c = 0; c < k; c++)
      for (size_t j = 0; totals[c] > 0 && j < p; j++) centers[c * p + j] = sums[c * p + j] / totals[c];
  }
  return MN_OK;
}

mn_status mn_mixture_start_labels(mn_context *ctx, const mn_data *data, size_t k, int64_t method, mn_rng *rng,
                                  int32_t *label)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t p = data->features;
  mn_data sample;
  if (method == MN_START_RANDOM) {
    for (size_t i = 0; i < data->rows; i++) label[i] = (int32_t)mn_random_below(rng, k);
    return MN_OK;
  }
  double *centers = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(centers);
  MN_TRY(sample_rows(ctx, data, rng, &sample));
  MN_TRY(method == MN_START_ROWS ? mn_kmeans_random_rows(ctx, &sample, k, rng, centers)
                                 : mn_kmeans_plus_plus(ctx, &sample, k, rng, centers));
  if (method == MN_START_KMEANS) MN_TRY(improve_centers(ctx, &sample, k, centers));
  MN_TRY(mn_kmeans_assign(ctx, data, k, centers, label, NULL, NULL, NULL, NULL));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
