/* Growing a tree with linear leaves: the cut after which two ridge models leave least.
 *
 *     loss(S) = sum_{i in S} w_i (y_i - c - b'z_i)^2,     b, c = argmin of this + alpha |b|^2
 *
 * The rows of a node are sorted by a column, and the sums from which the loss of either side follows grow from row to
 * row; the loss is taken at max_bins cuts at most. All is about the means of the node, so that little cancels. */
#include "linear_tree.h"
#include "../core/threads.h"
#include "linear_tree_kernel.h"
#include "multiway_grow.h"

enum { SHARED = 1 << 14 };
static const double TINY =
    1e-9; /* gains that differ by less, as a share of the loss, are equal: the first column wins */

/* What one thread works with. */
struct bench {
  mn_case *cases, *other; /* rows  */
  uint32_t *key, *key_other;
  double *left, *room; /* s x s */
};

struct offer {
  double loss, left;   /* INFINITY: no cut; the weight left of it          */
  uint32_t rank, next; /* of the values on its sides                       */
  bool coarse;         /* there are more cuts between those that were tried */
};

struct search {
  mn_linear_growth *g;
  const mn_linear_node *node;
  size_t s;
  double *u;   /* rows x s: of the node, (z, 1, y) about its means */
  double *all; /* s x s */
  double *weight;
  struct bench *bench;
  struct offer *offer; /* features */
};

/* --- a node --- */

/* Its rows about their means, and the sums of these. */
static void take_rows(struct search *f, mn_linear_node *node, double *center)
{
  mn_linear_growth *g = f->g;
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  memset(center, 0, s * sizeof *center);
  memset(f->all, 0, s * s * sizeof *f->all);
  node->weight = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t row = g->at[node->begin + i];
    double *u = f->u + i * s;
    for (size_t j = 0; j < p; j++) u[j] = (mn_row(&g->data->x, row)[j] - g->mean[j]) * g->scale[j];
    u[p] = 1;
    u[p + 1] = g->data->y.at[row];
    f->weight[i] = mn_weight(g->data, row);
    node->weight += f->weight[i];
    for (size_t j = 0; j < s; j++) center[j] += f->weight[i] * u[j];
  }
  for (size_t j = 0; j < s; j++) center[j] = j == p ? 0 : center[j] / node->weight;
  for (size_t i = 0; i < n; i++) {
    double *u = f->u + i * s;
    for (size_t j = 0; j < s; j++) u[j] -= center[j];
    mn_linear_add(s, f->weight[i], u, f->all);
  }
  node->mean = center[p + 1];
}

/* b of its ridge model by elimination, then the constant, and the squares that are left. a: room, s x s. */
static void fit_model(const struct search *f, mn_linear_node *node, const double *center, double *a, double *b)
{
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  memcpy(a, f->all, s * s * sizeof *a);
  for (size_t k = 0; k < p; k++) a[k * s + k] += f->g->m->alpha;
  for (size_t k = 0; k < p; k++)
    for (size_t i = k + 1; i < p && a[k * s + k] > 0; i++) {
      const double factor = a[k * s + i] / a[k * s + k];
      for (size_t j = i; j < s; j++) a[i * s + j] -= factor * a[k * s + j];
    }
  b[p] = center[p + 1];
  for (size_t k = p; k-- > 0;) {
    double sum = a[k * s + p + 1];
    for (size_t j = k + 1; j < p; j++) sum -= a[k * s + j] * b[j];
    b[k] = a[k * s + k] > 0 ? sum / a[k * s + k] : 0;
  }
  node->rss = 0;
  for (size_t i = 0; i < n; i++) {
    const double *u = f->u + i * s;
    double off = u[p + 1];
    for (size_t j = 0; j < p; j++) off -= b[j] * u[j];
    node->rss += f->weight[i] * off * off;
  }
  for (size_t k = 0; k < p; k++) b[p] -= b[k] * center[k];
}

/* --- the best cut --- */

/* The rows of the node by column j, in the bench. Returns how many cuts there are. */
static size_t sort_rows(const struct search *f, struct bench *b, size_t j)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin;
  const uint32_t *rank = g->columns.rank + j * g->columns.rows;
  size_t cuts = 0;
  for (size_t i = 0; i < n; i++) {
    b->cases[i] = (mn_case){ (uint32_t)i, f->weight[i] };
    b->key[i] = rank[g->at[f->node->begin + i]];
  }
  mn_sort_cases(n, b->cases, b->key, b->other, b->key_other);
  for (size_t i = 1; i < n; i++) cuts += b->key[i] != b->key[i - 1];
  return cuts;
}

