/* Adaptive random forest for classification; learning is in adaptive_forest.c. */
#include "../core/threads.h"
#include "adaptive_export.h"
#include "hoeffding_tree.h"

enum { BLOCK_ROWS = 32 };

struct predict_task {
  const mn_adaptive_forest *m;
  const mn_data *data;
  mn_naive_bayes *bayes; /* workers */
  double **p;            /* workers */
  mn_matrix *out;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t size, size_t worker)
{
  const struct predict_task *w = work;
  const size_t classes = w->out->cols;
  for (size_t i = mn_block_begin(&w->blocks, size); i < mn_block_end(&w->blocks, size); i++) {
    double *out = mn_row(w->out, i), *p = w->p[worker], sum = 0;
    for (size_t tree = 0; tree < w->m->foreground.size; tree++) {
      const mn_hoeffding_tree t = mn_hoeffding_tree_view(w->m, mn_foreground_store(w->m, tree));
      const double vote = mn_vote_weight(w->m, tree);
      mn_hoeffding_predict(&t, mn_row(&w->data->x, i), &w->bayes[worker], p);
      for (size_t k = 0; k < classes; k++) out[k] += vote * p[k];
    }
    for (size_t k = 0; k < classes; k++) sum += out[k];
    for (size_t k = 0; k < classes; k++) out[k] = log(out[k] / sum);
  }
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct predict_task w = {
    .m = self, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  const size_t workers = mn_threads(ctx), n_observed = mn_observed_per_leaf(w.m);
  w.bayes = MN_NEW(ctx, mn_naive_bayes, workers, 1);
  w.p = MN_NEW(ctx, double *, workers, 1);
  if (!w.bayes || !w.p) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_naive_bayes_make(ctx, n_observed, out->cols, &w.bayes[i], &w.p[i]));
  return mn_parallel(ctx, w.blocks.count, predict_block, &w);
}

/* --- export of the foreground trees --- */

struct leaf_tables {
  int32_t *bayes;
  double *start, *mean, *scale;
};

static mn_status make_leaf_tables(mn_context *ctx, size_t nodes, size_t classes, size_t n_observed,
                                  struct leaf_tables *out)
{
  out->bayes = MN_NEW(ctx, int32_t, nodes, 1);
  out->start = MN_NEW(ctx, double, nodes, classes *(1 + 2 * n_observed));
  if (!out->bayes || !out->start) return MN_NO_MEMORY;
  out->mean = out->start + nodes * classes;
  out->scale = out->mean + nodes * classes * n_observed;
  return MN_OK;
}

static void fill_leaf(const mn_hoeffding_tree *t, int32_t node, size_t at, struct leaf_tables *out)
{
  const size_t classes = t->classes, size = t->n_observed * classes;
  mn_naive_bayes bayes = { out->start + at * classes, out->mean + at * size, out->scale + at * size };
  out->bayes[at] = mn_leaf_uses_naive_bayes(t, node);
  if (out->bayes[at])
    mn_naive_bayes_fit(t, node, &bayes);
  else
    mn_leaf_probabilities(t, node, bayes.start);
}

static void write_leaves(mn_program *program, size_t nodes, size_t classes, size_t n_observed,
                         const struct leaf_tables *l)
{
  mn_program_indexes(program, "bayes", nodes, l->bayes);
  mn_program_reals(program, "share", nodes * classes, l->start);
  mn_program_reals(program, "mean", nodes * classes * n_observed, l->mean);
  mn_program_reals(program, "scale", nodes * classes * n_observed, l->scale);
}

