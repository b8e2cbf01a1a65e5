#include "umap_layout.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "adam_kernel.h"
#include "umap_kernel.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 128, EDGES_OF_ALL = 10, DEFAULT_EPOCHS = 200 };
static const float beta1 = 0.5F, beta2 = 0.9F, epsilon = 1e-7F; /* as uwot */

/* A constant force moves a row by this in the first epoch, for the learning rate 1. With it, and a rate that decreases
 * quadratically, the cross-entropy of digits comes out lowest. */
static const double first_step = 2;

struct layout {
  const mn_umap_settings *settings;
  mn_umap_field field;
  size_t lanes; /* blocks of heads x columns values for mn_adam_step */
  float *y, *force, *mean, *square;
  float *work; /* for each worker: work_size values */
  size_t work_size;
  mn_umap_density density;
  float *membership, *spread, *slope; /* what density points to; NULL without densMAP */
  double *log_radius, *target;        /* of each head in the layout; standardized in the data */
  double total_weight, max_weight;    /* of the graph */
  mn_adam adam;
  mn_blocks blocks, steps; /* of heads; of lanes */
};

/* Edges lighter than the heaviest of the graph (`row`: of its row) by more than the number of epochs are left out; the
 * others have a rate of at most 1. */
static mn_status copy_edges(mn_context *ctx, const mn_csr *graph, bool row, struct layout *l)
{
  const mn_umap_settings *s = l->settings;
  const size_t n = graph->rows;
  size_t *start = MN_NEW(ctx, size_t, n + 1, 1), used = 0;
  int32_t *col = MN_RAW(ctx, int32_t, graph->start[n], 1);
  float *rate = MN_RAW(ctx, float, graph->start[n], 1), *draws = MN_RAW(ctx, float, n, 1);
  if (!start || !col || !rate || !draws) return MN_NO_MEMORY;
  const double least = 1 / (double)(s->epochs > EDGES_OF_ALL ? s->epochs : DEFAULT_EPOCHS);
  for (size_t e = 0; e < graph->start[n]; e++) {
    l->total_weight += graph->at[e];
    l->max_weight = fmax(l->max_weight, graph->at[e]);
  }
  for (size_t i = 0; i < n; i++) {
    double heaviest = row ? 0 : l->max_weight, sum = 0;
    for (size_t e = graph->start[i]; row && e < graph->start[i + 1]; e++) heaviest = fmax(heaviest, graph->at[e]);
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
      if (graph->at[e] < least * heaviest) continue;
      col[used] = graph->col[e];
      rate[used++] = (float)(graph->at[e] / heaviest);
      sum += graph->at[e] / heaviest;
    }
    start[i + 1] = used;
    draws[i] = (float)(s->negative_sample_rate * sum);
  }
  l->field.start = start;
  l->field.col = col;
  l->field.rate = rate;
  l->field.draws = draws;
  return MN_OK;
}

static void to_columns(size_t n, size_t columns, const double *rows, float *out)
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) out[c * n + i] = (float)rows[i * columns + c];
}

static void to_rows(size_t n, size_t columns, const float *from, double *out)
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) out[i * columns + c] = (double)from[c * n + i];
}

/* `fixed`: positions of the tails; NULL: heads and tails are the same points. */
static mn_status prepare(mn_context *ctx, const mn_umap_settings *s, const mn_csr *graph, const double *fixed,
                         const double *y, struct layout *l)
{
  const size_t n = graph->rows, tails = graph->cols, columns = s->columns;
  *l = (struct layout){ .settings = s, .blocks = mn_make_blocks(n, BLOCK, SIZE_MAX) };
  l->lanes = (n * columns + MN_ADAM_LANES - 1) / MN_ADAM_LANES;
  l->steps = mn_make_blocks(l->lanes, BLOCK, SIZE_MAX);
  l->work_size = (columns + 3) * MN_UMAP_CHUNK;
  l->y = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->force = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->mean = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->square = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->work = MN_RAW(ctx, float, mn_threads(ctx), l->work_size);
  float *tail = fixed ? MN_RAW(ctx, float, tails, columns) : l->y;
  if (!l->y || !l->force || !l->mean || !l->square || !l->work || !tail) return MN_NO_MEMORY;
  to_columns(n, columns, y, l->y);
  if (fixed) to_columns(tails, columns, fixed, tail);
  mn_rng rng = mn_stream(s->seed, 0);
  l->field = (mn_umap_field){ .heads = n,
                              .tails = tails,
                              .columns = columns,
                              .head = l->y,
                              .tail = tail,
                              .a = (float)s->a,
                              .b = (float)s->b,
                              .pull = fixed ? 1 : 2, /* an edge of two rows that move stands in the rows of both */
                              .push = (float)s->repulsion_strength,
                              .seed = mn_random_u64(&rng),
                              .spread = fixed == NULL };
  return copy_edges(ctx, graph, fixed != NULL, l);
}

static void force_block(void *work, size_t block, size_t worker)
{
  const struct layout *l = work;
  mn_umap_forces(&l->field, mn_block_begin(&l->blocks, block), mn_block_end(&l->blocks, block),
                 l->work + worker * l->work_size, l->force);
}

/* --- densMAP: the correlation of the logarithms of the radii of rows and of their positions --- */

