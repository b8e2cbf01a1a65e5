#include "grid.h"
#include "../core/threads.h"
#include "grid_kernel.h"
#include <math.h>
#include <string.h>

/* Where the pixel that sends a message stands, relative to the one that receives it. Opposite directions are adjacent,
 * and of each pair the first is above or to the left, which is the first variable of the pairwise table. */
static const int row_offset[MN_GRID_DIRECTIONS] = { -1, 1, 0, 0, -1, 1, -1, 1 };
static const int col_offset[MN_GRID_DIRECTIONS] = { 0, 0, -1, 1, -1, 1, 1, -1 };

struct sweep {
  const mn_grid *g;
  const mn_message_options *options;
  size_t pixels, planes;                            /* planes of a direction: states - 1 */
  double *unary;                                    /* planes of ratios                  */
  double *old, *new;                                /* neighbors x planes x pixels       */
  double *work;                                     /* for each worker: planes x cols    */
  double table[2][MN_GRID_STATES * MN_GRID_STATES]; /* exp, largest value 1; [1] transposed */
  double *change;                                   /* of each block of rows */
  mn_blocks blocks;
};

static double span(const double *x, size_t n)
{
  double low = x[0], high = x[0];
  for (size_t i = 1; i < n; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
  return high - low;
}

bool mn_grid_applicable(const mn_grid *g)
{
  return g->states >= 2 && g->states <= MN_GRID_STATES && span(g->table, g->states * g->states) <= 60;
}

static double *plane(const struct sweep *s, double *base, size_t direction, size_t state)
{
  return base + (direction * s->planes + state - 1) * s->pixels;
}

static bool is_inside(const mn_grid *g, size_t i, int di)
{
  return (di >= 0 || i > 0) && (di <= 0 || i + 1 < g->rows);
}

/* Pixels of a row whose neighbor in direction d exists: from .. to - 1. */
static void columns(const mn_grid *g, size_t d, size_t *from, size_t *to)
{
  *from = (size_t)(col_offset[d] < 0);
  *to = col_offset[d] > 0 ? g->cols - 1 : g->cols;
}

/* The messages that pixels of row i receive from direction d: the sender multiplies all that it received but from the
 * receiver, which is in the opposite direction. */
static double update_row(struct sweep *s, size_t i, size_t d, double *work)
{
  const mn_grid *g = s->g;
  size_t from, to;
  columns(g, d, &from, &to);
  if (!is_inside(g, i, row_offset[d]) || to <= from) return 0;
  const size_t sender = (size_t)((ptrdiff_t)i + row_offset[d]) * g->cols + (size_t)((ptrdiff_t)from + col_offset[d]);
  const size_t receiver = i * g->cols + from, n = to - from;
  const double *in[MN_GRID_STATES], *old[MN_GRID_STATES], *message[MN_GRID_DIRECTIONS];
  double *out[MN_GRID_STATES];
  for (size_t state = 1; state < g->states; state++) {
    size_t count = 0;
    for (size_t e = 0; e < g->neighbors; e++)
      if (e != (d ^ 1)) message[count++] = plane(s, s->old, e, state) + sender;
    double *product = work + (state - 1) * g->cols;
    mn_grid_product(n, s->unary + (state - 1) * s->pixels + sender, count, message, product);
    in[state - 1] = product;
    old[state - 1] = plane(s, s->old, d, state) + receiver;
    out[state - 1] = plane(s, s->new, d, state) + receiver;
  }
  const double *table = s->table[d & 1]; /* from below or the right, the receiver is the first variable */
  return (s->options->maximum ? mn_grid_row_max : mn_grid_row_sum)(n, g->states, table, in, old, out,
                                                                   s->options->damping);
}

static void run_block(void *work, size_t block, size_t worker)
{
  struct sweep *s = work;
  double most = 0;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++)
    for (size_t d = 0; d < s->g->neighbors; d++)
      most = fmax(most, update_row(s, i, d, s->work + worker * s->planes * s->g->cols));
  s->change[block] = most;
}

static mn_status begin(mn_context *ctx, struct sweep *s)
{
  const mn_grid *g = s->g;
  const size_t k = g->states, size = g->neighbors * s->planes * s->pixels;
  s->unary = MN_RAW(ctx, double, s->planes, s->pixels);
  s->old = MN_RAW(ctx, double, size, 1);
  s->new = MN_RAW(ctx, double, size, 1);
  s->blocks = mn_make_blocks(g->rows, 16384 / (g->cols * s->planes) + 1, 256);
  s->work = MN_RAW(ctx, double, mn_threads(ctx) * s->planes, g->cols);
  s->change = MN_NEW(ctx, double, s->blocks.count + 1, 1);
  if (!s->unary || !s->old || !s->new || !s->work || !s->change) return MN_NO_MEMORY;
  for (size_t p = 0; p < s->pixels; p++)
    for (size_t t = 1; t < k; t++) {
      const double ratio = g->unary[p * k + t] - g->unary[p * k];
      s->unary[(t - 1) * s->pixels + p] = exp(fmax(-200, fmin(200, ratio)));
    }
  for (size_t i = 0; i < size; i++) s->old[i] = s->new[i] = 1; /* borders stay 1: no neighbor */
  double most = g->table[0];
  for (size_t i = 1; i < k * k; i++) most = fmax(most, g->table[i]);
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) s->table[0][a * k + b] = s->table[1][b * k + a] = exp(g->table[a * k + b] - most);
  return MN_OK;
}

