/* Rotation forest: each tree is grown on all rows, rotated by axes of its own.
 *
 * For each tree the features are shuffled and divided into groups of group_size. For each group a set of classes is
 * drawn, then a bootstrap sample of their rows, whose principal axes are all kept: V_g, one axis per row. A row x
 * becomes
 *
 *     z = (V_1 u_1, V_2 u_2, ...),      u_j = (x_j - center_j) / scale_j,      u_g the part of group g,
 *
 * and the tree splits z. So the trees differ although none of them omits rows or features.
 *
 * Rodriguez, Kuncheva & Alonso, IEEE Trans. Pattern Analysis and Machine Intelligence 28 (2006), figure 1. */
#include "../core/worker_pool.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../preprocess/moments.h"
#include "../tree/export.h"

struct rotation_forest {
  mn_tree_model tree;
  int64_t n_estimators, group_size; /* parameters */
  double max_samples;
  bool standardize;
  mn_vector center, scale; /* learned fields: features */
  mn_indexes order;        /* trees x features: the features of X, group by group */
  mn_matrix rotation;      /* (trees x features) x group: the axes; those of a shorter group are padded with zeros */
};

/* --- rotation --- */

static void standardize(const struct rotation_forest *m, const double *x, double *u)
{
  for (size_t j = 0; j < m->center.size; j++) u[j] = (x[j] - m->center.at[j]) / m->scale.at[j];
}

static size_t group_width(const struct rotation_forest *m, size_t begin)
{
  const size_t rest = m->center.size - begin;
  return rest < m->rotation.cols ? rest : m->rotation.cols;
}

/* z = u rotated by the axes of `tree`. part: workspace for one group. */
static void rotate(const struct rotation_forest *m, size_t tree, const double *u, double *part, double *z)
{
  const size_t p = m->center.size, first = tree * p;
  for (size_t begin = 0, size; begin < p; begin += size) {
    size = group_width(m, begin);
    for (size_t a = 0; a < size; a++) part[a] = u[m->order.at[first + begin + a]];
    for (size_t q = begin; q < begin + size; q++) z[q] = mn_ordered_dot(size, part, mn_row(&m->rotation, first + q));
  }
}

/* --- fit --- */

struct rotation_task {
  struct rotation_forest *m;
  const mn_data *data;
  const double *u; /* rows x features */
  mn_mark *mark;   /* workers: where the scratch of a tree begins */
  bool *started;   /* workers */
  mn_tree_appender *appender;
  double *importance; /* trees x features */
};

/* More draws would hardly improve the axes. */
enum { MAX_DRAWS = 1 << 16, DRAWS_PER_POLL = 1 << 14, ROWS_PER_POLL = 1 << 10 };

/* Rows of the classes that were drawn. */
struct class_rows {
  size_t *row, n;
  double *cumulative; /* cumulative weights of the rows */
  bool *drawn;        /* classes */
  size_t draws;
};

static mn_status make_class_rows(mn_context *ctx, const struct rotation_task *w, struct class_rows *class_rows)
{
  *class_rows = (struct class_rows){ .row = MN_RAW(ctx, size_t, w->data->rows, 1),
                                     .cumulative = MN_RAW(ctx, double, w->data->rows, 1),
                                     .drawn = MN_RAW(ctx, bool, w->data->classes, 1) };
  return class_rows->row && class_rows->cumulative && class_rows->drawn ? MN_OK : MN_NO_MEMORY;
}

/* Draw a non-empty set of classes, each with the same probability. */
static void draw_classes(const struct rotation_task *w, mn_rng *rng, struct class_rows *class_rows)
{
  const mn_data *data = w->data;
  double sum = 0, rows = 0;
  bool any = false;
  while (!any)
    for (size_t c = 0; c < data->classes; c++) any |= class_rows->drawn[c] = mn_random_below(rng, 2) == 1;
  class_rows->n = 0;
  for (size_t i = 0; i < data->rows; i++) {
    if (!class_rows->drawn[data->code[i]]) continue;
    sum += mn_weight(data, i);
    rows += fmax(1, mn_weight(data, i));
    class_rows->row[class_rows->n] = i;
    class_rows->cumulative[class_rows->n++] = sum;
  }
  rows = fmin(rows, fmax(MAX_DRAWS, (double)class_rows->n));
  class_rows->draws = (size_t)fmax(1, w->m->max_samples * rows + 0.5);
}

/* scatter = sum (v - mean)(v - mean)' of the features `column` over rows drawn from class_rows; only the lower
 * triangle. mean, step: workspace of `size` values. */
