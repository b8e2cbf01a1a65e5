/* Tables, with one element for each node unless noted. Names are those in the exported program.
 *
 *     first     trees: the root of each tree
 *     left      the left child, which the right one follows; of a leaf: the leaf itself
 *     feature   the feature of a split; of a leaf: 0
 *     cut       the threshold: x <= cut goes left; of a leaf: infinity, so that a step from a leaf stays there
 *     missing   1: a missing value, or a level not seen in fit, goes left
 *     set       0: split by cut; s > 0: split by the set of levels s. Set s is edge[edge_at[s - 1]] to before
 *               edge[edge_at[s]]: the codes at which runs of levels that go left begin and end, alternately
 *     answer    value of a leaf with one value
 *     place     of a leaf with several values: its block, or -1 - the index of the one that is 1 */
#include "export.h"
#include <math.h>

struct flat_trees {
  int32_t *left, *feature, *missing, *set, *place; /* nodes    */
  double *cut, *answer;                            /* nodes    */
  int32_t *first;                                  /* trees    */
  int32_t *edge_at;                                /* sets + 1 */
  double *edge;                                    /* edges    */
  size_t sets, edges;
};

/* Append the levels from..to. Returns the new number of edges. */
static size_t add_interval(double from, double to, double *edge, size_t n)
{
  if (edge) {
    edge[n] = from;
    edge[n + 1] = to + 1;
  }
  return n + 2;
}

/* Write where the levels of a split begin and end to `edge` unless it is NULL. Returns how many. */
static size_t level_edges(const mn_trees *t, const int32_t *w, double *edge)
{
  const int32_t *subset = t->subset.at + w[MN_NODE_LOW], words = w[MN_NODE_HIGH];
  const bool is_bit_set = words > 0; /* else a list of codes */
  const size_t size = is_bit_set ? 32 * (size_t)words : (size_t)(-(int64_t)words);
  size_t n = 0, begin;
  for (size_t i = 0; i < size; i++) {
    if (is_bit_set && !((uint32_t)subset[i / 32] >> i % 32 & 1)) continue;
    for (begin = i; i + 1 < size; i++)
      if (is_bit_set ? !((uint32_t)subset[(i + 1) / 32] >> (i + 1) % 32 & 1) : subset[i + 1] != subset[i] + 1) break;
    n = is_bit_set ? add_interval((double)begin, (double)i, edge, n) : add_interval(subset[begin], subset[i], edge, n);
  }
  return n;
}

static mn_status flatten_leaf(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width, size_t i,
                              struct flat_trees *flat)
{
  const int32_t *w = t->node.at + MN_NODE_WORDS * i;
  flat->left[i] = (int32_t)i;
  flat->cut[i] = INFINITY;
  flat->missing[i] = 1;
  if (width == 1) {
    mn_add_leaf(t, w, 1, 1, &flat->answer[i]);
    return MN_OK;
  }
  if (mn_is_leaf_of(w, MN_LEAF_VALUE)) /* not produced by any fit */
    return mn_cannot_export(ctx, model, "a leaf has one value, but a prediction has several");
  flat->place[i] = mn_is_leaf_of(w, MN_LEAF_PURE) ? -1 - w[MN_NODE_LOW] : w[MN_NODE_LOW];
  return MN_OK;
}

static void flatten_split(const mn_trees *t, size_t root, size_t i, struct flat_trees *flat)
{
  const int32_t *w = t->node.at + MN_NODE_WORDS * i;
  flat->left[i] = (int32_t)(root + mn_node_left(w));
  flat->feature[i] = w[MN_NODE_FEATURE];
  flat->missing[i] = mn_node_missing_left(w);
  if (!mn_is_level_split(w)) {
    flat->cut[i] = mn_node_real(w);
    return;
  }
  flat->edges += level_edges(t, w, flat->edge + flat->edges);
  flat->set[i] = (int32_t)++flat->sets;
  flat->edge_at[flat->sets] = (int32_t)flat->edges;
}

