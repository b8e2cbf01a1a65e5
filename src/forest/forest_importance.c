/* Permutation importance out of the bag (Breiman, Machine Learning 45, 2001, section 10): how much more each tree is
 * off on the rows that it did not draw once the values of one column are shuffled among them.
 *
 *     d_tj = sum_i w_i (L(y_i, tree_t(x_i with column j of another row)) - L(y_i, tree_t(x_i))) / sum_i w_i
 *
 * over the rows i out of the bag of tree t, L being 1 for a wrong label, or the squared error. Mean and standard error
 * of d_tj over the trees.
 *
 * A row can change only below the first node on its way that splits by the column. So the rows of a tree are laid out
 * leaf by leaf, which puts those that pass any node beside each other, and of each column only the rows below its
 * topmost nodes walk again, from there. They alone draw a value: the first draws of a shuffle of all rows. */
#include "../core/threads.h"
#include "forest.h"

enum { TREES_AT_ONCE = 16, ROWS_A_POLL = 1 << 12 };
#define FIRST_STREAM ((int64_t)1 << 32) /* behind those that trees are grown by */

/* A tree and the rows out of its bag. */
struct aside {
  const int32_t *root;
  size_t tree, nodes, rows;
  double weight; /* of these rows */
  int64_t key;
  uint32_t *row;         /* rows: their numbers, those of a leaf beside each other                           */
  uint32_t *leaf;        /* rows: where they end, in the order of their numbers                              */
  double *loss;          /* rows: of the tree as it is, in the order of `row`                                */
  uint32_t *begin, *end; /* nodes: row[begin..end-1] pass it                                                 */
  uint32_t *parent;      /* nodes                                                                            */
  int32_t *mark;         /* nodes: of a leaf its label; of a split 1 where none above it has the same column */
  uint32_t *top;         /* the splits so marked that rows pass, column by column                            */
  uint32_t *first;       /* features + 1: where those of a column begin                                      */
};

struct pair {
  uint32_t slot, column;
};

struct importance_work {
  mn_context *ctx;
  const mn_trees *trees;
  const mn_data *data;
  const uint8_t *in_bag; /* trees x rows */
  int64_t seed;
  size_t width, begin; /* values of a leaf; the first of the trees at work */
  struct aside *slot;  /* TREES_AT_ONCE */
  struct pair *pair;   /* TREES_AT_ONCE x features: what the trees at work split by                       */
  uint32_t *place;     /* workers x 2 rows: 0, 1, 2, ... between shuffles; then where each was swapped to */
  double *sum;         /* workers x width */
  double *worse;       /* trees x features: d */
  bool *known;         /* trees: are there rows out of the bag? */
};

/* --- a tree and its rows --- */

static const int32_t *node_of(const struct aside *a, size_t v)
{
  return a->root + MN_NODE_WORDS * v;
}

static double loss_of(const struct importance_work *w, const struct aside *a, size_t leaf, size_t i)
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

/* Where row i comes to from the node v on its way, `value` standing in column j. */
static size_t walk(const struct importance_work *w, const struct aside *a, size_t v, size_t i, size_t j, double value)
{
  for (const int32_t *node = node_of(a, v); mn_node_left(node) > 0; node = node_of(a, v)) {
    const size_t column = (size_t)node[2];
    const double x = column == j ? value : mn_element(w->data, i, column);
    v = mn_node_left(node) + !mn_value_goes_left(w->trees, node, x);
  }
  return v;
}

/* The likeliest label of each leaf, the first of equal ones. */
static void name_leaves(const struct importance_work *w, struct aside *a, double *sum)
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

/* The rows out of the bag, and how many of them end in each leaf. False: cancelled. */
static bool count_rows(const struct importance_work *w, const mn_cancel_token *token, struct aside *a)
{
  const uint8_t *drawn = w->in_bag + a->tree * w->data->rows;
  memset(a->end, 0, a->nodes * sizeof *a->end);
  a->rows = 0;
  a->weight = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, w->data->rows, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      if (drawn[i]) continue;
      const size_t leaf = walk(w, a, 0, i, SIZE_MAX, 0);
      a->leaf[a->rows++] = (uint32_t)leaf;
      a->end[leaf]++;
      a->weight += mn_weight(w->data, i);
    }
  return p.end == w->data->rows;
}

/* Children stand behind their parents, so counts are summed up from the last node on, and places given out from the
 * first. `end` holds the counts before, and of leaves their beginnings after. */
static void part_places(struct aside *a)
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

static void place_rows(const struct importance_work *w, const mn_cancel_token *token, struct aside *a)
{
  const uint8_t *drawn = w->in_bag + a->tree * w->data->rows;
  size_t k = 0;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, w->data->rows, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      if (drawn[i]) continue;
      const size_t leaf = a->leaf[k++], at = a->end[leaf]++;
      a->row[at] = (uint32_t)i;
      a->loss[at] = loss_of(w, a, leaf, i);
    }
}

/* Does a node that rows pass split by a column that no node above it splits by? */
static bool is_topmost(const struct aside *a, size_t v)
{
  const int32_t column = node_of(a, v)[2];
  if (a->begin[v] == a->end[v]) return false;
  while (v > 0) {
    v = a->parent[v];
    if (node_of(a, v)[2] == column) return false;
  }
  return true;
}

static void list_tops(struct aside *a, size_t p)
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

static void set_aside(void *work, size_t block, size_t worker)
{
  const struct importance_work *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  struct aside *a = &w->slot[block];
  a->tree = w->begin + block;
  a->root = mn_tree_root(w->trees, a->tree);
  a->nodes = mn_tree_nodes(w->trees, a->tree);
  mn_rng rng = mn_stream(w->seed, (uint64_t)FIRST_STREAM + a->tree);
  a->key = (int64_t)(mn_random_u64(&rng) >> 1);
  if (w->data->code) name_leaves(w, a, w->sum + worker * w->width);
  if (!count_rows(w, &token, a)) return;
  part_places(a);
  place_rows(w, &token, a);
  list_tops(a, w->data->features);
  w->known[a->tree] = a->rows > 0;
}

