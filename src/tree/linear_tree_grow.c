/* Growing a tree with linear leaves: the split after which two ridge models leave least.
 *
 *     loss(S) = sum_{i in S} w_i (y_i - c - b'z_i)^2,     b, c = argmin of this + alpha |b|^2
 *
 * z are the columns of numbers. Of a missing value z is the mean of the others in S, whatever S is. */
#include "linear_tree_search.h"
#include "linear_tree_kernel.h"

/* --- a node --- */

/* z of a row, 0 where it is missing, and which are there. */
static void take_row(const mn_linear_search *f, size_t row, double *u)
{
  const mn_linear_growth *g = f->g;
  const size_t p = g->numbers;
  const double *x = mn_row(&g->data->x, row);
  for (size_t j = 0; j < p; j++) {
    const size_t column = g->column[j];
    u[j] = (x[column] - g->mean[column]) * g->scale[column];
  }
  u[p] = 1;
  u[p + 1] = g->data->y.at[row];
  for (size_t k = 0; k < g->gaps; k++) {
    u[p + 2 + k] = !isnan(u[g->gap[k]]);
    if (isnan(u[g->gap[k]])) u[g->gap[k]] = 0;
  }
}

/* Means of what is there; where nothing is, those of the node above stay. known: room, wide. */
static void find_center(const mn_linear_search *f, const mn_linear_node *node, double *center, double *known)
{
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  for (size_t j = 0; j < f->wide; j++) known[j] = j < s ? node->weight : 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = s; k < f->wide; k++) known[k] += f->weight[i] * f->u[i * f->wide + k];
  for (size_t k = 0; k < f->g->gaps; k++) known[f->g->gap[k]] = known[s + k];
  double *above = f->g->center + (size_t)(node - f->g->node) * p;
  for (size_t j = 0; j < s; j++) {
    center[j] = j == p ? 0 : known[j] > 0 ? center[j] / known[j] : above[j];
    if (j < p) above[j] = center[j];
  }
}

/* Its rows about their means, and the sums of these. center: wide, and as much room. */
static void take_rows(mn_linear_search *f, mn_linear_node *node, double *center)
{
  const mn_linear_growth *g = f->g;
  const size_t s = f->s, wide = f->wide, n = node->end - node->begin;
  memset(center, 0, wide * sizeof *center);
  memset(f->all, 0, wide * wide * sizeof *f->all);
  node->weight = 0;
  const mn_cancel_token *token = &f->bench[0].token;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const size_t row = g->at[node->begin + i];
      double *u = f->u + i * wide;
      take_row(f, row, u);
      f->weight[i] = mn_weight(g->data, row);
      node->weight += f->weight[i];
      for (size_t j = 0; j < s; j++) center[j] += f->weight[i] * u[j];
    }
  if (p.end < n) return;
  find_center(f, node, center, center + wide);
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      double *u = f->u + i * wide;
      for (size_t j = 0; j < s; j++) u[j] -= center[j];
      for (size_t k = 0; k < g->gaps; k++)
        if (!(u[s + k] > 0)) u[g->gap[k]] = 0;
      mn_linear_add_row(wide, f->weight[i], u, f->all);
    }
  node->mean = center[s - 1];
}

/* b of its ridge model by elimination, then the constant, and the squares that are left. a: room, s x s. */
static void fit_model(const mn_linear_search *f, mn_linear_node *node, const double *center, double *a, double *b)
{
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  for (size_t k = 0; k < s; k++) memcpy(a + k * s, f->all + k * f->wide, s * sizeof *a);
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
  mn_chunk piece = { 0 };
  while (mn_next_chunk(&f->bench[0].token, n, &piece))
    for (size_t i = piece.begin; i < piece.end; i++) {
      const double *u = f->u + i * f->wide;
      double off = u[p + 1];
      for (size_t j = 0; j < p; j++) off -= b[j] * u[j];
      node->rss += f->weight[i] * off * off;
      f->residual[i] = off;
    }
  for (size_t k = 0; k < p; k++) b[p] -= b[k] * center[k];
}

/* --- the tree --- */

static mn_status add_nodes(mn_context *ctx, mn_linear_growth *g, size_t more)
{
  const size_t p = g->numbers, width = p + 1;
  if (g->nodes + more > g->room) {
    const size_t room = 2 * g->room + 16;
    mn_linear_node *node = MN_GROW(ctx, g->node, g->nodes, room);
    double *model = mn_scratch_grow(ctx, g->model, width * sizeof *model, g->nodes, room);
    double *center = MN_NEW(ctx, double, room, p);
    if (!node || !model || !center) return MN_NO_MEMORY;
    if (g->nodes * p > 0) memcpy(center, g->center, g->nodes * p * sizeof *center);
    g->node = node;
    g->model = model;
    g->center = center;
    g->room = room;
  }
  for (size_t i = g->nodes; i < g->nodes + more; i++) g->node[i] = (mn_linear_node){ .left = 0 };
  g->nodes += more;
  return MN_OK;
}

/* The levels that go left into g->level. The lighter side is on the left, so that levels which the node does not have
 * go with most rows. */
