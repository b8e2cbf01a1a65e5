/* Multiway trees as indented text, as rules and as a table of nodes, and the gains of all features at a node. No
 * recursion: a tree may be a chain of as many nodes as rows. */
#include "multiway_grow.h"
#include "../tree_structure/tree_text.h"

static size_t majority_class(const mn_multiway *m, size_t i)
{
  const double *counts = mn_row(&m->counts, i);
  size_t best = 0;
  for (size_t c = 1; c < m->counts.cols; c++)
    if (counts[c] > counts[best]) best = c;
  return best;
}

static double majority_share(const mn_multiway *m, size_t i)
{
  return mn_row(&m->counts, i)[majority_class(m, i)] / m->cover.at[i];
}

/* The branch of `parent` that leads to node i: "= sunny", "<= 2.5". */
static void put_branch(mn_text_buffer *t, const mn_multiway *m, size_t parent, size_t i)
{
  if (mn_multiway_is_categorical(m, parent)) {
    mn_text_printf(t, "= ");
    mn_text_put_label(t, m->base.feature_levels.at[m->feature.at[parent]], (size_t)m->level.at[i]);
    return;
  }
  mn_text_printf(t, i == (size_t)m->first.at[parent] ? "<= " : "> ");
  mn_text_put_number(t, m->threshold.at[parent]);
}

static mn_status make_depths(mn_context *ctx, const mn_multiway *m, int32_t **depth, int32_t **parent)
{
  *depth = MN_RAW(ctx, int32_t, mn_multiway_nodes(m), 2);
  MN_CHECK_ALLOC(*depth);
  *parent = *depth + mn_multiway_nodes(m);
  mn_multiway_depths(m, *depth, *parent);
  return MN_OK;
}

/* --- indented text --- */

static void put_node(mn_text_buffer *t, const mn_multiway *m, const int32_t *depth, const int32_t *parent, size_t i)
{
  if (i > 0) {
    mn_text_put_indent(t, depth[i] - 1);
    mn_text_put_column(t, &m->base, (size_t)m->feature.at[parent[i]]);
    mn_text_printf(t, " ");
    put_branch(t, m, (size_t)parent[i], i);
    mn_text_printf(t, mn_multiway_is_leaf(m, i) ? ": " : "\n");
  }
  if (!mn_multiway_is_leaf(m, i)) return;
  mn_text_put_label(t, m->base.classes, majority_class(m, i));
  mn_text_printf(t, "  (");
  if (majority_share(m, i) < 1) mn_text_printf(t, "%.0f%% of ", 100 * majority_share(m, i));
  mn_text_put_number(t, m->cover.at[i]);
  mn_text_printf(t, ")\n");
}

static mn_status put_tree(mn_context *ctx, mn_text_buffer *t, const mn_multiway *m, const int32_t *depth,
                          const int32_t *parent, uint32_t *stack)
{
  size_t stack_size = 0;
  stack[stack_size++] = 0;
  while (stack_size > 0) {
    const size_t i = stack[--stack_size], first = (size_t)m->first.at[i];
    MN_TRY(mn_poll(ctx));
    put_node(t, m, depth, parent, i);
    for (size_t c = first + (size_t)m->children.at[i]; c > first; c--) stack[stack_size++] = (uint32_t)c - 1;
  }
  return MN_OK;
}

static mn_status text(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_multiway *m = self;
  mn_text_buffer t = { .at = NULL };
  int32_t *depth, *parent;
  uint32_t *stack = MN_RAW(ctx, uint32_t, mn_multiway_nodes(m) + 1, 1);
  MN_CHECK_ALLOC(stack);
  MN_TRY(make_depths(ctx, m, &depth, &parent));
  MN_TRY(put_tree(ctx, &t, m, depth, parent, stack));
  MN_TRY(mn_text_allocate(ctx, &t));
  MN_TRY(put_tree(ctx, &t, m, depth, parent, stack));
  return mn_result_text(ctx, results, "text", t.at, t.size);
}

/* --- rules --- */

struct rule_path {
  const int32_t *parent;
  uint32_t *at;  /* nodes, from a leaf up */
  bool *bounded; /* 2 x features: whether a deeper node has set the upper and the lower bound of the feature */
};

