#include "nonlinear_task.h"
#include "../core/memory.h"
#include <string.h>

/* Append a copy of n numbers. NULL stays NULL. */
static double *append(double **end, const double *from, size_t n)
{
  double *at = *end;
  if (!from) return NULL;
  if (n > 0) memcpy(at, from, n * sizeof *at);
  *end += n;
  return at;
}

static void *copy(mn_context *ctx, const void *given)
{
  const mn_nonlinear_request *from = given;
  const size_t n = from->problem.n, p = from->problem.p, size = from->expression.size;
  const size_t cells = n * from->expression.columns, numbers = 2 * n + cells + 3 * p + p * p;
  const size_t code = size * sizeof(mn_instruction);
  mn_nonlinear_state *s =
      mn_alloc(mn_context_memory(ctx), sizeof *s + code + numbers * sizeof(double)); /* sizes of live arrays */
  if (!s) {
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a fit in the background");
    return NULL;
  }
  mn_instruction *instructions = (mn_instruction *)(s + 1);
  double *end = (double *)(instructions + size);
  *s = (mn_nonlinear_state){ .problem = from->problem, .expression = from->expression };
  memcpy(instructions, from->expression.at, code);
  s->expression.at = instructions;
  s->problem.y = append(&end, from->problem.y, n);
  s->problem.weights = append(&end, from->problem.weights, n);
  s->problem.lower = append(&end, from->problem.lower, p);
  s->problem.upper = append(&end, from->problem.upper, p);
  s->x = append(&end, from->x, cells);
  s->theta = append(&end, from->start, p);
  s->covariance = end;
  return s;
}

static mn_status evaluate(mn_context *ctx, void *user, const double *theta, double *f, double *jacobian)
{
  const mn_nonlinear_state *s = user;
  return mn_expression_evaluate(ctx, &s->expression, s->problem.n, s->x, theta, f, jacobian);
}

static mn_status run(mn_context *ctx, void *state)
{
  mn_nonlinear_state *s = state;
  s->problem.evaluate = evaluate;
  s->problem.user = s;
  s->problem.analytic = true;
  return mn_nonlinear_fit(ctx, &s->problem, s->theta, s->covariance, &s->result);
}

const mn_background_task mn_nonlinear_task = { .copy = copy, .run = run, .release = mn_free };
