/* Labels: a hierarchy of Pitman-Yor processes with discount exp(-discount (time - time of the parent)), smoothed as in
 * interpolated Kneser-Ney (Lakshminarayanan, Roy & Teh, NIPS 2014, equations 5 to 7 and section 4.2):
 *
 *     G_jk = (c_jk - d_j u_jk + d_j u_j. G_parent,k) / c_j.     u = min(c, 1), a dot sums over the classes
 *
 * A row outside the box of a node may part from the path before it is reached: then it is in a leaf of its own below a
 * node between the two, whose G is that of the parent and of u_jk, averaged over the time when that may happen. */
#include "../core/threads.h"
#include "mondrian.h"

/* G of a node from that of its parent; they may be the same memory. */
static void smooth(const mn_mondrian_tree *t, int32_t node, double span, double discount, const double *above,
                   double *own)
{
  const double *c = mn_mondrian_tally(t, node), d = span < (double)INFINITY ? exp(-(discount * span)) : 0;
  double all = 0, tables = 0;
  for (size_t k = 0; k < t->values; k++) {
    all += c[k];
    tables += fmin(c[k], 1);
  }
  for (size_t k = 0; k < t->values; k++) own[k] = (c[k] - d * fmin(c[k], 1) + d * tables * above[k]) / all;
}

/* u_jk / u_j. */
static void shares(const mn_mondrian_tree *t, int32_t node, double *share)
{
  const double *c = mn_mondrian_tally(t, node);
  double tables = 0;
  for (size_t k = 0; k < t->values; k++) tables += fmin(c[k], 1);
  for (size_t k = 0; k < t->values; k++) share[k] = fmin(c[k], 1) / tables;
}

/* The parameter is for columns from 0 to 1; it is put in units of X by the sides of the box of all rows. */
static double discount_of(const mn_mondrian *m)
{
  const mn_mondrian_tree t = mn_mondrian_tree_of(m, 0);
  return m->discount * mn_mondrian_sides(&t);
}

/* out += probabilities of one row by one tree; own and share: classes. */
static void add_tree(const mn_mondrian_tree *t, double discount, const double *x, double *own, double *share,
                     double *out)
{
  const size_t classes = t->values;
  double stays = 1, before = 0;
  int32_t node = *t->root;
  for (size_t k = 0; k < classes; k++) own[k] = 1 / (double)classes;
  for (;;) {
    const double outside = mn_mondrian_outside(t, node, x), span = t->time[node] - before;
    const double parts = outside > 0 ? 1 - exp(-(outside * span)) : 0;
    if (parts > 0) {
      const double d = outside / (outside + discount) * (1 - exp(-((outside + discount) * span))) / parts;
      shares(t, node, share);
      for (size_t k = 0; k < classes; k++) out[k] += stays * parts * ((1 - d) * share[k] + d * own[k]);
      stays *= 1 - parts;
    }
    smooth(t, node, span, discount, own, own);
    before = t->time[node];
    if (mn_mondrian_is_leaf(t, node)) break;
    node = mn_mondrian_goes_to(t, node, x);
  }
  for (size_t k = 0; k < classes; k++) out[k] += stays * own[k];
}

enum { BLOCK_ROWS = 16 };

struct scoring {
  const mn_mondrian *m;
  const mn_data *data;
  double discount, *own; /* workers x 2 classes */
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_block(void *work, size_t block, size_t worker)
{
  const struct scoring *w = work;
  const size_t classes = w->out->cols;
  double *own = w->own + worker * 2 * classes;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i), sum = 0;
    for (size_t tree = 0; tree < mn_mondrian_trees(w->m); tree++) {
      const mn_mondrian_tree t = mn_mondrian_tree_of(w->m, tree);
      add_tree(&t, w->discount, mn_row(&w->data->x, i), own, own + classes, out);
    }
    for (size_t k = 0; k < classes; k++) sum += out[k];
    for (size_t k = 0; k < classes; k++) out[k] = log(out[k] / sum);
  }
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct scoring w = { .m = self, .data = data, .out = out };
  w.discount = discount_of(w.m);
  w.own = MN_RAW(ctx, double, mn_threads(ctx), 2 * out->cols);
  MN_CHECK_ALLOC(w.own);
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

