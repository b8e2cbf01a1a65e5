/* Out-of-bag permutation importance (Breiman, Machine Learning 45, 2001, section 10): the increase of the error of each
 * tree on its out-of-bag rows if the values of one feature are permuted among them,
 *
 *     d_tj = sum_i w_i (L(y_i, tree_t(x_i with feature j of another row)) - L(y_i, tree_t(x_i))) / sum_i w_i
 *
 * over the out-of-bag rows i of tree t, where L is 1 for a wrong label, or the squared error. Reported are the mean and
 * standard error of d_tj over the trees.
 *
 * The path of a row can change only below the first node on it that splits by the feature. So the rows of a tree are
 * grouped by leaf, which makes the rows of every node contiguous, and for each feature only the rows below its topmost
 * nodes are passed down again, from those nodes. Only they draw a value: the first draws of a shuffle of all rows. */
#include "../core/threads.h"
#include "../core/rng.h"
#include "forest.h"

enum { TREES_PER_BATCH = 16, ROWS_PER_POLL = 1 << 12 };
#define FIRST_STREAM ((int64_t)1 << 32) /* random streams after those used for growing */

/* A tree and its out-of-bag rows. */
struct oob_tree {
  const int32_t *root;
  size_t tree, nodes, rows;
  double weight; /* total weight of these rows */
  int64_t key;
  uint32_t *row;         /* rows: row indices, grouped by leaf */
  uint32_t *leaf;        /* rows: leaf of each row, in ascending order of rows */
  double *loss;          /* rows: loss without permutation, in the order of `row` */
  uint32_t *begin, *end; /* nodes: the rows of a node are row[begin..end-1] */
  uint32_t *parent;      /* nodes */
  int32_t *mark;         /* nodes: label of a leaf; for a split, 1 if no ancestor splits by the same feature */
  uint32_t *top;         /* topmost splits with out-of-bag rows, grouped by feature */
  uint32_t *first;       /* features + 1: where those of a feature begin */
};

struct tree_feature {
  uint32_t slot, column;
};

struct importance_task {
  mn_context *ctx;
  const mn_trees *trees;
  const mn_data *data;
  const uint8_t *in_bag; /* trees x rows */
  int64_t seed;
  size_t width, begin;               /* values per leaf; first tree of the batch */
  struct oob_tree *slot;             /* TREES_PER_BATCH */
  struct tree_feature *tree_feature; /* TREES_PER_BATCH x features: features used by the trees of the batch */
  uint32_t *position; /* workers x 2 rows: 0, 1, 2, ... between shuffles; then the position each was swapped with */
  double *sum;        /* workers x width */
  double *increase;   /* trees x features: d */
  bool *has_oob_rows; /* trees: whether the tree has out-of-bag rows */
};

/* --- out-of-bag rows of a tree --- */

static const int32_t *node_of(const struct oob_tree *a, size_t v)
{
  return a->root + MN_NODE_WORDS * v;
}

static double loss_of(const struct importance_task *w, const struct oob_tree *a, size_t leaf, size_t i)
{
  const int32_t *node = node_of(a, leaf);
  double square = 0;
  if (w->data->code) return a->mark[leaf] != w->data->code[i];
  for (size_t c = 0; c < w->width; c++) {
    const bool alone = node[3] == MN_LEAF_VALUE;
    const double value = alone ? mn_node_real(node) : w->trees->value.at[(uint32_t)node[0] * w->width + c];
    const double d = w->data->y.at[i * w->width + c] - value;
    square += d * d / (double)w->width;
  }
  return square;
}

/* Leaf of row i, starting from node v, with `value` in feature j. */
static size_t find_leaf(const struct importance_task *w, const struct oob_tree *a, size_t v, size_t i, size_t j,
                        double value)
{
  for (const int32_t *node = node_of(a, v); mn_node_left(node) > 0; node = node_of(a, v)) {
    const size_t column = (size_t)node[2];
    const double x = column == j ? value : mn_element(w->data, i, column);
    v = mn_node_left(node) + !mn_value_goes_left(w->trees, node, x);
  }
  return v;
}

/* Most frequent label of each leaf; ties are broken by the lowest index. */
static void label_leaves(const struct importance_task *w, struct oob_tree *a, double *sum)
{
  for (size_t v = 0; v < a->nodes; v++) {
    if (mn_node_left(node_of(a, v)) > 0) continue;
    memset(sum, 0, w->width * sizeof *sum);
    mn_add_leaf(w->trees, node_of(a, v), w->width, 1, sum);
    a->mark[v] = 0;
    for (size_t c = 1; c < w->width; c++)
      if (sum[c] > sum[a->mark[v]]) a->mark[v] = (int32_t)c;
  }
}

