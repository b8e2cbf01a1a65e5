#include "pacmap_layout.h"
#include "../core/threads.h"
#include "adam_kernel.h"
#include "pacmap_kernel.h"
#include <math.h>

enum {
  BLOCK = 256,
  NEAR_PAIR = 0,
  FAR_PAIR = 1,
  MID_PAIR = 2 /* the last one, which has no weight in the third phase */,
  KINDS = 3
};
static const float offsets[KINDS] = { 10, 1, 10000 };
static const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7, first_mid_weight = 1000;

struct layout {
  const mn_pacmap_settings *settings;
  mn_pacmap_field field;
  mn_pacmap_kind kind[KINDS];
  float *y, *force, *mean, *square, *loss;
  size_t lanes;
  mn_adam adam;
  mn_blocks blocks, steps; /* of heads; of lanes */
};

/* Lists of the other rows of each row, in both directions, from `count` rows for each of n. */
static mn_status both_directions(mn_context *ctx, size_t n, size_t count, const int32_t *pairs, mn_pacmap_kind *out)
{
  size_t *start = MN_NEW(ctx, size_t, n + 2, 1);
  int32_t *tail = MN_RAW(ctx, int32_t, n, 2 * count);
  if (!start || !tail) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) start[i + 2] = count;
  for (size_t e = 0; e < n * count; e++) start[(size_t)pairs[e] + 2]++;
  for (size_t i = 0; i < n; i++) start[i + 2] += start[i + 1];
  for (size_t i = 0; i < n; i++) /* start[i + 1] is where the next one of row i goes, and ends where row i + 1 begins */
    for (size_t j = 0; j < count; j++) {
      const size_t other = (size_t)pairs[i * count + j];
      tail[start[i + 1]++] = (int32_t)other;
      tail[start[other + 1]++] = (int32_t)i;
    }
  out->start = start;
  out->tail = tail;
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, const mn_pacmap_settings *s, size_t n, size_t tails, const double *fixed,
                         const double *y, struct layout *l)
{
  const size_t columns = s->columns;
  *l = (struct layout){ .settings = s,
                        .lanes = (n * columns + MN_ADAM_LANES - 1) / MN_ADAM_LANES,
                        .blocks = mn_make_blocks(n, BLOCK, SIZE_MAX) };
  l->steps = mn_make_blocks(l->lanes, BLOCK, SIZE_MAX);
  l->y = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->force = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->mean = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->square = MN_NEW(ctx, float, l->lanes, MN_ADAM_LANES);
  l->loss = MN_NEW(ctx, float, n, 1);
  float *tail = fixed ? MN_RAW(ctx, float, tails, columns) : l->y;
  if (!l->y || !l->force || !l->mean || !l->square || !l->loss || !tail) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) l->y[c * n + i] = (float)y[i * columns + c];
  for (size_t i = 0; fixed && i < tails; i++)
    for (size_t c = 0; c < columns; c++) tail[c * tails + i] = (float)fixed[i * columns + c];
  l->field = (mn_pacmap_field){ n, tails, columns, l->y, tail, KINDS, l->kind };
  for (size_t t = 0; t < KINDS; t++) l->kind[t] = (mn_pacmap_kind){ .offset = offsets[t], .repels = t == FAR_PAIR };
  return MN_OK;
}

static void force_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct layout *l = work;
  mn_pacmap_forces(&l->field, mn_block_begin(&l->blocks, block), mn_block_end(&l->blocks, block), l->force, l->loss);
}

static void step_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct layout *l = work;
  const size_t begin = mn_block_begin(&l->steps, block), at = begin * MN_ADAM_LANES;
  mn_adam_step(&l->adam, mn_block_end(&l->steps, block) - begin, l->force + at, l->mean + at, l->square + at,
               l->y + at);
}

/* Weights of iteration t, from 0. */
static void set_weights(struct layout *l, int64_t t)
{
  const int64_t phase = l->settings->iterations * 2 / 9;
  const double part = phase > 0 ? (double)t / (double)phase : 1;
  l->kind[NEAR_PAIR].weight = t < phase ? 2 : t < 2 * phase ? 3 : 1;
  l->kind[FAR_PAIR].weight = 1;
  l->kind[MID_PAIR].weight = t < phase ? (float)((1 - part) * first_mid_weight + part * 3) : t < 2 * phase ? 3 : 0;
}

/* kinds: those that take part. Each pair is counted at `ends` of its rows. */
static mn_status run(mn_context *ctx, struct layout *l, size_t kinds, double ends, double *loss)
{
  const mn_pacmap_settings *s = l->settings;
  for (int64_t t = 0; t < s->iterations; t++) {
    set_weights(l, t);
    l->field.kinds = l->kind[MID_PAIR].weight > 0 ? kinds : kinds < MID_PAIR ? kinds : MID_PAIR;
    MN_TRY(mn_parallel(ctx, l->blocks.count, force_block, l));
    *loss = 0;
    for (size_t i = 0; i < l->field.heads; i++) *loss += (double)l->loss[i] / ends;
    const double correction = sqrt(1 - pow(beta2, (double)(t + 1))) / (1 - pow(beta1, (double)(t + 1)));
    l->adam = (mn_adam){ (float)beta1, (float)beta2, (float)(s->learning_rate * correction), (float)epsilon };
    MN_TRY(mn_parallel(ctx, l->steps.count, step_block, l));
    if (!mn_report_progress(ctx, (double)(t + 1), (double)s->iterations, *loss)) break;
  }
  return MN_OK;
}

static void to_rows(const struct layout *l, double *y)
{
  const size_t n = l->field.heads, columns = l->field.columns;
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < columns; c++) y[i * columns + c] = (double)l->y[c * n + i];
}

mn_status mn_pacmap_optimize(mn_context *ctx, const mn_pacmap_settings *s, size_t n, mn_pacmap_counts counts,
                             const int32_t *near, const int32_t *mid, const int32_t *far, double *y, double *loss)
{
  struct layout l;
  MN_TRY(prepare(ctx, s, n, n, NULL, y, &l));
  MN_TRY(both_directions(ctx, n, counts.near, near, &l.kind[NEAR_PAIR]));
  MN_TRY(both_directions(ctx, n, counts.mid, mid, &l.kind[MID_PAIR]));
  MN_TRY(both_directions(ctx, n, counts.far, far, &l.kind[FAR_PAIR]));
  MN_TRY(run(ctx, &l, KINDS, 2, loss));
  to_rows(&l, y);
  return MN_OK;
}

mn_status mn_pacmap_place(mn_context *ctx, const mn_pacmap_settings *s, size_t n, const size_t *start,
                          const int32_t *near, size_t tails, const double *fixed, double *y)
{
  struct layout l;
  double loss;
  MN_TRY(prepare(ctx, s, n, tails, fixed, y, &l));
  l.kind[NEAR_PAIR].start = start;
  l.kind[NEAR_PAIR].tail = near;
  MN_TRY(run(ctx, &l, 1, 1, &loss));
  to_rows(&l, y);
  return MN_OK;
}
