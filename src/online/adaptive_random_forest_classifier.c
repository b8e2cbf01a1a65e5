/* Labels from a stream: what adaptive_forest.c learns, asked. */
#include "../core/threads.h"
#include "adaptive_export.h"
#include "hoeffding_tree.h"

enum { BLOCK_ROWS = 32 };

struct scoring {
  const mn_adaptive_forest *m;
  const mn_data *data;
  mn_leaf_scores *scores; /* workers */
  double **p;             /* workers */
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_block(void *work, size_t block, size_t worker)
{
  const struct scoring *w = work;
  const size_t classes = w->out->cols;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i), *p = w->p[worker], sum = 0;
    for (size_t tree = 0; tree < w->m->front.size; tree++) {
      const mn_hoeffding_tree t = mn_hoeffding_tree_of(w->m, mn_front(w->m, tree));
      const double vote = mn_vote_of(w->m, tree);
      mn_hoeffding_predict(&t, mn_row(&w->data->x, i), &w->scores[worker], p);
      for (size_t k = 0; k < classes; k++) out[k] += vote * p[k];
    }
    for (size_t k = 0; k < classes; k++) sum += out[k];
    for (size_t k = 0; k < classes; k++) out[k] = log(out[k] / sum);
  }
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct scoring w = {
    .m = self, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  const size_t workers = mn_threads(ctx), watched = mn_watched(w.m);
  w.scores = MN_NEW(ctx, mn_leaf_scores, workers, 1);
  w.p = MN_NEW(ctx, double *, workers, 1);
  if (!w.scores || !w.p) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_leaf_scores_make(ctx, watched, out->cols, &w.scores[i], &w.p[i]));
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

/* --- export: the trees that answer, behind each other --- */

struct leaves {
  int32_t *bayes;
  double *share, *mean, *scale;
};

static mn_status make_leaves(mn_context *ctx, size_t nodes, size_t classes, size_t watched, struct leaves *out)
{
  out->bayes = MN_NEW(ctx, int32_t, nodes, 1);
  out->share = MN_NEW(ctx, double, nodes, classes *(1 + 2 * watched));
  if (!out->bayes || !out->share) return MN_NO_MEMORY;
  out->mean = out->share + nodes * classes;
  out->scale = out->mean + nodes * classes * watched;
  return MN_OK;
}

static void fill_leaf(const mn_hoeffding_tree *t, int32_t node, size_t at, struct leaves *out)
{
  const size_t classes = t->classes, block = t->watched * classes;
  mn_leaf_scores scores = { out->share + at * classes, out->mean + at * block, out->scale + at * block };
  out->bayes[at] = mn_leaf_is_bayes(t, node);
  if (out->bayes[at])
    mn_leaf_scores_of(t, node, &scores);
  else
    mn_leaf_shares(t, node, scores.start);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_adaptive_forest *m = self;
  const size_t classes = m->table[MN_TALLY_TABLE].cols, watched = mn_watched(m), trees = m->front.size;
  mn_adaptive_splits s;
  struct leaves leaves;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  size_t *store = MN_RAW(ctx, size_t, trees, 1);
  double *vote = MN_RAW(ctx, double, trees, 1);
  if (!store || !vote) return MN_NO_MEMORY;
  for (size_t i = 0; i < trees; i++) {
    store[i] = mn_front(m, i);
    vote[i] = mn_vote_of(m, i);
  }
  MN_TRY(mn_adaptive_splits_of(ctx, m, trees, store, &s));
  MN_TRY(make_leaves(ctx, s.nodes, classes, watched, &leaves));
  for (size_t i = 0; i < trees; i++) {
    const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, store[i]);
    for (int32_t node = 0; node < *t.used; node++) fill_leaf(&t, node, (size_t)s.first[i] + (size_t)node, &leaves);
  }
  mn_adaptive_put_splits(program, &s);
  mn_program_reals(program, "vote", trees, vote);
  mn_program_indexes(program, "bayes", s.nodes, leaves.bayes);
  mn_program_reals(program, "share", s.nodes * classes, leaves.share);
  mn_program_reals(program, "mean", s.nodes * classes * watched, leaves.mean);
  mn_program_reals(program, "scale", s.nodes * classes * watched, leaves.scale);
  mn_program_code(program,
                  "reals p[outputs]"
                  " for k < outputs { out[k] = 0.0 }"
                  " for tree < trees {" MN_ADAPTIVE_WALK " for k < outputs { p[k] = share[at * outputs + k] }");
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
  return MN_OK;
}

static const char *const leaf_predictions[] = { "adaptive", "majority", NULL };

static const mn_param params[] = {
  MN_ADAPTIVE_PARAMS(leaf_predictions,
                     "how a leaf answers: by naive Bayes where that has guessed better, or always by counts",
                     "splits whose gains, in bits, are nearer than this are a tie"),
  MN_END,
};

static const mn_field fields[] = {
  MN_ADAPTIVE_FIELDS,
  MN_ADAPTIVE_TABLE(MN_TALLY_TABLE, "tally", "slots x classes"),
  MN_ADAPTIVE_TABLE(MN_RIGHT_TABLE, "right", "slots x ways"),
  MN_ADAPTIVE_TABLE(MN_MOMENTS_TABLE, "moments", "slots x moments"),
  MN_ADAPTIVE_ERRORS,
  MN_END,
};

static double accuracy_of(const double *errors)
{
  return errors[MN_LABELS_SEEN] > 0 ? errors[MN_LABELS_RIGHT] / errors[MN_LABELS_SEEN] : (double)NAN;
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
    .brief =
        "of each tree: its leaves, the share of rows guessed right before they were learned, and how often another "
        "took its place",
    .returns = "leaves (trees), accuracy (trees), drifts (trees)",
    .run = structure },
  { .name = NULL },
};

const mn_class mn_adaptive_random_forest_classifier = {
  .name = "AdaptiveRandomForestClassifier",
  .family = "tree",
  .brief = "Trees that learn a stream, each row once, and are changed for others when the stream has changed.",
  .objective =
      "p(c | x) = mean over the trees, weighted by how often they were right, of the probabilities in their leaf",
  .source = "Gomes et al., Machine Learning 106 (2017); Domingos & Hulten, KDD (2000)",
  .notes =
      "Needs rows by the thousand: a leaf is split when it is sure of the split. Memory grows with the leaves, not "
      "with the rows, which are not kept. fit is one batch, and batches of any size give what it gives. Change is "
      "found by the test of Frias-Blanco et al. (2015) in place of ADWIN. Splits and naive Bayes take classes as "
      "normal in each column. Of few rows MondrianForestClassifier learns more, but it does not forget.",
  .example = "local forest, rng = ml.AdaptiveRandomForestClassifier { seed = 1 }, ml.random(2000, 2, 1)\n"
             "for i = 1, 2000 do\n"
             "   local x, y = rng:get(i, 1), rng:get(i, 2)\n"
             "   forest:partial_fit({ { x, y } }, { x + y > 1 }, i == 1 and { classes = { false, true } } or nil)\n"
             "end\n"
             "print(forest:predict { { 0.2, 0.3 }, { 0.9, 0.8 } })",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .size = sizeof(mn_adaptive_forest),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_adaptive_fit,
  .partial_fit = mn_adaptive_fit,
  .update = mn_adaptive_update,
  .log_proba = log_proba,
  .export = export,
  .check = mn_adaptive_check,
};