static void write_code(mn_program *program)
{
  mn_program_code(program,
                  "reals p[outputs]"
                  " for k < outputs { out[k] = 0.0 }"
                  " for tree < trees {" MN_ADAPTIVE_DESCENT " for k < outputs { p[k] = share[at * outputs + k] }");
  mn_program_code(program, " if bayes[at] > 0 {"
                           "   for k < outputs {"
                           "     for j < watched {"
                           "       int b = (at * watched + j) * outputs + k"
                           "       real d = x[observed[at * watched + j]] - mean[b]"
                           "       p[k] -= d * d * scale[b]"
                           "     }"
                           "   }"
                           "   log_softmax(outputs, p)"
                           "   for k < outputs { p[k] = exp(p[k]) }"
                           " }");
  mn_program_code(program, " for k < outputs { out[k] += vote[tree] * p[k] } }"
                           " real sum = 0.0"
                           " for k < outputs { sum += out[k] }"
                           " for k < outputs { out[k] = log(out[k] / sum) }");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_adaptive_forest *m = self;
  const size_t classes = m->table[MN_COUNTS_TABLE].cols, n_observed = mn_observed_per_leaf(m),
               trees = m->foreground.size;
  mn_adaptive_splits s;
  struct leaf_tables leaf_tables;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  size_t *store = MN_RAW(ctx, size_t, trees, 1);
  double *vote = MN_RAW(ctx, double, trees, 1);
  if (!store || !vote) return MN_NO_MEMORY;
  for (size_t i = 0; i < trees; i++) {
    store[i] = mn_foreground_store(m, i);
    vote[i] = mn_vote_weight(m, i);
  }
  MN_TRY(mn_adaptive_collect_splits(ctx, m, trees, store, &s));
  MN_TRY(make_leaf_tables(ctx, s.nodes, classes, n_observed, &leaf_tables));
  for (size_t i = 0; i < trees; i++) {
    const mn_hoeffding_tree t = mn_hoeffding_tree_view(m, store[i]);
    for (int32_t node = 0; node < *t.used; node++) fill_leaf(&t, node, (size_t)s.first[i] + (size_t)node, &leaf_tables);
  }
  mn_adaptive_write_splits(program, &s);
  mn_program_reals(program, "vote", trees, vote);
  write_leaves(program, s.nodes, classes, n_observed, &leaf_tables);
  write_code(program);
  return MN_OK;
}

static const char *const leaf_predictions[] = { "adaptive", "majority", NULL };

static const mn_param params[] = {
  MN_ADAPTIVE_PARAMS(
      leaf_predictions,
      "adaptive: naive Bayes in leaves where it was more accurate than the majority class; majority: always the majority class",
      "tie threshold: the best split is made once the Hoeffding bound on the difference of gains, in bits, is below this"),
  MN_END,
};

static const mn_field fields[] = {
  MN_ADAPTIVE_FIELDS,
  MN_ADAPTIVE_TABLE(MN_COUNTS_TABLE, "tally", "slots x classes"),
  MN_ADAPTIVE_TABLE(MN_CORRECT_TABLE, "right", "slots x ways"),
  MN_ADAPTIVE_TABLE(MN_MOMENTS_TABLE, "moments", "slots x moments"),
  MN_ADAPTIVE_ERRORS,
  MN_END,
};

static double accuracy_of(const double *errors)
{
  return errors[MN_CLASSIFICATION_ROWS] > 0 ? errors[MN_CLASSIFICATION_CORRECT] / errors[MN_CLASSIFICATION_ROWS]
                                            : (double)NAN;
}

static mn_status structure(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)data;
  (void)options;
  return mn_adaptive_structure(ctx, self, "accuracy", accuracy_of, results);
}

static const mn_operation operations[] = {
  { .name = "structure",
    .brief = "leaves of each tree, its accuracy on rows before they were learned, and how often it was replaced",
    .returns = "leaves (trees), accuracy (trees), drifts (trees)",
    .run = structure },
  { .name = NULL },
};

const mn_class mn_adaptive_random_forest_classifier = {
  .name = "AdaptiveRandomForestClassifier",
  .family = "tree",
  .brief = "Adaptive random forest classifier for streams, with drift detection.",
  .objective = "p(c | x) = mean over the trees, weighted by their accuracy, of the probabilities in the leaf of x",
  .source = "Gomes et al., Machine Learning 106 (2017); Domingos & Hulten, KDD (2000)",
  .notes = "Requires thousands of samples, because a leaf is split only when the best split is certain enough. "
           "Samples are not stored; memory grows with the number of leaves. "
           "fit is one batch, and batches of any size give the same result. "
           "Drift is detected by the test of Frias-Blanco et al. (2015) instead of ADWIN. "
           "Splits and naive Bayes assume normal features within each class. "
           "For few samples MondrianForestClassifier learns more, but it does not forget.",
  .example = "local forest, rng = ml.AdaptiveRandomForestClassifier { seed = 1 }, ml.random(2000, 2, 1)\n"
             "for i = 1, 2000 do\n"
             "   local x, y = rng:get(i, 1), rng:get(i, 2)\n"
             "   forest:partial_fit({ { x, y } }, { x + y > 1 }, i == 1 and { classes = { false, true } } or nil)\n"
             "end\n"
             "print(forest:predict { { 0.2, 0.3 }, { 0.9, 0.8 } })",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_ADAPTIVE_CLASS,
  .log_proba = log_proba,
  .export = export,
};
