#include "tree_predict.h"
#include "../core/threads.h"
#include "quantized_trees.h"
#include "walk_kernel.h"

/* A block of rows stays in cache while all trees pass over it, a tree while all rows of the block pass through it. */
enum { BLOCK_ROWS = 1024, LANES = MN_WALK_TREES };

/* The next node on the path, or the same one if it is a leaf. There is no branch on the value: a wrong prediction would
 * cost more than everything else here. */
static inline const int32_t *next_node(const mn_trees *t, const int32_t *root, const int32_t *w, const double *x)
{
  const uint32_t link = (uint32_t)w[MN_NODE_LINK];
  const size_t left = link >> 2;
  const double value = x[mn_node_feature(w)];
  size_t right = (value > mn_node_real(w)) | (isnan(value) & !(link & MN_MISSING_LEFT));
  if (left > 0 && link & MN_LEVEL_SPLIT) right = !mn_value_goes_left(t, w, value);
  return left > 0 ? root + MN_NODE_WORDS * (left + right) : w;
}

/* Walk several rows in lockstep, or one row through several trees: while one waits for memory, the others proceed. */
static inline void walk_lanes(const mn_trees *t, const int32_t *const *root, const double *const *x,
                              const int32_t **leaf)
{
  for (size_t r = 0; r < LANES; r++) leaf[r] = root[r];
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t r = 0; r < LANES; r++) {
      const int32_t *now = leaf[r];
      leaf[r] = next_node(t, root[r], now, x[r]);
      moved |= leaf[r] != now;
    }
  }
}

struct prediction {
  const mn_trees *t;
  const mn_data *data;
  double *dense; /* workers x block rows x features: densified sparse rows; NULL: look up their values */
  size_t width;
  double scale;
  mn_matrix *out; /* or NULL */
  int32_t *leaf;  /* or NULL */
  mn_blocks blocks;
  mn_quantized_trees *quantized; /* or NULL */
  uint8_t *buffer;               /* workers: for quantized trees */
};

/* The rows of a block as a dense matrix. A buffer for sparse rows is initially 0. */
static const double *densify_rows(const struct prediction *p, size_t begin, size_t end, size_t worker)
{
  const size_t features = p->data->features;
  if (!p->data->sparse) return p->data->x.at + begin * features;
  const mn_csr *s = p->data->sparse;
  double *dense = p->dense + worker * p->blocks.size * features;
  for (size_t i = begin; i < end; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) dense[(i - begin) * features + (size_t)s->col[e]] = s->at[e];
  return dense;
}

/* Set the stored entries of sparse rows back to 0, which is less than the whole buffer. */
static void clear_rows(const struct prediction *p, size_t begin, size_t end, size_t worker)
{
  const mn_csr *s = p->data->sparse;
  const size_t features = p->data->features;
  if (!s) return;
  double *dense = p->dense + worker * p->blocks.size * features;
  for (size_t i = begin; i < end; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) dense[(i - begin) * features + (size_t)s->col[e]] = 0;
}

static void write_result(const struct prediction *p, size_t tree, size_t row, size_t node)
{
  if (p->leaf) {
    p->leaf[row * mn_trees_count(p->t) + tree] = (int32_t)node;
    return;
  }
  const int32_t *w = mn_tree_root(p->t, tree) + MN_NODE_WORDS * node;
  mn_add_leaf(p->t, w, p->width, p->scale, mn_row(p->out, row) + tree * p->width % p->out->cols);
}

/* n <= MN_TREE_BLOCK_ROWS rows through all quantized trees. */
static void predict_quantized(const struct prediction *p, size_t begin, size_t n, const double *x, uint8_t *buffer)
{
  const mn_quantized_trees *q = p->quantized;
  mn_quantized_trees_code_rows(q, n, x, p->data->features, buffer);
  for (size_t tree = 0; tree < mn_trees_count(p->t); tree++) {
    const uint8_t *leaf = mn_quantized_trees_leaves(q, tree, buffer);
    if (p->out && q->value) {
      double *out = mn_row(p->out, begin) + tree * p->width % p->out->cols;
      mn_add_leaf_values(n, leaf, q->value + q->first_leaf[tree], p->out->cols, out);
      continue;
    }
    const int32_t *node = q->node + q->first_leaf[tree];
    for (size_t i = 0; i < n; i++) write_result(p, tree, begin + i, (size_t)node[leaf[i]]);
  }
}

static size_t node_index(const int32_t *root, const int32_t *w)
{
  return (size_t)(w - root) / MN_NODE_WORDS;
}

/* LANES rows through one tree, in lockstep. */
static void predict_lanes(const struct prediction *p, size_t tree, size_t row, const double *x)
{
  const int32_t *root[LANES], *leaf[LANES];
  const double *at_row[LANES];
  for (size_t r = 0; r < LANES; r++) {
    root[r] = mn_tree_root(p->t, tree);
    at_row[r] = x + r * p->data->features;
  }
  walk_lanes(p->t, root, at_row, leaf);
  for (size_t r = 0; r < LANES; r++) write_result(p, tree, row + r, node_index(root[r], leaf[r]));
}

static bool has_only_numbers(const struct prediction *p, const double *x)
{
  bool missing = false;
  for (size_t j = 0; j < p->data->features; j++) missing |= isnan(x[j]);
  return !missing && p->t->subset.size == 0;
}

