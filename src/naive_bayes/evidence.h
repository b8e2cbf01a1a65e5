/* What speaks for each class of a naive Bayes classifier: summary().
 *
 * The evidence of a value v for class c is the change of the log-odds of c when v is seen,
 *
 *     log p(v | c) / p(v | not c),    p(v | not c) = sum_{d != c} prior_d p(v | d) / sum_{d != c} prior_d.
 *
 * Good, Probability and the Weighing of Evidence (1950). The evidence of a column is its mean over the rows of c, the
 * Kullback-Leibler divergence of p(. | not c) from p(. | c). */
#ifndef MN_NAIVE_BAYES_EVIDENCE_H
#define MN_NAIVE_BAYES_EVIDENCE_H
#include "../model/operation.h"

#define MN_LOG_ODDS "evidence.log_odds"       /* of values  */
#define MN_INFORMATION "evidence.information" /* of columns */

/* Evidence of n values or columns for each class. */
typedef struct mn_nb_evidence {
  const mn_estimator *model;
  const char *title;        /* of the printed table                                               */
  const char *measure;      /* MN_LOG_ODDS or MN_INFORMATION                                      */
  mn_matrix value;          /* classes x n                                                        */
  const int32_t *feature;   /* n: features, 0-based; NULL: 0, 1, ...                          */
  const char *const *level; /* n: values of the features; or NULL                             */
} mn_nb_evidence;

/* Options of the operation summary. */
typedef struct mn_evidence_options {
  int64_t top;
} mn_evidence_options;
extern const mn_param mn_evidence_params[];

/* Log-odds of n values from their log probabilities, classes x n; scratch. */
mn_status mn_log_odds(mn_context *ctx, const mn_vector *log_prior, const mn_matrix *log_p, mn_matrix *out);

/* The Kullback-Leibler divergence of the normal distribution with mean m2 and variance v2 from that with m1 and v1. */
double mn_normal_information(double m1, double v1, double m2, double v2);

/* w (k x k, scratch): w[c, d] = prior_d / sum of the priors of classes other than c; 0 for d = c. */
mn_status mn_other_priors(mn_context *ctx, const mn_vector *log_prior, double **w);

/* The largest evidence for each class, as a Frame and as text. */
mn_status mn_evidence_summary(mn_context *ctx, const mn_nb_evidence *e, const void *options, mn_results *results);

#define MN_EVIDENCE_OPERATION(run_, brief_, returns_)                                                                  \
  {                                                                                                                    \
    .name = "summary", .brief = (brief_), .returns = (returns_), .options = mn_evidence_params,                        \
    .options_size = sizeof(mn_evidence_options), .run = (run_)                                                         \
  }
#define MN_LOG_ODDS_OPERATION(run_)                                                                                    \
  MN_EVIDENCE_OPERATION(run_, "the features with the largest log-odds for each class",                                 \
                        "evidence (Frame: class, column, feature, log_odds); prints as a table")
#define MN_INFORMATION_OPERATION(run_)                                                                                 \
  MN_EVIDENCE_OPERATION(run_, "the columns that speak most for each class: their mean log-odds over its rows",         \
                        "evidence (Frame: class, column, feature, information); prints as a table")

#endif
