#include "tsne_grid.h"
#include "tsne_grid_kernel.h"
#include "tsne_convolution.h"
#include "tsne_spline.h"
#include <math.h>
#include <string.h>

enum {
  MIN_INTERVALS = 50,      /* along the longer side of the map                                       */
  MAX_INTERVALS = 3000,    /* a map that flies apart gets a coarser grid instead of all memory       */
  LEVELS_PER_OCTAVE = 4,   /* of the spacing, which changes seldom so that the kernel can be kept    */
  POINTS_PER_BLOCK = 8192, /* at least; each block of points has a grid of charges                   */
  MAX_BLOCKS = 8
};

mn_tsne_grid mn_tsne_grid_make(size_t dims, double dof, double spacing, double margin)
{
  const double width = fmin(sqrt(dof), 1); /* of the kernel */
  return (mn_tsne_grid){ .dims = dims, .dof = dof, .limit = spacing * width, .margin = margin };
}

/* Memory for `need` values, kept from call to call. */
static mn_status reserve(mn_context *ctx, size_t need, double **memory, size_t *size)
{
  if (need <= *size) return MN_OK;
  *size = need + need / 2;
  *memory = MN_NEW(ctx, double, *size, 1);
  return *memory ? MN_OK : MN_NO_MEMORY;
}

static double find_range(mn_tsne_grid *g, size_t n, const double *y)
{
  double widest = 0;
  for (size_t c = 0; c < g->dims; c++) {
    const size_t axis = 2 - g->dims + c;
    double low = y[c], high = y[c];
    for (size_t i = 0; i < n; i++) {
      low = y[i * g->dims + c] < low ? y[i * g->dims + c] : low;
      high = y[i * g->dims + c] > high ? y[i * g->dims + c] : high;
    }
    const double free = g->margin * (high - low) + (g->margin > 0 ? 1 : 0);
    g->low[axis] = low - free;
    g->high[axis] = high + free;
    widest = fmax(widest, g->high[axis] - g->low[axis]);
  }
  return widest;
}

/* The largest spacing of the levels that gives MIN_INTERVALS. */
static double spacing_for(const mn_tsne_grid *g, double widest)
{
  if (!(widest > 0)) return g->limit;
  const double level = ceil(LEVELS_PER_OCTAVE * log2(MIN_INTERVALS * g->limit / widest));
  const double spacing = g->limit * exp2(-fmax(level, 0) / LEVELS_PER_OCTAVE);
  return fmax(spacing, widest / MAX_INTERVALS);
}

/* Nodes and padded size of each axis, for a map with its points in low .. high. */
static mn_status lay_out(mn_context *ctx, mn_tsne_grid *g, double widest)
{
  g->spacing = spacing_for(g, widest);
  for (size_t axis = 0; axis < 2; axis++) {
    if (axis < 2 - g->dims) {
      g->nodes[axis] = g->size[axis] = 1;
      if (g->along[axis].n != 1) MN_TRY(mn_fft_init(ctx, 1, &g->along[axis]));
      continue;
    }
    g->origin[axis] = g->low[axis] - 2.5 * g->spacing;
    g->nodes[axis] = (size_t)((g->high[axis] - g->low[axis]) / g->spacing) + 8;
    const size_t need = 2 * g->nodes[axis];
    if (g->size[axis] >= need && g->size[axis] <= need + need / 4) continue;
    g->size[axis] = mn_fft_length(need + need / 16);
    g->kernel_spacing = 0;
    MN_TRY(mn_fft_init(ctx, g->size[axis], &g->along[axis]));
  }
  return MN_OK;
}

/* The transform of B on the integers. */
static double spline_transform(size_t k, size_t n)
{
  const double turn = 6.28318530717958647693 * (double)k / (double)n;
  return n == 1 ? 1 : (33 + 26 * cos(turn) + cos(2 * turn)) / 60;
}

