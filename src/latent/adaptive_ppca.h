/* Probabilistic PCA whose rows use few of the axes each:
 *
 *     x | S ~ N(mean, sum_{k in S} w_k w_k' + noise I),   P(S) = weight_S,   S: n_active of n_components axes.
 *
 * With b = W (x - mean) and M_S = W_S W_S' + noise I, of n_active rows,
 *
 *     log p(x | S) = -(p log(2 pi) + (p - n_active) log noise + log |M_S| + (|x - mean|^2 - b_S' inv(M_S) b_S) / noise)
 * / 2 z_S | x, S ~ N(inv(M_S) b_S, noise inv(M_S)). */
#ifndef MN_LATENT_ADAPTIVE_PPCA_H
#define MN_LATENT_ADAPTIVE_PPCA_H
#include "../model/class.h"
#include "../model/operation.h"

struct adaptive_ppca {
  mn_estimator base;
  int64_t n_components, n_active, max_iter, n_init, seed; /* parameters */
  double tol;
  mn_matrix components; /* learned fields: components x features */
  mn_matrix subsets;    /* subsets x components                   */
  mn_vector mean, weights;
  double noise_variance, loglike, aic, bic, n;
  int64_t n_parameters;
};

/* The subsets of `active` of k components in lexicographic order, and what the densities of a state need. */
typedef struct mn_subsets {
  size_t k, active, count;
  int32_t *member; /* count x active, ascending                       */
  double *inverse; /* count x active x active: inv(M_S)               */
  double *log;     /* count: the terms of log p(x, S) without the row */
} mn_subsets;

enum { MN_MAX_SUBSETS = 10000 };

/* k choose active, or MN_MAX_SUBSETS + 1 if there are more. */
size_t mn_subset_count(size_t k, size_t active);

/* Allocate and list. `inverse` and `log` are not set. */
mn_status mn_subsets_init(mn_context *ctx, size_t k, size_t active, mn_subsets *s);

/* The position of `members` (ascending) in the list. */
size_t mn_subset_rank(const mn_subsets *s, const int32_t *members);

/* Set `inverse` and `log` from w (k x p), noise and weights. */
mn_status mn_subsets_prepare(mn_context *ctx, const mn_subsets *s, size_t p, const double *w, double noise,
                             const double *weight);

/* The posterior of a row with b = W (x - mean) and square = |x - mean|^2.
 *
 *   log_proba  out (count): log P(S | x)
 *
 * Returns log p(x). */
double mn_subsets_row(const mn_subsets *s, double noise, const double *b, double square, double *log_proba);

/* z = E{z_S | x, S}, n_active values. */
void mn_subset_mean(const mn_subsets *s, size_t subset, const double *b, double *z);

mn_status mn_adaptive_ppca_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_ppca_score(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_adaptive_ppca_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_adaptive_ppca_inverse(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_adaptive_ppca_assign(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);
mn_status mn_adaptive_ppca_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results);
mn_status mn_adaptive_ppca_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif
