/* Mondrian forest classifier: class probabilities by a hierarchy of Pitman-Yor processes with discount exp(-discount
 * (time - time of the parent)), smoothed as in interpolated Kneser-Ney (Lakshminarayanan, Roy & Teh, NIPS 2014,
 * equations 5 to 7 and section 4.2):
 *
 *     G_jk = (c_jk - d_j u_jk + d_j u_j. G_parent,k) / c_j.     u = min(c, 1), a dot sums over the classes
 *
 * A row outside the box of a node may branch off before it reaches the node. Then it is in a leaf of its own below a
 * new node, whose G is a mixture of that of the parent and of u_jk, averaged over the time of the new node. */
#include "../core/threads.h"
#include "mondrian.h"

/* Compute G of a node from that of its parent; both may be the same array. */
static void smooth(const mn_mondrian_tree *t, int32_t node, double span, double discount, const double *parent,
                   double *prob)
{
  const double *c = mn_mondrian_stats(t, node), d = span < (double)INFINITY ? exp(-(discount * span)) : 0;
  double total = 0, tables = 0;
  for (size_t k = 0; k < t->values; k++) {
    total += c[k];
    tables += fmin(c[k], 1);
  }
  for (size_t k = 0; k < t->values; k++) prob[k] = (c[k] - d * fmin(c[k], 1) + d * tables * parent[k]) / total;
}

/* u_jk / u_j. */
static void table_shares(const mn_mondrian_tree *t, int32_t node, double *tables_prob)
{
  const double *c = mn_mondrian_stats(t, node);
  double tables = 0;
  for (size_t k = 0; k < t->values; k++) tables += fmin(c[k], 1);
  for (size_t k = 0; k < t->values; k++) tables_prob[k] = fmin(c[k], 1) / tables;
}

/* The parameter refers to features scaled to [0, 1]; convert it to units of X by the extent of the box of all rows. */
static double scaled_discount(const mn_mondrian *m)
{
  const mn_mondrian_tree t = mn_mondrian_tree_view(m, 0);
  return m->discount * mn_mondrian_root_extent(&t);
}

/* out += class probabilities of one row by one tree; prob, tables_prob: workspace of `classes` values. */
static void add_tree(const mn_mondrian_tree *t, double discount, const double *x, double *prob, double *tables_prob,
                     double *out)
{
  const size_t classes = t->values;
  double p_not_branched = 1, parent_time = 0;
  int32_t node = *t->root;
  for (size_t k = 0; k < classes; k++) prob[k] = 1 / (double)classes;
  for (;;) {
    const double distance = mn_mondrian_distance(t, node, x), span = t->time[node] - parent_time;
    const double p_branch = distance > 0 ? 1 - exp(-(distance * span)) : 0;
    if (p_branch > 0) {
      const double d = distance / (distance + discount) * (1 - exp(-((distance + discount) * span))) / p_branch;
      table_shares(t, node, tables_prob);
      for (size_t k = 0; k < classes; k++)
        out[k] += p_not_branched * p_branch * ((1 - d) * tables_prob[k] + d * prob[k]);
      p_not_branched *= 1 - p_branch;
    }
    smooth(t, node, span, discount, prob, prob);
    parent_time = t->time[node];
    if (mn_mondrian_is_leaf(t, node)) break;
    node = mn_mondrian_child(t, node, x);
  }
  for (size_t k = 0; k < classes; k++) out[k] += p_not_branched * prob[k];
}

enum { BLOCK_ROWS = 16 };

struct predict_task {
  const mn_mondrian *m;
  const mn_data *data;
  double discount, *prob; /* workers x 2 classes */
  mn_matrix *out;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  const struct predict_task *w = work;
  const size_t classes = w->out->cols;
  double *prob = w->prob + worker * 2 * classes;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i), sum = 0;
    for (size_t tree = 0; tree < mn_mondrian_trees(w->m); tree++) {
      const mn_mondrian_tree t = mn_mondrian_tree_view(w->m, tree);
      add_tree(&t, w->discount, mn_row(&w->data->x, i), prob, prob + classes, out);
    }
    for (size_t k = 0; k < classes; k++) sum += out[k];
    for (size_t k = 0; k < classes; k++) out[k] = log(out[k] / sum);
  }
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct predict_task w = { .m = self, .data = data, .out = out };
  w.discount = scaled_discount(w.m);
  w.prob = MN_RAW(ctx, double, mn_threads(ctx), 2 * out->cols);
  MN_CHECK_ALLOC(w.prob);
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, predict_block, &w);
}