/* Collect the out-of-bag rows and count them per leaf. Returns false if cancelled. */
static bool count_rows(const struct importance_task *w, const mn_cancel_token *token, struct oob_tree *a)
{
  const uint8_t *in_sample = w->in_bag + a->tree * w->data->rows;
  memset(a->end, 0, a->nodes * sizeof *a->end);
  a->rows = 0;
  a->weight = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, w->data->rows, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      if (in_sample[i]) continue;
      const size_t leaf = find_leaf(w, a, 0, i, SIZE_MAX, 0);
      a->leaf[a->rows++] = (uint32_t)leaf;
      a->end[leaf]++;
      a->weight += mn_weight(w->data, i);
    }
  return p.end == w->data->rows;
}

/* Assign each node its range of rows. Children follow their parents, so counts are summed from the last node, and
 * ranges assigned from the first. Before, `end` holds the counts of the leaves; after, the beginning of each leaf. */
static void assign_ranges(struct oob_tree *a)
{
  for (size_t v = a->nodes; v-- > 0;) {
    const size_t left = mn_node_left(node_of(a, v));
    if (left > 0) a->end[v] = a->end[left] + a->end[left + 1];
  }
  a->begin[0] = a->parent[0] = 0;
  for (size_t v = 0; v < a->nodes; v++) {
    const size_t left = mn_node_left(node_of(a, v));
    a->end[v] = a->begin[v] + (left > 0 ? a->end[v] : 0);
    if (left == 0) continue;
    a->begin[left] = a->begin[v];
    a->begin[left + 1] = a->begin[v] + a->end[left];
    a->parent[left] = a->parent[left + 1] = (uint32_t)v;
  }
}

static void place_rows(const struct importance_task *w, const mn_cancel_token *token, struct oob_tree *a)
{
  const uint8_t *in_sample = w->in_bag + a->tree * w->data->rows;
  size_t k = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, w->data->rows, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      if (in_sample[i]) continue;
      const size_t leaf = a->leaf[k++], at = a->end[leaf]++;
      a->row[at] = (uint32_t)i;
      a->loss[at] = loss_of(w, a, leaf, i);
    }
}

/* Whether out-of-bag rows reach the node and no ancestor splits by the same feature. */
static bool is_topmost(const struct oob_tree *a, size_t v)
{
  const int32_t column = node_of(a, v)[2];
  if (a->begin[v] == a->end[v]) return false;
  while (v > 0) {
    v = a->parent[v];
    if (node_of(a, v)[2] == column) return false;
  }
  return true;
}

static void find_topmost(struct oob_tree *a, size_t p)
{
  memset(a->first, 0, (p + 1) * sizeof *a->first);
  for (size_t v = 0; v < a->nodes; v++) {
    if (mn_node_left(node_of(a, v)) == 0) continue;
    a->mark[v] = is_topmost(a, v);
    a->first[node_of(a, v)[2]] += (uint32_t)a->mark[v];
  }
  for (size_t j = 0; j < p; j++) a->first[j + 1] += a->first[j];
  for (size_t v = a->nodes; v-- > 0;)
    if (mn_node_left(node_of(a, v)) > 0 && a->mark[v]) a->top[--a->first[node_of(a, v)[2]]] = (uint32_t)v;
}

static void prepare_tree(void *work, size_t block, size_t worker)
{
  const struct importance_task *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  struct oob_tree *a = &w->slot[block];
  a->tree = w->begin + block;
  a->root = mn_tree_root(w->trees, a->tree);
  a->nodes = mn_tree_nodes(w->trees, a->tree);
  mn_rng rng = mn_stream(w->seed, (uint64_t)FIRST_STREAM + a->tree);
  a->key = (int64_t)(mn_random_u64(&rng) >> 1);
  if (w->data->code) label_leaves(w, a, w->sum + worker * w->width);
  if (!count_rows(w, &token, a)) return;
  assign_ranges(a);
  place_rows(w, &token, a);
  find_topmost(a, w->data->features);
  w->has_oob_rows[a->tree] = a->rows > 0;
}

/* --- permuting one feature of a tree --- */

static bool is_same(double a, double b)
{
  return (a <= b && a >= b) || (isnan(a) && isnan(b));
}

static void permute_feature(void *work, size_t block, size_t worker)
{
  const struct importance_task *w = work;
  const size_t j = w->tree_feature[block].column;
  const struct oob_tree *a = &w->slot[w->tree_feature[block].slot];
  const mn_cancel_token token = { w->ctx, worker };
  uint32_t *position = w->position + worker * 2 * w->data->rows, *swapped = position + w->data->rows;
  mn_rng rng = mn_stream(a->key, j);
  double sum = 0;
  size_t in_sample = 0;
  for (uint32_t t = a->first[j]; t < a->first[j + 1]; t++) {
    for (uint32_t r = a->begin[a->top[t]]; r < a->end[a->top[t]]; r++) {
      const size_t i = a->row[r], from = in_sample + mn_random_below(&rng, a->rows - in_sample);
      const uint32_t other = position[from];
      position[from] = position[in_sample];
      position[in_sample] = other;
      swapped[in_sample++] = (uint32_t)from;
      if (in_sample % ROWS_PER_POLL == 0 && !mn_task_should_continue(&token)) return;
      const double value = mn_element(w->data, a->row[other], j);
      if (is_same(value, mn_element(w->data, i, j))) continue;
      sum += mn_weight(w->data, i) * (loss_of(w, a, find_leaf(w, a, a->top[t], i, j, value), i) - a->loss[r]);
    }
  }
  while (in_sample-- > 0) {
    const uint32_t other = position[in_sample];
    position[in_sample] = position[swapped[in_sample]];
    position[swapped[in_sample]] = other;
  }
  w->increase[a->tree * w->data->features + j] = sum / a->weight;
}

