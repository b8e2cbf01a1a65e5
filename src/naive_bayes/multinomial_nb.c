/* Multinomial naive Bayes: a row holds the numbers of draws of each feature, with probabilities that depend on the
 * class,
 *
 *     log p(c | x) = log prior_c + sum_j x_j log p_cj + constant,
 *
 * with the smoothed frequencies p_cj = (N_cj + a_j) / sum_j (N_cj + a_j) of naive_bayes.h. */
#include "evidence.h"
#include "feature_counts.h"

struct multinomial_nb {
  mn_nb nb;
  mn_matrix feature_count, feature_log_prob; /* learned fields: classes x features */
};

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct multinomial_nb *m = self;
  const size_t k = data->classes, p = data->features;
  if (!m->feature_count.at) {
    MN_TRY(mn_matrix_init(ctx, &m->feature_count, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->feature_log_prob, k, p));
  }
  double *total = MN_RAW(ctx, double, p, 1), *a = MN_RAW(ctx, double, p, 1);
  if (!total || !a) return MN_NO_MEMORY;
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  MN_TRY(mn_count_features(ctx, data, MN_COUNT_VALUES, 0, &m->feature_count));
  mn_sum_classes(&m->feature_count, total);
  mn_pseudo_counts(&m->nb, p, total, a);
  return mn_log_frequency_rows(ctx, &m->feature_count, a, &m->feature_log_prob);
}

static mn_linear_scores scores(const struct multinomial_nb *m)
{
  return (mn_linear_scores){ .start = m->nb.class_log_prior.at, .table = &m->feature_log_prob };
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_linear_scores s = scores(self);
  return mn_linear_score_proba(ctx, &s, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_linear_scores s = scores(self);
  return action == MN_PREDICT_LOG_PROBA ? mn_linear_score_export(ctx, &s, program) : MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct multinomial_nb *m = self;
  mn_nb_evidence e = { .model = &m->nb.base, .title = "Log-odds of each count of a feature", .measure = MN_LOG_ODDS };
  MN_TRY(mn_log_odds(ctx, &m->nb.class_log_prior, &m->feature_log_prob, &e.value));
  return mn_evidence_summary(ctx, &e, options, results);
}

static const mn_operation operations[] = { MN_LOG_ODDS_OPERATION(summary), { .name = NULL } };

static const mn_param params[] = { MN_SMOOTHING_PARAMS, MN_CLASS_PRIOR_PARAMS, MN_END };

static const mn_field fields[] = {
  MN_NAIVE_BAYES_FIELDS,
  MN_MATRIX(struct multinomial_nb, feature_count, "classes x features", "sum of each feature in each class"),
  MN_MATRIX(struct multinomial_nb, feature_log_prob, "classes x features",
            "logarithm of the probability of each feature in each class"),
  MN_END,
};

const mn_class mn_multinomial_nb = {
  .name = "MultinomialNB",
  .family = "bayes",
  .brief = "Naive Bayes for counts, such as those of words in documents.",
  .objective = "log p(c | x) = log prior_c + sum_j x_j log p_cj, p_cj = (N_cj + alpha) / sum_j (N_cj + alpha)",
  .source = "Manning, Raghavan & Schuetze, Introduction to Information Retrieval (2008), chapter 13",
  .notes =
      "Counts may be fractions, such as tf-idf values. scikit-learn's alpha over p features is the m-estimate with "
      "m = alpha p and a uniform prior estimate. With alpha = 0 a feature that a class never had excludes the class; "
      "a row that excludes all classes has equal probabilities. Probabilities of long documents are near 0 or 1.",
  .example = "local words = ml.CountVectorizer{}\n"
             "local X = words:fit_transform{ 'free prize', 'free call', 'see you', 'call you' }\n"
             "local model = ml.MultinomialNB{}:fit(X, { 'spam', 'spam', 'ham', 'ham' })\n"
             "print(model:predict(words:transform{ 'free call for you' }))\n"
             "print(model:summary{ top = 2 })",
  .missing_alternatives = "BernoulliNB, CategoricalNB and MixedNB",
  .capabilities = MN_CLASSIFY | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_NON_NEGATIVE,
  .size = sizeof(struct multinomial_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .export = export,
};
