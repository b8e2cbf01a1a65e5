/* Starts of multidimensional scaling, of which the best is kept. */
#ifndef MN_MANIFOLD_SCALING_STARTS_H
#define MN_MANIFOLD_SCALING_STARTS_H
#include "smacof.h"

enum { MN_SCALING_CLASSICAL, MN_SCALING_RANDOM };
extern const char *const mn_scaling_starts_names[];

typedef struct mn_scaling_starts {
  const double *given; /* n x k coordinates to start from, or NULL           */
  int64_t init;        /* else MN_SCALING_CLASSICAL, or MN_SCALING_RANDOM: best  */
  int64_t n_init;      /* of n_init runs, from normal coordinates            */
  int64_t seed;
} mn_scaling_starts;

/* Check n_components = k and the parameter start for n rows, and that there are not too many rows. */
mn_status mn_check_scaling(mn_context *ctx, const char *who, size_t n, size_t k, const mn_matrix *start);

/* Run from each start. out (n x k) = the best coordinates, *report = their run; its trace is freed before. */
mn_status mn_smacof_best(mn_context *ctx, mn_smacof *s, const mn_scaling_starts *starts, mn_report *report,
                         double *out);

#endif
