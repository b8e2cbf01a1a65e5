/* Multivariate adaptive regression splines: y as a sum of products of hinges,
 *
 *     f(x) = sum_m b_m prod_j h_mj(x_j),     h(x) = max(0, x - t), max(0, t - x) or x itself,
 *
 * where a forward pass adds terms in pairs and a backward pass takes them away one by one, up to the least
 *
 *     GCV = RSS / (n (1 - C / n)^2),     C = terms + penalty (terms - 1) / 2.
 *
 * Friedman, Ann. Statist. 19 (1991); Fast MARS, Stanford LCS 110 (1993), for the order in which parents are tried.
 * Rules that the papers leave open (where knots may lie, when the forward pass ends) are those that R's earth
 * documents. */
#ifndef MN_PIECEWISE_MARS_H
#define MN_PIECEWISE_MARS_H
#include "../model/operation.h"

/* What a column does in a term. */
enum { MN_MARS_BELOW = -1, MN_MARS_ABSENT = 0, MN_MARS_ABOVE = 1, MN_MARS_LINEAR = 2 };

/* Why the forward pass ended. */
enum { MN_MARS_FULL, MN_MARS_THRESH, MN_MARS_PERFECT, MN_MARS_BAD_GCV, MN_MARS_NOTHING, MN_MARS_STOPPED };

struct mn_mars_model {
  mn_estimator base;
  int64_t degree, nk, minspan, endspan, fast_k, nprune, pmethod; /* what the user sets */
  double penalty, thresh, newvar_penalty, fast_beta, adjust_endspan;
  mn_vector linpreds;
  bool auto_linpreds, scale_y;
  mn_matrix dirs, cuts;      /* of all terms of the forward pass, the constant first          */
  mn_indexes selected_terms; /* those that the backward pass left, ascending                  */
  mn_matrix prune_terms;     /* the subsets with 1, 2, ... terms: 1 for each term in it       */
  mn_vector rss_per_subset, gcv_per_subset;
  mn_matrix coef; /* targets x terms */
  double rss, rsq, gcv, grsq;
  int64_t ended;
};

/* The settings, with defaults that hang on the data. */
typedef struct mn_mars_rule {
  size_t degree, most_terms, fast_k, p;
  double minspan, endspan, adjust_endspan, thresh, penalty, newvar_penalty, fast_beta;
  const bool *linear; /* p: enters without knots */
  bool auto_linear;
} mn_mars_rule;

/* Terms and the orthonormal columns that span them. All scratch.
 *
 *   terms     how many there are, the constant being the first
 *   dirs      most_terms x p, and cuts alike
 *   value     most_terms x n: the terms in the rows
 *   span      n x ld: of each row the residuals of the targets, then an orthonormal column for each term; zeros after
 *   triangle  most_terms x most_terms: value of term k = sum_l span_l triangle[l][k]
 *   scores    most_terms x targets: products of the orthonormal columns with y */
typedef struct mn_mars_basis {
  const mn_data *data;
  size_t n, p, targets, ld, most_terms, terms;
  const double *w; /* n: weights   */
  double total;    /* their sum    */
  double *dirs, *cuts, *value, *span, *triangle, *scores;
  double *along, *column; /* workspace: ld and n */
  double rss0, rss;       /* of the constant, and of all terms: summed over targets */
  int64_t ended;
} mn_mars_basis;

/* GCV of so many terms; infinite where there are more parameters than rows. */
double mn_mars_gcv(double penalty, double total, double rss, size_t terms);

/* The terms of the forward pass. y: n x targets, what is to be fitted. */
mn_status mn_mars_forward(mn_context *ctx, const mn_data *data, const mn_matrix *y, const mn_mars_rule *rule,
                          mn_mars_basis *b);

/* Begin with the constant; add a product of a parent with a hinge, unless the others determine it (false). */
mn_status mn_mars_basis_begin(mn_context *ctx, const mn_data *data, const mn_matrix *y, size_t most_terms,
                              mn_mars_basis *out);
bool mn_mars_basis_add(mn_mars_basis *b, size_t parent, size_t column, int dir, double cut);

/* The targets in other units, once the terms are there: each times its scale. */
void mn_mars_basis_rescale(mn_mars_basis *b, const double *scale);

/* The backward pass.
 *
 *   heads   the first terms of those that are left compete too
 *   rss     out: terms; of the best subsets seen with 1, 2, ... terms
 *   member  out, zeroed: terms x terms; 1 where the subset with 1, 2, ... terms has a term */
mn_status mn_mars_backward(mn_context *ctx, const mn_mars_basis *b, bool heads, double *rss, double *member);

/* Least squares on a subset.
 *
 *   member  terms: 1 or 0
 *   coef    out: targets x size of the subset, in the order of the terms */
mn_status mn_mars_solve(mn_context *ctx, const mn_mars_basis *b, const double *member, double *coef);

/* The operations summary and evimp. */
extern const mn_operation mn_mars_operations[];

#endif
