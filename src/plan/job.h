/* One fit of a list of jobs (jobs.h), and its results. */
#ifndef MN_PLAN_JOB_H
#define MN_PLAN_JOB_H
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

#endif