static mn_status compute_scatter(mn_context *ctx, const struct rotation_task *w, const struct class_rows *class_rows,
                                 mn_rng *rng, const int32_t *column, size_t size, double *mean, double *step,
                                 double *scatter)
{
  memset(mean, 0, size * sizeof *mean);
  memset(scatter, 0, size * size * sizeof *scatter);
  for (size_t d = 1; d <= class_rows->draws; d++) {
    if (d % DRAWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double *u =
        w->u + class_rows->row[mn_random_cumulative(rng, class_rows->cumulative, class_rows->n)] * w->data->features;
    for (size_t a = 0; a < size; a++) {
      step[a] = u[column[a]] - mean[a];
      mean[a] += step[a] / (double)d;
      for (size_t b = 0; b <= a; b++) scatter[a * size + b] += step[a] * (u[column[b]] - mean[b]);
    }
  }
  return MN_OK;
}

static mn_status draw_rotation(mn_context *ctx, const struct rotation_task *w, size_t tree)
{
  const struct rotation_forest *m = w->m;
  const size_t p = w->data->features, max_size = m->rotation.cols;
  mn_rng rng = mn_stream(m->tree.seed, 2 * tree);
  int32_t *order = m->order.at + tree * p;
  size_t *shuffled = MN_RAW(ctx, size_t, p, 1);
  double *mean = MN_RAW(ctx, double, max_size, 3), *scatter = MN_RAW(ctx, double, max_size, max_size);
  double *axes = MN_RAW(ctx, double, max_size, max_size);
  struct class_rows class_rows;
  if (!shuffled || !mean || !scatter || !axes) return MN_NO_MEMORY;
  MN_TRY(make_class_rows(ctx, w, &class_rows));
  for (size_t j = 0; j < p; j++) shuffled[j] = j;
  mn_shuffle(&rng, shuffled, p);
  for (size_t j = 0; j < p; j++) order[j] = (int32_t)shuffled[j];
  for (size_t begin = 0, size; begin < p; begin += size) {
    size = group_width(m, begin);
    draw_classes(w, &rng, &class_rows);
    MN_TRY(compute_scatter(ctx, w, &class_rows, &rng, order + begin, size, mean, mean + max_size, scatter));
    MN_TRY(mn_eigh(ctx, size, size, MN_LARGEST, scatter, mean + 2 * max_size, axes));
    for (size_t q = 0; q < size; q++)
      memcpy(mn_row(&m->rotation, tree * p + begin + q), axes + q * size, size * sizeof *axes);
  }
  return MN_OK;
}

static mn_status rotate_rows(mn_context *ctx, const struct rotation_task *w, size_t tree, mn_matrix *z)
{
  const size_t n = w->data->rows, p = w->data->features;
  double *part = MN_RAW(ctx, double, w->m->rotation.cols, 1);
  *z = (mn_matrix){ .at = MN_RAW(ctx, double, n, p), .rows = n, .cols = p };
  if (!part || !z->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    rotate(w->m, tree, w->u + i * p, part, mn_row(z, i));
  }
  return MN_OK;
}

/* The gain of an axis is distributed over its features by their squared coefficients, which sum to 1. */
static mn_status compute_importances(mn_context *ctx, const struct rotation_task *w, size_t tree,
                                     const mn_grown_tree *grown)
{
  const struct rotation_forest *m = w->m;
  const size_t p = w->data->features, first = tree * p;
  double *gain = MN_NEW(ctx, double, p, 1), sum = 0;
  MN_CHECK_ALLOC(gain);
  mn_add_importances(grown, gain);
  for (size_t q = 0; q < p; q++) sum += gain[q];
  for (size_t begin = 0, size; begin < p && sum > 0; begin += size) {
    size = group_width(m, begin);
    for (size_t q = begin; q < begin + size; q++) {
      const double *axis = mn_row(&m->rotation, first + q);
      for (size_t a = 0; a < size; a++)
        w->importance[first + (size_t)m->order.at[first + begin + a]] += gain[q] / sum * axis[a] * axis[a];
    }
  }
  return MN_OK;
}

static mn_status grow_tree(mn_context *ctx, void *work, size_t tree, size_t worker)
{
  struct rotation_task *w = work;
  const struct rotation_forest *m = w->m;
  mn_data rotated = *w->data;
  mn_tree_problem problem;
  mn_grow_workspace *workspace;
  mn_grown_tree grown;
  if (!w->started[worker]) {
    w->mark[worker] = mn_scratch_mark(ctx);
    w->started[worker] = true;
  }
  rotated.cache = NULL; /* the rotated columns are used by this tree only */
  MN_TRY(draw_rotation(ctx, w, tree));
  MN_TRY(rotate_rows(ctx, w, tree, &rotated.x));
  MN_TRY(mn_tree_problem_make(ctx, &m->tree, &rotated, rotated.features, false, &problem));
  MN_TRY(mn_grow_workspace_make(ctx, &problem.settings, &workspace));
  mn_rng rng = mn_stream(m->tree.seed, 2 * tree + 1);
  MN_TRY(mn_grow(ctx, &problem.settings, workspace, &problem.view, rotated.weights, mn_random_u64(&rng), &grown));
  if (m->tree.ccp_alpha > 0) MN_TRY(mn_prune(ctx, m->tree.ccp_alpha, problem.settings.split.width, &grown));
  MN_TRY(compute_importances(ctx, w, tree, &grown));
  MN_TRY(mn_tree_appender_add(w->appender, ctx, tree, &grown));
  return mn_scratch_recycle(ctx, &w->mark[worker]);
}

/* Without standardize all features share one scale, so that the axes do not overflow, whatever the unit of X. */
static mn_status compute_scales(mn_context *ctx, struct rotation_forest *m, const mn_data *data)
{
  const size_t p = data->features;
  struct mn_moments sum;
  double max = 0;
  MN_TRY(mn_moments_init(ctx, p, &sum));
  MN_TRY(mn_moments_add(ctx, data, &sum));
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  for (size_t j = 0; j < p; j++) {
    m->center.at[j] = sum.mean[j];
    m->scale.at[j] = mn_moments_scale(&sum, j);
    max = fmax(max, mn_moments_std(&sum, j));
  }
  for (size_t j = 0; j < p && !m->standardize; j++) m->scale.at[j] = max > 0 ? max : 1;
  return MN_OK;
}

static mn_status average_importances(mn_context *ctx, const struct rotation_task *w)
{
  const size_t p = w->data->features;
  double *mean, sum = 0;
  MN_TRY(mn_vector_init(ctx, &w->m->tree.feature_importances, p));
  mean = w->m->tree.feature_importances.at;
  for (size_t i = 0; i < (size_t)w->m->n_estimators * p; i++) mean[i % p] += w->importance[i];
  for (size_t j = 0; j < p; j++) sum += mean[j];
  for (size_t j = 0; j < p && sum > 0; j++) mean[j] /= sum;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct rotation_forest *m = self;
  const size_t n = data->rows, p = data->features, trees = (size_t)m->n_estimators, workers = mn_pool_size(ctx, trees);
  const size_t group = (uint64_t)m->group_size < p ? (size_t)m->group_size : p;
  const char *who = m->tree.base.class->name;
  double *u = MN_RAW(ctx, double, n, p);
  struct rotation_task w = { .m = m, .data = data, .u = u };
  w.mark = MN_NEW(ctx, mn_mark, workers, 1);
  w.started = MN_NEW(ctx, bool, workers, 1);
  w.importance = MN_NEW(ctx, double, trees, p);
  if (!u || !w.mark || !w.started || !w.importance) return MN_NO_MEMORY;
  MN_TRY(compute_scales(ctx, m, data));
  for (size_t i = 0; i < n; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    standardize(m, mn_row(&data->x, i), u + i * p);
  }
  MN_TRY(mn_indexes_init(ctx, &m->order, trees * p));
  MN_TRY(mn_matrix_init(ctx, &m->rotation, trees * p, group));
  MN_TRY(mn_tree_appender_begin(ctx, who, trees, mn_tree_width(&m->tree), &m->tree.trees, &w.appender));
  const mn_status grown = mn_pool_run(ctx, trees, grow_tree, &w), joined = mn_tree_appender_end(w.appender, ctx);
  MN_TRY(grown);
  MN_TRY(joined);
  return average_importances(ctx, &w);
}

/* --- use --- */

struct predict_task {
  const struct rotation_forest *m;
  const mn_data *data;
  mn_matrix *out;
  double *workspace; /* workers x 3 features */
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  const struct predict_task *w = work;
  const mn_trees *t = &w->m->tree.trees;
  const size_t p = w->data->features;
  double *u = w->workspace + worker * 3 * p, *part = u + p, *z = part + p;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    standardize(w->m, mn_row(&w->data->x, i), u);
    for (size_t tree = 0; tree < mn_trees_count(t); tree++) {
      rotate(w->m, tree, u, part, z);
      mn_add_leaf(t, mn_tree_root(t, tree) + MN_NODE_WORDS * mn_trees_leaf(t, tree, z), w->out->cols, 1,
                  mn_row(w->out, i));
    }
  }
}

