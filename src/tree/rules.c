/* A tree as indented text, as one rule for each leaf, and as a table of its nodes. There is no recursion: a tree may be
 * a chain with as many nodes as rows. */
#include "rules.h"
#include "linear_tree.h"
#include "../tree_structure/tree_text.h"

static const int32_t *node_at(const mn_tree_model *m, size_t i)
{
  return mn_tree_root(&m->trees, 0) + MN_NODE_WORDS * i;
}

static bool had_missing(const mn_tree_model *m, size_t feature)
{
  return m->gaps.at && m->gaps.at[feature];
}

static bool sends_missing(const int32_t *w, bool left)
{
  return mn_node_missing_left(w) == left;
}

static const mn_levels *split_levels(const mn_tree_model *m, const int32_t *w)
{
  return m->base.feature_levels.size > 0 ? m->base.feature_levels.at[mn_node_feature(w)] : NULL;
}

/* True if all levels go left, so that only rows without a value go right. */
static bool has_all_levels(const mn_tree_model *m, const int32_t *w)
{
  const mn_levels *levels = split_levels(m, w);
  for (size_t c = 0; levels && c < mn_levels_size(levels); c++)
    if (!mn_level_goes_left(&m->trees, w, (double)c)) return false;
  return levels && sends_missing(w, false);
}

/* The levels that go left. */
static void write_levels(mn_text_buffer *t, const mn_tree_model *m, const int32_t *w)
{
  const mn_levels *levels = split_levels(m, w);
  const char *before = "";
  mn_text_printf(t, "{");
  for (size_t c = 0; levels && c < mn_levels_size(levels); c++) {
    if (!mn_level_goes_left(&m->trees, w, (double)c)) continue;
    mn_text_printf(t, "%s", before);
    mn_text_put_label(t, levels, c);
    before = ", ";
  }
  mn_text_printf(t, "}");
}

static bool has_no_levels(const int32_t *w)
{
  return w[MN_NODE_HIGH] == 0;
}

/* True if the split only tests whether there is a value. */
static bool splits_by_missing(const mn_tree_model *m, const int32_t *w)
{
  if (!mn_is_level_split(w)) return isinf(mn_node_real(w));
  return has_no_levels(w) || (had_missing(m, mn_node_feature(w)) && has_all_levels(m, w));
}

/* For such a split: true if this is the side of the rows without a value. */
static bool is_missing_side(const int32_t *w, bool left)
{
  return (mn_is_level_split(w) && has_no_levels(w)) == left;
}

static void write_condition(mn_text_buffer *t, const mn_tree_model *m, const int32_t *w, bool left, bool or_missing)
{
  const bool by_levels = mn_is_level_split(w);
  mn_text_put_column(t, &m->base, mn_node_feature(w));
  if (splits_by_missing(m, w)) {
    mn_text_printf(t, is_missing_side(w, left) ? " is missing" : " is not missing");
    return;
  }
  if (by_levels) {
    mn_text_printf(t, left ? " in " : " not in ");
    write_levels(t, m, w);
  } else {
    mn_text_printf(t, left ? " <= " : " > ");
    mn_text_put_number(t, mn_node_real(w));
  }
  if (or_missing) mn_text_printf(t, " or missing");
}

/* Values of all nodes: nodes x width. */
static mn_status node_values(mn_context *ctx, const mn_tree_model *m, double **values)
{
  const size_t width = mn_tree_width(m);
  *values = MN_NEW(ctx, double, mn_tree_nodes(&m->trees, 0), width);
  MN_CHECK_ALLOC(*values);
  mn_tree_node_values(&m->trees, 0, width, 1, *values);
  return MN_OK;
}

static size_t best_class(const double *share, size_t width)
{
  size_t best = 0;
  for (size_t c = 1; c < width; c++)
    if (share[c] > share[best]) best = c;
  return best;
}

static void write_answer(mn_text_buffer *t, const mn_tree_model *m, size_t i, const double *value)
{
  const size_t width = mn_tree_width(m);
  if (m->base.class == &mn_linear_tree_regressor && mn_node_left(node_at(m, i)) == 0) {
    mn_text_put_linear_leaf(t, m, i);
    return;
  }
  if (m->base.classes) {
    mn_text_put_label(t, m->base.classes, best_class(value, width));
    return;
  }
  for (size_t k = 0; k < width; k++) {
    if (k > 0) mn_text_printf(t, ", ");
    mn_text_put_number(t, value[k]);
  }
}

/* Relations between the nodes. */
struct links {
  int32_t *depth, *parent;
  bool *missing; /* nodes: whether rows may arrive without a value of its feature; NULL: no such rows in fit */
};

