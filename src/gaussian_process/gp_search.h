/* The search for hyperparameters of largest (approximate) marginal likelihood: projected BFGS from given values and
 * from random ones within the bounds, the best of which is kept. The searches run in parallel where that holds little
 * memory; the result does not depend on it. */
#ifndef MN_GAUSSIAN_PROCESS_GP_SEARCH_H
#define MN_GAUSSIAN_PROCESS_GP_SEARCH_H
#include "../kernel/kernel.h"
#include "../model/class.h"

/* What is maximized, over k logarithms of hyperparameters. */
typedef struct mn_gp_target {
  size_t k;
  const void *problem;
  size_t workspace_bytes; /* that an evaluation holds, about */
  /* Allocate the workspace of a search in scratch. */
  mn_status (*prepare)(mn_context *ctx, const void *problem, void **workspace);
  /* *value = the log likelihood at theta, plus the log density of priors, NaN if it cannot be computed; gradient: k
   * values. Scratch that it takes is released by the caller. */
  mn_status (*evaluate)(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient);
} mn_gp_target;

typedef struct mn_gp_search {
  const double *low, *high; /* k: bounds of theta */
  size_t restarts;          /* searches beside the one from the given theta */
  size_t max_iter;
  double tol; /* stop when no derivative is larger */
  int64_t seed;
  bool (*note)(void *user, double log_likelihood); /* after each iteration if there are no restarts; false: stop */
  void *user;
  size_t n_iter;  /* out: of all searches */
  bool converged; /* out: the best one */
  double change;  /* out: its largest derivative, of hyperparameters that the bounds do not hold */
  double value;   /* out: its log likelihood; -infinity if none could be computed */
} mn_gp_search;

/* Write n_iter, converged and change to the report of a fit. */
void mn_gp_report_search(const mn_gp_search *search, mn_report *report);

/* theta, in and out: the first start; the best point. */
mn_status mn_gp_maximize(mn_context *ctx, const mn_gp_target *target, mn_gp_search *search, double *theta);

/* The same over the free hyperparameters of the kernel, within their bounds. */
mn_status mn_gp_maximize_kernel(mn_context *ctx, const mn_gp_target *target, mn_gp_search *search, mn_kernel *kernel);

/* `note` of a search that reports its iterations as rounds of a fit, and its `user`. */
typedef struct mn_gp_rounds {
  mn_context *ctx;
  mn_report *report;
  int64_t max_iter;
} mn_gp_rounds;
bool mn_gp_note_round(void *rounds, double log_likelihood);

/* The parameter `optimizer`. */
enum { MN_GP_BFGS, MN_GP_NO_OPTIMIZER };
extern const char *const mn_gp_optimizers[];

#endif
