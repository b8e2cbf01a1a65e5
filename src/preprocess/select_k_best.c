/* Selects the columns with the highest univariate scores: a number of them, or a percentage. */
#include "univariate.h"

struct select_k_best {
  mn_univariate univariate;
  int64_t k;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct select_k_best *m = self;
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  return mn_univariate_keep_best(ctx, &m->univariate, (size_t)m->k);
}

static const mn_param params[] = {
  MN_ALL_SCORE_FUNCS,
  MN_COUNT(struct select_k_best, k, 10, MN_CLOSED(1, INT32_MAX), "number of columns to keep; all if there are fewer"),
  MN_INFORMATION_PARAMS,
  MN_END,
};

static const mn_field fields[] = { MN_UNIVARIATE_FIELDS, MN_END };

const mn_class mn_select_k_best = {
  .name = "SelectKBest",
  .family = "preprocess",
  .brief = "Selects the k columns with the highest univariate test scores.",
  .objective = "keep the k columns with the highest F, chi-squared or mutual information",
  .source = "Guyon & Elisseeff, JMLR 3 (2003); Kraskov et al., Phys. Rev. E 69 (2004); Ross, PLoS ONE 9 (2014)",
  .notes = "Among equal scores the first columns are kept (the last in scikit-learn). "
           "Sample weights are frequencies, divided by their mean if it is below 1. "
           "Mutual information divides continuous columns by their standard deviation and adds noise of 1e-10 from a "
           "fixed seed, which breaks ties; it does not support sample weights.",
  .example = "local X = { {1, 5}, {2, 1}, {8, 4}, {9, 2} }\n"
             "local best = ml.SelectKBest{ k = 1 }:fit(X, {\"a\", \"a\", \"b\", \"b\"})\n"
             "print(best.scores, best:transform(X))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_Y_REALS | MN_Y_LABELS,
  .size = sizeof(struct select_k_best),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_UNIVARIATE_CLASS,
};

/* --- percentage --- */

struct select_percentile {
  mn_univariate univariate;
  double percentile;
};

/* The number of columns above the quantile 1 - percentile / 100 of distinct scores; at least one. */
static mn_status fit_percentile(mn_context *ctx, void *self, const mn_data *data)
{
  struct select_percentile *m = self;
  const double others = (double)(data->features - 1);
  const double n = m->percentile < 100 ? ceil(m->percentile * others / 100) : (double)data->features;
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  return mn_univariate_keep_best(ctx, &m->univariate, n > 1 ? (size_t)n : 1);
}

static const mn_param percentile_params[] = {
  MN_ALL_SCORE_FUNCS,
  MN_REAL(struct select_percentile, percentile, 10, MN_LEFT_OPEN(0, 100), "percentage of the columns to keep"),
  MN_INFORMATION_PARAMS,
  MN_END,
};

const mn_class mn_select_percentile = {
  .name = "SelectPercentile",
  .family = "preprocess",
  .brief = "Selects a percentage of the columns, those with the highest scores.",
  .objective = "keep the columns whose score is above the quantile 1 - percentile / 100",
  .source = "Guyon & Elisseeff, JMLR 3 (2003)",
  .notes = "Keeps ceil(percentile (p - 1) / 100) of p columns, at least one, as scikit-learn does for distinct scores. "
           "Scores, ties and weights are as in SelectKBest.",
  .example = "local X = { {1, 5, 3}, {2, 1, 3}, {8, 4, 4}, {9, 2, 3} }\n"
             "local best = ml.SelectPercentile{ percentile = 50 }:fit(X, {\"a\", \"a\", \"b\", \"b\"})\n"
             "print(best.scores, best:transform(X))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_Y_REALS | MN_Y_LABELS,
  .size = sizeof(struct select_percentile),
  .params = percentile_params,
  .fields = fields,
  .fit = fit_percentile,
  MN_UNIVARIATE_CLASS,
};
