/* Jobs whose models are fitted together, because their class can fit several subsets of the rows of X at once. */
#ifndef MN_PLAN_JOINT_FITS_H
#define MN_PLAN_JOINT_FITS_H
#include "job.h"

typedef struct mn_joint_fit {
  mn_estimator *model; /* NULL: the job fits its plan itself                     */
  double seconds;      /* its share of the time                                  */
} mn_joint_fit;

/* Fit what can be fitted together; out[0..n-1], one for each job, must be zeroed. Fails only without memory; other
 * errors, and too few jobs, leave all to the jobs. */
mn_status mn_fit_jointly(mn_context *ctx, const mn_input *input, const mn_job *jobs, size_t n, mn_joint_fit *out);

void mn_joint_fits_free(mn_memory *memory, mn_joint_fit *fits, size_t n);

#endif
