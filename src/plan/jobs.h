/* Many fits at once: folds and candidates as one list of jobs over the same data.
 *
 * Each job clones its plan, fits it on its train rows and applies it to its test rows. Jobs run in parallel, each with
 * one thread (or more when there are fewer jobs than threads) and a context of its own; what a job gives does not
 * depend on that. */
#ifndef MN_PLAN_JOBS_H
#define MN_PLAN_JOBS_H
#include "plan.h"

enum { MN_JOB_TEXT = 400 };

typedef struct mn_job {
  const mn_plan *plan;        /* parameters set; not changed        */
  const size_t *train, *test; /* rows, 0-based                      */
  size_t n_train, n_test;     /* n_test 0: only fit                 */
  bool want[MN_ACTIONS];      /* actions to run on the test rows... */
  bool also_train;            /* ... and on the train rows          */
  bool keep;                  /* the fitted plan, too               */
  /* results */
  mn_plan *fitted;               /* where it is kept                                              */
  mn_status status;              /* of this job alone                                             */
  char text[MN_JOB_TEXT];        /* why it failed                                                 */
  mn_matrix on_test[MN_ACTIONS]; /* rows x width; classes and clusters as codes                   */
  mn_matrix on_train[MN_ACTIONS];
  const mn_class *class;             /* of the final model                                            */
  const mn_levels *classes;          /* that it learned, held; NULL: not a classifier                 */
  bool one_target, converged;        /* converged: no iterative model of the plan stopped too early   */
  double fit_seconds, score_seconds; /* on the clock of the wall                                      */
} mn_job;

/* Run all. Fails only when cancelled or when there is no memory to begin; a job that fails keeps its reason. */
mn_status mn_jobs_run(mn_context *ctx, const mn_input *input, mn_job *jobs, size_t n);

/* Release the results of n jobs. */
void mn_jobs_free(mn_memory *memory, mn_job *jobs, size_t n);

#endif
