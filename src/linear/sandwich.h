/* Robust covariance matrices of coefficients, the sandwich C M C with C of information.h and a matrix M estimated from
 * the scores u_i x_i of the rows, u_i the derivative of the log-likelihood by the linear predictor (the residual in
 * least squares):
 *
 *     HC0         sum_i u_i^2 x_i x_i'; with leverage h_i and k coefficients
 *     HC1         HC0 times n / (n - k)
 *     HC2, HC3    u_i^2 divided by 1 - h_i, (1 - h_i)^2
 *     cluster     sum over groups of (sum_i u_i x_i) (sum_i u_i x_i)', times G / (G - 1) (n - 1) / (n - k)
 *     newey_west  sum over lags l up to L of 1 - l / (L + 1) times the autocovariances of u_i x_i, rows in time order
 *
 * MacKinnon & White, J. Econometrics 29 (1985); Liang & Zeger, Biometrika 73 (1986); Newey & West, Econometrica 55
 * (1987). */
#ifndef MN_LINEAR_SANDWICH_H
#define MN_LINEAR_SANDWICH_H
#include "information.h"
#include "report.h"

enum mn_covariance_kind {
  MN_COVARIANCE_CLASSICAL,
  MN_COVARIANCE_HC0,
  MN_COVARIANCE_HC1,
  MN_COVARIANCE_HC2,
  MN_COVARIANCE_HC3,
  MN_COVARIANCE_CLUSTER,
  MN_COVARIANCE_NEWEY_WEST
};
extern const char *const mn_covariance_names[]; /* for MN_CHOICE */

/* The options of operations with a choice of covariance: members of their struct. */
#define MN_COVARIANCE_OPTIONS                                                                                          \
  int64_t covariance, lags;                                                                                            \
  mn_vector groups, weights
#define MN_COVARIANCE_PARAMS(type)                                                                                     \
  MN_CHOICE(type, covariance, MN_COVARIANCE_CLASSICAL, mn_covariance_names,                                            \
            "estimate of the covariance of the coefficients; all but classical need X and y of fit. "                  \
            "HC0 to HC3, as in R's sandwich: errors of unequal variance (statsmodels' GLM gives "                      \
            "HC0 for all four); cluster: errors correlated within groups; "                                            \
            "newey_west: autocorrelated errors"),                                                                      \
      MN_ROW_LABELS(type, groups, "of cluster: a number, text or Factor level for each row, equal within a group"),    \
      MN_COUNT(type, lags, MN_UNSET, MN_AT_LEAST(0),                                                                   \
               "of newey_west: maximum lag, in rows; nil: floor(4 (n / 100)^(2/9))"),                                  \
      MN_REALS(type, weights, MN_AT_LEAST(0), "sample weights of fit, if there were any")

typedef struct mn_covariance_choice {
  int64_t kind, lags;
  const mn_vector *groups;
  size_t group_count;   /* out, of cluster */
  size_t full_leverage; /* out, of HC2 and HC3: rows of leverage 1, at which they are not defined */
} mn_covariance_choice;

/* Rows with a weight > 0, in scratch memory. */
typedef struct mn_scores {
  size_t rows, k;           /* k: coefficients                                                  */
  double *direction;        /* rows x k: C x_i                                                  */
  double *score, *leverage; /* rows: u_i, h_i                                                   */
  const double *count;      /* rows: frequency weights, or NULL                                 */
  size_t *place;            /* rows: their index in X                                           */
  double n, parameters;     /* observations; estimated coefficients, without the aliased ones   */
} mn_scores;

mn_status mn_scores_init(mn_context *ctx, size_t rows, size_t k, mn_scores *s);

/* v = C M C, k x k. df: degrees of freedom of the tests, in and out; those of cluster are groups - 1 at most, unless
 * infinite. `data_rows`: rows of X, for which there are groups. */
mn_status mn_robust_covariance(mn_context *ctx, const char *who, const mn_scores *s, size_t data_rows,
                               mn_covariance_choice *choice, double *v, double *df);

/* Wald statistic b' inv(V) b / q of the q coefficients in `list`; NaN where V is singular. */
mn_status mn_wald_statistic(mn_context *ctx, size_t k, const double *v, const double *b, size_t q, const size_t *list,
                            double *f);

/* Print which robust covariance was used; nothing for the classical one. */
void mn_print_covariance(mn_text_page *page, const mn_covariance_choice *choice);

#endif