/* True if rows without a value of the feature of the node can reach it: the closest split above by this feature must
 * send them this way. */
static bool receives_missing(const mn_tree_model *m, const struct links *f, size_t node)
{
  const size_t feature = mn_node_feature(node_at(m, node));
  while (node > 0) {
    const size_t above = (size_t)f->parent[node];
    const int32_t *w = node_at(m, above);
    if (mn_node_feature(w) == feature) return f->missing[above] && sends_missing(w, node == mn_node_left(w));
    node = above;
  }
  return had_missing(m, feature);
}

static mn_status find_links(mn_context *ctx, const mn_tree_model *m, struct links *f)
{
  const size_t n = mn_tree_nodes(&m->trees, 0);
  *f = (struct links){ .depth = MN_RAW(ctx, int32_t, n, 1), .parent = MN_RAW(ctx, int32_t, n, 1) };
  if (!f->depth || !f->parent) return MN_NO_MEMORY;
  mn_tree_depths(&m->trees, 0, f->depth);
  f->parent[0] = -1;
  for (size_t i = 0; i < n; i++) {
    const size_t left = mn_node_left(node_at(m, i));
    if (left > 0) f->parent[left] = f->parent[left + 1] = (int32_t)i;
  }
  if (!m->gaps.at) return MN_OK;
  f->missing = MN_NEW(ctx, bool, n, 1);
  MN_CHECK_ALLOC(f->missing);
  for (size_t i = 0; i < n; i++) {
    const int32_t *w = node_at(m, i);
    f->missing[i] = mn_node_left(w) > 0 && had_missing(m, mn_node_feature(w)) && receives_missing(m, f, i);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- indented text --- */

static void write_leaf(mn_text_buffer *t, const mn_tree_model *m, size_t i, const double *value)
{
  const size_t width = mn_tree_width(m);
  write_answer(t, m, i, value);
  mn_text_printf(t, "  (");
  if (m->base.classes && value[best_class(value, width)] < 1)
    mn_text_printf(t, "%.0f%% of ", 100 * value[best_class(value, width)]);
  mn_text_put_number(t, m->trees.cover.at[i]);
  mn_text_printf(t, ")\n");
}

static mn_status write_tree(mn_context *ctx, mn_text_buffer *t, const mn_tree_model *m, const double *values,
                            const struct links *f, uint32_t *stack)
{
  const size_t width = mn_tree_width(m);
  size_t stacked = 0;
  stack[stacked++] = 0;
  while (stacked > 0) {
    const size_t i = stack[--stacked], left = mn_node_left(node_at(m, i));
    MN_TRY(mn_poll(ctx));
    if (i > 0) {
      const size_t parent = (size_t)f->parent[i];
      const int32_t *above = node_at(m, parent);
      const bool is_left = i == mn_node_left(above);
      mn_text_put_indent(t, f->depth[i] - 1);
      write_condition(t, m, above, is_left, f->missing && f->missing[parent] && sends_missing(above, is_left));
      mn_text_printf(t, left > 0 ? "\n" : ": ");
    }
    if (left == 0) {
      write_leaf(t, m, i, values + i * width);
      continue;
    }
    stack[stacked++] = (uint32_t)left + 1;
    stack[stacked++] = (uint32_t)left;
  }
  return MN_OK;
}

mn_status mn_tree_text(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_tree_model *m = self;
  mn_text_buffer t = { .at = NULL };
  struct links f;
  double *values;
  uint32_t *stack = MN_RAW(ctx, uint32_t, mn_tree_nodes(&m->trees, 0) + 1, 1);
  MN_CHECK_ALLOC(stack);
  MN_TRY(find_links(ctx, m, &f));
  MN_TRY(node_values(ctx, m, &values));
  MN_TRY(write_tree(ctx, &t, m, values, &f, stack));
  MN_TRY(mn_text_allocate(ctx, &t));
  MN_TRY(write_tree(ctx, &t, m, values, &f, stack));
  return mn_result_text(ctx, results, "text", t.at, t.size);
}

/* --- rules --- */

/* Conditions of a path on each feature. */
struct bounds {
  double *low, *high;           /* low < x <= high; infinite if unbounded                                  */
  bool *missing;                /* rows with a missing value pass, and there were some in fit              */
  bool *is_missing, *has_value; /* the value must be missing; it must satisfy a condition                  */
  const int32_t *parent;
  uint32_t *path;
};

/* Find the path from the root to node i and the tightest bounds on it. Returns its length. */
static size_t find_bounds(const mn_tree_model *m, struct bounds *b, size_t i)
{
  size_t n = 0;
  for (size_t j = 0; j < m->base.n_features; j++) {
    b->low[j] = -INFINITY;
    b->high[j] = INFINITY;
    b->missing[j] = had_missing(m, j);
    b->is_missing[j] = b->has_value[j] = false;
  }
  for (; i > 0; i = (size_t)b->parent[i]) b->path[n++] = (uint32_t)i;
  for (size_t k = 0; k < n; k++) {
    const int32_t *w = node_at(m, (size_t)b->parent[b->path[k]]);
    const bool left = b->path[k] == mn_node_left(w);
    const size_t j = mn_node_feature(w);
    if (!sends_missing(w, left)) b->missing[j] = false;
    if (!splits_by_missing(m, w))
      b->has_value[j] = true;
    else if (is_missing_side(w, left))
      b->is_missing[j] = true;
    if (mn_is_level_split(w) || isinf(mn_node_real(w))) continue;
    if (left)
      b->high[j] = fmin(b->high[j], mn_node_real(w));
    else
      b->low[j] = fmax(b->low[j], mn_node_real(w));
  }
  return n;
}

/* 5 < age <= 16.5 or missing */
static void write_between(mn_text_buffer *t, const mn_tree_model *m, size_t feature, double low, double high)
{
  mn_text_put_number(t, low);
  mn_text_printf(t, " < ");
  mn_text_put_column(t, &m->base, feature);
  mn_text_printf(t, " <= ");
  mn_text_put_number(t, high);
  mn_text_printf(t, " or missing");
}

/* True if another condition on the path implies this one: that the value is missing implies all others, and a condition
 * on the value implies that it is not missing. */
static bool is_implied(const mn_tree_model *m, const struct bounds *b, const int32_t *w, bool left)
{
  if (!had_missing(m, mn_node_feature(w))) return false;
  if (!splits_by_missing(m, w)) return b->is_missing[mn_node_feature(w)];
  return b->has_value[mn_node_feature(w)] && !is_missing_side(w, left);
}

/* Write each bound once, where it first occurs on the path. If missing values pass, both bounds of a column are written
 * together, in brackets if wanted. Returns the number of conditions. */
static size_t write_conditions(mn_text_buffer *t, const mn_tree_model *m, struct bounds *b, size_t leaf, bool brackets)
{
  size_t count = 0;
  for (size_t k = find_bounds(m, b, leaf); k-- > 0;) {
    const int32_t *w = node_at(m, (size_t)b->parent[b->path[k]]);
    const bool left = b->path[k] == mn_node_left(w);
    const size_t j = mn_node_feature(w);
    const double threshold = mn_node_real(w), low = b->low[j], high = b->high[j];
    bool both = false;
    if (is_implied(m, b, w, left)) continue;
    if (!mn_is_level_split(w) && !isinf(threshold)) {
      if (threshold < (left ? high : low) || threshold > (left ? high : low)) continue;
      both = b->missing[j] && isfinite(low) && isfinite(high);
      if (left || both) b->high[j] = -INFINITY; /* written */
      if (!left || both) b->low[j] = INFINITY;
    }
    const bool or_missing = b->missing[j] && !splits_by_missing(m, w);
    mn_text_printf(t, "%s%s", count++ > 0 ? " and " : "", brackets && or_missing ? "(" : "");
    if (both)
      write_between(t, m, j, low, high);
    else
      write_condition(t, m, w, left, or_missing);
    mn_text_printf(t, "%s", brackets && or_missing ? ")" : "");
  }
  return count;
}

/* Conditions with `or` are put in brackets if there are several. */
static void write_rule(mn_text_buffer *t, const mn_tree_model *m, struct bounds *b, size_t leaf)
{
  mn_text_buffer measured = { .at = NULL };
  const bool brackets = m->gaps.at && write_conditions(&measured, m, b, leaf, false) > 1;
  if (leaf == 0) mn_text_printf(t, "always");
  write_conditions(t, m, b, leaf, brackets);
}

static mn_status write_text(mn_context *ctx, const mn_tree_model *m, struct bounds *b, size_t leaf, const double *value,
                            const char **out)
{
  mn_text_buffer t = { .at = NULL };
  for (int pass = 0; pass < 2; pass++) {
    if (b)
      write_rule(&t, m, b, leaf);
    else
      write_answer(&t, m, leaf, value);
    if (pass == 0) MN_TRY(mn_text_allocate(ctx, &t));
  }
  *out = t.at;
  return MN_OK;
}

mn_status mn_tree_rules(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  (void)options;
  const mn_tree_model *m = self;
  const size_t n = mn_tree_nodes(&m->trees, 0), leaves = n / 2 + 1, width = mn_tree_width(m);
  struct bounds b = { .low = MN_RAW(ctx, double, m->base.n_features, 2),
                      .missing = MN_RAW(ctx, bool, m->base.n_features, 3),
                      .path = MN_RAW(ctx, uint32_t, n, 1) };
  const char **rule = MN_RAW(ctx, const char *, leaves, 1), **answer = MN_RAW(ctx, const char *, leaves, 1);
  struct links f;
  double *values;
  mn_vector *rows, *impurity;
  if (!b.low || !b.missing || !b.path || !rule || !answer) return MN_NO_MEMORY;
  b.high = b.low + m->base.n_features;
  b.is_missing = b.missing + m->base.n_features;
  b.has_value = b.is_missing + m->base.n_features;
  MN_TRY(find_links(ctx, m, &f));
  MN_TRY(node_values(ctx, m, &values));
  b.parent = f.parent;
  for (size_t i = 0, at = 0; i < n; i++) {
    if (mn_node_left(node_at(m, i)) > 0) continue;
    MN_TRY(write_text(ctx, m, &b, i, NULL, &rule[at]));
    MN_TRY(write_text(ctx, m, NULL, i, values + i * width, &answer[at++]));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(mn_result_names(ctx, results, "rules.rule", rule, leaves));
  MN_TRY(mn_result_names(ctx, results, "rules.answer", answer, leaves));
  MN_TRY(mn_result_vector(ctx, results, "rules.cover", leaves, &rows));
  MN_TRY(mn_result_vector(ctx, results, "rules.impurity", leaves, &impurity));
  for (size_t i = 0, at = 0; i < n; i++) {
    if (mn_node_left(node_at(m, i)) > 0) continue;
    rows->at[at] = m->trees.cover.at[i];
    impurity->at[at++] = m->trees.impurity.at[i];
  }
  return MN_OK;
}

/* --- table of nodes --- */

static mn_status add_texts(mn_context *ctx, const mn_tree_model *m, const double *values, mn_results *results)
{
  const size_t n = mn_tree_nodes(&m->trees, 0), width = mn_tree_width(m);
  const char **question = MN_RAW(ctx, const char *, n, 2);
  MN_CHECK_ALLOC(question);
  const char **answer = question + n;
  for (size_t i = 0; i < n; i++) {
    const int32_t *w = node_at(m, i);
    mn_text_buffer t = { .at = NULL };
    for (int pass = 0; pass < 2; pass++) {
      if (mn_node_left(w) > 0) write_condition(&t, m, w, true, false);
      if (pass == 0) MN_TRY(mn_text_allocate(ctx, &t));
    }
    question[i] = t.at;
    MN_TRY(mn_poll(ctx));
    MN_TRY(write_text(ctx, m, NULL, i, values + i * width, &answer[i]));
  }
  MN_TRY(mn_result_names(ctx, results, "nodes.question", question, n));
  return mn_result_names(ctx, results, "nodes.answer", answer, n);
}

mn_status mn_tree_table(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  (void)options;
  const mn_tree_model *m = self;
  const size_t n = mn_tree_nodes(&m->trees, 0), width = mn_tree_width(m);
  static const char *const names[] = { "nodes.depth",     "nodes.left",         "nodes.right", "nodes.feature",
                                       "nodes.threshold", "nodes.missing_left", "nodes.cover", "nodes.impurity",
                                       "nodes.value",     "nodes.has_missing" };
  mn_vector *column[10];
  struct links f;
  double *values;
  MN_TRY(find_links(ctx, m, &f));
  MN_TRY(node_values(ctx, m, &values));
  MN_TRY(add_texts(ctx, m, values, results));
  for (size_t c = 0; c < (f.missing ? 10 : 9); c++) MN_TRY(mn_result_vector(ctx, results, names[c], n, &column[c]));
  for (size_t i = 0; i < n; i++) {
    const int32_t *w = node_at(m, i);
    const size_t left = mn_node_left(w);
    const bool has_threshold = left > 0 && !mn_is_level_split(w);
    column[0]->at[i] = f.depth[i];
    column[1]->at[i] = left > 0 ? (double)left + 1 : (double)NAN;
    column[2]->at[i] = left > 0 ? (double)left + 2 : (double)NAN;
    column[3]->at[i] = left > 0 ? (double)mn_node_feature(w) + 1 : (double)NAN;
    column[4]->at[i] = has_threshold ? mn_node_real(w) : (double)NAN;
    column[5]->at[i] = left > 0 ? mn_node_missing_left(w) : (double)NAN;
    column[6]->at[i] = m->trees.cover.at[i];
    column[7]->at[i] = m->trees.impurity.at[i];
    column[8]->at[i] = m->base.classes ? values[i * width + best_class(values + i * width, width)] : values[i * width];
    if (f.missing) column[9]->at[i] = left > 0 ? f.missing[i] : (double)NAN;
  }
  return MN_OK;
}
