/* Mondrian forest regressor: means of the nodes as a Gaussian tree (mondrian_stats.c), Lakshminarayanan, Roy & Teh,
 * AISTATS 2016.
 *
 * On the path of a row, a node receives the messages from above and from its sibling. If the row branches off before it
 * reaches a node, after an exponential time, the prediction is that of a new node at the mean of that time. A tree
 * gives a mixture of normals, and so does the forest. */
#include "../core/threads.h"
#include "../actions/interval.h"
#include "mondrian.h"

/* A normal distribution; variance in units of that of y. */
struct normal {
  double mean, variance;
};

/* Product of two densities of the same quantity. */
static struct normal combine(struct normal a, struct normal b)
{
  return (struct normal){ (a.mean * b.variance + b.mean * a.variance) / (a.variance + b.variance),
                          a.variance * b.variance / (a.variance + b.variance) };
}

static struct normal add_variance(struct normal a, double by)
{
  a.variance += by;
  return a;
}

static struct normal message_from(const mn_mondrian_tree *t, int32_t node)
{
  const double *stats = mn_mondrian_stats(t, node);
  return (struct normal){ stats[1], 1 / stats[2] };
}

/* Message from `node` to `child`, given the message from_above from the parent of `node`; s: prior variance at the
 * parent. */
static struct normal pass_down(const mn_mondrian_tree *t, int32_t node, int32_t child, struct normal from_above,
                               double s)
{
  const int32_t sibling = t->child[2 * node + (t->child[2 * node] == child)];
  const double own_variance = mn_mondrian_variance(t->slope, t->time[node]);
  const double sibling_variance = mn_mondrian_variance(t->slope, t->time[sibling]);
  return combine(add_variance(from_above, own_variance - s),
                 add_variance(message_from(t, sibling), sibling_variance - own_variance));
}

/* Sums over the components of the mixture: means; variances plus squares about y_mean. */
struct mixture {
  double mean, square;
};

static void add_component(struct mixture *sum, double weight, struct normal component, double center)
{
  const double d = component.mean - center;
  sum->mean += weight * component.mean;
  sum->square += weight * (component.variance + d * d);
}

/* Mean time at which a row branches off, given that it does before `span`. */
static double mean_branch_time(double distance, double span, double p_branch)
{
  return span < (double)INFINITY ? 1 / distance - span * exp(-(distance * span)) / p_branch : 1 / distance;
}

static void add_tree(const mn_mondrian_tree *t, double center, double variance, const double *x, struct mixture *sum)
{
  const double end = mn_mondrian_variance(t->slope, t->lifetime);
  struct normal from_above = { center, 0 };
  double p_not_branched = 1, parent_time = 0;
  int32_t node = *t->root;
  for (;;) {
    const double distance = mn_mondrian_distance(t, node, x), span = t->time[node] - parent_time;
    const double p_branch = distance > 0 ? 1 - exp(-(distance * span)) : 0;
    const double s = mn_mondrian_variance(t->slope, parent_time),
                 own_variance = mn_mondrian_variance(t->slope, t->time[node]);
    if (p_branch > 0) {
      const double branch_variance =
          mn_mondrian_variance(t->slope, parent_time + mean_branch_time(distance, span, p_branch));
      struct normal component = combine(add_variance(from_above, branch_variance - s),
                                        add_variance(message_from(t, node), own_variance - branch_variance));
      component.variance = variance * (component.variance + end - branch_variance + t->noise);
      add_component(sum, p_not_branched * p_branch, component, center);
      p_not_branched *= 1 - p_branch;
    }
    if (mn_mondrian_is_leaf(t, node)) {
      struct normal component = combine(add_variance(from_above, own_variance - s), message_from(t, node));
      component.variance = variance * (component.variance + t->noise);
      add_component(sum, p_not_branched, component, center);
      return;
    }
    const int32_t child = mn_mondrian_child(t, node, x);
    from_above = pass_down(t, node, child, from_above, s);
    parent_time = t->time[node];
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
      const mn_mondrian_tree t = mn_mondrian_tree_view(m, tree);
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
  double *mean, *variance;         /* nodes: message from the parent */
  double *own_mean, *own_variance; /* nodes: message from the rows below */
  double *level;                   /* nodes: prior variance s */
};

static mn_status make_messages(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_node_map *map,
                               struct messages *out)
{
  double *at = MN_NEW(ctx, double, map->nodes, 5);
  int32_t *order = MN_RAW(ctx, int32_t, m->time.size / mn_mondrian_trees(m), 1);
  if (!at || !order) return MN_NO_MEMORY;
  const size_t n = map->nodes;
  *out = (struct messages){ at, at + n, at + 2 * n, at + 3 * n, at + 4 * n };
  out->level[0] = mn_mondrian_variance(m->slope, 0);
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_breadth_first(&t, order);
    for (int32_t k = 0; k < *t.used; k++) {
      const int32_t node = order[k], parent = t.parent[node];
      const size_t at_node = (size_t)map->base[i] + (size_t)node, parent_index = (size_t)map->parent[at_node];
      struct normal message = { m->y_mean, 0 };
      if (parent >= 0)
        message = pass_down(&t, parent, node, (struct normal){ out->mean[parent_index], out->variance[parent_index] },
                            out->level[map->parent[parent_index]]);
      out->mean[at_node] = message.mean;
      out->variance[at_node] = message.variance;
      out->own_mean[at_node] = message_from(&t, node).mean;
      out->own_variance[at_node] = message_from(&t, node).variance;
      out->level[at_node] = mn_mondrian_variance(t.slope, t.time[node]);
    }
  }
  return MN_OK;
}

