#include "joint_fits.h"
#include "../model/model.h"

/* Indices of jobs with the same plan and y. */
struct group {
  size_t *job;
  mn_row_list *subset;
  mn_estimator **fitted;
  size_t n;
};

/* Whether most rows are used, so that reading all of X wastes little. */
static bool can_join(const mn_input *input, const mn_job *job)
{
  return job->plan->kind == MN_PLAN_MODEL && mn_can_fit_subsets(job->plan->model, input) &&
         2 * job->n_train >= input->x.rows;
}

static void find_group(const mn_input *input, const mn_job *jobs, size_t n, size_t first, bool *taken,
                       struct group *group)
{
  group->n = 0;
  for (size_t i = first; i < n; i++) {
    if (taken[i] || jobs[i].plan != jobs[first].plan || jobs[i].y != jobs[first].y || !can_join(input, &jobs[i]))
      continue;
    taken[i] = true;
    group->job[group->n] = i;
    group->subset[group->n++] = (mn_row_list){ .at = jobs[i].train, .n = jobs[i].n_train };
  }
}

static mn_status fit_group(mn_context *ctx, const mn_input *input, const mn_job *jobs, const struct group *group,
                           mn_joint_fit *out)
{
  const mn_job *first = &jobs[group->job[0]];
  mn_input joint = *input;
  if (first->y) joint.y = *first->y;
  const double begin = mn_seconds();
  MN_TRY(mn_fit_subsets(ctx, first->plan->model, &joint, group->subset, group->n, group->fitted));
  const double seconds = mn_seconds() - begin;
  for (size_t s = 0; s < group->n; s++)
    out[group->job[s]] = (mn_joint_fit){ .model = group->fitted[s], .seconds = seconds / (double)group->n };
  return MN_OK;
}

static mn_status fit_groups(mn_context *ctx, const mn_input *input, const mn_job *jobs, size_t n, mn_joint_fit *out)
{
  bool *taken = MN_NEW(ctx, bool, n, 1);
  struct group group = { .job = MN_RAW(ctx, size_t, n, 1),
                         .subset = MN_RAW(ctx, mn_row_list, n, 1),
                         .fitted = MN_RAW(ctx, mn_estimator *, n, 1) };
  if (!taken || !group.job || !group.subset || !group.fitted) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (taken[i] || !can_join(input, &jobs[i])) continue;
    find_group(input, jobs, n, i, taken, &group);
    if (group.n > 1) MN_TRY(fit_group(ctx, input, jobs, &group, out));
  }
  return MN_OK;
}

mn_status mn_fit_jointly(mn_context *ctx, const mn_input *input, const mn_job *jobs, size_t n, mn_joint_fit *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = fit_groups(ctx, input, jobs, n, out);
  mn_scratch_release(ctx, mark);
  return status == MN_NO_MEMORY ? status : MN_OK;
}

void mn_joint_fits_free(mn_memory *memory, mn_joint_fit *fits, size_t n)
{
  for (size_t i = 0; fits && i < n; i++) {
    mn_estimator_free(memory, fits[i].model);
    fits[i].model = NULL;
  }
}