static mn_status alloc_tables(mn_context *ctx, const mn_estimator *model, const mn_trees *t, struct flat_trees *flat)
{
  const size_t nodes = t->cover.size;
  size_t sets = 0, edges = 0;
  for (size_t i = 0; i < nodes; i++) {
    const int32_t *w = t->node.at + MN_NODE_WORDS * i;
    if (!mn_is_level_split(w)) continue;
    sets++;
    edges += level_edges(t, w, NULL);
  }
  if (edges > INT32_MAX) return mn_cannot_export(ctx, model, "its trees have 2^31 or more intervals of levels");
  flat->left = MN_NEW(ctx, int32_t, nodes, 5);
  flat->cut = MN_NEW(ctx, double, nodes, 2);
  flat->first = MN_NEW(ctx, int32_t, mn_trees_count(t), 1);
  flat->edge_at = MN_NEW(ctx, int32_t, sets + 1, 1);
  flat->edge = MN_NEW(ctx, double, edges + 1, 1);
  if (!flat->left || !flat->cut || !flat->first || !flat->edge_at || !flat->edge) return MN_NO_MEMORY;
  flat->feature = flat->left + nodes;
  flat->missing = flat->feature + nodes;
  flat->set = flat->missing + nodes;
  flat->place = flat->set + nodes;
  flat->answer = flat->cut + nodes;
  return MN_OK;
}

static mn_status flatten(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width,
                         struct flat_trees *flat)
{
  *flat = (struct flat_trees){ 0 };
  MN_TRY(alloc_tables(ctx, model, t, flat));
  for (size_t tree = 0; tree < mn_trees_count(t); tree++) {
    const size_t root = (size_t)t->root.at[tree];
    flat->first[tree] = t->root.at[tree];
    for (size_t i = root; i < root + mn_tree_nodes(t, tree); i++) {
      if (mn_node_left(t->node.at + MN_NODE_WORDS * i) > 0)
        flatten_split(t, root, i, flat);
      else
        MN_TRY(flatten_leaf(ctx, model, t, width, i, flat));
    }
  }
  return MN_OK;
}

/* Add the tables, and the beginning of a loop over the trees in which `at` is the leaf and, if wanted, `tree` the
 * number of the tree. The caller adds the rest of the loop, and ends it with *end. */
static mn_status add_walk(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width,
                          bool with_tree_number, mn_program *program, struct flat_trees *flat, const char **end)
{
  const size_t nodes = t->cover.size;
  MN_TRY(flatten(ctx, model, t, width, flat));
  mn_program_count(program, "trees", mn_trees_count(t));
  mn_program_indexes(program, "first", mn_trees_count(t), flat->first);
  mn_program_indexes(program, "left", nodes, flat->left);
  mn_program_indexes(program, "feature", nodes, flat->feature);
  mn_program_reals(program, "cut", nodes, flat->cut);
  mn_program_indexes(program, "missing", nodes, flat->missing);
  if (flat->sets == 0) {
    mn_program_code(program, "int whole = 1"
                             " for j < features { whole = isnan(x[j]) ? 0 : whole }"
                             " ints leaf_of[8]"
                             " int from = 0"
                             " while from < trees {"
                             "   int together = trees - from < 8 ? trees - from : 8"
                             "   walk(together, whole, x, first, from, left, feature, cut, missing, leaf_of)"
                             "   for k < together {"
                             "     int at = leaf_of[k]");
    if (with_tree_number) mn_program_code(program, "int tree = from + k");
    *end = "} from += 8 }";
    return MN_OK;
  }
  mn_program_indexes(program, "set", nodes, flat->set);
  mn_program_indexes(program, "edge_at", flat->sets + 1, flat->edge_at);
  mn_program_reals(program, "edge", flat->edges, flat->edge);
  mn_program_code(program, "for tree < trees {"
                           " int at = first[tree]"
                           " while left[at] != at {"
                           "   real value = x[feature[at]]"
                           "   int s = set[at]"
                           "   if s == 0 {"
                           "     at = left[at] + (value <= cut[at] or (isnan(value) and missing[at] > 0) ? 0 : 1)"
                           "   } else {"
                           "     if value >= 0 {"
                           "       int edges = count_at_most(edge, edge_at[s - 1], edge_at[s] - edge_at[s - 1], value)"
                           "       at = left[at] + 1 - edges % 2"
                           "     } else { at = left[at] + 1 - missing[at] }"
                           "   } }");
  *end = "}";
  return MN_OK;
}

/* Add code for a leaf with several values, from the tables place and leaf. */
static void add_leaf_program(const mn_trees *t, mn_program *program)
{
  if (t->value.size == 0) {
    mn_program_code(program, "out[-1 - place[at]] += scale");
    return;
  }
  mn_program_reals(program, "leaf", t->value.size, t->value.at);
  mn_program_code(program, "int block = place[at]"
                           " if block < 0 { out[-1 - block] += scale }"
                           " else { for c < columns { out[c] += scale * leaf[block * columns + c] } }");
}

