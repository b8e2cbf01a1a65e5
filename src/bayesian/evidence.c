#include "evidence.h"
#include <math.h>

enum { MAX_HALVINGS = 30 };

mn_precisions mn_precisions_at(const mn_evidence *s, double alpha, double lambda)
{
  mn_precisions t = { .alpha = alpha, .lambda = lambda, .rss = s->rest };
  double logdet = (double)(s->p - s->kept) * log(lambda);
  for (size_t k = 0; k < s->kept; k++) {
    const double a = lambda + alpha * s->value[k], share = alpha * s->value[k] / a;
    const double b = share * s->b_ls[k], shrinkage = lambda / a * s->b_ls[k];
    t.gamma += share;
    t.norm2 += b * b;
    t.rss += s->value[k] * shrinkage * shrinkage;
    logdet += log(a);
  }
  const double evidence =
      (double)s->p * log(lambda) + s->n * log(alpha) - alpha * t.rss - lambda * t.norm2 - logdet - s->n * log(2 * M_PI);
  t.objective =
      -(s->lambda_1 * log(lambda) - s->lambda_2 * lambda + s->alpha_1 * log(alpha) - s->alpha_2 * alpha + evidence / 2);
  return t;
}

mn_precisions mn_precisions_step(const mn_evidence *s, const mn_precisions *from)
{
  double lambda = log((from->gamma + 2 * s->lambda_1) / (from->norm2 + 2 * s->lambda_2) / from->lambda);
  double alpha = log((fmax(s->n - from->gamma, 0) + 2 * s->alpha_1) / (from->rss + 2 * s->alpha_2) / from->alpha);
  const double rounding = 1e-12 * fabs(from->objective); /* near the maximum, smaller differences are rounding error */
  for (int i = 0; i < MAX_HALVINGS; i++, lambda /= 2, alpha /= 2) {
    const mn_precisions next = mn_precisions_at(s, from->alpha * exp(alpha), from->lambda * exp(lambda));
    if (next.objective <= from->objective + rounding) return next;
  }
  return *from;
}

double mn_precisions_change(const mn_evidence *s, const mn_precisions *from, const mn_precisions *to)
{
  double change = 0, length = 0;
  for (size_t k = 0; k < s->kept; k++) {
    const double b = mn_evidence_coef(s, to, k), b_before = mn_evidence_coef(s, from, k);
    change += (b - b_before) * (b - b_before);
    length += b * b;
  }
  return length > 0 ? sqrt(change / length) : 0;
}