static mn_status prepare_density(mn_context *ctx, struct layout *l)
{
  const size_t n = l->field.heads;
  const double *radii = l->settings->radii;
  double mean = 0, variance = 0;
  l->membership = MN_RAW(ctx, float, n, 1);
  l->spread = MN_RAW(ctx, float, n, 1);
  l->slope = MN_RAW(ctx, float, n, 1);
  l->log_radius = MN_RAW(ctx, double, n, 1);
  l->target = MN_RAW(ctx, double, n, 1);
  if (!l->membership || !l->spread || !l->slope || !l->log_radius || !l->target) return MN_NO_MEMORY;
  l->density = (mn_umap_density){ l->membership, l->spread, l->slope };
  for (size_t i = 0; i < n; i++) mean += radii[i] / (double)n;
  for (size_t i = 0; i < n; i++) variance += (radii[i] - mean) * (radii[i] - mean) / (double)n;
  for (size_t i = 0; i < n; i++) l->target[i] = variance > 0 ? (radii[i] - mean) / sqrt(variance) : 0;
  return MN_OK;
}

static void radius_block(void *work, size_t block, size_t worker)
{
  const struct layout *l = work;
  mn_umap_radii(&l->field, mn_block_begin(&l->blocks, block), mn_block_end(&l->blocks, block),
                l->work + worker * l->work_size, l->membership, l->spread);
}

static void density_block(void *work, size_t block, size_t worker)
{
  const struct layout *l = work;
  mn_umap_density_forces(&l->field, &l->density, mn_block_begin(&l->blocks, block), mn_block_end(&l->blocks, block),
                         l->work + worker * l->work_size, l->force);
}

static mn_status add_density(mn_context *ctx, struct layout *l)
{
  const size_t n = l->field.heads;
  const mn_umap_settings *s = l->settings;
  double mean = 0, variance = s->dens_var_shift, covariance = 0;
  MN_TRY(mn_parallel(ctx, l->blocks.count, radius_block, l));
  for (size_t i = 0; i < n; i++) {
    const bool alone = !(l->membership[i] > 0);
    if (alone) l->membership[i] = l->spread[i] = 1;
    l->log_radius[i] = alone ? 0 : log(1e-8 + (double)l->spread[i] / (double)l->membership[i]);
    mean += l->log_radius[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++) {
    const double off = l->log_radius[i] - mean;
    variance += off * off / (double)n;
    covariance += l->log_radius[i] * l->target[i] / (double)(n > 1 ? n - 1 : 1);
  }
  /* half, since both rows of an edge have it */
  const double scale = 0.5 * s->dens_lambda * l->total_weight / (l->max_weight * sqrt(variance) * (double)n);
  for (size_t i = 0; i < n; i++)
    l->slope[i] = (float)(scale * (l->target[i] - covariance * (l->log_radius[i] - mean) / variance));
  return mn_parallel(ctx, l->blocks.count, density_block, l);
}

/* --- epochs --- */

static void step_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct layout *l = work;
  const size_t begin = mn_block_begin(&l->steps, block), at = begin * MN_ADAM_LANES;
  mn_adam_step(&l->adam, mn_block_end(&l->steps, block) - begin, l->force + at, l->mean + at, l->square + at,
               l->y + at);
}

static mn_status run_epoch(mn_context *ctx, struct layout *l, int64_t epoch)
{
  const mn_umap_settings *s = l->settings;
  const double left = 1 - (double)(epoch - 1) / (double)s->epochs;
  l->field.epoch = (uint64_t)epoch;
  MN_TRY(mn_parallel(ctx, l->blocks.count, force_block, l));
  if (l->target && left <= s->dens_frac) MN_TRY(add_density(ctx, l));
  const double correction = sqrt(1 - pow((double)beta2, (double)epoch)) / (1 - pow((double)beta1, (double)epoch));
  l->adam = (mn_adam){ beta1, beta2, (float)(first_step * s->learning_rate * left * left * correction), epsilon };
  return mn_parallel(ctx, l->steps.count, step_block, l);
}

static mn_status run(mn_context *ctx, struct layout *l)
{
  const int64_t epochs = l->settings->epochs;
  for (int64_t epoch = 1; epoch <= epochs; epoch++) {
    MN_TRY(run_epoch(ctx, l, epoch));
    if (!mn_report_progress(ctx, (double)epoch, (double)epochs, (double)NAN)) break;
  }
  return MN_OK;
}

mn_status mn_umap_optimize(mn_context *ctx, const mn_umap_settings *s, const mn_csr *graph, double *y)
{
  struct layout l;
  MN_TRY(prepare(ctx, s, graph, NULL, y, &l));
  if (s->radii) MN_TRY(prepare_density(ctx, &l));
  MN_TRY(run(ctx, &l));
  to_rows(graph->rows, s->columns, l.y, y);
  return MN_OK;
}

mn_status mn_umap_place(mn_context *ctx, const mn_umap_settings *s, const mn_csr *graph, const double *fixed, double *y)
{
  struct layout l;
  MN_TRY(prepare(ctx, s, graph, fixed, y, &l));
  MN_TRY(run(ctx, &l));
  to_rows(graph->rows, s->columns, l.y, y);
  return MN_OK;
}