mn_status mn_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width, double scale,
                           size_t columns, mn_program *program)
{
  const bool by_column = width == 1 && columns > 1;
  struct flat_trees flat;
  const char *end;
  MN_TRY(add_walk(ctx, model, t, width, by_column, program, &flat, &end));
  if (width == 1)
    mn_program_reals(program, "answer", t->cover.size, flat.answer);
  else
    mn_program_indexes(program, "place", t->cover.size, flat.place);
  mn_program_real(program, "scale", scale);
  mn_program_count(program, "columns", columns);
  if (width == 1) {
    mn_program_code(program, by_column ? "out[tree % columns] += scale * answer[at]" : "out[0] += scale * answer[at]");
  } else {
    add_leaf_program(t, program);
  }
  mn_program_code(program, end);
  return MN_OK;
}

mn_status mn_rotated_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width,
                                   const char *rotate, mn_program *program)
{
  const size_t nodes = t->cover.size;
  struct flat_trees flat;
  MN_TRY(flatten(ctx, model, t, width, &flat));
  mn_program_indexes(program, "first", mn_trees_count(t), flat.first);
  mn_program_indexes(program, "left", nodes, flat.left);
  mn_program_indexes(program, "feature", nodes, flat.feature);
  mn_program_reals(program, "cut", nodes, flat.cut);
  mn_program_indexes(program, "missing", nodes, flat.missing);
  mn_program_indexes(program, "place", nodes, flat.place);
  mn_program_count(program, "trees", mn_trees_count(t));
  mn_program_count(program, "columns", width);
  mn_program_real(program, "scale", 1);
  mn_program_code(program, "for tree < trees {");
  mn_program_code(program, rotate);
  mn_program_code(program, "int at = first[tree]"
                           " while left[at] != at {"
                           "   real value = turned[feature[at]]"
                           "   at = left[at] + (value <= cut[at] or (isnan(value) and missing[at] > 0) ? 0 : 1)"
                           " }");
  add_leaf_program(t, program);
  mn_program_code(program, "}");
  return MN_OK;
}

void mn_log_shares_program(mn_program *program)
{
  mn_program_code(program, "real sum = 0.0"
                           " for k < outputs { sum += out[k] }"
                           " for k < outputs { out[k] = log(out[k] / sum) }");
}

mn_status mn_linear_tree_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, const int32_t *leaf,
                                 const mn_matrix *coef, const mn_matrix *means, const double *intercept,
                                 mn_program *program)
{
  struct flat_trees flat;
  const char *end;
  mn_program_code(program, "reals filled[features]");
  MN_TRY(add_walk(ctx, model, trees, 1, false, program, &flat, &end));
  mn_program_indexes(program, "place", trees->cover.size, leaf);
  mn_program_reals(program, "coef", coef->rows * coef->cols, coef->at);
  mn_program_reals(program, "intercept", coef->rows, intercept);
  mn_program_code(program, "int at_leaf = place[at]");
  if (means->at) {
    mn_program_reals(program, "means", means->rows * means->cols, means->at);
    mn_program_code(program, "for j < features { filled[j] = isnan(x[j]) ? means[at_leaf * features + j] : x[j] }");
  } else {
    mn_program_code(program, "for j < features {"
                             "   if isnan(x[j]) { refuse \"X must have no missing values; fit the model again\" }"
                             "   filled[j] = x[j]"
                             " }");
  }
  mn_program_code(program, "out[0] = intercept[at_leaf] + dot(features, filled, 0, coef, at_leaf * features)");
  mn_program_code(program, end);
  return MN_OK;
}

mn_status mn_tree_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_tree_model *m = self;
  const bool classify = m->base.classes != NULL;
  if (action != (classify ? MN_PREDICT_LOG_PROBA : MN_PREDICT)) return MN_OK;
  mn_program_code(program, "for k < outputs { out[k] = 0.0 }");
  MN_TRY(mn_trees_program(ctx, &m->base, &m->trees, mn_tree_width(m),
                          classify ? 1 : 1 / (double)mn_trees_count(&m->trees), mn_tree_width(m), program));
  if (classify) mn_log_shares_program(program);
  return MN_OK;
}