/* --- all trees --- */

static mn_status make_tree_buffers(mn_context *ctx, size_t rows, size_t features, size_t nodes, struct oob_tree *a)
{
  a->row = MN_RAW(ctx, uint32_t, rows, 2);
  a->loss = MN_RAW(ctx, double, rows, 1);
  a->begin = MN_RAW(ctx, uint32_t, nodes, 4);
  a->mark = MN_RAW(ctx, int32_t, nodes, 1);
  a->first = MN_RAW(ctx, uint32_t, features + 1, 1);
  if (!a->row || !a->loss || !a->begin || !a->mark || !a->first) return MN_NO_MEMORY;
  a->leaf = a->row + rows;
  a->end = a->begin + nodes;
  a->parent = a->end + nodes;
  a->top = a->parent + nodes;
  return MN_OK;
}

static mn_status make_task(mn_context *ctx, struct importance_task *w)
{
  const size_t rows = w->data->rows, p = w->data->features, trees = mn_trees_count(w->trees), workers = mn_threads(ctx);
  const size_t slots = trees < TREES_PER_BATCH ? trees : TREES_PER_BATCH;
  size_t max_nodes = 1;
  for (size_t t = 0; t < trees; t++)
    if (mn_tree_nodes(w->trees, t) > max_nodes) max_nodes = mn_tree_nodes(w->trees, t);
  w->slot = MN_NEW(ctx, struct oob_tree, slots, 1);
  w->tree_feature = MN_RAW(ctx, struct tree_feature, slots, p);
  w->position = MN_RAW(ctx, uint32_t, workers, 2 * rows);
  w->sum = MN_RAW(ctx, double, workers, w->width);
  w->increase = MN_NEW(ctx, double, trees, p);
  w->has_oob_rows = MN_NEW(ctx, bool, trees, 1);
  if (!w->slot || !w->tree_feature || !w->position || !w->sum || !w->increase || !w->has_oob_rows) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers * 2 * rows; i++) w->position[i] = (uint32_t)(i % (2 * rows));
  for (size_t s = 0; s < slots; s++) MN_TRY(make_tree_buffers(ctx, rows, p, max_nodes, &w->slot[s]));
  return MN_OK;
}

static size_t list_features(const struct importance_task *w, size_t slots)
{
  size_t n = 0;
  for (uint32_t s = 0; s < slots; s++)
    for (uint32_t j = 0; j < w->data->features; j++)
      if (w->slot[s].first[j + 1] > w->slot[s].first[j])
        w->tree_feature[n++] = (struct tree_feature){ .slot = s, .column = j };
  return n;
}

/* Mean of feature j over the trees with out-of-bag rows, and its standard error, NaN for fewer than 2. */
static void summarize(const struct importance_task *w, size_t j, double *mean, double *error)
{
  const size_t trees = mn_trees_count(w->trees), p = w->data->features;
  double n = 0, sum = 0, square = 0;
  for (size_t t = 0; t < trees; t++) {
    n += w->has_oob_rows[t];
    sum += w->increase[t * p + j];
  }
  *mean = sum / n;
  for (size_t t = 0; t < trees; t++) {
    const double d = w->increase[t * p + j] - *mean;
    square += w->has_oob_rows[t] ? d * d : 0;
  }
  *error = n > 1 ? sqrt(square / (n * (n - 1))) : (double)NAN;
}

mn_status mn_forest_importance(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag)
{
  const size_t trees = mn_trees_count(&m->tree.trees), p = data->features;
  struct importance_task w = {
    .ctx = ctx, .trees = &m->tree.trees, .data = data, .in_bag = in_bag, .seed = m->tree.seed
  };
  w.width = mn_tree_width(&m->tree);
  MN_TRY(make_task(ctx, &w));
  for (; w.begin < trees; w.begin += TREES_PER_BATCH) {
    const size_t slots = trees - w.begin < TREES_PER_BATCH ? trees - w.begin : TREES_PER_BATCH;
    MN_TRY(mn_parallel(ctx, slots, prepare_tree, &w));
    MN_TRY(mn_parallel(ctx, list_features(&w, slots), permute_feature, &w));
  }
  MN_TRY(mn_vector_init(ctx, &m->permutation_importances, p));
  MN_TRY(mn_vector_init(ctx, &m->permutation_se, p));
  for (size_t j = 0; j < p; j++) summarize(&w, j, &m->permutation_importances.at[j], &m->permutation_se.at[j]);
  return MN_OK;
}
