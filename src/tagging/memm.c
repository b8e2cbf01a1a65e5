/* Maximum entropy Markov model. Minimize
 *
 *     -sum_t log p(y_t | y_{t-1}, x_t) + c1 |w|_1 + c2 |w|^2
 *
 * where the scores of tagger.h are normalized for each token, given the tag before it. Training needs no recursion, but
 * the evidence of later tokens cannot change the probability of a tag (label bias); CRF has no such bias. */
#include "../sequence/sequences.h"
#include "decode.h"
#include "operations.h"
#include "solve.h"

static mn_status solve(mn_context *ctx, const mn_tag_training *t)
{
  mn_likelihood o;
  double *w = MN_NEW(ctx, double, t->n, 1);
  MN_CHECK_ALLOC(w);
  MN_TRY(mn_likelihood_init(ctx, t, true, &o));
  MN_TRY(mn_tagger_lbfgs(ctx, t, &o, w));
  return mn_tag_training_store(ctx, t, w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_tag_training t;
  mn_status status = mn_tag_training_init(ctx, self, data, true, &t);
  if (status == MN_OK) status = solve(ctx, &t);
  mn_tokens_free(ctx, &t.tokens);
  return status;
}

static const mn_param params[] = {
  MN_TAGGER_SEQUENCE_TEMPLATE,
  MN_TAGGER_PENALTIES,
  MN_TAGGER_STATES,
  MN_TAGGER_TRANSITIONS,
  MN_COUNT(mn_tagger, max_iter, 1000, MN_CLOSED(1, 1e9), "maximum number of iterations"),
  MN_REAL(mn_tagger, tol, 1e-6, MN_AT_LEAST(0), "stop when an iteration decreases the objective by less, relatively"),
  MN_END,
};

static const mn_field fields[] = { MN_TAGGER_SEQUENCE_FIELDS, MN_END };

const mn_class mn_memm = {
  .name = "MEMM",
  .brief = "Maximum entropy Markov model: each tag given its features and the tag before.",
  .objective = "-sum_t log p(y_t | y_{t-1}, x_t) + c1 |w|_1 + c2 |w|^2",
  .source = "McCallum, Freitag & Pereira (ICML 2000)",
  .notes =
      "X and lengths as for CRF. Transitions have one coefficient for each pair of tags, which is added to those of "
      "the features; McCallum et al. fit a model of its own after each tag. predict finds the best sequence, "
      "predict_proba the marginals. Fits faster than CRF, and is less accurate where later words matter.",
  .example = "local X = { { \"the\" }, { \"dog\" }, { \"barks\" }, { \"dogs\" }, { \"bark\" } }\n"
             "local y = { \"DET\", \"NOUN\", \"VERB\", \"NOUN\", \"VERB\" }\n"
             "local memm = ml.MEMM{ c2 = 0.1 }:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(memm:predict{ { \"the\" }, { \"bark\" } })",
  MN_TAGGER_MEMBERS,
  .capabilities = MN_CLASSIFY | MN_ITERATE,
  .accepts = MN_SPARSE | MN_FACTORS | MN_RECORDS | MN_LENGTHS,
  .params = params,
  .fields = fields,
  .operations = mn_tagger_operations,
  .fit = fit,
  .predict = mn_tagger_predict,
  .log_proba = mn_tagger_log_proba,
  .export = mn_sequence_export,
};
