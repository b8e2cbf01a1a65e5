/* Parallel fits on the same X: folds, candidates and targets as one list of jobs.
 *
 * Each job clones its plan, fits it on its train rows and applies it to its test rows. Jobs run in parallel, each with
 * a context of its own and one thread, or more if there are fewer jobs than threads. Results do not depend on that.
 * Jobs whose `train` and `test` are the same arrays share the copy of their rows. */
#ifndef MN_PLAN_JOBS_H
#define MN_PLAN_JOBS_H
#include "job.h"

/* Run all jobs. Fails only if cancelled or without memory; the error of a job is in its status and text. */
mn_status mn_jobs_run(mn_context *ctx, const mn_input *input, mn_job *jobs, size_t n);

/* Release the results of n jobs. */
void mn_jobs_free(mn_memory *memory, mn_job *jobs, size_t n);

#endif
