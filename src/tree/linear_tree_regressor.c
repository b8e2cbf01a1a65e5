/* A tree with a linear model in each leaf.
 *
 *     y(x) = c_l + b_l' x in the leaf l of x,     b_l, c_l = argmin sum_{i in l} w_i (y_i - c - b'z_i)^2 + alpha |b|^2
 *
 * z are the numeric columns in units of their standard deviation over all rows; a missing value is replaced by the mean
 * of the leaf. A node is split where the models of both sides have the smallest loss. Then, from the leaves up, a
 * subtree of k leaves becomes a leaf unless
 *
 *     W log(R_subtree / W) + (k (p + 1) + 3 (k - 1)) log W  <  W log(R_leaf / W) + (p + 1) log W
 *
 * where R are residual sums of squares and W is the weight of the rows: the BIC, in which a split counts as three
 * parameters.
 *
 * Smoothing, up the path from a leaf: y <- (n y + smoothing y_parent) / (n + smoothing), where n is the weight of the
 * lower node. It is applied once, to the coefficients. */
#include "../core/threads.h"
#include "../linear/linear.h"
#include "../linalg/ordered.h"
#include "export.h"
#include "linear_tree.h"
#include "rules.h"

enum { BLOCK_ROWS = 1024 };

/* Find the numeric columns, and those of them with missing values. */
static mn_status classify_columns(mn_context *ctx, mn_linear_growth *g)
{
  g->column = MN_RAW(ctx, uint32_t, g->data->features, 2);
  MN_CHECK_ALLOC(g->column);
  g->gap = g->column + g->data->features;
  for (size_t j = 0; j < g->data->features; j++) {
    if (g->columns.is_factor[j]) continue;
    if (g->columns.has_missing[j]) g->gap[g->gaps++] = (uint32_t)g->numbers;
    g->column[g->numbers++] = (uint32_t)j;
  }
  return MN_OK;
}

/* Mean and standard deviation of each numeric column. Deviations are squared in units of a power of two, so that
 * columns of any magnitude neither over- nor underflow. */
static mn_status compute_scales(mn_context *ctx, mn_linear_growth *g)
{
  const size_t n = g->data->rows, p = g->data->features;
  g->mean = MN_NEW(ctx, double, p, 2);
  int *unit = MN_NEW(ctx, int, p, 1);
  double *largest = MN_NEW(ctx, double, p, 2);
  if (!g->mean || !unit || !largest) return MN_NO_MEMORY;
  g->scale = g->mean + p;
  double *total = largest + p;
  for (size_t i = 0; i < n; i++) {
    const double *row = mn_row(&g->data->x, i), w = mn_weight(g->data, i);
    if (i % BLOCK_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      if (g->columns.is_factor[j] || isnan(row[j])) continue;
      total[j] += w;
      g->mean[j] += w / total[j] * (row[j] - g->mean[j]);
    }
  }
  for (size_t i = 0; i < n; i++) { /* fmax ignores NaN */
    if (i % BLOCK_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) largest[j] = fmax(largest[j], fabs(mn_row(&g->data->x, i)[j] - g->mean[j]));
  }
  for (size_t j = 0; j < p; j++) frexp(largest[j], &unit[j]);
  for (size_t i = 0; i < n; i++) {
    if (i % BLOCK_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      const double deviation = ldexp(mn_row(&g->data->x, i)[j] - g->mean[j], -unit[j]);
      if (total[j] > 0 && !isnan(deviation)) g->scale[j] += mn_weight(g->data, i) / total[j] * deviation * deviation;
    }
  }
  for (size_t j = 0; j < p; j++) {
    const double scale = ldexp(1 / sqrt(g->scale[j]), -unit[j]);
    g->scale[j] = !g->columns.is_factor[j] && g->columns.distinct[j] > 1 && isfinite(scale) ? scale : 0;
  }
  return MN_OK;
}

/* --- pruning --- */

static double bic(double weight, double rss, double min_variance, double parameters)
{
  return weight * log(fmax(rss, min_variance * weight) / weight) + parameters * log(weight);
}

