/* Out-of-bag evaluation (Breiman, Machine Learning 45, 2001, section 3.1): predictions by the trees that did not draw a
 * row, their score, and the error after the first 1, 2, ... trees. */
#include "../core/threads.h"
#include "forest.h"

enum { BLOCK_ROWS = 256, MAX_BLOCKS = 64 };

struct oob_work {
  const mn_trees *trees;
  const mn_data *data;
  const int32_t *leaf;   /* rows x trees */
  const uint8_t *in_bag; /* trees x rows */
  mn_matrix *out;
  double *block_sums; /* blocks x 2 trees: sums of errors of the rows predicted so far, then of their weights */
  mn_blocks blocks;
};

/* Error of the prediction sum / n: 1 for a wrong label, or the squared error, averaged over targets. */
static double error_of(const mn_data *data, size_t i, const double *sum, double n, size_t width)
{
  size_t best = 0;
  double square = 0;
  if (data->code) {
    for (size_t c = 1; c < width; c++)
      if (sum[c] / n > sum[best] / n) best = c;
    return (int32_t)best != data->code[i];
  }
  for (size_t c = 0; c < width; c++) {
    const double d = data->y.at[i * width + c] - sum[c] / n;
    square += d * d / (double)width;
  }
  return square;
}

static void evaluate_row(const struct oob_work *w, size_t i, double *error, double *weight)
{
  const size_t trees = mn_trees_count(w->trees), width = w->out->cols;
  double *row = mn_row(w->out, i), n = 0, current = 0;
  for (size_t k = 0; k < trees; k++) {
    if (!w->in_bag[k * w->out->rows + i]) {
      const int32_t *root = mn_tree_root(w->trees, k);
      mn_add_leaf(w->trees, root + MN_NODE_WORDS * (size_t)w->leaf[i * trees + k], width, 1, row);
      current = error_of(w->data, i, row, ++n, width);
    }
    if (!(n > 0)) continue;
    error[k] += mn_weight(w->data, i) * current;
    weight[k] += mn_weight(w->data, i);
  }
  for (size_t c = 0; c < width; c++) row[c] = n > 0 ? row[c] / n : (double)NAN;
}

static void evaluate_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct oob_work *w = work;
  const size_t trees = mn_trees_count(w->trees);
  double *error = w->block_sums + block * 2 * trees;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    evaluate_row(w, i, error, error + trees);
}

/* R2, averaged over targets. */
static double r_squared(const mn_data *data, const mn_matrix *p)
{
  double mean_r2 = 0;
  for (size_t c = 0; c < p->cols; c++) {
    double total = 0, mean = 0, residual_sum = 0, total_sum = 0;
    for (size_t i = 0; i < p->rows; i++) {
      if (isnan(p->at[i * p->cols + c])) continue;
      total += mn_weight(data, i);
      mean += mn_weight(data, i) / total * (data->y.at[i * p->cols + c] - mean);
    }
    for (size_t i = 0; i < p->rows; i++) {
      const double y = data->y.at[i * p->cols + c], d = y - p->at[i * p->cols + c];
      if (isnan(d)) continue;
      residual_sum += mn_weight(data, i) * d * d;
      total_sum += mn_weight(data, i) * (y - mean) * (y - mean);
    }
    mean_r2 += (1 - residual_sum / total_sum) / (double)p->cols;
  }
  return mean_r2;
}

static double accuracy(const mn_data *data, const mn_matrix *p)
{
  double right = 0, total = 0;
  for (size_t i = 0; i < p->rows; i++) {
    const double *row = mn_row(p, i);
    if (isnan(row[0])) continue;
    total += mn_weight(data, i);
    if (!(error_of(data, i, row, 1, p->cols) > 0)) right += mn_weight(data, i);
  }
  return total > 0 ? right / total : (double)NAN;
}

mn_status mn_forest_out_of_bag(mn_context *ctx, mn_forest *m, const mn_data *data, const int32_t *leaf,
                               const uint8_t *in_bag)
{
  const size_t trees = mn_trees_count(&m->tree.trees);
  struct oob_work w = { .trees = &m->tree.trees, .data = data, .leaf = leaf, .in_bag = in_bag };
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS, MAX_BLOCKS);
  w.block_sums = MN_NEW(ctx, double, w.blocks.count, 2 * trees);
  double *sum = MN_RAW(ctx, double, trees, 2);
  if (!w.block_sums || !sum) return MN_NO_MEMORY;
  MN_TRY(mn_matrix_init(ctx, &m->oob_prediction, data->rows, mn_tree_width(&m->tree)));
  MN_TRY(mn_vector_init(ctx, &m->oob_errors, trees));
  w.out = &m->oob_prediction;
  MN_TRY(mn_parallel(ctx, w.blocks.count, evaluate_block, &w));
  mn_sum_blocks(w.blocks.count, 2 * trees, w.block_sums, sum);
  for (size_t k = 0; k < trees; k++)
    m->oob_errors.at[k] = sum[k] / sum[trees + k]; /* NaN while every row was drawn by all trees */
  m->oob_score = data->code ? accuracy(data, &m->oob_prediction) : r_squared(data, &m->oob_prediction);
  return MN_OK;
}