/* --- one column of it shuffled --- */

static bool is_same(double a, double b)
{
  return (a <= b && a >= b) || (isnan(a) && isnan(b));
}

static void shuffle_column(void *work, size_t block, size_t worker)
{
  const struct importance_work *w = work;
  const size_t j = w->pair[block].column;
  const struct aside *a = &w->slot[w->pair[block].slot];
  const mn_cancel_token token = { w->ctx, worker };
  uint32_t *place = w->place + worker * 2 * w->data->rows, *swapped = place + w->data->rows;
  mn_rng rng = mn_stream(a->key, j);
  double sum = 0;
  size_t drawn = 0;
  for (uint32_t t = a->first[j]; t < a->first[j + 1]; t++) {
    for (uint32_t r = a->begin[a->top[t]]; r < a->end[a->top[t]]; r++) {
      const size_t i = a->row[r], from = drawn + mn_random_below(&rng, a->rows - drawn);
      const uint32_t other = place[from];
      place[from] = place[drawn];
      place[drawn] = other;
      swapped[drawn++] = (uint32_t)from;
      if (drawn % ROWS_A_POLL == 0 && !mn_task_should_continue(&token)) return;
      const double value = mn_element(w->data, a->row[other], j);
      if (is_same(value, mn_element(w->data, i, j))) continue;
      sum += mn_weight(w->data, i) * (loss_of(w, a, walk(w, a, a->top[t], i, j, value), i) - a->loss[r]);
    }
  }
  while (drawn-- > 0) {
    const uint32_t other = place[drawn];
    place[drawn] = place[swapped[drawn]];
    place[swapped[drawn]] = other;
  }
  w->worse[a->tree * w->data->features + j] = sum / a->weight;
}

/* --- all trees --- */

static mn_status make_slot(mn_context *ctx, size_t rows, size_t features, size_t nodes, struct aside *a)
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

static mn_status make_work(mn_context *ctx, struct importance_work *w)
{
  const size_t rows = w->data->rows, p = w->data->features, trees = mn_trees_count(w->trees), workers = mn_threads(ctx);
  const size_t slots = trees < TREES_AT_ONCE ? trees : TREES_AT_ONCE;
  size_t most = 1;
  for (size_t t = 0; t < trees; t++)
    if (mn_tree_nodes(w->trees, t) > most) most = mn_tree_nodes(w->trees, t);
  w->slot = MN_NEW(ctx, struct aside, slots, 1);
  w->pair = MN_RAW(ctx, struct pair, slots, p);
  w->place = MN_RAW(ctx, uint32_t, workers, 2 * rows);
  w->sum = MN_RAW(ctx, double, workers, w->width);
  w->worse = MN_NEW(ctx, double, trees, p);
  w->known = MN_NEW(ctx, bool, trees, 1);
  if (!w->slot || !w->pair || !w->place || !w->sum || !w->worse || !w->known) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers * 2 * rows; i++) w->place[i] = (uint32_t)(i % (2 * rows));
  for (size_t s = 0; s < slots; s++) MN_TRY(make_slot(ctx, rows, p, most, &w->slot[s]));
  return MN_OK;
}

static size_t list_pairs(const struct importance_work *w, size_t slots)
{
  size_t n = 0;
  for (uint32_t s = 0; s < slots; s++)
    for (uint32_t j = 0; j < w->data->features; j++)
      if (w->slot[s].first[j + 1] > w->slot[s].first[j]) w->pair[n++] = (struct pair){ .slot = s, .column = j };
  return n;
}

/* Mean of column j over the trees that have rows out of their bags, and its standard error, NaN of fewer than 2. */
static void settle(const struct importance_work *w, size_t j, double *mean, double *error)
{
  const size_t trees = mn_trees_count(w->trees), p = w->data->features;
  double n = 0, sum = 0, square = 0;
  for (size_t t = 0; t < trees; t++) {
    n += w->known[t];
    sum += w->worse[t * p + j];
  }
  *mean = sum / n;
  for (size_t t = 0; t < trees; t++) {
    const double d = w->worse[t * p + j] - *mean;
    square += w->known[t] ? d * d : 0;
  }
  *error = n > 1 ? sqrt(square / (n * (n - 1))) : (double)NAN;
}

mn_status mn_forest_importance(mn_context *ctx, mn_forest *m, const mn_data *data, const uint8_t *in_bag)
{
  const size_t trees = mn_trees_count(&m->tree.trees), p = data->features;
  struct importance_work w = {
    .ctx = ctx, .trees = &m->tree.trees, .data = data, .in_bag = in_bag, .seed = m->tree.seed
  };
  w.width = mn_tree_width(&m->tree);
  MN_TRY(make_work(ctx, &w));
  for (; w.begin < trees; w.begin += TREES_AT_ONCE) {
    const size_t slots = trees - w.begin < TREES_AT_ONCE ? trees - w.begin : TREES_AT_ONCE;
    MN_TRY(mn_parallel(ctx, slots, set_aside, &w));
    MN_TRY(mn_parallel(ctx, list_pairs(&w, slots), shuffle_column, &w));
  }
  MN_TRY(mn_vector_init(ctx, &m->permutation_importances, p));
  MN_TRY(mn_vector_init(ctx, &m->permutation_se, p));
  for (size_t j = 0; j < p; j++) settle(&w, j, &m->permutation_importances.at[j], &m->permutation_se.at[j]);
  return MN_OK;
}