/* Prune by the BIC, from the leaves up. */
static void prune(mn_linear_growth *g)
{
  const double parameters = (double)g->numbers + 1, min_variance = 1e-20 + 1e-13 * g->node[0].rss / g->node[0].weight;
  for (size_t i = g->nodes; i-- > 0;) { /* children follow their parents */
    mn_linear_node *node = &g->node[i];
    node->subtree_rss = node->rss;
    node->leaves = 1;
    if (node->left == 0) continue;
    const mn_linear_node *l = &g->node[node->left], *r = l + 1;
    const double leaves = (double)(l->leaves + r->leaves);
    if (!g->m->unpruned &&
        bic(node->weight, node->rss, min_variance, parameters) <=
            bic(node->weight, l->subtree_rss + r->subtree_rss, min_variance, leaves * parameters + 3 * (leaves - 1))) {
      node->left = 0;
      continue;
    }
    node->subtree_rss = l->subtree_rss + r->subtree_rss;
    node->leaves = l->leaves + r->leaves;
  }
}

/* --- the final form --- */

/* The model of leaf i in the units of X, smoothed with the models of its ancestors. */
static void finalize_leaf(const mn_linear_growth *g, const uint32_t *parent, size_t i, double *model, double *coef,
                          double *means, double *intercept)
{
  const size_t p = g->numbers;
  const double k = g->m->smoothing, *center = g->center + i * p;
  memcpy(model, g->model + i * (p + 1), (p + 1) * sizeof *model);
  for (; i > 0; i = parent[i]) {
    const double n = g->node[i].weight, *above = g->model + parent[i] * (p + 1);
    for (size_t j = 0; k > 0 && j <= p; j++) model[j] = (n * model[j] + k * above[j]) / (n + k);
  }
  *intercept = model[p];
  for (size_t j = 0; j < p; j++) {
    const size_t column = g->column[j];
    const double mean = g->mean[column], scale = g->scale[column];
    coef[column] = model[j] * scale;
    means[column] = scale > 0 ? mean + center[j] / scale : mean;
    *intercept -= coef[column] * mean;
  }
}

/* Write the split of a factor. */
static void split_levels(const mn_linear_growth *g, const mn_linear_node *node, size_t left, int32_t *w,
                         mn_grown_tree *out)
{
  int32_t size;
  const size_t words = mn_subset_encode(g->level + node->first_level, node->levels, out->subset + out->levels, &size);
  mn_node_set_level_split(w, node->feature, out->levels, size, left, node->missing_left);
  out->levels += words;
}

/* Renumber the nodes that are left after pruning, in their order. number[i]: new number of node i. */
static mn_status renumber_nodes(mn_context *ctx, mn_linear_growth *g, uint32_t *number, uint32_t *parent,
                                mn_grown_tree *out)
{
  bool *kept = MN_NEW(ctx, bool, g->nodes, 1);
  MN_CHECK_ALLOC(kept);
  kept[0] = true;
  for (size_t i = 0; i < g->nodes; i++) {
    const size_t left = g->node[i].left;
    if (!kept[i]) continue;
    number[i] = (uint32_t)out->nodes++;
    if (left == 0) continue;
    kept[left] = kept[left + 1] = true;
    parent[left] = parent[left + 1] = (uint32_t)i;
  }
  for (size_t i = 0; i < g->nodes; i++) {
    const mn_linear_node *node = &g->node[i];
    if (!kept[i]) {
      number[i] = UINT32_MAX;
      continue;
    }
    int32_t *w = out->node + MN_NODE_WORDS * number[i];
    out->cover[number[i]] = node->weight;
    out->impurity[number[i]] = node->rss / node->weight;
    if (node->left == 0)
      mn_node_set_leaf(w, node->mean);
    else if (g->columns.is_factor[node->feature])
      split_levels(g, node, number[node->left], w, out);
    else
      mn_node_set_split(w, node->feature, node->threshold, number[node->left], node->missing_left);
  }
  return MN_OK;
}