/* Conditions from the root down; of the bounds on a number only the tightest, which are the deepest. */
static void put_rule(mn_text_buffer *t, const mn_multiway *m, const struct rule_path *p, size_t leaf)
{
  const char *before = "";
  size_t n = 0;
  for (size_t i = leaf; i > 0; i = (size_t)p->parent[i]) {
    const size_t parent_node = (size_t)p->parent[i];
    bool *bounded = &p->bounded[2 * m->feature.at[parent_node] + (i == (size_t)m->first.at[parent_node])];
    if (!mn_multiway_is_categorical(m, parent_node) && *bounded) continue;
    *bounded = true;
    p->at[n++] = (uint32_t)i;
  }
  if (n == 0) mn_text_printf(t, "always");
  while (n-- > 0) {
    const size_t i = p->at[n], parent_node = (size_t)p->parent[i];
    mn_text_printf(t, "%s", before);
    mn_text_put_column(t, &m->base, (size_t)m->feature.at[parent_node]);
    mn_text_printf(t, " ");
    put_branch(t, m, parent_node, i);
    before = " and ";
  }
  for (size_t i = leaf; i > 0; i = (size_t)p->parent[i]) { /* reset: all false between uses */
    const size_t feature = (size_t)m->feature.at[p->parent[i]];
    p->bounded[2 * feature] = p->bounded[2 * feature + 1] = false;
  }
}

static mn_status label_text(mn_context *ctx, const mn_multiway *m, size_t i, const char **out)
{
  mn_text_buffer t = { .at = NULL };
  mn_text_put_label(&t, m->base.classes, majority_class(m, i));
  MN_TRY(mn_text_allocate(ctx, &t));
  mn_text_put_label(&t, m->base.classes, majority_class(m, i));
  *out = t.at;
  return MN_OK;
}

static mn_status rule_text(mn_context *ctx, const mn_multiway *m, const struct rule_path *p, size_t leaf,
                           const char **out)
{
  mn_text_buffer t = { .at = NULL };
  put_rule(&t, m, p, leaf);
  MN_TRY(mn_text_allocate(ctx, &t));
  put_rule(&t, m, p, leaf);
  *out = t.at;
  return MN_OK;
}

/* Leaves in the order of the text. leaf: capacity for all nodes. Returns their number. */
static size_t list_leaves(const mn_multiway *m, uint32_t *leaf, uint32_t *stack)
{
  size_t stack_size = 0, n = 0;
  stack[stack_size++] = 0;
  while (stack_size > 0) {
    const size_t i = stack[--stack_size], first = (size_t)m->first.at[i];
    if (first == 0) leaf[n++] = (uint32_t)i;
    for (size_t c = first + (size_t)m->children.at[i]; c > first; c--) stack[stack_size++] = (uint32_t)c - 1;
  }
  return n;
}

