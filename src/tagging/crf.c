/* Linear-chain conditional random field. Minimize
 *
 *     -sum_s log p(y_s | x_s) + c1 |w|_1 + c2 |w|^2,     p(y | x) = exp(score(x, y)) / Z(x)
 *
 * with the score of tagger.h, as CRFsuite does. Prediction is the sequence of the highest score (Viterbi);
 * predict_proba are the marginals of each token. */
#include "decode.h"
#include "operations.h"
#include "../sequence/sequences.h"
#include "solve.h"

enum { SOLVER_AUTO, SOLVER_LBFGS, SOLVER_OWLQN, SOLVER_SGD };
static const char *const solvers[] = { "auto", "lbfgs", "owlqn", "sgd", NULL };

static mn_status solve(mn_context *ctx, mn_tagger *m, const mn_tag_training *t)
{
  mn_likelihood o;
  double *w = MN_NEW(ctx, double, t->n, 1);
  MN_CHECK_ALLOC(w);
  MN_TRY(mn_likelihood_init(ctx, t, false, &o));
  MN_TRY(m->solver == SOLVER_SGD ? mn_tagger_sgd(ctx, t, &o, w) : mn_tagger_lbfgs(ctx, t, &o, w));
  return mn_tag_training_store(ctx, t, w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_tagger *m = self;
  mn_tag_training t;
  if (m->solver == SOLVER_LBFGS && m->c1 > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "CRF: solver 'lbfgs' needs c1 = 0; for an L1 penalty use 'owlqn' or 'sgd'");
  mn_status status = mn_tag_training_init(ctx, m, data, true, &t);
  if (status == MN_OK) status = solve(ctx, m, &t);
  mn_tokens_free(ctx, &t.tokens);
  return status;
}

static const mn_param params[] = {
  MN_TAGGER_SEQUENCE_TEMPLATE,
  MN_CHOICE(mn_tagger, solver, SOLVER_AUTO, solvers,
            "auto is lbfgs, or owlqn if c1 > 0; sgd takes the sequences one by one; if c1 > 0, it ends "
            "a few percent above the minimum"),
  MN_TAGGER_PENALTIES,
  MN_TAGGER_STATES,
  MN_TAGGER_TRANSITIONS,
  MN_COUNT(mn_tagger, max_iter, 1000, MN_CLOSED(1, 1e9), "maximum number of iterations; of sgd: passes over X"),
  MN_REAL(mn_tagger, tol, 5e-7, MN_AT_LEAST(0), "stop when an iteration decreases the objective by less, relatively"),
  MN_REAL(mn_tagger, eta0, 0.1, MN_GREATER_THAN(0),
          "first learning rate of sgd, which is halved until it decreases the "
          "objective of a sample"),
  MN_SEED(mn_tagger, seed),
  MN_END,
};

static const mn_field fields[] = { MN_TAGGER_SEQUENCE_FIELDS, MN_END };

const mn_class mn_crf = {
  .name = "CRF",
  .brief = "Conditional random field: tags of sequences, chosen jointly.",
  .objective = "-sum_s log p(y_s | x_s) + c1 |w|_1 + c2 |w|^2",
  .source = "Lafferty, McCallum & Pereira (ICML 2001); Okazaki, CRFsuite (2007)",
  .notes =
      "X: a list with the features of each token, { \"w=the\", \"suffix=he\" } or { w = \"the\" }; or a Frame, with "
      "column=text or the template as features. The option lengths gives the tokens of each sequence. "
      "Features that fit has not seen are ignored. predict finds the best sequence, predict_proba the marginals.",
  .example = "local X = { { \"the\" }, { \"dog\" }, { \"barks\" }, { \"dogs\" }, { \"bark\" } }\n"
             "local y = { \"DET\", \"NOUN\", \"VERB\", \"NOUN\", \"VERB\" }\n"
             "local crf = ml.CRF{ c2 = 0.1 }:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(crf:predict{ { \"the\" }, { \"bark\" } })",
  MN_TAGGER_MEMBERS,
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_SPARSE | MN_FACTORS | MN_RECORDS | MN_LENGTHS,
  .params = params,
  .fields = fields,
  .operations = mn_tagger_operations,
  .fit = fit,
  .predict = mn_tagger_predict,
  .log_proba = mn_tagger_log_proba,
  .export = mn_sequence_export,
};