enum { BLOCK_ROWS = 16 };

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct predict_task w = { .m = self, .data = data, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS, data->rows);
  w.workspace = MN_RAW(ctx, double, mn_threads(ctx), 3 * data->features);
  MN_CHECK_ALLOC(w.workspace);
  MN_TRY(mn_parallel(ctx, w.blocks.count, predict_block, &w));
  return mn_log_shares(ctx, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct rotation_forest *m = self;
  const size_t p = m->center.size;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "center", p, m->center.at);
  mn_program_reals(program, "unit", p, m->scale.at);
  mn_program_indexes(program, "order", m->order.size, m->order.at);
  mn_program_reals(program, "rotation", m->rotation.rows * m->rotation.cols, m->rotation.at);
  mn_program_count(program, "group", m->rotation.cols);
  mn_program_code(program, "reals u[features] reals part[group] reals turned[features]"
                           " for k < outputs { out[k] = 0.0 }"
                           " for j < features { u[j] = (x[j] - center[j]) / unit[j] }");
  MN_TRY(mn_rotated_trees_program(ctx, &m->tree.base, &m->tree.trees, mn_tree_width(&m->tree),
                                  "int begin = 0"
                                  " while begin < features {"
                                  "   int size = features - begin < group ? features - begin : group"
                                  "   int row = tree * features + begin"
                                  "   for a < size { part[a] = u[order[row + a]] }"
                                  "   for q < size {"
                                  "     turned[begin + q] = dot(size, part, 0, rotation, (row + q) * group)"
                                  "   }"
                                  "   begin += size"
                                  " }",
                                  program));
  mn_log_shares_program(program);
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct rotation_forest *m = self;
  const size_t p = m->tree.base.n_features;
  bool valid = m->order.size == mn_trees_count(&m->tree.trees) * p && m->rotation.cols > 0 && m->rotation.cols <= p;
  MN_TRY(mn_tree_model_check(ctx, self));
  for (size_t j = 0; j < p; j++) valid = valid && m->scale.at[j] > 0;
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "RotationForestClassifier: the axes do not match the trees");
}

