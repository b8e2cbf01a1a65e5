#include "shap.h"
#include "../core/threads.h"

enum { ROW_BLOCK = 16, NODES_PER_POLL = 1 << 11, TREES_PER_POLL = 64 };

/* One feature on the path to a node, in the terms of the paper: the fraction of training rows that pass its splits, 1
 * or 0 as the explained row does or does not, and the permutation weight of coalitions of this size. */
struct path_element {
  int32_t feature;
  double zero_fraction, one_fraction, weight;
};

/* A node still to be visited, and the path element of its last split. */
struct visit {
  size_t node, level;
  int32_t feature;
  double zero_fraction, one_fraction;
};

/* Memory of one thread. The path to a node of level l begins at path_offset(features, l) and has length[l] elements. */
struct workspace {
  struct path_element *path;
  size_t *length;
  struct visit *stack;
  double *value; /* width: values of a leaf         */
  double *dense; /* features: a densified sparse row */
};

struct work {
  mn_context *ctx;
  const mn_trees *t;
  const mn_data *data;
  size_t columns, width;
  double scale;
  mn_matrix *out;
  struct workspace *ws;
  mn_blocks blocks;
};

/* A path has one element for the root and one for each distinct feature: at most l + 1 at level l, and at most
 * features + 1. So the memory for a chain is proportional to its length times the features, not quadratic. */
static size_t path_offset(size_t features, size_t level)
{
  if (level <= features) return level * (level + 1) / 2;
  return features * (features + 1) / 2 + (level - features) * (features + 1);
}

static void extend(struct path_element *path, size_t length, const struct visit *v)
{
  path[length] = (struct path_element){ v->feature, v->zero_fraction, v->one_fraction, length == 0 ? 1 : 0 };
  const double n = (double)length + 1;
  for (size_t i = length; i-- > 0;) {
    path[i + 1].weight += v->one_fraction * path[i].weight * (double)(i + 1) / n;
    path[i].weight = v->zero_fraction * path[i].weight * (double)(length - i) / n;
  }
}

/* Remove element k. */
static void unwind(struct path_element *path, size_t length, size_t k)
{
  const double one_fraction = path[k].one_fraction, zero_fraction = path[k].zero_fraction, n = (double)length;
  const size_t last = length - 1;
  double next = path[last].weight;
  for (size_t i = last; i-- > 0;) {
    if (one_fraction != 0) {
      const double before = path[i].weight;
      path[i].weight = next * n / ((double)(i + 1) * one_fraction);
      next = before - path[i].weight * zero_fraction * (double)(last - i) / n;
    } else {
      path[i].weight = path[i].weight * n / (zero_fraction * (double)(last - i));
    }
  }
  for (size_t i = k; i < last; i++) {
    path[i].feature = path[i + 1].feature;
    path[i].zero_fraction = path[i + 1].zero_fraction;
    path[i].one_fraction = path[i + 1].one_fraction;
  }
}

/* The sum of the permutation weights without element k. */
static double unwound_sum(const struct path_element *path, size_t length, size_t k)
{
  const double one_fraction = path[k].one_fraction, zero_fraction = path[k].zero_fraction, n = (double)length;
  const size_t last = length - 1;
  double next = path[last].weight, sum = 0;
  for (size_t i = last; i-- > 0;) {
    if (one_fraction != 0) {
      const double weight = next * n / ((double)(i + 1) * one_fraction);
      sum += weight;
      next = path[i].weight - weight * zero_fraction * (double)(last - i) / n;
    } else {
      sum += path[i].weight * n / (zero_fraction * (double)(last - i));
    }
  }
  return sum;
}

static void explain_leaf(const struct work *w, const struct path_element *path, size_t length, const double *value,
                         double *out)
{
  for (size_t k = 1; k < length; k++) {
    const double weight = unwound_sum(path, length, k) * (path[k].one_fraction - path[k].zero_fraction);
    for (size_t c = 0; c < w->width; c++) out[c * w->data->features + (size_t)path[k].feature] += weight * value[c];
  }
}

/* Push both children of a node. A feature that is already on the path is removed and added again. */
static void push_children(const struct work *w, size_t tree, const struct visit *v, const int32_t *node,
                          const double *x, struct path_element *path, size_t *length, struct visit *stack)
{
  const double *cover = w->t->cover.at + w->t->root.at[tree];
  const size_t left = mn_node_left(node);
  const bool goes_left = mn_value_goes_left(w->t, node, x[node[2]]);
  double zero_fraction = 1, one_fraction = 1;
  for (size_t k = 1; k < *length; k++) {
    if (path[k].feature != node[2]) continue;
    zero_fraction = path[k].zero_fraction;
    one_fraction = path[k].one_fraction;
    unwind(path, (*length)--, k);
    break;
  }
  for (size_t side = 0; side < 2; side++) {
    const double part = cover[left + side] / (cover[left] + cover[left + 1]);
    stack[side] = (struct visit){ left + side, v->level + 1, node[2], zero_fraction * part,
                                  (side == 0) == goes_left ? one_fraction : 0 };
  }
}

