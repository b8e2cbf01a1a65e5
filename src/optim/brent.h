/* Root and minimum of a function of one variable.
 *
 * Brent, Algorithms for Minimization without Derivatives (1973), chapters 4 and 5. */
#ifndef MN_OPTIM_BRENT_H
#define MN_OPTIM_BRENT_H
#include "../core/context.h"

typedef double (*mn_function)(void *user, double x);

/* x between a and b with f(x) = 0.
 *
 *   a, b       f(a) and f(b) must have opposite signs, or one of them is 0
 *   tolerance  absolute error of x, beyond rounding; 0: full double precision
 *   root       out
 *
 * MN_BAD_ARGUMENT when the signs are the same or a value is NaN. About 10 evaluations. */
mn_status mn_brent_root(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *root);

/* A local minimum of f between a and b: the global one if f is unimodal.
 *
 *   tolerance  absolute error of x; the attainable relative error is the square root of double precision
 *   value      out, may be NULL: f(x)
 *
 * NaN counts as +infinity; MN_BAD_ARGUMENT when a or b is not finite. About 20 evaluations. */
mn_status mn_brent_minimize(mn_context *ctx, mn_function f, void *user, double a, double b, double tolerance, double *x,
                            double *value);

#endif
