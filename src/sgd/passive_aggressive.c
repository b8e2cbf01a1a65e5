/* Passive-aggressive steps: a row with zero loss changes nothing, any other moves the coefficients just far enough to
 * make its loss 0, and no further than C allows. With the loss l of a row at the coefficients b,
 *
 *     PA-I:   b := b + min(C, l / |x|^2) s x,          minimizes |b' - b|^2 / 2 + C l(b')
 *     PA-II:  b := b + l / (|x|^2 + 1 / (2 C)) s x,    minimizes |b' - b|^2 / 2 + C l(b')^2
 *
 * where s is y = -1 or 1 of a classifier, and the sign of y - z of a regressor. The intercept moves by the same length.
 * Crammer, Dekel, Keshet, Shalev-Shwartz & Singer, JMLR 7 (2006), sections 3 and 5. */
#include "sgd.h"
#include "../linear/coef_summary.h"

static const char *const hinges[] = { "hinge", "squared_hinge", NULL };
static const char *const tubes[] = { "epsilon_insensitive", "squared_epsilon_insensitive", NULL };

/* C is the eta0 of the schedules pa1 and pa2. */
#define C_PARAM                                                                                                        \
  {                                                                                                                    \
    .name = "C", .kind = MN_KIND_REAL, .offset = offsetof(mn_sgd, eta0), .initial = 1, MN_GREATER_THAN(0),             \
    .penalty = true, .brief = "aggressiveness, the limit of a step; use small values for noisy rows"                   \
  }

static const mn_param classifier_params[] = {
  C_PARAM,
  MN_CHOICE(mn_sgd, loss, 0, hinges, "hinge (PA-I) or squared_hinge (PA-II)"),
  MN_SGD_ROUND_PARAMS,
  MN_SGD_AVERAGE_PARAM,
  MN_SGD_END_PARAMS,
  MN_END,
};

static const mn_field classifier_fields[] = {
  MN_SGD_FIELDS("decisions"),
  MN_END,
};

static const mn_param regressor_params[] = {
  C_PARAM,
  MN_CHOICE(mn_sgd, loss, 0, tubes, "epsilon_insensitive (PA-I) or squared_epsilon_insensitive (PA-II)"),
  MN_REAL(mn_sgd, epsilon, 0.1, MN_AT_LEAST(0), "errors up to this size cause no step, in units of y"),
  MN_SGD_ROUND_PARAMS,
  MN_SGD_AVERAGE_PARAM,
  MN_SGD_END_PARAMS,
  MN_END,
};

static const mn_field regressor_fields[] = {
  MN_SGD_FIELDS("targets"),
  MN_END,
};

#define SOURCE "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer, JMLR 7 (2006)"
#define NOTES                                                                                                                                               \
  "PA-I steps by min(C, l / |x|^2) for the loss l of a row, PA-II by l / (|x|^2 + 1 / (2 C)). The intercept moves by the same length, as in scikit-learn. " \
  "Row weights multiply C. Scale the columns first. "

const mn_class mn_passive_aggressive_classifier = {
  .name = "PassiveAggressiveClassifier",
  .family = "linear",
  .brief = "Online linear classifier that corrects each row with the smallest step.",
  .objective = "min |b' - b|^2 / 2 + C max(0, 1 - y (x b' + c')) at each row, y = -1 or 1; or with the loss squared",
  .source = SOURCE,
  .notes = NOTES "Equivalent: SGDClassifier { learning_rate = 'pa1' or 'pa2', penalty = 'none', eta0 = C }.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "print(ml.PassiveAggressiveClassifier{}:fit(X, y):predict{ {-3}, {3} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_CLASS_WEIGHT,
  .params = classifier_params,
  .fields = classifier_fields,
  MN_SGD_CLASSIFIER,
  .export = mn_sgd_export_scores,
};

const mn_class mn_passive_aggressive_regressor = {
  .name = "PassiveAggressiveRegressor",
  .family = "linear",
  .brief = "Online linear regression that corrects each row with the smallest step.",
  .objective = "min |b' - b|^2 / 2 + C max(0, |y - x b' - c'| - epsilon) at each row; or with the loss squared",
  .source = SOURCE,
  .notes = NOTES
  "Equivalent: SGDRegressor { loss = 'epsilon_insensitive', learning_rate = 'pa1' or 'pa2', penalty = 'none', eta0 = C }.",
  .example = "local X = { {-1}, {0}, {1}, {2} }\n"
             "local model = ml.PassiveAggressiveRegressor{ epsilon = 0.01 }:fit(X, { -2, 1, 4, 7 })\n"
             "print(model:predict{ {3} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_MULTITARGET,
  .params = regressor_params,
  .fields = regressor_fields,
  MN_SGD_REGRESSOR,
};