static mn_status rules(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_multiway *m = self;
  const size_t nodes = mn_multiway_nodes(m);
  uint32_t *leaf = MN_RAW(ctx, uint32_t, nodes, 2);
  struct rule_path p = { .at = MN_RAW(ctx, uint32_t, nodes, 1), .bounded = MN_NEW(ctx, bool, m->base.n_features, 2) };
  const char **rule = MN_RAW(ctx, const char *, nodes, 2);
  int32_t *depth, *parent;
  mn_vector *cover, *impurity;
  if (!leaf || !p.at || !p.bounded || !rule) return MN_NO_MEMORY;
  const char **answer = rule + nodes;
  MN_TRY(make_depths(ctx, m, &depth, &parent));
  p.parent = parent;
  const size_t leaves = list_leaves(m, leaf, leaf + nodes);
  for (size_t k = 0; k < leaves; k++) {
    MN_TRY(rule_text(ctx, m, &p, leaf[k], &rule[k]));
    MN_TRY(label_text(ctx, m, leaf[k], &answer[k]));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(mn_result_names(ctx, results, "rules.rule", rule, leaves));
  MN_TRY(mn_result_names(ctx, results, "rules.answer", answer, leaves));
  MN_TRY(mn_result_vector(ctx, results, "rules.cover", leaves, &cover));
  MN_TRY(mn_result_vector(ctx, results, "rules.impurity", leaves, &impurity));
  for (size_t k = 0; k < leaves; k++) {
    cover->at[k] = m->cover.at[leaf[k]];
    impurity->at[k] = mn_multiway_entropy(m, leaf[k]);
  }
  return MN_OK;
}

/* --- the table of nodes --- */

static mn_status node_text(mn_context *ctx, const mn_multiway *m, const int32_t *parent, mn_results *results)
{
  const size_t n = mn_multiway_nodes(m);
  const char **branch = MN_RAW(ctx, const char *, n, 3);
  MN_CHECK_ALLOC(branch);
  const char **question = branch + n, **answer = question + n;
  for (size_t i = 0; i < n; i++) {
    mn_text_buffer tree = { .at = NULL }, q = { .at = NULL };
    for (int pass = 0; pass < 2; pass++) {
      if (i > 0) put_branch(&tree, m, (size_t)parent[i], i);
      if (!mn_multiway_is_leaf(m, i)) mn_text_put_column(&q, &m->base, (size_t)m->feature.at[i]);
      if (pass == 0) MN_TRY(mn_text_allocate(ctx, &tree));
      if (pass == 0) MN_TRY(mn_text_allocate(ctx, &q));
    }
    branch[i] = tree.at;
    question[i] = q.at;
    MN_TRY(mn_poll(ctx));
    MN_TRY(label_text(ctx, m, i, &answer[i]));
  }
  MN_TRY(mn_result_names(ctx, results, "nodes.branch", branch, n));
  MN_TRY(mn_result_names(ctx, results, "nodes.question", question, n));
  return mn_result_names(ctx, results, "nodes.answer", answer, n);
}

static mn_status table(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_multiway *m = self;
  const size_t n = mn_multiway_nodes(m);
  static const char *const names[] = { "nodes.depth", "nodes.parent",   "nodes.feature", "nodes.threshold",
                                       "nodes.cover", "nodes.impurity", "nodes.gain",    "nodes.value" };
  mn_vector *column[8];
  int32_t *depth, *parent;
  MN_TRY(make_depths(ctx, m, &depth, &parent));
  MN_TRY(node_text(ctx, m, parent, results));
  for (size_t c = 0; c < 8; c++) MN_TRY(mn_result_vector(ctx, results, names[c], n, &column[c]));
  for (size_t i = 0; i < n; i++) {
    const bool leaf = mn_multiway_is_leaf(m, i);
    column[0]->at[i] = depth[i];
    column[1]->at[i] = i > 0 ? parent[i] + 1 : (double)NAN;
    column[2]->at[i] = leaf ? (double)NAN : m->feature.at[i] + 1;
    column[3]->at[i] = leaf ? (double)NAN : m->threshold.at[i];
    column[4]->at[i] = m->cover.at[i];
    column[5]->at[i] = mn_multiway_entropy(m, i);
    column[6]->at[i] = leaf ? (double)NAN : m->gain.at[i];
    column[7]->at[i] = majority_share(m, i);
  }
  return MN_OK;
}

/* --- gains --- */

struct gains_options {
  int64_t node;
};

static const mn_param gains_params[] = {
  MN_COUNT(struct gains_options, node, 1, MN_CLOSED(1, INT32_MAX),
           "node number, as in nodes(), whose samples are used; 1: all samples"),
  MN_END,
};

/* Weight with which a row reaches the end of a path from the root. */
static double weight_at(const mn_multiway *m, const double *x, const uint32_t *rule_path, size_t length)
{
  double weight = 1;
  for (size_t at = 0; length-- > 0; at = rule_path[length]) {
    const double value = x[m->feature.at[at]];
    if (!mn_multiway_is_known(m, at, value))
      weight *= m->share.at[rule_path[length]];
    else if (mn_multiway_child(m, at, value) != rule_path[length])
      return 0;
  }
  return weight;
}

static mn_status collect_cases(mn_context *ctx, const mn_multiway *m, const mn_data *data, size_t node,
                               mn_multiway_growth *tree)
{
  int32_t *depth, *parent;
  size_t length = 0;
  uint32_t *rule_path = MN_RAW(ctx, uint32_t, mn_multiway_nodes(m), 1);
  tree->stack.at = MN_RAW(ctx, mn_weighted_row, data->rows, 1);
  tree->counts = MN_NEW(ctx, double, tree->classes, 1);
  double *buffer = MN_RAW(ctx, double, data->features, 1);
  if (!rule_path || !tree->stack.at || !tree->counts || !buffer) return MN_NO_MEMORY;
  MN_TRY(make_depths(ctx, m, &depth, &parent));
  for (; node > 0; node = (size_t)parent[node]) rule_path[length++] = (uint32_t)node;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    const double weight = mn_weight(data, i) * weight_at(m, mn_dense_row(data, i, buffer), rule_path, length);
    if (!(weight > 0)) continue;
    tree->stack.at[tree->stack.size++] = (mn_weighted_row){ (uint32_t)i, weight };
    tree->counts[data->code[i]] += weight;
  }
  return MN_OK;
}

