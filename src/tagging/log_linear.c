/* Log-linear model, or maximum entropy model, of the tag of a token. Minimize
 *
 *     -sum_t w_t log p(y_t | x_t) + c1 |w|_1 + c2 |w|^2,     p(y | x) = exp(sum_a x_a coef[a, y]) / Z(x)
 *
 * Without penalties this is the distribution of maximum entropy with the observed sums of the features. */
#include "../sequence/sequences.h"
#include "decode.h"
#include "operations.h"
#include "solve.h"

enum { SOLVER_AUTO, SOLVER_LBFGS, SOLVER_OWLQN, SOLVER_GIS, SOLVER_IIS };
static const char *const solvers[] = { "auto", "lbfgs", "owlqn", "gis", "iis", NULL };

static bool scales(const mn_tagger *m)
{
  return m->solver == SOLVER_GIS || m->solver == SOLVER_IIS;
}

static mn_status solve(mn_context *ctx, const mn_tagger *m, const mn_tag_training *t)
{
  mn_likelihood o;
  double *w = MN_NEW(ctx, double, t->n, 1);
  MN_CHECK_ALLOC(w);
  MN_TRY(mn_likelihood_init(ctx, t, true, &o));
  MN_TRY(scales(m) ? mn_tagger_scaling(ctx, t, &o, m->solver == SOLVER_IIS, w) : mn_tagger_lbfgs(ctx, t, &o, w));
  return mn_tag_training_store(ctx, t, w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_tagger *m = self;
  mn_tag_training t;
  if (m->c1 > 0 && (scales(m) || m->solver == SOLVER_LBFGS))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LogLinear: solver '%s' needs c1 = 0; for an L1 penalty use 'owlqn'",
                   solvers[m->solver]);
  mn_status status = mn_tag_training_init(ctx, m, data, false, &t);
  if (status == MN_OK) status = solve(ctx, m, &t);
  mn_tokens_free(ctx, &t.tokens);
  return status;
}

static const mn_param params[] = {
  MN_TAGGER_TEMPLATE,
  MN_CHOICE(mn_tagger, solver, SOLVER_AUTO, solvers,
            "auto is lbfgs, or owlqn if c1 > 0; gis and iis are iterative scaling, for features >= 0"),
  MN_TAGGER_PENALTIES,
  MN_TAGGER_STATES,
  MN_FLAG(mn_tagger, fit_intercept, true, "a coefficient for each class, without penalty"),
  MN_COUNT(mn_tagger, max_iter, 1000, MN_CLOSED(1, 1e9), "maximum number of iterations"),
  MN_REAL(mn_tagger, tol, 1e-6, MN_AT_LEAST(0), "stop when an iteration decreases the objective by less, relatively"),
  MN_END,
};

static const mn_field fields[] = {
  MN_TAGGER_FIELDS("the class of each coefficient"),
  MN_LEARNED(MN_KIND_MATRIX, mn_tagger, transitions, "classes? x classes?", NULL), /* always empty */
  MN_END,
};

const mn_class mn_log_linear = {
  .name = "LogLinear",
  .brief = "Maximum entropy classifier of rows with features that are strings.",
  .objective = "-sum_i log p(y_i | x_i) + c1 |w|_1 + c2 |w|^2",
  .source = "Berger, Della Pietra & Della Pietra, Computational Linguistics 22 (1996)",
  .notes = "X as for CRF; rows are independent, and lengths only bounds the rows that a template sees. "
           "LogisticRegression is the same model for columns of numbers, with C = 1 / (2 c2) and coefficients for all "
           "pairs of a feature and a class. gis and iis are of historical interest: lbfgs is faster.",
  .example = "local X = { { \"sunny\", \"weekend\" }, { \"rainy\", \"weekend\" }, { \"sunny\", \"monday\" } }\n"
             "local model = ml.LogLinear{ c2 = 0.1 }:fit(X, { \"beach\", \"museum\", \"work\" })\n"
             "print(model:predict{ { \"sunny\", \"weekend\" }, { \"rainy\", \"monday\" } })",
  MN_TAGGER_MEMBERS,
  .capabilities = MN_CLASSIFY | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_FACTORS | MN_RECORDS | MN_LENGTHS,
  .params = params,
  .fields = fields,
  .operations = mn_tagger_operations,
  .fit = fit,
  .log_proba = mn_tagger_log_proba,
  .export = mn_sequence_export,
};
