#include "sparse_code.h"
#include "../core/threads.h"
#include "../lasso/cd_kernel.h"
#include "code_path.h"
#include <math.h>

/* Coordinate descent ends when no step gains more than this fraction of the largest possible first gain, which leaves
 * an error of about 1e-9 of the coefficients. */
static const double least_gain = 1e-20;

enum { ROWS_PER_BLOCK = 32 };

struct work {
  const mn_code_settings *settings;
  size_t k;
  const double *products, *gram, *penalty; /* penalty: k times alpha */
  double *code;
  mn_code_path *path; /* one a worker */
  double **gradient;  /* k values a worker */
  mn_blocks blocks;
};

static void descend(const struct work *w, const double *c, double *g, double *b)
{
  double largest = 0;
  for (size_t j = 0; j < w->k; j++) {
    const double curvature = w->gram[j * w->k + j];
    if (curvature > 0) largest = fmax(largest, c[j] * c[j] / curvature);
    g[j] = c[j];
  }
  for (size_t j = 0; j < w->k; j++)
    for (size_t i = 0; b[j] != 0 && i < w->k; i++) g[i] -= b[j] * w->gram[j * w->k + i];
  for (size_t sweep = 0; sweep < w->settings->max_iter; sweep++)
    if (!(mn_cd_sweep(w->k, w->gram, w->k, w->penalty, 0, w->settings->positive, b, g) > least_gain * largest)) break;
}

static void threshold(const struct work *w, const double *c, double *b)
{
  const double alpha = w->settings->alpha;
  for (size_t j = 0; j < w->k; j++)
    b[j] = c[j] > alpha ? c[j] - alpha : c[j] < -alpha && !w->settings->positive ? c[j] + alpha : 0;
}

static void code_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_code_settings *q = w->settings;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *c = w->products + i * w->k;
    double *b = w->code + i * w->k;
    switch (q->algorithm) {
    case MN_CODE_OMP: mn_code_pursue(&w->path[worker], q->count, c, b); break;
    case MN_CODE_LARS: mn_code_follow(&w->path[worker], q->count, 0, false, q->max_iter, c, b); break;
    case MN_CODE_LASSO_LARS: mn_code_follow(&w->path[worker], 0, q->alpha, q->positive, q->max_iter, c, b); break;
    case MN_CODE_LASSO_CD: descend(w, c, w->gradient[worker], b); break;
    default: threshold(w, c, b); break;
    }
  }
}

mn_status mn_sparse_code(mn_context *ctx, const mn_code_settings *settings, size_t n, size_t k, size_t rank,
                         const double *products, const double *gram, double *code)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t workers = mn_threads(ctx);
  const bool pursuit = settings->algorithm == MN_CODE_OMP || settings->algorithm == MN_CODE_LARS;
  double *penalty = MN_RAW(ctx, double, k, 1);
  struct work w = { .settings = settings, .k = k, .products = products, .gram = gram, .code = code };
  w.path = MN_NEW(ctx, mn_code_path, workers, 1);
  w.gradient = MN_NEW(ctx, double *, workers, 1);
  w.blocks = mn_make_blocks(n, ROWS_PER_BLOCK, SIZE_MAX);
  if (!penalty || !w.path || !w.gradient) return MN_NO_MEMORY;
  for (size_t j = 0; j < k; j++) penalty[j] = settings->alpha;
  w.penalty = penalty;
  for (size_t t = 0; t < workers; t++) {
    const size_t most = pursuit && settings->count < rank ? settings->count : rank;
    if (pursuit || settings->algorithm == MN_CODE_LASSO_LARS) MN_TRY(mn_code_path_init(ctx, &w.path[t], k, most, gram));
    w.gradient[t] = MN_RAW(ctx, double, k, 1);
    MN_CHECK_ALLOC(w.gradient[t]);
  }
  MN_TRY(mn_parallel(ctx, w.blocks.count, code_block, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
