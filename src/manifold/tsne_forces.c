#include "tsne_forces.h"
#include <math.h>

static double x_log_x(double p)
{
  return p > 0 ? p * log(p) : 0;
}

/* The parts of the divergence that do not depend on the map. */
static mn_status find_entropy(mn_context *ctx, mn_tsne_forces *f)
{
  f->entropy = f->mass = 0;
  for (size_t i = 0; i < f->n; i++) {
    double entropy = 0, mass = 0;
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; f->dense && j < f->n; j++) {
      entropy += x_log_x(f->dense[i * f->n + j]);
      mass += f->dense[i * f->n + j];
    }
    for (size_t e = f->dense ? 0 : f->graph.start[i]; !f->dense && e < f->graph.start[i + 1]; e++) {
      entropy += x_log_x((double)f->graph.p[e]);
      mass += (double)f->graph.p[e];
    }
    f->entropy += entropy;
    f->mass += mass;
  }
  return MN_OK;
}

mn_status mn_tsne_forces_init(mn_context *ctx, mn_tsne_forces *f, double spacing)
{
  const bool exact = f->method == MN_TSNE_EXACT;
  f->blocks = mn_make_blocks(f->n, exact ? 16 : 512, SIZE_MAX);
  f->y = MN_NEW(ctx, double, f->n, f->dims);
  f->attraction = MN_RAW(ctx, double, f->n, f->dims);
  f->repulsion = MN_RAW(ctx, double, f->n, f->dims);
  f->similarity = MN_RAW(ctx, double, f->n, 1);
  f->parts = MN_RAW(ctx, double, f->blocks.count, 1);
  f->single = MN_RAW(ctx, float, f->n, f->dims);
  f->columns = MN_RAW(ctx, double, exact ? f->n : 1, f->dims);
  f->workspace = MN_RAW(ctx, double, exact ? mn_threads(ctx) : 1, 2 * f->n);
  if (!f->y || !f->attraction || !f->repulsion || !f->similarity || !f->parts) return MN_NO_MEMORY;
  if (!f->single || !f->columns || !f->workspace) return MN_NO_MEMORY;
  MN_TRY(find_entropy(ctx, f));
  if (f->method == MN_TSNE_FFT) f->grid = mn_tsne_grid_make(f->dims, f->dof, spacing, 0);
  return f->method == MN_TSNE_BARNES_HUT ? mn_tsne_tree_init(ctx, f->n, f->dims, &f->tree) : MN_OK;
}

/* Both sums of some rows by all pairs. */
static void exact_block(void *work, size_t block, size_t worker)
{
  mn_tsne_forces *f = work;
  const size_t n = f->n;
  f->parts[block] = 0;
  for (size_t i = mn_block_begin(&f->blocks, block); i < mn_block_end(&f->blocks, block); i++) {
    mn_tsne_pairs s = { .n = n,
                        .dims = f->dims,
                        .y = f->columns,
                        .at = f->y + i * f->dims,
                        .p = f->dense + i * n,
                        .dof = f->dof,
                        .work = f->workspace + worker * 2 * n,
                        .attraction = f->attraction + i * f->dims,
                        .repulsion = f->repulsion + i * f->dims };
    mn_tsne_all_pairs(&s);
    f->similarity[i] = s.similarity - 1;
    f->parts[block] += s.log_sum;
  }
}

static void repel_block(mn_tsne_forces *f, size_t begin, size_t end)
{
  const size_t dims = f->dims;
  if (f->method == MN_TSNE_BARNES_HUT) {
    /* In the order of the tree, so that points that follow each other meet the same nodes. */
    for (size_t k = begin; k < end; k++) {
      const size_t i = (size_t)f->tree.index[k];
      f->similarity[i] = mn_tsne_tree_repel(&f->tree, f->y + i * dims, f->angle, f->dof, f->repulsion + i * dims) - 1;
    }
    return;
  }
  mn_tsne_grid_read(&f->grid, end - begin, f->y + begin * dims, true, f->similarity + begin,
                    f->repulsion + begin * dims);
  for (size_t e = begin * dims; e < end * dims; e++) f->repulsion[e] *= -f->dof / (f->dof + 1);
}

static void sparse_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  mn_tsne_forces *f = work;
  const size_t begin = mn_block_begin(&f->blocks, block), end = mn_block_end(&f->blocks, block);
  mn_tsne_attract(&f->graph, f->dims, begin, end, f->single, f->dof, f->attraction);
  repel_block(f, begin, end);
}

static void log_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  mn_tsne_forces *f = work;
  f->parts[block] = mn_tsne_log_sum(&f->graph, f->dims, mn_block_begin(&f->blocks, block),
                                    mn_block_end(&f->blocks, block), f->single, f->dof);
}

static mn_status find_sparse(mn_context *ctx, mn_tsne_forces *f, bool divergence)
{
  for (size_t e = 0; e < f->n * f->dims; e++) f->single[e] = (float)f->y[e];
  if (f->method == MN_TSNE_BARNES_HUT)
    mn_tsne_tree_fill(&f->tree, f->y);
  else
    MN_TRY(mn_tsne_grid_fill(ctx, &f->grid, f->n, f->y));
  MN_TRY(mn_parallel(ctx, f->blocks.count, sparse_block, f));
  return divergence ? mn_parallel(ctx, f->blocks.count, log_block, f) : MN_OK;
}

static mn_status find_exactly(mn_context *ctx, mn_tsne_forces *f)
{
  for (size_t i = 0; i < f->n; i++)
    for (size_t c = 0; c < f->dims; c++) f->columns[c * f->n + i] = f->y[i * f->dims + c];
  return mn_parallel(ctx, f->blocks.count, exact_block, f);
}

mn_status mn_tsne_forces_find(mn_context *ctx, mn_tsne_forces *f, bool divergence)
{
  MN_TRY(f->method == MN_TSNE_EXACT ? find_exactly(ctx, f) : find_sparse(ctx, f, divergence));
  f->normalization = 0;
  for (size_t i = 0; i < f->n; i++) f->normalization += f->similarity[i];
  f->normalization = fmax(f->normalization, DBL_MIN);
  if (!divergence) return MN_OK;
  double logs = 0;
  for (size_t b = 0; b < f->blocks.count; b++) logs += f->parts[b];
  f->divergence = f->entropy + (f->dof + 1) / 2 * logs + f->mass * log(f->normalization);
  return MN_OK;
}