static void write_messages(mn_program *program, const struct messages *messages, size_t nodes)
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
  mn_mondrian_node_map map;
  struct messages messages;
  if (action != MN_PREDICT) return MN_OK;
  MN_TRY(mn_mondrian_program(ctx, m, program, &map));
  MN_TRY(make_messages(ctx, m, &map, &messages));
  write_messages(program, &messages, map.nodes);
  mn_program_real(program, "slope", m->slope);
  mn_program_real(program, "count", (double)mn_mondrian_trees(m));
  mn_program_code(program, "real sum = 0.0");
  mn_mondrian_write_loop_begin(program);
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
  mn_mondrian_write_loop_end(program);
  mn_program_code(program, " } out[0] = sum / count");
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL(", assuming a normal distribution", predict_interval),
  MN_MONDRIAN_STRUCTURE,
  { .name = NULL },
};

static const mn_param params[] = {
  MN_MONDRIAN_PARAMS,
  MN_COUNT(mn_mondrian, min_samples_split, 10, MN_AT_LEAST(2), "minimum number of samples to split a node"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MONDRIAN_FIELDS,
  MN_NUMBER(mn_mondrian, y_mean, "mean of y, the prediction far from all training samples"),
  MN_NUMBER(mn_mondrian, noise, "variance of y in a leaf, as a fraction of the variance of y"),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, slope, "", NULL),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, y_weight, "", NULL),
  MN_LEARNED(MN_KIND_REAL, mn_mondrian, y_square, "", NULL),
  MN_END,
};

const mn_class mn_mondrian_forest_regressor = {
  .name = "MondrianForestRegressor",
  .family = "tree",
  .brief = "Mondrian forest regressor with predictive uncertainty; learns row by row.",
  .objective = "y | x: mixture over the trees of normals; the mean of a node is normal about that of its parent",
  .source = "Lakshminarayanan, Roy & Teh, AISTATS (2016)",
  .notes =
      "predict_interval gives standard deviations, which grow away from the training samples. "
      "Splits prefer features with a large range, so scale features first (MinMaxScaler) and remove irrelevant ones. "
      "Trees learned row by row (partial_fit) have the same distribution as those of fit. "
      "One row is learned in place, in time proportional to the depth; a batch first copies the model. "
      "All samples are stored: memory grows with samples x features x trees.",
  .example = "local model = ml.MondrianForestRegressor{}:fit({ {1}, {2}, {3}, {4} }, { 1.1, 1.9, 3.2, 3.8 })\n"
             "model:partial_fit({ {5} }, { 5.1 })\n"
             "print(model:predict{ {2.5} }, model:predict_interval{ {2.5}, {9} }.std)",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_MONDRIAN_CLASS,
  .predict = predict,
  .export = export,
};
