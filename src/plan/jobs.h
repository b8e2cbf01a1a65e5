/* Parallel fits on the same X: folds, candidates and targets as one list of jobs.
 *
 * Each job clones its plan, fits it on its train rows and applies it to its test rows. Jobs run in parallel, each with
 * a context of its own and one thread, or more if there are fewer jobs than threads. Results do not depend on that.
 * Jobs whose `train` and `test` are the same arrays share the copy of their rows. */
#ifndef MN_PLAN_JOBS_H
#define MN_PLAN_JOBS_H
#include "plan.h"

enum { MN_JOB_TEXT = 400 };

typedef struct mn_job {
  const mn_plan *plan;        /* with its parameters; not changed        */
  const size_t *train, *test; /* rows, 0-based                           */
  size_t n_train, n_test;     /* n_test 0: fit only                      */
  const mn_target *y;         /* NULL: that of the input                 */
  bool want[MN_ACTIONS];      /* actions to run on the test rows         */
  bool also_train;            /* run them on the train rows, too         */
  bool keep;                  /* keep the fitted plan                    */
  /* results */
  bool done;                     /* it ran to its end; after a cancelled run some did not        */
  mn_plan *fitted;               /* if `keep`                                                     */
  mn_status status;              /* of this job                                                   */
  char text[MN_JOB_TEXT];        /* its error                                                     */
  mn_matrix on_test[MN_ACTIONS]; /* rows x width; classes and clusters as codes                   */
  mn_matrix on_train[MN_ACTIONS];
  const mn_class *class;             /* of the final model                                            */
  const mn_levels *classes;          /* its classes, retained; NULL: not a classifier                 */
  bool one_target, converged;        /* converged: all iterative models of the plan converged         */
  double fit_seconds, score_seconds; /* wall-clock time                                               */
} mn_job;

/* Run all jobs. Fails only if cancelled or without memory; the error of a job is in its status and text. */
mn_status mn_jobs_run(mn_context *ctx, const mn_input *input, mn_job *jobs, size_t n);

/* Release the results of n jobs. */
void mn_jobs_free(mn_memory *memory, mn_job *jobs, size_t n);

#endif
