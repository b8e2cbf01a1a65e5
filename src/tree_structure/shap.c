#include "shap.h"
#include "../core/threads.h"

enum { ROW_BLOCK = 16, NODES_A_POLL = 1 << 11, TREES_A_POLL = 64 };

/* One feature on the way to a node: the share of the rows of fit that would pass its splits, whether the row at hand
 * does, and the weight of the sets of so many known features (of all features on the way together). */
struct step {
  int32_t feature;
  double share, passes, weight;
};

/* A node that is still to be visited, with what its last split adds to the way. */
struct visit {
  size_t node, level;
  int32_t feature;
  double share, passes;
};

/* What one thread works with. The way to a node of level l lies at way_at(features, l) and has `length[l]` steps. */
struct room {
  struct step *way;
  size_t *length;
  struct visit *stack;
  double *value; /* width: of the leaf at hand      */
  double *dense; /* features: a row that was sparse */
};

struct work {
  mn_context *ctx;
  const mn_trees *t;
  const mn_data *data;
  size_t columns, width;
  double scale;
  mn_matrix *out;
  struct room *room;
  mn_blocks blocks;
};

/* A way has a step for the root and one for each feature on it: no more than l + 1 at level l, nor than features + 1.
 * So a chain needs room for its length times the features, not for its length squared. */
static size_t way_at(size_t features, size_t level)
{
  if (level <= features) return level * (level + 1) / 2;
  return features * (features + 1) / 2 + (level - features) * (features + 1);
}

static void extend(struct step *way, size_t length, const struct visit *v)
{
  way[length] = (struct step){ v->feature, v->share, v->passes, length == 0 ? 1 : 0 };
  const double n = (double)length + 1;
  for (size_t i = length; i-- > 0;) {
    way[i + 1].weight += v->passes * way[i].weight * (double)(i + 1) / n;
    way[i].weight = v->share * way[i].weight * (double)(length - i) / n;
  }
}

/* Take step k out again. */
static void unwind(struct step *way, size_t length, size_t k)
{
  const double passes = way[k].passes, share = way[k].share, n = (double)length;
  const size_t last = length - 1;
  double next = way[last].weight;
  for (size_t i = last; i-- > 0;) {
    if (passes != 0) {
      const double before = way[i].weight;
      way[i].weight = next * n / ((double)(i + 1) * passes);
      next = before - way[i].weight * share * (double)(last - i) / n;
    } else {
      way[i].weight = way[i].weight * n / (share * (double)(last - i));
    }
  }
  for (size_t i = k; i < last; i++) {
    way[i].feature = way[i + 1].feature;
    way[i].share = way[i + 1].share;
    way[i].passes = way[i + 1].passes;
  }
}

/* The sum of the weights when step k is taken out. */
static double unwound_sum(const struct step *way, size_t length, size_t k)
{
  const double passes = way[k].passes, share = way[k].share, n = (double)length;
  const size_t last = length - 1;
  double next = way[last].weight, sum = 0;
  for (size_t i = last; i-- > 0;) {
    if (passes != 0) {
      const double weight = next * n / ((double)(i + 1) * passes);
      sum += weight;
      next = way[i].weight - weight * share * (double)(last - i) / n;
    } else {
      sum += way[i].weight * n / (share * (double)(last - i));
    }
  }
  return sum;
}

static void explain_leaf(const struct work *w, const struct step *way, size_t length, const double *value, double *out)
{
  for (size_t k = 1; k < length; k++) {
    const double weight = unwound_sum(way, length, k) * (way[k].passes - way[k].share);
    for (size_t c = 0; c < w->width; c++) out[c * w->data->features + (size_t)way[k].feature] += weight * value[c];
  }
}

/* Both children of a node onto the stack. */
static void push_children(const struct work *w, size_t tree, const struct visit *v, const int32_t *node,
                          const double *x, struct step *way, size_t *length, struct visit *stack)
{
  const double *cover = w->t->cover.at + w->t->root.at[tree];
  const size_t left = mn_node_left(node);
  const bool goes_left = mn_value_goes_left(w->t, node, x[node[2]]);
  double share = 1, passes = 1;
  for (size_t k = 1; k < *length; k++) {
    if (way[k].feature != node[2]) continue;
    share = way[k].share;
    passes = way[k].passes;
    unwind(way, (*length)--, k);
    break;
  }
  for (size_t side = 0; side < 2; side++) {
    const double part = cover[left + side] / (cover[left] + cover[left + 1]);
    stack[side] =
        (struct visit){ left + side, v->level + 1, node[2], share * part, (side == 0) == goes_left ? passes : 0 };
  }
}

/* False: cancelled. */
static bool explain_tree(const struct work *w, size_t tree, size_t worker, const double *x, double *out)
{
  const struct room *room = &w->room[worker];
  const mn_cancel_token token = { w->ctx, worker };
  const int32_t *root = mn_tree_root(w->t, tree);
  const size_t features = w->data->features;
  size_t open = 0, nodes = 0;
  room->stack[open++] = (struct visit){ 0, 0, -1, 1, 1 };
  while (open > 0) {
    const struct visit v = room->stack[--open];
    if (++nodes % NODES_A_POLL == 0 && !mn_task_should_continue(&token)) return false;
    struct step *way = room->way + way_at(features, v.level);
    size_t length = v.level > 0 ? room->length[v.level - 1] : 0;
    if (length > 0) memcpy(way, room->way + way_at(features, v.level - 1), length * sizeof *way);
    extend(way, length++, &v);
    const int32_t *node = root + MN_NODE_WORDS * v.node;
    if (mn_node_left(node) > 0) {
      push_children(w, tree, &v, node, x, way, &length, room->stack + open);
      open += 2;
    } else {
      memset(room->value, 0, w->width * sizeof *room->value);
      mn_add_leaf(w->t, node, w->width, w->scale, room->value);
      explain_leaf(w, way, length, room->value, out);
    }
    room->length[v.level] = length;
  }
  return true;
}

static void explain_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t features = w->data->features;
  const mn_cancel_token token = { w->ctx, worker };
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_dense_row(w->data, i, w->room[worker].dense);
    for (size_t tree = 0; tree < mn_trees_count(w->t); tree++) {
      if (tree % TREES_A_POLL == TREES_A_POLL - 1 && !mn_task_should_continue(&token)) return;
      if (!explain_tree(w, tree, worker, x, mn_row(w->out, i) + tree * w->width % w->columns * features)) return;
    }
  }
}

static mn_status deepest(mn_context *ctx, const mn_trees *t, size_t *depth)
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
  MN_TRY(deepest(ctx, t, &depth));
  const size_t workers = mn_threads(ctx) < w.blocks.count ? mn_threads(ctx) : w.blocks.count;
  w.room = MN_NEW(ctx, struct room, workers, 1);
  MN_CHECK_ALLOC(w.room);
  for (size_t k = 0; k < workers; k++) {
    struct room *room = &w.room[k];
    room->way = MN_RAW(ctx, struct step, way_at(data->features, depth + 1), 1);
    room->length = MN_RAW(ctx, size_t, depth + 1, 1);
    room->stack = MN_RAW(ctx, struct visit, depth + 2, 1);
    room->value = MN_RAW(ctx, double, width, 1);
    room->dense = MN_RAW(ctx, double, data->features, 1);
    if (!room->way || !room->length || !room->stack || !room->value || !room->dense) return MN_NO_MEMORY;
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