/* --- export: what a node tells does not depend on the row --- */

/* Tables `own` and `share`: G of each node, and what a leaf of its own beside it has besides. */
static mn_status tell_nodes(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_flat *flat, double discount,
                            mn_program *program)
{
  const size_t classes = m->tally.cols, slots = m->time.size / mn_mondrian_trees(m);
  double *own = MN_NEW(ctx, double, flat->nodes, classes), *share = MN_NEW(ctx, double, flat->nodes, classes);
  int32_t *order = MN_RAW(ctx, int32_t, slots, 1);
  if (!own || !share || !order) return MN_NO_MEMORY;
  for (size_t k = 0; k < classes; k++) own[k] = 1 / (double)classes;
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_order(&t, order);
    for (int32_t k = 0; k < *t.used; k++) {
      const size_t at = (size_t)flat->base[i] + (size_t)order[k], above = (size_t)flat->above[at];
      shares(&t, order[k], share + at * classes);
      smooth(&t, order[k], flat->time[at] - flat->time[above], discount, own + above * classes, own + at * classes);
    }
  }
  mn_program_reals(program, "own", flat->nodes * classes, own);
  mn_program_reals(program, "share", flat->nodes * classes, share);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_mondrian *m = self;
  const double discount = discount_of(m);
  mn_mondrian_flat flat;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(mn_mondrian_program(ctx, m, program, &flat));
  MN_TRY(tell_nodes(ctx, m, &flat, discount, program));
  mn_program_real(program, "discount", discount);
  mn_program_code(program, "for k < outputs { out[k] = 0.0 }");
  mn_mondrian_code_way(program);
  mn_program_code(program, "   if parts > 0 {"
                           "     real d = outside / (outside + discount)"
                           " * (1.0 - exp(-((outside + discount) * span))) / parts"
                           "     for k < outputs {"
                           "       out[k] += stays * parts"
                           " * ((1.0 - d) * share[at * outputs + k] + d * own[from * outputs + k])"
                           "     }"
                           "     stays *= 1.0 - parts"
                           "   }");
  mn_mondrian_code_down(program);
  mn_program_code(program, " for k < outputs { out[k] += stays * own[from * outputs + k] } }"
                           " real sum = 0.0"
                           " for k < outputs { sum += out[k] }"
                           " for k < outputs { out[k] = log(out[k] / sum) }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_MONDRIAN_PARAMS,
  MN_REAL(mn_mondrian, discount, 10, MN_AT_LEAST(0),
          "how fast a block forgets what is around it; smaller: smoother probabilities"),
  MN_END,
};

static const mn_field fields[] = { MN_MONDRIAN_FIELDS, MN_END };
static const mn_operation operations[] = { MN_MONDRIAN_STRUCTURE, { .name = NULL } };

const mn_class mn_mondrian_forest_classifier = {
  .name = "MondrianForestClassifier",
  .family = "tree",
  .brief = "The mean of many trees that are cut without a look at y, and learn rows one by one as well as all at once.",
  .objective =
      "p(c | x) = mean over the trees of the smoothed share of class c where x is, or would part from the tree",
  .source = "Lakshminarayanan, Roy & Teh, NIPS 27 (2014)",
  .notes =
      "Cuts go to columns in proportion to their range, so put columns on one scale first (MinMaxScaler) and leave "
      "out those that tell nothing. Trees learned row by row (partial_fit, with classes named in the first batch) "
      "are distributed as those of fit. One row is learned in place, in time that grows with the depth; a batch "
      "costs a copy of the model first. All rows are kept, and memory grows with rows x columns x trees. discount "
      "is as in the paper for columns from 0 to 1, and is in units of the ranges otherwise.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local forest = ml.MondrianForestClassifier{ n_estimators = 20 }:fit(X, y)\n"
             "forest:partial_fit({ { 6, 3, 4.5, 1.5 } }, { \"versicolor\" })\n"
             "print(forest.n_rows, forest:predict_proba{ { 6, 3, 4.6, 1.5 } })",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_mondrian),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_mondrian_fit,
  .partial_fit = mn_mondrian_partial_fit,
  .update = mn_mondrian_update,
  .log_proba = log_proba,
  .export = export,
  .check = mn_mondrian_check,
  .derive = mn_mondrian_derive,
};
