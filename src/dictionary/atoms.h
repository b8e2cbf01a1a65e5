/* The steps of dictionary learning, which minimizes over codes B (n x k) and atoms D (k x p) of norm at most 1
 *
 *     1/2 |X - B D|^2 + alpha |B|_1
 *
 * in turn: codes by the lasso, then one atom after the other by its exact minimum.
 *
 * Mairal, Bach, Ponce & Sapiro, J. Mach. Learn. Res. 11 (2010). */
#ifndef MN_DICTIONARY_ATOMS_H
#define MN_DICTIONARY_ATOMS_H
#include "../core/rng.h"
#include "../model/class.h"
#include "sparse_code.h"

enum { MN_FIT_LARS, MN_FIT_CD };
extern const char *const mn_fit_algorithms[];

typedef struct mn_atoms {
  size_t n, p, k;
  const double *x;  /* n x p */
  double *atoms;    /* k x p */
  double *code;     /* n x k */
  double *products; /* n x k: workspace */
  double *gram;     /* k x k: workspace */
  double *residual; /* n x p: workspace */
  double *a, *b;    /* k x k, k x p: B'B and B'X */
  mn_code_settings coding;
  bool positive; /* atoms >= 0 */
  mn_rng rng;    /* for atoms that no code uses */
} mn_atoms;

/* Workspace for at most n rows. Sizes, coding and positive are set. */
mn_status mn_atoms_init(mn_context *ctx, mn_atoms *s);

/* The lasso with the penalty alpha. */
mn_code_settings mn_atoms_coding(int64_t fit_algorithm, double alpha, bool positive, size_t max_iter);

/* Atoms S V' of the singular value decomposition of X, with the sign for which the element of u of largest magnitude is
 * positive; 0 for more atoms than min(n, p). `given`, unless empty, is used instead: it must be k x p. */
mn_status mn_atoms_start(mn_context *ctx, mn_atoms *s, const char *class, const mn_matrix *given);

/* The codes of X. */
mn_status mn_atoms_code(mn_context *ctx, mn_atoms *s);

/* The objective. */
mn_status mn_atoms_objective(mn_context *ctx, mn_atoms *s, double *objective);

/* Add those of the present codes to A and B: A = keep A + scale B'B. */
mn_status mn_atoms_statistics(mn_context *ctx, mn_atoms *s, double keep, double scale);

/* The atoms from A and B. An atom without use becomes a row of X with some noise, and its codes become 0. */
mn_status mn_atoms_update(mn_context *ctx, mn_atoms *s);

/* Codes and atoms in turn, until an iteration lowers the objective by at most tol of its value. */
mn_status mn_atoms_alternate(mn_context *ctx, mn_atoms *s, mn_report *report, int64_t max_iter, double tol,
                             double *objective);

#endif
