/* Selects columns by the p-values of univariate tests.
 *
 *   SelectFpr   p_j < alpha                                  false positive rate
 *   SelectFdr   p_j <= max { p_(i) : p_(i) <= alpha i / n }  false discovery rate (Benjamini & Hochberg)
 *   SelectFwe   p_j < alpha / n                              family-wise error (Bonferroni)
 *
 * p_(1) <= .. <= p_(n) are the sorted p-values of n columns. */
#include "../stats/argsort.h"
#include "univariate.h"

struct select_p_values {
  mn_univariate univariate;
  double alpha;
};

static mn_status keep_columns(mn_context *ctx, struct select_p_values *m, const bool *keep)
{
  char number[MN_NUMBER_SIZE];
  MN_TRY(mn_selection_init(ctx, keep, m->univariate.pvalues.size, &m->univariate.selector.support));
  if (m->univariate.selector.support.size > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "%s: X must have a column that is significant for alpha = %s, got none; increase alpha or use "
                 "SelectKBest",
                 m->univariate.selector.base.class->name, mn_format_number(number, m->alpha));
}

/* Keep the columns with p < limit, or p <= limit. */
static mn_status keep_below(mn_context *ctx, struct select_p_values *m, double limit, bool or_equal)
{
  const mn_vector *p = &m->univariate.pvalues;
  bool *keep = MN_NEW(ctx, bool, p->size, 1);
  MN_CHECK_ALLOC(keep);
  for (size_t j = 0; j < p->size; j++) keep[j] = p->at[j] < limit || (or_equal && p->at[j] <= limit);
  return keep_columns(ctx, m, keep);
}

static mn_status fit_fpr(mn_context *ctx, void *self, const mn_data *data)
{
  struct select_p_values *m = self;
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  return keep_below(ctx, m, m->alpha, false);
}

static mn_status fit_fdr(mn_context *ctx, void *self, const mn_data *data)
{
  struct select_p_values *m = self;
  const size_t n = data->features;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  double limit = -1; /* none */
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  const double *p = m->univariate.pvalues.at;
  MN_TRY(mn_argsort(ctx, n, p, 1, order));
  for (size_t i = 0; i < n; i++)
    if (p[order[i]] <= m->alpha / (double)n * (double)(i + 1)) limit = p[order[i]];
  return keep_below(ctx, m, limit, true);
}

static mn_status fit_fwe(mn_context *ctx, void *self, const mn_data *data)
{
  struct select_p_values *m = self;
  MN_TRY(mn_univariate_score(ctx, &m->univariate, data));
  return keep_below(ctx, m, m->alpha / (double)data->features, false);
}

static const mn_param fpr_params[] = {
  MN_TEST_SCORE_FUNCS,
  MN_REAL(struct select_p_values, alpha, 0.05, MN_LEFT_OPEN(0, 1), "keep columns whose p-value is below this"),
  MN_END,
};

static const mn_param fdr_params[] = {
  MN_TEST_SCORE_FUNCS,
  MN_REAL(struct select_p_values, alpha, 0.05, MN_LEFT_OPEN(0, 1),
          "bound on the expected fraction of kept columns without effect"),
  MN_END,
};

static const mn_param fwe_params[] = {
  MN_TEST_SCORE_FUNCS,
  MN_REAL(struct select_p_values, alpha, 0.05, MN_LEFT_OPEN(0, 1),
          "bound on the probability of keeping any column without effect"),
  MN_END,
};

static const mn_field fields[] = { MN_UNIVARIATE_FIELDS, MN_END };

#define NOTES                                                                                                          \
  "It is an error if no column is significant; scikit-learn warns and selects none. Scores and weights are as in "     \
  "SelectKBest."
#define EXAMPLE(name)                                                                                                  \
  "local X, y = ml.read_csv \"examples/data/iris.csv\":split \"species\"\n"                                            \
  "local kept = ml." name "{}:fit(X, y)\n"                                                                             \
  "print(kept.pvalues, table.concat(kept:output_names(), \" \"))"

#define P_VALUES_CLASS                                                                                                 \
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT, .accepts = MN_WEIGHTS | MN_Y_REALS | MN_Y_LABELS,               \
  .size = sizeof(struct select_p_values), .fields = fields, MN_UNIVARIATE_CLASS

const mn_class mn_select_fpr = {
  .name = "SelectFpr",
  .family = "preprocess",
  .brief = "Selects the columns whose test has a p-value below alpha.",
  .objective = "keep j where p_j < alpha",
  .source = "Guyon & Elisseeff, JMLR 3 (2003)",
  .notes = NOTES,
  .example = EXAMPLE("SelectFpr"),
  .params = fpr_params,
  .fit = fit_fpr,
  P_VALUES_CLASS,
};

const mn_class mn_select_fdr = {
  .name = "SelectFdr",
  .family = "preprocess",
  .brief = "Selects columns with a bound on the expected false discovery rate.",
  .objective = "keep the i smallest p-values, with the largest i such that p_(i) <= alpha i / n",
  .source = "Benjamini & Hochberg, JRSS B 57 (1995)",
  .notes = NOTES,
  .example = EXAMPLE("SelectFdr"),
  .params = fdr_params,
  .fit = fit_fdr,
  P_VALUES_CLASS,
};

const mn_class mn_select_fwe = {
  .name = "SelectFwe",
  .family = "preprocess",
  .brief = "Selects columns with a bound on the family-wise error rate.",
  .objective = "keep j where p_j < alpha / n",
  .source = "Bonferroni (1936)",
  .notes = NOTES,
  .example = EXAMPLE("SelectFwe"),
  .params = fwe_params,
  .fit = fit_fwe,
  P_VALUES_CLASS,
};
