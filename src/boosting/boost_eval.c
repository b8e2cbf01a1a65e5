/* Scores of the evaluation set, whose rows take no part in growing trees. */
#include "boost_rows.h"

enum { ROW_BLOCK = 1024 };

struct eval_task {
  mn_boost_rows *eval;
  double *score; /* rows, of the output of the tree */
  mn_trees tree;
  mn_blocks blocks;
  double *dense; /* workers x features, for sparse rows */
};

static void add_block(void *work, size_t block, size_t worker)
{
  const struct eval_task *t = work;
  const mn_data *data = t->eval->data;
  double *buffer = t->dense + worker * data->features;
  for (size_t i = mn_block_begin(&t->blocks, block); i < mn_block_end(&t->blocks, block); i++)
    t->score[i] += mn_boost_tree_value(&t->tree, mn_dense_row(data, i, buffer));
}

mn_status mn_boost_update_eval(mn_context *ctx, mn_boost_rows *eval, size_t output, const mn_boost_builder *trees)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct eval_task t = { .eval = eval,
                         .score = eval->score + output * eval->n,
                         .tree = mn_boost_tree(trees, trees->trees - 1),
                         .blocks = mn_make_blocks(eval->n, ROW_BLOCK, SIZE_MAX) };
  t.dense = MN_RAW(ctx, double, mn_threads(ctx), eval->data->features);
  MN_CHECK_ALLOC(t.dense);
  MN_TRY(mn_parallel(ctx, t.blocks.count, add_block, &t));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
