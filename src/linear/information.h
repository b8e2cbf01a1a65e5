/* The inverse information matrix C = inv([1 X]' W [1 X]) of a linear predictor. Covariances of the coefficients,
 * leverages and influence follow from it. */
#ifndef MN_LINEAR_INFORMATION_H
#define MN_LINEAR_INFORMATION_H
#include "../core/matrix.h"
#include "../model/operation.h"

/* C in the form that fits keep: that of the columns centered about their weighted means and divided by their norms. Its
 * coefficients are the intercept, if any, then the columns in order. */
typedef struct mn_information {
  size_t p;                  /* columns of the model                                                        */
  const int32_t *columns;    /* p: their places in a row of X; NULL: all                                    */
  const double *mean, *norm; /* p                                                                     */
  const double *inverse;     /* p x p: inverse of the Gram matrix; 0 in the rows of dependent columns */
  double total;              /* sum of the weights: the information on the intercept                  */
  bool intercept;
  const mn_indexes *dependent;  /* columns that are combinations of columns before them                  */
  const mn_matrix *combination; /* dependent x p: those combinations, of the centered columns            */
} mn_information;

/* Number of coefficients, aliased ones included. */
size_t mn_information_size(const mn_information *f);

bool mn_is_dependent(const mn_information *f, size_t column);

/* x' C x of a row of X: its leverage if it has weight 1. NaN if the model is rank-deficient and the row lies outside
 * the space of the rows of fit, so that its prediction is not determined.
 *
 *   workspace  2 p
 *   direction  coefficients, out, may be NULL: C x, how the coefficients change with the response of the row */
double mn_information_row(const mn_information *f, const double *row, double *workspace, double *direction);

/* The coefficients of the model without its dependent columns, as in R, whose own are NaN: a rank-deficient fit has
 * minimum-norm coefficients b and intercept c, which give the same fitted values. out: coefficients. */
void mn_alias_coefficients(const mn_information *f, const double *b, double c, double *out);

/* out = C, coefficients x coefficients; NaN in the rows and columns of dependent columns. */
mn_status mn_information_inverse(mn_context *ctx, const mn_information *f, double *out);

/* Set the rows and columns of dependent columns to NaN in a matrix of coefficients x coefficients. */
void mn_mask_dependent(const mn_information *f, double *matrix);

#endif