/* One row through all trees. */
static void predict_row(const struct prediction *p, size_t row, const double *x)
{
  const size_t trees = mn_trees_count(p->t);
  const bool numbers_only = has_only_numbers(p, x);
  const int32_t *root[LANES], *leaf[LANES];
  const double *same[LANES];
  size_t tree = 0;
  for (; tree + LANES <= trees; tree += LANES) {
    for (size_t r = 0; r < LANES; r++) {
      root[r] = mn_tree_root(p->t, tree + r);
      same[r] = x;
    }
    if (numbers_only)
      mn_walk_trees(root, x, leaf);
    else
      walk_lanes(p->t, root, same, leaf);
    for (size_t r = 0; r < LANES; r++) write_result(p, tree + r, row, node_index(root[r], leaf[r]));
  }
  for (; tree < trees; tree++) write_result(p, tree, row, mn_trees_leaf(p->t, tree, x));
}

static void predict_dense(const struct prediction *p, size_t begin, size_t end, const double *x, size_t worker)
{
  const size_t features = p->data->features;
  if (p->quantized) {
    uint8_t *buffer = p->buffer + worker * mn_quantized_trees_buffer_size(p->quantized);
    for (size_t i = begin; i < end; i += MN_TREE_BLOCK_ROWS)
      predict_quantized(p, i, end - i < MN_TREE_BLOCK_ROWS ? end - i : MN_TREE_BLOCK_ROWS, x + (i - begin) * features,
                        buffer);
    return;
  }
  const size_t whole = begin + (end - begin) / LANES * LANES;
  for (size_t tree = 0; tree < mn_trees_count(p->t); tree++)
    for (size_t i = begin; i < whole; i += LANES) predict_lanes(p, tree, i, x + (i - begin) * features);
  for (size_t i = whole; i < end; i++) predict_row(p, i, x + (i - begin) * features);
}

static size_t walk_sparse(const mn_trees *t, const int32_t *root, const mn_data *data, size_t row)
{
  const int32_t *w = root;
  while (mn_node_left(w) > 0) {
    const size_t right = !mn_value_goes_left(t, w, mn_element(data, row, mn_node_feature(w)));
    w = root + MN_NODE_WORDS * (mn_node_left(w) + right);
  }
  return node_index(root, w);
}

static void predict_sparse(const struct prediction *p, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    for (size_t tree = 0; tree < mn_trees_count(p->t); tree++)
      write_result(p, tree, i, walk_sparse(p->t, mn_tree_root(p->t, tree), p->data, i));
}

static void predict_block(void *work, size_t block, size_t worker)
{
  const struct prediction *p = work;
  const size_t begin = mn_block_begin(&p->blocks, block), end = mn_block_end(&p->blocks, block);
  if (p->data->sparse && !p->dense) {
    predict_sparse(p, begin, end);
    return;
  }
  predict_dense(p, begin, end, densify_rows(p, begin, end, worker), worker);
  clear_rows(p, begin, end, worker);
}

static double lookup_steps(size_t n)
{
  return 1 + log2((double)n);
}

/* True if looking up the values on the paths through the trees is estimated to be faster than densifying the rows. */
static bool should_look_up(const struct prediction *p)
{
  const mn_csr *s = p->data->sparse;
  double steps = 0;
  if (!s || s->rows == 0) return false;
  const double values = (double)s->start[s->rows] / (double)s->rows;
  for (size_t t = 0; t < mn_trees_count(p->t) && steps < 2 * values; t++)
    steps += lookup_steps(mn_tree_nodes(p->t, t)) * lookup_steps((size_t)values + 1) / 2;
  return steps < 2 * values;
}

static mn_status predict_rows(mn_context *ctx, struct prediction *p)
{
  const size_t features = p->data->features;
  p->blocks = mn_make_blocks(p->data->rows, p->data->sparse ? 1 + (BLOCK_ROWS << 5) / features : BLOCK_ROWS, SIZE_MAX);
  if (should_look_up(p)) return mn_parallel(ctx, p->blocks.count, predict_block, p);
  if (p->data->sparse) {
    p->dense = MN_NEW(ctx, double, mn_threads(ctx), p->blocks.size *features);
    MN_CHECK_ALLOC(p->dense);
  }
  MN_TRY(mn_quantized_trees_make(ctx, p->t, p->data, p->scale, &p->quantized));
  if (p->quantized) {
    p->buffer = MN_RAW(ctx, uint8_t, mn_threads(ctx), mn_quantized_trees_buffer_size(p->quantized));
    MN_CHECK_ALLOC(p->buffer);
    for (size_t w = 0; w < mn_threads(ctx); w++)
      mn_quantized_trees_init_buffer(p->quantized, p->buffer + w * mn_quantized_trees_buffer_size(p->quantized));
  }
  return mn_parallel(ctx, p->blocks.count, predict_block, p);
}

mn_status mn_trees_sum(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t width, double scale,
                       mn_matrix *out)
{
  struct prediction p = { .t = t, .data = data, .width = width, .scale = scale, .out = out };
  return predict_rows(ctx, &p);
}

mn_status mn_trees_leaves(mn_context *ctx, const mn_trees *t, const mn_data *data, int32_t *leaf)
{
  struct prediction p = { .t = t, .data = data, .leaf = leaf };
  return predict_rows(ctx, &p);
}