/* The best of the cuts that leave a weight between `from` and `to` on the left, one in each `step` of it; 0: all. */
static void try_cuts(const struct search *f, struct bench *b, double from, double to, double step, struct offer *best)
{
  const mn_linear_growth *g = f->g;
  const size_t n = f->node->end - f->node->begin, s = f->s;
  double left = 0, next = from;
  *best = (struct offer){ .loss = INFINITY };
  memset(b->left, 0, s * s * sizeof *b->left);
  for (size_t i = 0; i + 1 < n && left < to; i++) {
    mn_linear_add(s, b->cases[i].weight, f->u + b->cases[i].row * s, b->left);
    left += b->cases[i].weight;
    if (b->key[i] == b->key[i + 1] || left < fmax(g->min_leaf, next) - TINY) continue;
    if (f->node->weight - left < g->min_leaf - TINY) return;
    if (step > 0) next = step * (floor(left / step + TINY) + 1);
    const double loss =
        mn_linear_rss(s, g->m->alpha, b->left, NULL, b->room) + mn_linear_rss(s, g->m->alpha, f->all, b->left, b->room);
    if (!(loss < best->loss * (1 - TINY))) continue;
    *best = (struct offer){ .loss = loss, .left = left, .rank = b->key[i], .next = b->key[i + 1] };
  }
}

static void search_column(void *work, size_t j, size_t worker)
{
  const struct search *f = work;
  const double bins = (double)f->g->m->max_bins, weight = f->node->weight;
  struct bench *b = &f->bench[worker];
  struct offer *best = &f->offer[j];
  const bool all = (double)sort_rows(f, b, j) < bins;
  try_cuts(f, b, 0, weight, all ? 0 : weight / bins, best);
  best->coarse = !all;
}

/* Between the cuts that were tried beside the best one, all there are. */
static void refine(const struct search *f, size_t j)
{
  const double step = f->node->weight / (double)f->g->m->max_bins;
  struct offer finer;
  if (!f->offer[j].coarse) return;
  sort_rows(f, &f->bench[0], j);
  try_cuts(f, &f->bench[0], f->offer[j].left - step, f->offer[j].left + step, 0, &finer);
  if (finer.loss < f->offer[j].loss) f->offer[j] = finer;
}

/* SIZE_MAX: there is none that lowers the loss. */
static mn_status find_cut(mn_context *ctx, struct search *f, size_t *feature)
{
  const mn_linear_growth *g = f->g;
  const size_t p = f->s - 2, n = f->node->end - f->node->begin;
  const double own = mn_linear_rss(f->s, g->m->alpha, f->all, NULL, f->bench[0].room);
  *feature = SIZE_MAX;
  if (f->node->depth >= g->max_depth || f->node->weight < 2 * g->min_leaf) return MN_OK;
  if (n * p * p >= SHARED)
    MN_TRY(mn_parallel(ctx, p, search_column, f));
  else
    for (size_t j = 0; j < p; j++) search_column(f, j, 0);
  for (size_t j = 0; j < p; j++) {
    const double loss = f->offer[j].loss;
    if (!(loss < own * (1 - TINY))) continue;
    if (*feature == SIZE_MAX || loss < f->offer[*feature].loss * (1 - TINY)) *feature = j;
  }
  if (*feature != SIZE_MAX) refine(f, *feature);
  return MN_OK;
}

/* --- the tree --- */

static mn_status add_nodes(mn_context *ctx, mn_linear_growth *g, size_t more)
{
  const size_t width = g->data->features + 1;
  if (g->nodes + more > g->room) {
    const size_t room = 2 * g->room + 16;
    mn_linear_node *node = MN_RAW(ctx, mn_linear_node, room, 1);
    double *model = MN_RAW(ctx, double, room, width);
    if (!node || !model) return MN_NO_MEMORY;
    if (g->nodes > 0) memcpy(node, g->node, g->nodes * sizeof *node);
    if (g->nodes > 0) memcpy(model, g->model, g->nodes * width * sizeof *model);
    g->node = node;
    g->model = model;
    g->room = room;
  }
  for (size_t i = g->nodes; i < g->nodes + more; i++) g->node[i] = (mn_linear_node){ .left = 0 };
  g->nodes += more;
  return MN_OK;
}