static mn_status finalize(mn_context *ctx, mn_linear_growth *g, mn_linear_tree *m)
{
  const size_t n = g->nodes, p = g->data->features;
  mn_grown_tree tree = { .node = MN_RAW(ctx, int32_t, n, MN_NODE_WORDS), .cover = MN_RAW(ctx, double, n, 2) };
  uint32_t *number = MN_RAW(ctx, uint32_t, n, 2);
  double *model = MN_RAW(ctx, double, p + 1, 1), sum = 0;
  tree.subset = MN_RAW(ctx, int32_t, g->levels, 1);
  if (!tree.node || !tree.cover || !number || !model || !tree.subset) return MN_NO_MEMORY;
  uint32_t *parent = number + n;
  tree.impurity = tree.cover + n;
  MN_TRY(renumber_nodes(ctx, g, number, parent, &tree));
  MN_TRY(mn_append_trees(ctx, m->tree.base.class->name, &tree, 1, 1, &m->tree.trees));
  MN_TRY(mn_matrix_init(ctx, &m->coef, g->node[0].leaves, p));
  MN_TRY(mn_vector_init(ctx, &m->intercept, g->node[0].leaves));
  MN_TRY(mn_matrix_init(ctx, &m->means, g->node[0].leaves, p));
  MN_TRY(mn_indexes_init(ctx, &m->leaf, tree.nodes));
  MN_TRY(mn_vector_init(ctx, &m->tree.feature_importances, p));
  MN_TRY(mn_features_with_missing(ctx, &g->columns, g->data->weights, &m->tree.gaps));
  double *importance = m->tree.feature_importances.at;
  for (size_t i = 0, at = 0; i < n; i++) {
    if (number[i] == UINT32_MAX) continue;
    if (g->node[i].left > 0) {
      importance[g->node[i].feature] += g->node[i].gain;
      sum += g->node[i].gain;
      continue;
    }
    m->leaf.at[number[i]] = (int32_t)at;
    finalize_leaf(g, parent, i, model, mn_row(&m->coef, at), mn_row(&m->means, at), &m->intercept.at[at]);
    at++;
  }
  for (size_t j = 0; j < p && sum > 0; j++) importance[j] /= sum;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_linear_tree *m = self;
  mn_linear_growth g = { .m = m, .data = data };
  g.max_depth = m->tree.max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->tree.max_depth;
  MN_TRY(mn_check_magnitudes(ctx, &m->tree.base, data));
  MN_TRY(mn_tree_columns_make(ctx, m->tree.base.class->name, data, MN_COLUMNS_SORTED, &g.columns));
  MN_TRY(classify_columns(ctx, &g));
  g.min_leaf_weight = isnan(m->tree.min_samples_leaf) ? 2 * ((double)g.numbers + 1) : m->tree.min_samples_leaf;
  MN_TRY(compute_scales(ctx, &g));
  MN_TRY(mn_linear_grow(ctx, &g));
  prune(&g);
  return finalize(ctx, &g, m);
}

/* --- use --- */

struct prediction {
  const mn_linear_tree *m;
  const mn_data *data;
  double *buffer; /* workers x features */
  mn_matrix *out;
  mn_blocks blocks;
};

/* Replace missing values of a row by the means of the leaf. */
static const double *impute(const mn_linear_tree *m, const double *x, int32_t leaf, double *buffer)
{
  const size_t p = m->coef.cols;
  const double *means = mn_row(&m->means, (size_t)leaf);
  size_t j = 0;
  while (j < p && !isnan(x[j])) j++;
  if (j == p) return x;
  for (j = 0; j < p; j++) buffer[j] = isnan(x[j]) ? means[j] : x[j];
  return buffer;
}

static void predict_block(void *work, size_t block, size_t worker)
{
  const struct prediction *p = work;
  const mn_linear_tree *m = p->m;
  const size_t features = p->data->features;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++) {
    const double *x = mn_row(&p->data->x, i);
    const int32_t leaf = m->leaf.at[mn_trees_leaf(&m->tree.trees, 0, x)];
    if (m->means.at) x = impute(m, x, leaf, p->buffer + worker * features);
    p->out->at[i] = m->intercept.at[leaf] + mn_ordered_dot(features, x, mn_row(&m->coef, (size_t)leaf));
  }
}

