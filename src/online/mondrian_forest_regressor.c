/* Reals: means of the nodes as a Gaussian tree (mondrian_tally.c), Lakshminarayanan, Roy & Teh, AISTATS 2016.
 *
 * On the way down to a row goes what the rest of the tree tells of a node: the message from above and that from its
 * sibling. Where the row may part from the path, at a time that is exponential up to the time of the node, the
 * prediction is that of a new node there, at the mean of that time. A tree gives a mixture of normals, and so does the
 * forest. */
#include "../core/threads.h"
#include "../model/interval.h"
#include "mondrian.h"

/* A normal; in units of the variance of y. */
struct normal {
  double mean, variance;
};

/* Both, which tell of the same thing. */
static struct normal both(struct normal a, struct normal b)
{
  return (struct normal){ (a.mean * b.variance + b.mean * a.variance) / (a.variance + b.variance),
                          a.variance * b.variance / (a.variance + b.variance) };
}

static struct normal wider(struct normal a, double by)
{
  a.variance += by;
  return a;
}

static struct normal below(const mn_mondrian_tree *t, int32_t node)
{
  const double *tally = mn_mondrian_tally(t, node);
  return (struct normal){ tally[1], 1 / tally[2] };
}

/* What is known of `node`, whose parent's message is `above`, to be passed on to `child`. */
static struct normal pass_down(const mn_mondrian_tree *t, int32_t node, int32_t child, struct normal above, double s)
{
  const int32_t sibling = t->child[2 * node + (t->child[2 * node] == child)];
  const double own = mn_mondrian_spread(t->slope, t->time[node]);
  const double other = mn_mondrian_spread(t->slope, t->time[sibling]);
  return both(wider(above, own - s), wider(below(t, sibling), other - own));
}

/* Sums over the parts of the mixture: means; variances and squares about y_mean. */
struct mixture {
  double mean, square;
};

static void add_part(struct mixture *sum, double share, struct normal part, double center)
{
  const double d = part.mean - center;
  sum->mean += share * part.mean;
  sum->square += share * (part.variance + d * d);
}

/* When a row parts that does so before `span` is over, in the mean. */
static double parting(double outside, double span, double parts)
{
  return span < (double)INFINITY ? 1 / outside - span * exp(-(outside * span)) / parts : 1 / outside;
}

static void add_tree(const mn_mondrian_tree *t, double center, double variance, const double *x, struct mixture *sum)
{
  const double end = mn_mondrian_spread(t->slope, t->lifetime);
  struct normal above = { center, 0 };
  double stays = 1, before = 0;
  int32_t node = *t->root;
  for (;;) {
    const double outside = mn_mondrian_outside(t, node, x), span = t->time[node] - before;
    const double parts = outside > 0 ? 1 - exp(-(outside * span)) : 0;
    const double s = mn_mondrian_spread(t->slope, before), own = mn_mondrian_spread(t->slope, t->time[node]);
    if (parts > 0) {
      const double there = mn_mondrian_spread(t->slope, before + parting(outside, span, parts));
      struct normal part = both(wider(above, there - s), wider(below(t, node), own - there));
      part.variance = variance * (part.variance + end - there + t->noise);
      add_part(sum, stays * parts, part, center);
      stays *= 1 - parts;
    }
    if (mn_mondrian_is_leaf(t, node)) {
      struct normal part = both(wider(above, own - s), below(t, node));
      part.variance = variance * (part.variance + t->noise);
      add_part(sum, stays, part, center);
      return;
    }
    const int32_t child = mn_mondrian_goes_to(t, node, x);
    above = pass_down(t, node, child, above, s);
    before = t->time[node];
    node = child;
  }
}

enum { BLOCK_ROWS = 16 };

struct prediction {
  const mn_mondrian *m;
  const mn_data *data;
  double *mean, *std; /* rows; std may be NULL */
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct prediction *w = work;
  const mn_mondrian *m = w->m;
  const double trees = (double)mn_mondrian_trees(m), variance = m->y_square / m->y_weight;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    struct mixture sum = { 0 };
    for (size_t tree = 0; tree < mn_mondrian_trees(m); tree++) {
      const mn_mondrian_tree t = mn_mondrian_tree_of(m, tree);
      add_tree(&t, m->y_mean, variance, mn_row(&w->data->x, i), &sum);
    }
    w->mean[i] = sum.mean / trees;
    const double d = w->mean[i] - m->y_mean;
    if (w->std) w->std[i] = sqrt(fmax(sum.square / trees - d * d, 0));
  }
}

static mn_status predict_rows(mn_context *ctx, const mn_mondrian *m, const mn_data *data, double *mean, double *std)
{
  struct prediction w = { .m = m, .data = data, .mean = mean, .std = std };
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, predict_block, &w);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return predict_rows(ctx, self, data, out->at, NULL);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  mn_intervals out;
  MN_TRY(mn_intervals_make(ctx, results, data->rows, &out));
  MN_TRY(predict_rows(ctx, self, data, out.mean->at, out.std->at));
  mn_intervals_normal(&out, ((const mn_interval_options *)options)->level);
  return MN_OK;
}

/* --- export: the messages from above do not depend on the row --- */

struct messages {
  double *mean, *variance;         /* nodes: what is known of the parent without the node */
  double *own_mean, *own_variance; /* nodes: what the rows below tell                     */
  double *level;                   /* nodes: s                                            */
};

