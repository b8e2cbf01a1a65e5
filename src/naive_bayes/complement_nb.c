/* Complement naive Bayes: the weight of a feature for class c is learned from the rows of all other classes, which are
 * more, and more alike in number, than those of c if the classes are imbalanced,
 *
 *     score_c = sum_j x_j w_cj,    w_cj = -log p_j,  p_j = (N_j - N_cj + a_j) / sum_j (N_j - N_cj + a_j),
 *
 * where N_j counts feature j in all classes. Rennie, Shih, Teevan & Karger (2003), section 3. */
#include "evidence.h"
#include "feature_counts.h"

struct complement_nb {
  mn_nb nb;
  bool norm;
  mn_matrix feature_count, feature_log_prob; /* learned fields: classes x features */
};

/* w = -log p, or divided by their sum: the weights are then log p over the sum of log p, as log p < 0. */
static void set_weights(const struct complement_nb *m, double *w)
{
  const size_t p = m->feature_count.cols;
  double sum = 0;
  for (size_t j = 0; j < p; j++) {
    if (isinf(w[j])) w[j] = 0; /* a feature without counts, nor pseudo-counts: it says nothing */
    sum += w[j];
  }
  for (size_t j = 0; j < p; j++) w[j] = !m->norm ? -w[j] : sum < 0 ? w[j] / sum : 1 / (double)p;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct complement_nb *m = self;
  const size_t k = data->classes, p = data->features;
  if (!m->feature_count.at) {
    MN_TRY(mn_matrix_init(ctx, &m->feature_count, k, p));
    MN_TRY(mn_matrix_init(ctx, &m->feature_log_prob, k, p));
  }
  mn_matrix others = { .at = MN_RAW(ctx, double, k, p), .rows = k, .cols = p };
  double *total = MN_RAW(ctx, double, p, 1), *a = MN_RAW(ctx, double, p, 1);
  if (!total || !a || !others.at) return MN_NO_MEMORY;
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  MN_TRY(mn_count_features(ctx, data, MN_COUNT_VALUES, 0, &m->feature_count));
  mn_sum_classes(&m->feature_count, total);
  mn_pseudo_counts(&m->nb, p, total, a);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) mn_row(&others, c)[j] = fmax(total[j] - mn_row(&m->feature_count, c)[j], 0);
  MN_TRY(mn_log_frequency_rows(ctx, &others, a, &m->feature_log_prob));
  for (size_t c = 0; c < k; c++) set_weights(m, mn_row(&m->feature_log_prob, c));
  return MN_OK;
}

/* Scores without priors, as in the paper. */
static mn_status scores(mn_context *ctx, const struct complement_nb *m, mn_linear_scores *out)
{
  *out = (mn_linear_scores){ .start = MN_NEW(ctx, double, m->feature_count.rows, 1), .table = &m->feature_log_prob };
  return out->start ? MN_OK : MN_NO_MEMORY;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_linear_scores s;
  MN_TRY(scores(ctx, self, &s));
  return mn_linear_score_proba(ctx, &s, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  mn_linear_scores s;
  MN_TRY(scores(ctx, self, &s));
  return action == MN_PREDICT_LOG_PROBA ? mn_linear_score_export(ctx, &s, program) : MN_OK;
}

/* The weight of a feature above the mean of its weights for the other classes. */
static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct complement_nb *m = self;
  const size_t k = m->feature_count.rows, p = m->feature_count.cols;
  mn_nb_evidence e = { .model = &m->nb.base, .title = "Log-odds of each count of a feature", .measure = MN_LOG_ODDS };
  double *total = MN_RAW(ctx, double, p, 1);
  e.value = (mn_matrix){ .at = MN_RAW(ctx, double, k, p), .rows = k, .cols = p };
  if (!total || !e.value.at) return MN_NO_MEMORY;
  mn_sum_classes(&m->feature_log_prob, total);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double own = mn_row(&m->feature_log_prob, c)[j];
      mn_row(&e.value, c)[j] = own - (total[j] - own) / (double)(k - 1);
    }
  return mn_evidence_summary(ctx, &e, options, results);
}

static const mn_operation operations[] = { MN_LOG_ODDS_OPERATION(summary), { .name = NULL } };

static const mn_param params[] = {
  MN_PENALTY(mn_nb, alpha, 1, MN_GREATER_THAN(0), "pseudo-count of each feature; not used if m is given"),
  MN_REAL(mn_nb, m, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "m-estimate: number of pseudo-counts, split by prior_estimate; nil: alpha for each feature"),
  MN_CHOICE(mn_nb, prior_estimate, MN_PRIOR_UNIFORM, mn_prior_estimates,
            "how m is split: equally (uniform), or by the frequencies in all classes (marginal)"),
  MN_FLAG(struct complement_nb, norm, false, "divide the weights of each class by their sum"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_nb, class_count, "classes", "number of rows (sum of sample weights) of each class"),
  MN_VECTOR(mn_nb, class_log_prior, "classes", NULL),
  MN_MATRIX(struct complement_nb, feature_count, "classes x features", "sum of each feature in each class"),
  MN_MATRIX(struct complement_nb, feature_log_prob, "classes x features", "weight of each feature for each class"),
  MN_END,
};

const mn_class mn_complement_nb = {
  .name = "ComplementNB",
  .family = "bayes",
  .brief = "Naive Bayes for counts, learned from the other classes: for imbalanced data.",
  .objective = "score_c = sum_j x_j w_cj, w_cj = -log of the smoothed frequency of j in all classes but c",
  .source = "Rennie, Shih, Teevan & Karger, Tackling the Poor Assumptions of Naive Bayes Text Classifiers (2003)",
  .notes =
      "Priors are not used, as in the paper; scikit-learn uses them for a single class only. norm = true gives the "
      "paper's WCNB, without which weights are those of CNB. The paper also transforms counts: use TfidfTransformer "
      "before. Probabilities are normalized scores, good for ranking only. alpha is as in MultinomialNB but must be "
      "above 0.",
  .example = "local words = ml.CountVectorizer{}\n"
             "local X = words:fit_transform{ 'free prize', 'see you', 'call you', 'you and me' }\n"
             "local model = ml.ComplementNB{}:fit(X, { 'spam', 'ham', 'ham', 'ham' })\n"
             "print(model:predict(words:transform{ 'free call for you' }))",
  .missing_alternatives = "BernoulliNB, CategoricalNB and MixedNB",
  .capabilities = MN_CLASSIFY | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_NON_NEGATIVE,
  .size = sizeof(struct complement_nb),
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_FIT_IN_BATCHES(partial_fit),
  .log_proba = log_proba,
  .export = export,
};