static mn_status keep_levels(mn_context *ctx, mn_linear_growth *g, const mn_linear_search *f, mn_linear_node *node)
{
  const mn_linear_candidate *offer = &f->offer[node->feature];
  const size_t most = g->levels + (node->end - node->begin);
  size_t here;
  if (most > g->level_room) {
    const size_t room = 2 * most + 16;
    uint32_t *level = MN_GROW(ctx, g->level, g->levels, room);
    MN_CHECK_ALLOC(level);
    g->level = level;
    g->level_room = room;
  }
  uint32_t *code = g->level + g->levels;
  node->first_level = g->levels;
  node->levels = mn_linear_split_levels(f, node->feature, code, &here);
  if (offer->left > node->weight - offer->left) {
    memmove(code, code + node->levels, (here - node->levels) * sizeof *code);
    node->levels = here - node->levels;
    node->missing_left = !node->missing_left;
  }
  g->levels += node->levels;
  return MN_OK;
}

/* Which rows of the node go left. */
static void choose_sides(const mn_linear_growth *g, const mn_linear_node *node)
{
  const uint32_t none = g->columns.distinct[node->feature], *level = g->level + node->first_level;
  const bool by_levels = g->columns.is_factor[node->feature];
  for (size_t k = 0; k < node->levels; k++) g->chosen[level[k]] = true;
  for (uint32_t i = node->begin; i < node->end; i++) {
    const uint32_t r = mn_packed_get(g->columns.rank[node->feature], g->at[i]);
    g->goes[i - node->begin] = r == none ? node->missing_left : by_levels ? g->chosen[r] : r <= node->rank;
  }
  for (size_t k = 0; k < node->levels; k++) g->chosen[level[k]] = false;
}

/* Rows that go left before those that go right, each in their order. Returns where the right ones begin. */
static uint32_t part_rows(const mn_linear_growth *g, const mn_linear_node *node)
{
  uint32_t left = node->begin, right = 0;
  choose_sides(g, node);
  for (uint32_t i = node->begin; i < node->end; i++) {
    const uint32_t row = g->at[i];
    if (g->goes[i - node->begin])
      g->at[left++] = row;
    else
      g->spare[right++] = row;
  }
  memcpy(g->at + left, g->spare, right * sizeof *g->at);
  return left;
}

static void find_threshold(const mn_linear_growth *g, const mn_linear_candidate *offer, mn_linear_node *node)
{
  const double *sorted = g->columns.sorted[node->feature];
  node->rank = offer->rank;
  if (offer->next == g->columns.distinct[node->feature]) { /* all that have a value, from those that have none */
    node->threshold = INFINITY;
    return;
  }
  node->threshold = sorted[offer->rank] / 2 + sorted[offer->next] / 2;
  if (!(node->threshold < sorted[offer->next])) node->threshold = sorted[offer->rank];
}

static mn_status split(mn_context *ctx, mn_linear_growth *g, const mn_linear_search *f, size_t i, size_t feature)
{
  const mn_linear_candidate *offer = &f->offer[feature];
  const size_t p = g->numbers;
  MN_TRY(add_nodes(ctx, g, 2));
  mn_linear_node *node = &g->node[i];
  node->left = g->nodes - 2;
  node->feature = feature;
  node->missing_left = offer->missing_left;
  /* a missing value goes where such rows of the node went; where there were none, with most rows */
  if (!offer->gaps) node->missing_left = offer->left > node->weight - offer->left;
  if (g->columns.is_factor[feature])
    MN_TRY(keep_levels(ctx, g, f, node));
  else
    find_threshold(g, offer, node);
  const uint32_t middle = part_rows(g, node);
  for (size_t child = node->left; p > 0 && child < node->left + 2; child++)
    memcpy(g->center + child * p, g->center + i * p, p * sizeof *g->center);
  g->node[node->left] = (mn_linear_node){ .begin = node->begin, .end = middle, .depth = node->depth + 1 };
  g->node[node->left + 1] = (mn_linear_node){ .begin = middle, .end = node->end, .depth = node->depth + 1 };
  return MN_OK;
}

static mn_status make_room(mn_context *ctx, mn_linear_growth *g)
{
  const size_t n = g->data->rows;
  uint32_t most = 0;
  for (size_t j = 0; j < g->data->features; j++)
    if (g->columns.is_factor[j] && g->columns.distinct[j] > most) most = g->columns.distinct[j];
  g->at = MN_RAW(ctx, uint32_t, n, 2);
  g->goes = MN_RAW(ctx, bool, n, 1);
  g->chosen = MN_NEW(ctx, bool, most, 1);
  if (!g->at || !g->goes || !g->chosen) return MN_NO_MEMORY;
  g->spare = g->at + n;
  for (size_t i = 0; i < n; i++) g->at[i] = (uint32_t)i;
  MN_TRY(add_nodes(ctx, g, 1));
  g->node[0].end = (uint32_t)n;
  return MN_OK;
}

mn_status mn_linear_grow(mn_context *ctx, mn_linear_growth *g)
{
  const size_t width = g->numbers + 1;
  mn_linear_search f;
  MN_TRY(make_room(ctx, g));
  MN_TRY(mn_linear_search_make(ctx, g, &f));
  double *center = MN_RAW(ctx, double, f.wide, 2);
  MN_CHECK_ALLOC(center);
  for (size_t i = 0; i < g->nodes; i++) { /* by breadth */
    size_t feature;
    take_rows(&f, &g->node[i], center);
    MN_TRY(mn_error_status(ctx));
    fit_model(&f, &g->node[i], center, f.bench[0].room, g->model + i * width);
    f.node = &g->node[i];
    MN_TRY(mn_linear_find_split(ctx, &f, &feature));
    if (feature == SIZE_MAX) continue;
    g->node[i].gain = mn_linear_split_loss(&f, &f.bench[0], f.all, NULL) - f.offer[feature].loss;
    MN_TRY(split(ctx, g, &f, i, feature));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