static void read_marginals(const struct sweep *s, double *out)
{
  const size_t k = s->g->states;
  for (size_t p = 0; p < s->pixels; p++) {
    double sum = 1, *b = out + p * k;
    b[0] = 1;
    for (size_t t = 1; t < k; t++) {
      b[t] = s->unary[(t - 1) * s->pixels + p];
      for (size_t d = 0; d < s->g->neighbors; d++) b[t] *= plane(s, s->old, d, t)[p];
      sum += b[t];
    }
    for (size_t t = 0; t < k; t++) b[t] /= sum;
  }
}

/* --- Bethe approximation --- */

/* <log table> + H of the belief of a pair of neighbors, the first above or to the left in direction d of the second. */
static double pair_term(const struct sweep *s, size_t d, size_t a, size_t b, const double *marginals, double *pair)
{
  const size_t k = s->g->states;
  double sum = 0, total = 0;
  for (size_t x = 0; x < k; x++)
    for (size_t y = 0; y < k; y++) {
      /* beliefs without the messages that passed between the two */
      const double u = marginals[a * k + x] / (x == 0 ? 1 : plane(s, s->old, d ^ 1, x)[a]);
      const double v = marginals[b * k + y] / (y == 0 ? 1 : plane(s, s->old, d, y)[b]);
      sum += pair[x * k + y] = s->table[0][x * k + y] * u * v;
    }
  for (size_t i = 0; i < k * k; i++) {
    const double p = pair[i] / sum;
    if (p > 0) total += p * (s->g->table[i] - log(p));
  }
  return total;
}

static mn_status bethe(mn_context *ctx, const struct sweep *s, const double *marginals, double *out)
{
  const mn_grid *g = s->g;
  double total = 0, *pair = MN_RAW(ctx, double, g->states, g->states);
  size_t *degree = MN_NEW(ctx, size_t, s->pixels, 1);
  if (!pair || !degree) return MN_NO_MEMORY;
  for (size_t i = 0; i < g->rows; i++) {
    for (size_t d = 0; d < g->neighbors; d += 2) {
      size_t from, to;
      columns(g, d, &from, &to);
      if (!is_inside(g, i, row_offset[d])) continue;
      for (size_t j = from; j < to; j++) {
        const size_t b = i * g->cols + j;
        const size_t a = (size_t)((ptrdiff_t)i + row_offset[d]) * g->cols + (size_t)((ptrdiff_t)j + col_offset[d]);
        total += pair_term(s, d, a, b, marginals, pair);
        degree[a]++;
        degree[b]++;
      }
    }
    MN_TRY(mn_poll(ctx));
  }
  for (size_t p = 0; p < s->pixels; p++)
    for (size_t t = 0; t < g->states; t++) {
      const double b = marginals[p * g->states + t];
      if (b > 0) total += b * g->unary[p * g->states + t] - (1 - (double)degree[p]) * b * log(b);
    }
  *out = total;
  return MN_OK;
}

mn_status mn_grid_propagate(mn_context *ctx, const mn_grid *g, const mn_message_options *options, double *marginals,
                            double *log_partition, mn_message_report *report)
{
  struct sweep *s = MN_NEW(ctx, struct sweep, 1, 1);
  MN_CHECK_ALLOC(s);
  *report = (mn_message_report){ 0 };
  s->g = g;
  s->options = options;
  s->pixels = g->rows * g->cols;
  s->planes = g->states - 1;
  if (s->pixels == 0) return MN_OK;
  MN_TRY(begin(ctx, s));
  while (report->n_iter < options->max_iter && !report->converged) {
    MN_TRY(mn_parallel(ctx, s->blocks.count, run_block, s));
    double *swap = s->old;
    s->old = s->new;
    s->new = swap;
    report->n_iter++;
    report->residual = 0;
    for (size_t b = 0; b < s->blocks.count; b++) report->residual = fmax(report->residual, s->change[b]);
    report->converged = report->residual <= options->tol;
    if (!mn_report_progress(ctx, (double)report->n_iter, (double)options->max_iter, report->residual)) break;
  }
  if (mn_cancelled(ctx)) return MN_CANCELLED;
  read_marginals(s, marginals);
  return log_partition ? bethe(ctx, s, marginals, log_partition) : MN_OK;
}
