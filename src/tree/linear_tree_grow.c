/* Growing a tree with linear leaves. A node is split where the losses of two ridge models have the smallest sum.
 *
 *     loss(S) = sum_{i in S} w_i (y_i - c - b'z_i)^2,     b, c = argmin of this + alpha |b|^2
 *
 * z are the numeric columns. A missing value of z is replaced by the mean of the others in S. */
#include "linear_tree_search.h"
#include "linear_tree_kernel.h"

/* --- a node --- */

/* u of a row; z is 0 where it is missing. */
static void load_row(const mn_linear_search *f, size_t row, double *u)
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

/* Means of the values that are not missing; if all are, the means of the parent are kept. known: a buffer of `full`. */
static void find_center(const mn_linear_search *f, const mn_linear_node *node, double *center, double *known)
{
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  for (size_t j = 0; j < f->full; j++) known[j] = j < s ? node->weight : 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = s; k < f->full; k++) known[k] += f->weight[i] * f->u[i * f->full + k];
  for (size_t k = 0; k < f->g->gaps; k++) known[f->g->gap[k]] = known[s + k];
  double *above = f->g->center + (size_t)(node - f->g->node) * p;
  for (size_t j = 0; j < s; j++) {
    center[j] = j == p ? 0 : known[j] > 0 ? center[j] / known[j] : above[j];
    if (j < p) above[j] = center[j];
  }
}