static mn_status feature_names(mn_context *ctx, const mn_estimator *model, mn_results *results)
{
  const char **name = MN_RAW(ctx, const char *, model->n_features, 1);
  MN_CHECK_ALLOC(name);
  for (size_t j = 0; j < model->n_features; j++) {
    mn_text_buffer t = { .at = NULL };
    mn_text_put_column(&t, model, j);
    MN_TRY(mn_text_allocate(ctx, &t));
    mn_text_put_column(&t, model, j);
    name[j] = t.at;
  }
  return mn_result_names(ctx, results, "gains.column", name, model->n_features);
}

static mn_status gains(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const mn_multiway *m = self;
  const struct gains_options *o = options;
  const size_t features = data->features;
  const mn_multiway_settings settings = { .by_gain_ratio = false };
  mn_tree_columns columns;
  mn_feature_search search;
  mn_feature_split split;
  mn_vector *gain, *ratio;
  if ((size_t)o->node > mn_multiway_nodes(m))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: node must be at most %zu, got %lld", m->base.class->name,
                   mn_multiway_nodes(m), (long long)o->node);
  MN_TRY(mn_tree_columns_make(ctx, m->base.class->name, data, MN_COLUMNS_SORTED, &columns));
  mn_multiway_growth tree = {
    .settings = &settings, .columns = &columns, .code = data->code, .classes = m->counts.cols, .rows = data->rows
  };
  MN_TRY(collect_cases(ctx, m, data, (size_t)o->node - 1, &tree));
  MN_TRY(mn_feature_search_make(ctx, 0, data->rows, tree.classes, &search));
  MN_TRY(feature_names(ctx, &m->base, results));
  MN_TRY(mn_result_vector(ctx, results, "gains.gain", features, &gain));
  MN_TRY(mn_result_vector(ctx, results, "gains.gain_ratio", features, &ratio));
  for (size_t j = 0; j < features; j++) {
    mn_evaluate_feature(&tree, &search, tree.stack.at, tree.stack.size, tree.counts, j, &split);
    MN_TRY(mn_poll(ctx));
    gain->at[j] = split.valid ? fmax(0, split.gain) : 0;
    ratio->at[j] = split.valid ? fmax(0, split.ratio) : 0;
  }
  return MN_OK;
}

const mn_operation mn_multiway_operations[] = {
  { .name = "text",
    .brief = "the tree as indented text, with the weight of the training samples and the majority share of each leaf",
    .returns = "text",
    .run = text },
  { .name = "rules",
    .brief = "one rule per leaf, with the tightest bounds",
    .returns = "a Frame of rule, answer, cover (weight of the training samples), impurity (entropy, in bits)",
    .run = rules },
  { .name = "nodes",
    .brief = "all nodes, the root first; branch is the condition that leads to a node from its parent",
    .returns =
        "a Frame of branch, question (the feature), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits), gain, value (share of the majority class)",
    .run = table },
  { .name = "gains",
    .brief = "information gain of each feature, for all samples of X or those that reach a node",
    .returns = "a Frame of column, gain (information gain in bits, for a number with its best threshold), gain_ratio",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = gains_params,
    .options_size = sizeof(struct gains_options),
    .run = gains },
  { .name = NULL },
};