static const mn_param params[] = {
  MN_COUNT(struct rotation_forest, n_estimators, 100, MN_CLOSED(1, 1000000), "number of trees"),
  MN_COUNT(struct rotation_forest, group_size, 3, MN_CLOSED(1, INT32_MAX),
           "number of features rotated together; the last group may be smaller"),
  MN_REAL(struct rotation_forest, max_samples, 0.75, MN_LEFT_OPEN(0, 1),
          "size of the bootstrap sample that determines the axes of a group, as a fraction of the rows of its classes"),
  MN_FLAG(struct rotation_forest, standardize, true, "divide features by their standard deviation before the rotation"),
  MN_TREE_SIZE_PARAMS(mn_class_criteria),
  MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "axes drawn at random as candidates at each node; below 1: a fraction of all; nil: all"),
  MN_SEED(mn_tree_model, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_TREE_FIELDS,
  MN_VECTOR(struct rotation_forest, center, "features", "mean of each feature"),
  MN_VECTOR(struct rotation_forest, scale, "features",
            "divisor of each feature: its standard deviation (1 if constant); without standardize, the largest of all"),
  MN_INDEXES(struct rotation_forest, order, "axes < features",
             "features of X in the order of their groups, tree by tree"),
  MN_MATRIX(
      struct rotation_forest, rotation, "axes x group",
      "axes of the groups, as coefficients of the features that `order` lists for the group; shorter groups are padded with zeros"),
  MN_END,
};

const mn_class mn_rotation_forest_classifier = {
  .name = "RotationForestClassifier",
  .family = "tree",
  .brief = "Forest of trees, each grown on all samples rotated by principal axes.",
  .objective = "p(c | x) = mean over the trees of the fraction of class c in the leaf of R_t (x - center) / scale",
  .source = "Rodriguez, Kuncheva & Alonso, IEEE Trans. Pattern Analysis and Machine Intelligence 28 (2006)",
  .notes =
      "For each group of features of a tree, a set of classes and a bootstrap sample of their rows are drawn, and all principal axes of the sample are kept. "
      "The trees are those of DecisionTreeClassifier (C4.5 in the paper); standardize = false leaves features in their units, as in the paper. "
      "feature_importances distribute the gain of an axis over its features by their squared coefficients. "
      "Suited to numeric features with oblique class boundaries.",
  .example = "local iris = ml.read_csv \"examples/data/iris.csv\"\n"
             "local X, y = iris:split \"species\"\n"
             "local forest = ml.RotationForestClassifier{ n_estimators = 20 }:fit(X, y)\n"
             "print(forest:score(X, y), forest.feature_importances)",
  .missing_alternatives = "RandomForestClassifier and ExtraTreesClassifier",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_CLASS_WEIGHT,
  .size = sizeof(struct rotation_forest),
  .params = params,
  .fields = fields,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
};
