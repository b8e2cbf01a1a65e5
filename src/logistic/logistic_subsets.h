/* Logistic regression with an L2 penalty, two classes and many rows, for several subsets of the rows at once: each
 * evaluation of all objectives reads X once. For each subset s minimize over b and c
 *
 *     F_s(b, c) = C sum_i loss(y_i, x_i b + c) + 1/2 |b|^2,    i over the rows of s
 *
 * by BFGS in the limited-memory form, from the solution of a sample of its rows and with the Hessian there. The result
 * of a subset does not depend on the others. */
#ifndef MN_LOGISTIC_LOGISTIC_SUBSETS_H
#define MN_LOGISTIC_LOGISTIC_SUBSETS_H
#include "../model/class.h"
#include "logistic_objective.h"

enum { MN_LOGISTIC_SUBSET_STEPS = 24 }; /* at most; where these are not enough, a single fit takes other ways */

typedef struct mn_logistic_solution {
  double *b, c;      /* p, in scratch                                         */
  mn_report *report; /* of the model, in: may be empty                        */
  bool found;        /* false: the steps did not descend, or too slowly       */
} mn_logistic_solution;

/* Minimize the objective o for the rows subset[s] of o->data, which has no weights, until a step lowers it by at most
 * the share `tol`, s = 0..n-1. A solution that is not found is left to the solver of a single fit. */
mn_status mn_logistic_fit_subsets(mn_context *ctx, const mn_logistic_objective *o, const mn_row_list *subset, size_t n,
                                  double tol, mn_logistic_solution *solution);

#endif