/* Old archives have no means to replace missing values. */
static mn_status check_no_missing(mn_context *ctx, const mn_linear_tree *m, const mn_data *data)
{
  const size_t p = data->features;
  for (size_t k = 0; k < data->rows * p; k++)
    if (isnan(data->x.at[k]))
      return mn_fail(
          ctx, MN_BAD_DATA,
          "%s: X must have no missing values because this model is from an older version that did not support them, got nan in row %zu, column %zu; fit it again",
          m->tree.base.class->name, k / p + 1, k % p + 1);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_linear_tree *m = self;
  struct prediction p = {
    .m = m, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  if (!m->means.at) MN_TRY(check_no_missing(ctx, m, data));
  p.buffer = MN_RAW(ctx, double, mn_threads(ctx), data->features);
  MN_CHECK_ALLOC(p.buffer);
  return mn_parallel(ctx, p.blocks.count, predict_block, &p);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_linear_tree *m = self;
  if (action != MN_PREDICT) return MN_OK;
  return mn_linear_tree_program(ctx, &m->tree.base, &m->tree.trees, m->leaf.at, &m->coef, &m->means, m->intercept.at,
                                program);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_linear_tree *m = self;
  const mn_trees *t = &m->tree.trees;
  MN_TRY(mn_tree_model_check(ctx, self));
  const bool sound = mn_trees_count(t) == 1 && t->impurity.at && m->leaf.size == t->cover.size &&
                     (!m->means.at || m->means.rows == m->coef.rows);
  if (sound) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the file must contain one tree", m->tree.base.class->name);
}

void mn_text_put_linear_leaf(mn_text_buffer *t, const mn_tree_model *model, size_t node)
{
  const mn_linear_tree *m = (const mn_linear_tree *)model;
  const size_t leaf = (size_t)m->leaf.at[node];
  mn_text_put_number(t, m->intercept.at[leaf]);
  for (size_t j = 0; j < m->coef.cols; j++) {
    const double b = mn_row(&m->coef, leaf)[j];
    if (!(fabs(b) > 0)) continue;
    mn_text_printf(t, b < 0 ? " - " : " + ");
    mn_text_put_number(t, fabs(b));
    mn_text_printf(t, " ");
    mn_text_put_column(t, &model->base, j);
  }
}

static const mn_param params[] = {
  MN_PENALTY(mn_linear_tree, alpha, 0.01, MN_GREATER_THAN(0),
             "L2 penalty on the coefficients of leaf models, for columns in units of their standard deviation"),
  MN_COUNT(mn_tree_model, max_depth, MN_UNSET, MN_CLOSED(0, INT32_MAX),
           "maximum number of splits from the root to a leaf; nil: unlimited"),
  MN_REAL(mn_tree_model, min_samples_leaf, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "minimum weight of a leaf; nil: twice the parameters of its model, 2 (numeric columns + 1)"),
  MN_COUNT(
      mn_linear_tree, max_bins, 64, MN_CLOSED(2, INT32_MAX),
      "maximum number of thresholds tried per column and node, at equal shares of its rows; then all near the best one"),
  MN_REAL(mn_linear_tree, smoothing, 0, MN_AT_LEAST(0),
          "weight, in rows, of the model of each ancestor when it is averaged into a leaf model; 0: none; M5 uses 15"),
  MN_FLAG(mn_linear_tree, unpruned, false, "keep the tree as grown, without pruning by the BIC"),
  MN_END,
};

static const mn_field fields[] = {
  MN_TREES_FIELDS(mn_tree_model), /* the first member */
  MN_MATRIX(mn_linear_tree, coef, "tree_leaves x features", "coefficients of each leaf model"),
  MN_VECTOR(mn_linear_tree, intercept, "tree_leaves", "intercept of each leaf model"),
  MN_MATRIX(mn_linear_tree, means, "tree_leaves? x features?",
            "mean of each column in each leaf, which replaces missing values; 0 for a factor"),
  MN_INDEXES(mn_linear_tree, leaf, "tree_nodes < tree_leaves", NULL),
  MN_VECTOR(mn_tree_model, feature_importances, "features",
            "share of each column in the total decrease of the loss; all 0 if nothing was split"),
  MN_TREE_MISSING_FIELD,
  MN_END,
};

static const mn_operation operations[] = {
  { .name = "apply",
    .brief = "the leaf of each row",
    .returns = "Vector: the number of a node for each row",
    .needs = MN_NEEDS_X,
    .run = mn_tree_apply },
  MN_TREE_TEXT_OPERATIONS,
  { .name = NULL },
};

const mn_class mn_linear_tree_regressor = {
  .name = "LinearTreeRegressor",
  .family = "tree",
  .brief = "Regression tree with a linear model in each leaf.",
  .objective =
      "y = c_l + b_l'x in leaf l, minimizing sum w (y - c - b'z)^2 + alpha |b|^2 with z: columns in units of their standard deviation; a split minimizes sum w (y - c - b'z)^2",
  .source = "Quinlan, Learning with Continuous Classes (1992); Wang & Witten, Induction of Model Trees (1997)",
  .notes = "Subtrees that do not improve the BIC, in which a split counts as three parameters, become leaves. "
           "Predictions are not clipped: leaf models extrapolate linearly. coef and intercept are in the units "
           "of X. Factors split nodes but have no coefficients. Missing values go to the better side of a split, "
           "or to the heavier one if a node had none; in leaf models they count as the mean of the leaf. Fitting "
           "time grows with rows * columns^3.",
  .example = "local X, y = ml.read_csv \"examples/data/faithful.csv\":split \"waiting\"\n"
             "local tree = ml.LinearTreeRegressor{}:fit(X, y)\n"
             "print(tree:text(), tree:score(X, y))",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(mn_linear_tree),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