static mn_status make_kernel(mn_context *ctx, mn_tsne_grid *g, const mn_tsne_convolution *t)
{
  const size_t rows = g->size[0], cols = g->size[1], blocks = mn_tsne_column_blocks(cols);
  MN_TRY(reserve(ctx, rows * cols, &g->charges, &g->charges_size));
  for (size_t i = 0; i < rows; i++) {
    const double x = (double)(i <= rows / 2 ? i : rows - i) * g->spacing;
    mn_tsne_kernel_row(cols, x * x, g->spacing, g->dof, g->charges + i * cols);
  }
  MN_TRY(mn_tsne_convolve(ctx, t, NULL, rows, cols, g->charges, NULL));
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = 0; i < rows; i++) {
      const double *from = g->spectrum + (b * rows + i) * 2 * MN_FFT_LANES, down = spline_transform(i, rows);
      double *to = g->kernel + (b * rows + i) * MN_FFT_LANES;
      for (size_t l = 0; l < MN_FFT_LANES; l++) {
        const double both = down * spline_transform(b * MN_FFT_LANES + l, cols);
        to[l] = from[l] / (both * both * (double)(rows * cols));
      }
    }
  g->kernel_spacing = g->spacing;
  memset(g->self, 0, sizeof g->self);
  g->self[0] = 1;
  return mn_tsne_convolve(ctx, t, g->kernel, g->dims == 2 ? MN_SPLINE : 1, MN_SPLINE, g->self, g->self);
}

struct spreading {
  const mn_tsne_grid *grid;
  const double *y;
  mn_tsne_position place;
  mn_blocks blocks;
};

static void spread_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct spreading *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), area = w->grid->nodes[0] * w->grid->nodes[1];
  double *charges = w->grid->charges + block * area;
  memset(charges, 0, area * sizeof *charges);
  mn_tsne_spread(mn_block_end(&w->blocks, block) - begin, w->y + begin * w->grid->dims, &w->place, charges);
}

static mn_tsne_position place_of(const mn_tsne_grid *g)
{
  return (mn_tsne_position){ g->dims, g->nodes[1], g->origin, g->spacing };
}

static mn_status spread(mn_context *ctx, mn_tsne_grid *g, size_t n, const double *y)
{
  const size_t area = g->nodes[0] * g->nodes[1];
  struct spreading w = { g, y, place_of(g), mn_make_blocks(n, POINTS_PER_BLOCK, MAX_BLOCKS) };
  MN_TRY(reserve(ctx, w.blocks.count * area, &g->charges, &g->charges_size));
  MN_TRY(mn_parallel(ctx, w.blocks.count, spread_block, &w));
  mn_sum_blocks(w.blocks.count, area, g->charges, g->potential);
  return MN_OK;
}

mn_status mn_tsne_grid_fill(mn_context *ctx, mn_tsne_grid *g, size_t n, const double *y)
{
  MN_TRY(lay_out(ctx, g, find_range(g, n, y)));
  const size_t values = mn_tsne_column_blocks(g->size[1]) * g->size[0] * MN_FFT_LANES;
  const size_t longer = g->size[0] > g->size[1] ? g->size[0] : g->size[1];
  MN_TRY(reserve(ctx, g->nodes[0] * g->nodes[1], &g->potential, &g->potential_size));
  MN_TRY(reserve(ctx, 2 * values, &g->spectrum, &g->spectrum_size));
  MN_TRY(reserve(ctx, mn_threads(ctx) * longer * 4 * MN_FFT_LANES, &g->workspace, &g->workspace_size));
  const mn_tsne_convolution t = { .rows = g->size[0],
                                  .cols = g->size[1],
                                  .down = &g->along[0],
                                  .across = &g->along[1],
                                  .spectrum = g->spectrum,
                                  .workspace = g->workspace };
  if (g->kernel_spacing != g->spacing) {
    MN_TRY(reserve(ctx, values, &g->kernel, &g->kernel_size));
    MN_TRY(make_kernel(ctx, g, &t));
  }
  MN_TRY(spread(ctx, g, n, y));
  return mn_tsne_convolve(ctx, &t, g->kernel, g->nodes[0], g->nodes[1], g->potential, g->potential);
}

void mn_tsne_grid_read(const mn_tsne_grid *g, size_t n, const double *y, bool others, double *potential, double *slope)
{
  const mn_tsne_position place = place_of(g);
  mn_tsne_gather(n, y, &place, g->potential, potential, slope);
  if (others) mn_tsne_subtract_self(n, y, &place, g->self, potential, slope);
}