/* Center the rows of the node, and compute their sums. center: a buffer of 2 x full. */
static void center_rows(mn_linear_search *f, mn_linear_node *node, double *center)
{
  const mn_linear_growth *g = f->g;
  const size_t s = f->s, full = f->full, n = node->end - node->begin;
  memset(center, 0, full * sizeof *center);
  memset(f->all, 0, full * full * sizeof *f->all);
  node->weight = 0;
  const mn_cancel_token *token = &f->ws[0].token;
  mn_chunk p = { 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const size_t row = g->rows[node->begin + i];
      double *u = f->u + i * full;
      load_row(f, row, u);
      f->weight[i] = mn_weight(g->data, row);
      node->weight += f->weight[i];
      for (size_t j = 0; j < s; j++) center[j] += f->weight[i] * u[j];
    }
  if (p.end < n) return;
  find_center(f, node, center, center + full);
  p = (mn_chunk){ 0 };
  while (mn_next_chunk(token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      double *u = f->u + i * full;
      for (size_t j = 0; j < s; j++) u[j] -= center[j];
      for (size_t k = 0; k < g->gaps; k++)
        if (!(u[s + k] > 0)) u[g->gap[k]] = 0;
      mn_linear_add_row(full, f->weight[i], u, f->all);
    }
  node->mean = center[s - 1];
}

/* Fit the ridge model of the node by elimination: coefficients b, intercept b[p], and residuals. a: a buffer of s x s.
 */
static void fit_model(const mn_linear_search *f, mn_linear_node *node, const double *center, double *a, double *b)
{
  const size_t p = f->s - 2, s = f->s, n = node->end - node->begin;
  for (size_t k = 0; k < s; k++) memcpy(a + k * s, f->all + k * f->full, s * sizeof *a);
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
  mn_chunk chunk = { 0 };
  while (mn_next_chunk(&f->ws[0].token, n, &chunk))
    for (size_t i = chunk.begin; i < chunk.end; i++) {
      const double *u = f->u + i * f->full;
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
  if (g->nodes + more > g->capacity) {
    const size_t capacity = 2 * g->capacity + 16;
    mn_linear_node *node = MN_GROW(ctx, g->node, g->nodes, capacity);
    double *model = mn_scratch_grow(ctx, g->model, width * sizeof *model, g->nodes, capacity);
    double *center = MN_NEW(ctx, double, capacity, p);
    if (!node || !model || !center) return MN_NO_MEMORY;
    if (g->nodes * p > 0) memcpy(center, g->center, g->nodes * p * sizeof *center);
    g->node = node;
    g->model = model;
    g->center = center;
    g->capacity = capacity;
  }
  for (size_t i = g->nodes; i < g->nodes + more; i++) g->node[i] = (mn_linear_node){ .left = 0 };
  g->nodes += more;
  return MN_OK;
}

/* Append the levels that go left to g->level. The lighter side goes left, so that levels that the node does not have go
 * with most of the weight. */
static mn_status store_left_levels(mn_context *ctx, mn_linear_growth *g, const mn_linear_search *f,
                                   mn_linear_node *node)
{
  const mn_linear_candidate *candidate = &f->candidate[node->feature];
  const size_t max_size = g->levels + (node->end - node->begin);
  size_t present;
  if (max_size > g->level_capacity) {
    const size_t capacity = 2 * max_size + 16;
    uint32_t *level = MN_GROW(ctx, g->level, g->levels, capacity);
    MN_CHECK_ALLOC(level);
    g->level = level;
    g->level_capacity = capacity;
  }
  uint32_t *code = g->level + g->levels;
  node->first_level = g->levels;
  node->levels = mn_linear_split_levels(f, node->feature, code, &present);
  if (candidate->left > node->weight - candidate->left) {
    memmove(code, code + node->levels, (present - node->levels) * sizeof *code);
    node->levels = present - node->levels;
    node->missing_left = !node->missing_left;
  }
  g->levels += node->levels;
  return MN_OK;
}

/* Set goes_left for the rows of the node. */
static void mark_left_rows(const mn_linear_growth *g, const mn_linear_node *node)
{
  const uint32_t none = g->columns.distinct[node->feature], *level = g->level + node->first_level;
  const bool by_levels = g->columns.is_factor[node->feature];
  for (size_t k = 0; k < node->levels; k++) g->is_left_level[level[k]] = true;
  for (uint32_t i = node->begin; i < node->end; i++) {
    const uint32_t r = mn_packed_get(g->columns.rank[node->feature], g->rows[i]);
    g->goes_left[i - node->begin] = r == none ? node->missing_left : by_levels ? g->is_left_level[r] : r <= node->rank;
  }
  for (size_t k = 0; k < node->levels; k++) g->is_left_level[level[k]] = false;
}

/* Stable partition of the rows: those that go left first. Returns where the right ones begin. */
static uint32_t partition_rows(const mn_linear_growth *g, const mn_linear_node *node)
{
  uint32_t left = node->begin, right = 0;
  mark_left_rows(g, node);
  for (uint32_t i = node->begin; i < node->end; i++) {
    const uint32_t row = g->rows[i];
    if (g->goes_left[i - node->begin])
      g->rows[left++] = row;
    else
      g->buffer[right++] = row;
  }
  memcpy(g->rows + left, g->buffer, right * sizeof *g->rows);
  return left;
}

static void find_threshold(const mn_linear_growth *g, const mn_linear_candidate *candidate, mn_linear_node *node)
{
  const double *sorted = g->columns.sorted[node->feature];
  node->rank = candidate->rank;
  if (candidate->next == g->columns.distinct[node->feature]) { /* separates the missing values from all others */
    node->threshold = INFINITY;
    return;
  }
  node->threshold = sorted[candidate->rank] / 2 + sorted[candidate->next] / 2;
  if (!(node->threshold < sorted[candidate->next])) node->threshold = sorted[candidate->rank];
}

static mn_status split(mn_context *ctx, mn_linear_growth *g, const mn_linear_search *f, size_t i, size_t feature)
{
  const mn_linear_candidate *candidate = &f->candidate[feature];
  const size_t p = g->numbers;
  MN_TRY(add_nodes(ctx, g, 2));
  mn_linear_node *node = &g->node[i];
  node->left = g->nodes - 2;
  node->feature = feature;
  node->missing_left = candidate->missing_left;
  /* if the node had no missing values, they go with the heavier side */
  if (!candidate->has_missing) node->missing_left = candidate->left > node->weight - candidate->left;
  if (g->columns.is_factor[feature])
    MN_TRY(store_left_levels(ctx, g, f, node));
  else
    find_threshold(g, candidate, node);
  const uint32_t split_at = partition_rows(g, node);
  for (size_t child = node->left; p > 0 && child < node->left + 2; child++)
    memcpy(g->center + child * p, g->center + i * p, p * sizeof *g->center);
  g->node[node->left] = (mn_linear_node){ .begin = node->begin, .end = split_at, .depth = node->depth + 1 };
  g->node[node->left + 1] = (mn_linear_node){ .begin = split_at, .end = node->end, .depth = node->depth + 1 };
  return MN_OK;
}

static mn_status init_growth(mn_context *ctx, mn_linear_growth *g)
{
  const size_t n = g->data->rows;
  uint32_t max_levels = 0;
  for (size_t j = 0; j < g->data->features; j++)
    if (g->columns.is_factor[j] && g->columns.distinct[j] > max_levels) max_levels = g->columns.distinct[j];
  g->rows = MN_RAW(ctx, uint32_t, n, 2);
  g->goes_left = MN_RAW(ctx, bool, n, 1);
  g->is_left_level = MN_NEW(ctx, bool, max_levels, 1);
  if (!g->rows || !g->goes_left || !g->is_left_level) return MN_NO_MEMORY;
  g->buffer = g->rows + n;
  for (size_t i = 0; i < n; i++) g->rows[i] = (uint32_t)i;
  MN_TRY(add_nodes(ctx, g, 1));
  g->node[0].end = (uint32_t)n;
  return MN_OK;
}

mn_status mn_linear_grow(mn_context *ctx, mn_linear_growth *g)
{
  const size_t width = g->numbers + 1;
  mn_linear_search f;
  MN_TRY(init_growth(ctx, g));
  MN_TRY(mn_linear_search_make(ctx, g, &f));
  double *center = MN_RAW(ctx, double, f.full, 2);
  MN_CHECK_ALLOC(center);
  for (size_t i = 0; i < g->nodes; i++) { /* breadth first */
    size_t feature;
    center_rows(&f, &g->node[i], center);
    MN_TRY(mn_error_status(ctx));
    fit_model(&f, &g->node[i], center, f.ws[0].buffer, g->model + i * width);
    f.node = &g->node[i];
    MN_TRY(mn_linear_find_split(ctx, &f, &feature));
    if (feature == SIZE_MAX) continue;
    g->node[i].gain = mn_linear_split_loss(&f, &f.ws[0], f.all, NULL) - f.candidate[feature].loss;
    MN_TRY(split(ctx, g, &f, i, feature));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