/* False: cancelled. */
static bool explain_tree(const struct work *w, size_t tree, size_t worker, const double *x, double *out)
{
  const struct workspace *ws = &w->ws[worker];
  const mn_cancel_token token = { w->ctx, worker };
  const int32_t *root = mn_tree_root(w->t, tree);
  const size_t features = w->data->features;
  size_t open = 0, nodes = 0;
  ws->stack[open++] = (struct visit){ 0, 0, -1, 1, 1 };
  while (open > 0) {
    const struct visit v = ws->stack[--open];
    if (++nodes % NODES_PER_POLL == 0 && !mn_task_should_continue(&token)) return false;
    struct path_element *path = ws->path + path_offset(features, v.level);
    size_t length = v.level > 0 ? ws->length[v.level - 1] : 0;
    if (length > 0) memcpy(path, ws->path + path_offset(features, v.level - 1), length * sizeof *path);
    extend(path, length++, &v);
    const int32_t *node = root + MN_NODE_WORDS * v.node;
    if (mn_node_left(node) > 0) {
      push_children(w, tree, &v, node, x, path, &length, ws->stack + open);
      open += 2;
    } else {
      memset(ws->value, 0, w->width * sizeof *ws->value);
      mn_add_leaf(w->t, node, w->width, w->scale, ws->value);
      explain_leaf(w, path, length, ws->value, out);
    }
    ws->length[v.level] = length;
  }
  return true;
}

static void explain_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t features = w->data->features;
  const mn_cancel_token token = { w->ctx, worker };
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_dense_row(w->data, i, w->ws[worker].dense);
    for (size_t tree = 0; tree < mn_trees_count(w->t); tree++) {
      if (tree % TREES_PER_POLL == TREES_PER_POLL - 1 && !mn_task_should_continue(&token)) return;
      if (!explain_tree(w, tree, worker, x, mn_row(w->out, i) + tree * w->width % w->columns * features)) return;
    }
  }
}

static mn_status max_depth(mn_context *ctx, const mn_trees *t, size_t *depth)
{
  *depth = 0;
  for (size_t tree = 0; tree < mn_trees_count(t); tree++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    int32_t *depths = MN_RAW(ctx, int32_t, mn_tree_nodes(t, tree), 1);
    MN_CHECK_ALLOC(depths);
    MN_TRY(mn_poll(ctx));
    const size_t here = mn_tree_depths(t, tree, depths);
    if (here > *depth) *depth = here;
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

mn_status mn_trees_shap(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t columns, size_t width,
                        double scale, mn_matrix *out)
{
  struct work w = { .ctx = ctx, .t = t, .data = data, .columns = columns, .width = width, .scale = scale, .out = out };
  w.blocks = mn_make_blocks(data->rows, ROW_BLOCK, SIZE_MAX);
  size_t depth;
  MN_TRY(max_depth(ctx, t, &depth));
  const size_t workers = mn_threads(ctx) < w.blocks.count ? mn_threads(ctx) : w.blocks.count;
  w.ws = MN_NEW(ctx, struct workspace, workers, 1);
  MN_CHECK_ALLOC(w.ws);
  for (size_t k = 0; k < workers; k++) {
    struct workspace *ws = &w.ws[k];
    ws->path = MN_RAW(ctx, struct path_element, path_offset(data->features, depth + 1), 1);
    ws->length = MN_RAW(ctx, size_t, depth + 1, 1);
    ws->stack = MN_RAW(ctx, struct visit, depth + 2, 1);
    ws->value = MN_RAW(ctx, double, width, 1);
    ws->dense = MN_RAW(ctx, double, data->features, 1);
    if (!ws->path || !ws->length || !ws->stack || !ws->value || !ws->dense) return MN_NO_MEMORY;
  }
  return mn_parallel(ctx, w.blocks.count, explain_block, &w);
}

mn_status mn_trees_expected_value(mn_context *ctx, const mn_trees *t, size_t columns, size_t width, double scale,
                                  double *mean)
{
  for (size_t tree = 0; tree < mn_trees_count(t); tree++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    double *value = MN_NEW(ctx, double, mn_tree_nodes(t, tree), width);
    MN_CHECK_ALLOC(value);
    MN_TRY(mn_poll(ctx));
    mn_tree_node_values(t, tree, width, scale, value);
    for (size_t c = 0; c < width; c++) mean[tree * width % columns + c] += value[c];
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}
