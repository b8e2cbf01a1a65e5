#include "scaling_starts.h"
#include "../core/rng.h"
#include "classical.h"
#include "start_check.h"
#include "training_distances.h"
#include <string.h>

const char *const mn_scaling_starts_names[] = { "classical", "random", NULL };

mn_status mn_check_scaling(mn_context *ctx, const char *who, size_t n, size_t k, const mn_matrix *start)
{
  if (k > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be at most the number of rows, %zu, got %zu", who, n,
                   k);
  MN_TRY(mn_check_start(ctx, who, n, k, start));
  return mn_check_pairs(ctx, who, n, "fit a sample of the rows and transform the others");
}

/* Distances of weight 0 are replaced by the mean of the others. */
static void fill_unknown(const mn_smacof *s, double *delta)
{
  double sum = 0, known = 0;
  for (size_t i = 0; i < s->n * s->n; i++) {
    sum += s->weights[i] > 0 ? delta[i] : 0;
    known += s->weights[i] > 0;
  }
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j < s->n; j++)
      if (i != j && !(s->weights[i * s->n + j] > 0)) delta[i * s->n + j] = sum / known;
}

static mn_status start_classically(mn_context *ctx, mn_smacof *s)
{
  const size_t n = s->n;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *copy = MN_RAW(ctx, double, n, n);
  mn_classical_scaling classical;
  MN_CHECK_ALLOC(copy);
  memcpy(copy, s->delta, n * n * sizeof *copy);
  if (s->weights && n > 1) fill_unknown(s, copy);
  MN_TRY(mn_classical_scale_to(ctx, n, s->k, 1e-3, copy, &classical));
  memcpy(s->z, classical.embedding, n * s->k * sizeof *s->z);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Normal coordinates whose distances are about as long as the given ones. */
static void start_randomly(mn_smacof *s, int64_t seed, int64_t run)
{
  const size_t n = s->n, k = s->k;
  mn_rng rng = mn_stream(seed, (uint64_t)run);
  double squares = 0;
  for (size_t i = 0; i < n * n; i++) squares += s->delta[i] * s->delta[i] / 2;
  const double scale = sqrt(squares / ((double)n * (double)n * (double)k));
  for (size_t i = 0; i < n * k; i++) s->z[i] = scale * mn_random_normal(&rng);
}

mn_status mn_smacof_best(mn_context *ctx, mn_smacof *s, const mn_scaling_starts *starts, mn_report *report, double *out)
{
  const int64_t runs = starts->given || starts->init == MN_SCALING_CLASSICAL ? 1 : starts->n_init;
  const size_t bytes = s->n * s->k * sizeof *out;
  for (int64_t run = 0; run < runs && mn_should_continue(ctx); run++) {
    mn_report r = { .advice = "increase max_iter or tol" };
    mn_status status = MN_OK;
    if (runs > 1) mn_progress_part(ctx, (size_t)run, (size_t)runs);
    if (starts->given)
      memcpy(s->z, starts->given, bytes);
    else if (starts->init == MN_SCALING_RANDOM)
      start_randomly(s, starts->seed, run);
    else
      status = start_classically(ctx, s);
    if (status == MN_OK) status = mn_smacof_run(ctx, s, &r);
    const bool better = status == MN_OK && (run == 0 || r.objective < report->objective);
    mn_vector_free(mn_context_memory(ctx), better ? &report->trace : &r.trace);
    MN_TRY(status);
    if (!better) continue;
    *report = r;
    memcpy(out, s->z, bytes);
  }
  return MN_OK;
}