/* Rows that go left before those that go right, each in their order. Returns where the right ones begin. */
static uint32_t part_rows(mn_linear_growth *g, const mn_linear_node *node)
{
  const uint32_t *rank = g->columns.rank + node->feature * g->columns.rows;
  uint32_t left = node->begin, right = 0;
  for (uint32_t i = node->begin; i < node->end; i++) {
    const uint32_t row = g->at[i];
    if (rank[row] <= node->rank)
      g->at[left++] = row;
    else
      g->spare[right++] = row;
  }
  memcpy(g->at + left, g->spare, right * sizeof *g->at);
  return left;
}

static mn_status split(mn_context *ctx, mn_linear_growth *g, size_t i, size_t feature, const struct offer *offer)
{
  const double *sorted = g->columns.sorted[feature];
  MN_TRY(add_nodes(ctx, g, 2));
  mn_linear_node *node = &g->node[i];
  node->left = g->nodes - 2;
  node->feature = feature;
  node->rank = offer->rank;
  node->threshold = sorted[offer->rank] / 2 + sorted[offer->next] / 2;
  if (!(node->threshold < sorted[offer->next])) node->threshold = sorted[offer->rank];
  const uint32_t middle = part_rows(g, node);
  g->node[node->left] = (mn_linear_node){ .begin = node->begin, .end = middle, .depth = node->depth + 1 };
  g->node[node->left + 1] = (mn_linear_node){ .begin = middle, .end = node->end, .depth = node->depth + 1 };
  return MN_OK;
}

static mn_status begin(mn_context *ctx, mn_linear_growth *g, struct search *f)
{
  const size_t n = g->data->rows, s = g->data->features + 2, workers = mn_threads(ctx);
  *f = (struct search){ .g = g, .s = s };
  f->u = MN_RAW(ctx, double, n, s);
  f->all = MN_RAW(ctx, double, s, s);
  f->weight = MN_RAW(ctx, double, n, 1);
  f->bench = MN_RAW(ctx, struct bench, workers, 1);
  f->offer = MN_RAW(ctx, struct offer, s, 1);
  g->at = MN_RAW(ctx, uint32_t, n, 2);
  if (!f->u || !f->all || !f->weight || !f->bench || !f->offer || !g->at) return MN_NO_MEMORY;
  g->spare = g->at + n;
  for (size_t i = 0; i < n; i++) g->at[i] = (uint32_t)i;
  for (size_t w = 0; w < workers; w++) {
    struct bench *b = &f->bench[w];
    b->cases = MN_RAW(ctx, mn_case, n, 2);
    b->key = MN_RAW(ctx, uint32_t, n, 2);
    b->left = MN_RAW(ctx, double, s * 2, s);
    if (!b->cases || !b->key || !b->left) return MN_NO_MEMORY;
    b->other = b->cases + n;
    b->key_other = b->key + n;
    b->room = b->left + s * s;
  }
  MN_TRY(add_nodes(ctx, g, 1));
  g->node[0].end = (uint32_t)n;
  return MN_OK;
}

mn_status mn_linear_grow(mn_context *ctx, mn_linear_growth *g)
{
  const size_t width = g->data->features + 1;
  struct search f;
  double *center = MN_RAW(ctx, double, width + 1, 1);
  MN_NEED(center);
  MN_TRY(begin(ctx, g, &f));
  for (size_t i = 0; i < g->nodes; i++) { /* by breadth */
    size_t feature;
    take_rows(&f, &g->node[i], center);
    fit_model(&f, &g->node[i], center, f.bench[0].room, g->model + i * width);
    f.node = &g->node[i];
    MN_TRY(find_cut(ctx, &f, &feature));
    if (feature == SIZE_MAX) continue;
    const double own = mn_linear_rss(f.s, g->m->alpha, f.all, NULL, f.bench[0].room);
    g->node[i].gain = own - f.offer[feature].loss;
    MN_TRY(split(ctx, g, i, feature, &f.offer[feature]));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
