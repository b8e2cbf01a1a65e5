#include "sample.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 256 };

double mn_sample_row(const mn_network *net, mn_rng *rng, const double *evidence, const double *const *likelihood,
                     double *row)
{
  double log_p = 0;
  for (size_t i = 0; i < net->nodes; i++) {
    const size_t v = (size_t)net->order[i];
    if (evidence && !isnan(evidence[v])) {
      row[v] = evidence[v];
      log_p += mn_log_node(net, v, row);
    } else {
      const size_t c = mn_configuration(net, v, row), width = mn_table_width(net, v);
      const double *table = net->table + net->at[v] + c * width;
      if (net->card[v] > 0)
        row[v] = (double)mn_random_weighted(rng, table, (size_t)net->card[v]);
      else
        row[v] = mn_linear_mean(net, v, c, row) + table[width - 1] * mn_random_normal(rng);
    }
    if (likelihood && likelihood[v]) log_p += log(likelihood[v][(size_t)row[v]]);
  }
  return log_p;
}

struct row_sampling {
  const mn_network *net;
  int64_t seed;
  mn_matrix *rows;
  mn_blocks blocks;
};

static void sample_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct row_sampling *w = work;
  mn_rng rng = mn_stream(w->seed, block);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    mn_sample_row(w->net, &rng, NULL, NULL, mn_row(w->rows, i));
}

mn_status mn_sample_rows(mn_context *ctx, const mn_network *net, int64_t seed, mn_matrix *rows)
{
  struct row_sampling w = { .net = net, .seed = seed, .rows = rows };
  w.blocks = mn_make_blocks(rows->rows, BLOCK_ROWS, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, sample_block, &w);
}

mn_status mn_sampled_new(mn_context *ctx, const mn_network *net, mn_sampled *out)
{
  *out = (mn_sampled){ .place = MN_RAW(ctx, size_t, net->nodes + 1, 1), .log_p = (double)NAN };
  MN_CHECK_ALLOC(out->place);
  for (size_t v = 0; v < net->nodes; v++) {
    out->place[v] = out->size;
    out->size += net->card[v] > 0 ? (size_t)net->card[v] : 2;
  }
  out->place[net->nodes] = out->size;
  out->estimate = MN_NEW(ctx, double, out->size + 1, 1);
  out->error = MN_NEW(ctx, double, out->size + 1, 1);
  return out->estimate && out->error ? MN_OK : MN_NO_MEMORY;
}

/* --- likelihood weighting --- */

/* Sums over samples of weights w, relative to exp(highest), and of w f and w^2 f for the indicator f of each value; of
 * a number x: w x and w x^2, w^2 x and w^2 x^2. */
struct sums {
  double highest, w, w2;
  double *first, *second; /* size */
};

struct weighting {
  const mn_net_sampling *s;
  const mn_sampled *out;
  struct sums *part; /* blocks */
  double *row;       /* workers x nodes */
  mn_blocks blocks;
};

static void scale_sums(struct sums *a, size_t size, double highest)
{
  const double f = a->highest > -INFINITY ? exp(a->highest - highest) : 0;
  a->w *= f;
  a->w2 *= f * f;
  for (size_t i = 0; i < size; i++) {
    a->first[i] *= f;
    a->second[i] *= f * f;
  }
  a->highest = highest;
}

static void add_sample(struct sums *a, const mn_network *net, const mn_sampled *out, double log_w, const double *row)
{
  if (!(log_w > -INFINITY)) return;
  if (log_w > a->highest) scale_sums(a, out->size, log_w);
  const double w = exp(log_w - a->highest), w2 = w * w;
  a->w += w;
  a->w2 += w2;
  for (size_t v = 0; v < net->nodes; v++) {
    const double x = row[v];
    const size_t at = out->place[v] + (net->card[v] > 0 ? (size_t)x : 0);
    a->first[at] += net->card[v] > 0 ? w : w * x;
    a->second[at] += net->card[v] > 0 ? w2 : w2 * x;
    if (net->card[v] > 0) continue;
    a->first[at + 1] += w * x * x;
    a->second[at + 1] += w2 * x * x;
  }
}

static void weigh_block(void *work, size_t block, size_t worker)
{
  const struct weighting *w = work;
  const mn_network *net = w->s->net;
  double *row = w->row + worker * net->nodes;
  mn_rng rng = mn_stream(w->s->seed, block);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double log_w = mn_sample_row(net, &rng, w->s->evidence, w->s->likelihood, row);
    add_sample(&w->part[block], net, w->out, log_w, row);
  }
}

static void merge(struct sums *into, struct sums *part, size_t size)
{
  if (!(part->highest > -INFINITY)) return;
  const double highest = fmax(into->highest, part->highest);
  scale_sums(into, size, highest);
  scale_sums(part, size, highest);
  into->w += part->w;
  into->w2 += part->w2;
  for (size_t i = 0; i < size; i++) {
    into->first[i] += part->first[i];
    into->second[i] += part->second[i];
  }
}

/* Ratio estimates and their standard errors: var = sum w^2 (f - m)^2 / (sum w)^2. */
static void conclude(const mn_network *net, const struct sums *a, mn_sampled *out)
{
  for (size_t v = 0; v < net->nodes; v++) {
    for (size_t i = out->place[v]; i < out->place[v + 1]; i++) {
      const double m = a->first[i] / a->w, f2 = net->card[v] > 0 ? a->second[i] : a->second[out->place[v] + 1];
      out->estimate[i] = m;
      out->error[i] = sqrt(fmax(f2 - 2 * m * a->second[i] + m * m * a->w2, 0)) / a->w;
    }
    if (net->card[v] > 0) continue;
    const size_t at = out->place[v];
    out->estimate[at + 1] = sqrt(fmax(out->estimate[at + 1] - out->estimate[at] * out->estimate[at], 0));
    out->error[at + 1] = (double)NAN;
  }
  out->effective = a->w * a->w / a->w2;
}

static mn_status sums_new(mn_context *ctx, size_t count, size_t size, struct sums **out)
{
  struct sums *a = MN_RAW(ctx, struct sums, count, 1);
  double *at = MN_NEW(ctx, double, count, 2 * size);
  if (!a || !at) return MN_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    a[i] = (struct sums){ .highest = -INFINITY, .first = at + 2 * i * size, .second = at + (2 * i + 1) * size };
  *out = a;
  return MN_OK;
}

mn_status mn_likelihood_weighting(mn_context *ctx, const mn_net_sampling *s, mn_sampled *out)
{
  struct weighting w = { .s = s, .out = out };
  struct sums *all;
  w.blocks = mn_make_blocks(s->samples, BLOCK_ROWS, 1 << 10);
  w.row = MN_RAW(ctx, double, mn_threads(ctx), s->net->nodes + 1);
  MN_CHECK_ALLOC(w.row);
  MN_TRY(sums_new(ctx, w.blocks.count, out->size, &w.part));
  MN_TRY(sums_new(ctx, 1, out->size, &all));
  MN_TRY(mn_parallel(ctx, w.blocks.count, weigh_block, &w));
  for (size_t b = 0; b < w.blocks.count; b++) merge(all, &w.part[b], out->size);
  if (!(all->w > 0))
    return mn_fail(ctx, MN_BAD_DATA,
                   "BayesNet: none of %zu samples agrees with the evidence; increase samples or use "
                   "method = \"exact\"",
                   s->samples);
  conclude(s->net, all, out);
  out->log_p = all->highest + log(all->w / (double)s->samples);
  return MN_OK;
}