static mn_status make_messages(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_flat *flat,
                               struct messages *out)
{
  double *at = MN_NEW(ctx, double, flat->nodes, 5);
  int32_t *order = MN_RAW(ctx, int32_t, m->time.size / mn_mondrian_trees(m), 1);
  if (!at || !order) return MN_NO_MEMORY;
  const size_t n = flat->nodes;
  *out = (struct messages){ at, at + n, at + 2 * n, at + 3 * n, at + 4 * n };
  out->level[0] = mn_mondrian_spread(m->slope, 0);
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_order(&t, order);
    for (int32_t k = 0; k < *t.used; k++) {
      const int32_t node = order[k], parent = t.parent[node];
      const size_t here = (size_t)flat->base[i] + (size_t)node, above = (size_t)flat->above[here];
      struct normal message = { m->y_mean, 0 };
      if (parent >= 0)
        message = pass_down(&t, parent, node, (struct normal){ out->mean[above], out->variance[above] },
                            out->level[flat->above[above]]);
      out->mean[here] = message.mean;
      out->variance[here] = message.variance;
      out->own_mean[here] = below(&t, node).mean;
      out->own_variance[here] = below(&t, node).variance;
      out->level[here] = mn_mondrian_spread(t.slope, t.time[node]);
    }
  }
  return MN_OK;
}

static void put_messages(mn_program *program, const struct messages *messages, size_t nodes)
{
  mn_program_reals(program, "mean", nodes, messages->mean);
  mn_program_reals(program, "variance", nodes, messages->variance);
  mn_program_reals(program, "own_mean", nodes, messages->own_mean);
  mn_program_reals(program, "own_variance", nodes, messages->own_variance);
  mn_program_reals(program, "level", nodes, messages->level);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_mondrian *m = self;
  mn_mondrian_flat flat;
  struct messages messages;
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_mondrian_program(ctx, m, program, &flat));
  MN_TRY(make_messages(ctx, m, &flat, &messages));
  put_messages(program, &messages, flat.nodes);
  mn_program_real(program, "slope", m->slope);
  mn_program_real(program, "count", (double)mn_mondrian_trees(m));
  mn_program_code(program, "real sum = 0.0");
  mn_mondrian_code_way(program);
  mn_program_code(program, "   if parts > 0 {"
                           "     real when = 1.0 / outside"
                           "     if span < infinity {"
                           "       when = 1.0 / outside - span * exp(-(outside * span)) / parts"
                           "     }"
                           "     when = time[from] + when"
                           "     real there = 2.0"
                           "     if when < infinity { there = 2.0 / (1.0 + exp(-slope * when)) }");
  mn_program_code(program, "     real a = variance[at] + (there - level[from])"
                           "     real b = own_variance[at] + (level[at] - there)"
                           "     sum += stays * parts * ((mean[at] * b + own_mean[at] * a) / (a + b))"
                           "     stays *= 1.0 - parts"
                           "   }"
                           "   if child[2 * at] == 0 {"
                           "     real c = variance[at] + (level[at] - level[from]) real d = own_variance[at]"
                           "     sum += stays * ((mean[at] * d + own_mean[at] * c) / (c + d))"
                           "   }");
  mn_mondrian_code_down(program);
  mn_program_code(program, " } out[0] = sum / count");
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL(", as if it were normal", predict_interval),
  MN_MONDRIAN_STRUCTURE,
  { .name = NULL },
};

static const mn_param params[] = {
  MN_MONDRIAN_PARAMS,
  MN_COUNT(mn_mondrian, min_samples_split, 10, MN_AT_LEAST(2), "rows that a block needs to be cut"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MONDRIAN_FIELDS,
  MN_NUMBER(mn_mondrian, y_mean, "mean of y, which predictions far from all rows fall back on"),
  MN_NUMBER(mn_mondrian, noise, "variance of y about the mean of its leaf, as a share of that of y"),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, slope, "", NULL),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, y_weight, "", NULL),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, y_square, "", NULL),
  MN_END,
};

const mn_class mn_mondrian_forest_regressor = {
  .name = "MondrianForestRegressor",
  .family = "tree",
  .brief =
      "Regression by many trees that are cut without a look at y, learn rows one by one, and know how sure they are.",
  .objective = "y | x: mean over the trees of normals; the mean of a node is normal about that of its parent",
  .source = "Lakshminarayanan, Roy & Teh, AISTATS (2016)",
  .notes = "predict_interval gives standard deviations, which grow away from the rows of fit. Cuts go to columns in "
           "proportion to their range, so put columns on one scale first (MinMaxScaler) and leave out those that tell "
           "nothing. Trees learned row by row (partial_fit) are distributed as those of fit. One row is learned in "
           "place, in time that grows with the depth; a batch costs a copy of the model first. All rows are kept, and "
           "memory grows with rows x columns x trees. Scales of the Gaussian tree are those of the authors' program, "
           "to the next power of two.",
  .example = "local model = ml.MondrianForestRegressor{}:fit({ {1}, {2}, {3}, {4} }, { 1.1, 1.9, 3.2, 3.8 })\n"
             "model:partial_fit({ {5} }, { 5.1 })\n"
             "print(model:predict{ {2.5} }, model:predict_interval{ {2.5}, {9} }.std)",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_mondrian),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_mondrian_fit,
  .partial_fit = mn_mondrian_partial_fit,
  .update = mn_mondrian_update,
  .predict = predict,
  .export = export,
  .check = mn_mondrian_check,
  .derive = mn_mondrian_derive,
};
