#include "class_prior.h"
#include <math.h>
#include <string.h>

mn_status mn_class_priors(mn_context *ctx, const mn_prior_rule *rule, size_t k, const double *count, double *prior)
{
  const mn_vector *given = rule->given;
  char number[MN_NUMBER_SIZE];
  double total = 0, sum = 0;
  for (size_t c = 0; c < k; c++) total += count[c];
  for (size_t c = 0; c < k; c++) prior[c] = rule->fit ? count[c] / total : 1 / (double)k;
  if (!given->at) return MN_OK;
  if (given->size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have one value for each of the %zu classes, got %zu", rule->who,
                   rule->param, k, given->size);
  for (size_t c = 0; c < k; c++) {
    sum += given->at[c];
    if (rule->positive && !(given->at[c] > 0))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be > 0, got 0", rule->who, rule->param);
  }
  if (!(fabs(sum - 1) <= 1e-9))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must add up to 1, got %s", rule->who, rule->param,
                   mn_format_number(number, sum));
  memcpy(prior, given->at, k * sizeof *prior);
  return MN_OK;
}
