/* Multivariate adaptive regression splines: y as a sum of products of hinge functions,
 *
 *     f(x) = sum_m b_m prod_j h_mj(x_j),     h(x) = max(0, x - t), max(0, t - x) or x itself.
 *
 * A forward pass adds basis functions (terms) in pairs and a backward pass removes them one by one, down to the minimum
 * of
 *
 *     GCV = RSS / (n (1 - C / n)^2),     C = terms + penalty (terms - 1) / 2.
 *
 * Friedman, Ann. Statist. 19 (1991); Fast MARS, Stanford LCS 110 (1993), for the order in which parents are tried.
 * Details that the papers leave open (where knots may lie, when the forward pass ends) follow the documentation of R's
 * earth. */
#ifndef MN_PIECEWISE_MARS_H
#define MN_PIECEWISE_MARS_H
#include "../model/operation.h"

/* The factor of a column in a term. */
enum { MN_MARS_BELOW = -1, MN_MARS_ABSENT = 0, MN_MARS_ABOVE = 1, MN_MARS_LINEAR = 2 };

/* Why the forward pass ended. */
enum { MN_MARS_FULL, MN_MARS_THRESH, MN_MARS_PERFECT, MN_MARS_BAD_GCV, MN_MARS_NOTHING, MN_MARS_STOPPED };

struct mn_mars_model {
  mn_estimator base;
  int64_t degree, nk, minspan, endspan, fast_k, nprune, pmethod; /* parameters */
  double penalty, thresh, newvar_penalty, fast_beta, adjust_endspan;
  mn_feature_list linpreds;
  bool auto_linpreds, scale_y;
  mn_matrix dirs, cuts;      /* of all terms of the forward pass, the intercept first */
  mn_indexes selected_terms; /* terms kept by the backward pass, ascending */
  mn_matrix prune_terms;     /* the best subsets of 1, 2, ... terms: 1 for each term in it */
  mn_vector rss_per_subset, gcv_per_subset;
  mn_matrix coef; /* targets x terms */
  double rss, rsq, gcv, grsq;
  int64_t ended;
};

/* The parameters, with defaults that depend on the data filled in. */
typedef struct mn_mars_settings {
  size_t degree, max_terms, fast_k, p;
  double minspan, endspan, adjust_endspan, thresh, penalty, newvar_penalty, fast_beta;
  const bool *linear; /* p: the column enters without knots */
  bool auto_linear;
} mn_mars_settings;

/* Terms and an orthonormal basis of their span. All scratch.
 *
 *   terms     number of terms; the first is the intercept
 *   dirs      max_terms x p, like cuts
 *   value     max_terms x n: the values of each term
 *   ortho     n x ld: for each row the residuals of the targets, then an orthonormal column for each term; zeros after
 *   triangle  max_terms x max_terms: value of term k = sum_l ortho_l triangle[l][k]
 *   scores    max_terms x targets: products of the orthonormal columns with y */
typedef struct mn_mars_basis {
  const mn_data *data;
  size_t n, p, targets, ld, max_terms, terms;
  const double *w; /* n: sample weights */
  double total;    /* their sum    */
  double *dirs, *cuts, *value, *ortho, *triangle, *scores;
  double *product, *column; /* workspace: ld and n */
  double rss0, rss;         /* of the intercept alone; of all terms: summed over targets */
  int64_t ended;
} mn_mars_basis;

/* GCV for a number of terms; infinite if there are more parameters than rows. */
double mn_mars_gcv(double penalty, double total, double rss, size_t terms);

/* The forward pass.
 *
 *   y  n x targets, centered */
mn_status mn_mars_forward(mn_context *ctx, const mn_data *data, const mn_matrix *y, const mn_mars_settings *settings,
                          mn_mars_basis *b);

/* Start with the intercept. Then add the product of a parent and a hinge; returns false if it is linearly dependent. */
mn_status mn_mars_basis_init(mn_context *ctx, const mn_data *data, const mn_matrix *y, size_t max_terms,
                             mn_mars_basis *out);
bool mn_mars_basis_add(mn_mars_basis *b, size_t parent, size_t column, int dir, double knot);

/* Rescale the targets after the terms have been found, each by its factor. */
void mn_mars_basis_rescale(mn_mars_basis *b, const double *scale);

/* The backward pass.
 *
 *   prefixes  also consider the first k of the remaining terms, for all k
 *   rss       out: terms; of the best subsets found with 1, 2, ... terms
 *   member    out, zeroed: terms x terms; 1 if the subset with 1, 2, ... terms has a term */
mn_status mn_mars_backward(mn_context *ctx, const mn_mars_basis *b, bool prefixes, double *rss, double *member);

/* Least squares on a subset.
 *
 *   member  terms: 1 or 0
 *   coef    out: targets x size of the subset, in the order of the terms */
mn_status mn_mars_solve(mn_context *ctx, const mn_mars_basis *b, const double *member, double *coef);

/* The operations summary and evimp. */
extern const mn_operation mn_mars_operations[];

#endif