/* --- export: G of the nodes does not depend on the row --- */

/* Write the tables `own` (G of each node) and `share` (u_jk / u_j.). */
static mn_status write_node_tables(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_node_map *map,
                                   double discount, mn_program *program)
{
  const size_t classes = m->stats.cols, slots = m->time.size / mn_mondrian_trees(m);
  double *prob = MN_NEW(ctx, double, map->nodes, classes), *tables_prob = MN_NEW(ctx, double, map->nodes, classes);
  int32_t *order = MN_RAW(ctx, int32_t, slots, 1);
  if (!prob || !tables_prob || !order) return MN_NO_MEMORY;
  for (size_t k = 0; k < classes; k++) prob[k] = 1 / (double)classes;
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_breadth_first(&t, order);
    for (int32_t k = 0; k < *t.used; k++) {
      const size_t at = (size_t)map->base[i] + (size_t)order[k], parent = (size_t)map->parent[at];
      table_shares(&t, order[k], tables_prob + at * classes);
      smooth(&t, order[k], map->time[at] - map->time[parent], discount, prob + parent * classes, prob + at * classes);
    }
  }
  mn_program_reals(program, "own", map->nodes * classes, prob);
  mn_program_reals(program, "share", map->nodes * classes, tables_prob);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_mondrian *m = self;
  const double discount = scaled_discount(m);
  mn_mondrian_node_map map;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_mondrian_program(ctx, m, program, &map));
  MN_TRY(write_node_tables(ctx, m, &map, discount, program));
  mn_program_real(program, "discount", discount);
  mn_program_code(program, "for k < outputs { out[k] = 0.0 }");
  mn_mondrian_write_loop_begin(program);
  mn_program_code(program, "   if parts > 0 {"
                           "     real d = outside / (outside + discount)"
                           " * (1.0 - exp(-((outside + discount) * span))) / parts"
                           "     for k < outputs {"
                           "       out[k] += stays * parts"
                           " * ((1.0 - d) * share[at * outputs + k] + d * own[from * outputs + k])"
                           "     }"
                           "     stays *= 1.0 - parts"
                           "   }");
  mn_mondrian_write_loop_end(program);
  mn_program_code(program, " for k < outputs { out[k] += stays * own[from * outputs + k] } }"
                           " real sum = 0.0"
                           " for k < outputs { sum += out[k] }"
                           " for k < outputs { out[k] = log(out[k] / sum) }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_MONDRIAN_PARAMS,
  MN_REAL(mn_mondrian, discount, 10, MN_AT_LEAST(0),
          "rate at which a node becomes independent of its parent; smaller values give smoother probabilities"),
  MN_END,
};

static const mn_field fields[] = { MN_MONDRIAN_FIELDS, MN_END };
static const mn_operation operations[] = { MN_MONDRIAN_STRUCTURE, { .name = NULL } };

const mn_class mn_mondrian_forest_classifier = {
  .name = "MondrianForestClassifier",
  .family = "tree",
  .brief = "Mondrian forest classifier: random trees that learn row by row or all at once.",
  .objective = "p(c | x) = mean over the trees of the smoothed class probabilities on the path of x",
  .source = "Lakshminarayanan, Roy & Teh, NIPS 27 (2014)",
  .notes =
      "Splits prefer features with a large range, so scale features first (MinMaxScaler) and remove irrelevant ones. "
      "Trees learned row by row (partial_fit, with classes in the first batch) have the same distribution as those of fit. "
      "One row is learned in place, in time proportional to the depth; a batch first copies the model. "
      "All samples are stored: memory grows with samples x features x trees. "
      "discount is that of the paper for features in [0, 1].",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local forest = ml.MondrianForestClassifier{ n_estimators = 20 }:fit(X, y)\n"
             "forest:partial_fit({ { 6, 3, 4.5, 1.5 } }, { \"versicolor\" })\n"
             "print(forest.n_rows, forest:predict_proba{ { 6, 3, 4.6, 1.5 } })",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_MONDRIAN_CLASS,
  .log_proba = log_proba,
  .export = export,
};
