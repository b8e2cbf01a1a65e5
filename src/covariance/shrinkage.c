#include "shrinkage.h"
#include <math.h>

void mn_shrink_covariance(size_t p, double shrinkage, double *s)
{
  double trace = 0;
  for (size_t j = 0; j < p; j++) trace += s[j * p + j];
  for (size_t i = 0; i < p * p; i++) s[i] *= 1 - shrinkage;
  for (size_t j = 0; j < p; j++) s[j * p + j] += shrinkage * trace / (double)p;
}

double mn_ledoit_wolf_shrinkage(size_t n, size_t p, const double *z, const double *center, const double *w,
                                double total, const double *s)
{
  double mu = 0, fourth = 0, square = 0;
  if (p == 1) return 0;
  for (size_t j = 0; j < p; j++) mu += s[j * p + j] / (double)p;
  for (size_t i = 0; i < p * p; i++) square += s[i] * s[i];
  for (size_t i = 0; i < n; i++) {
    double norm = 0;
    for (size_t j = 0; j < p; j++) {
      const double value = z[i * p + j] - (center ? center[j] : 0);
      norm += value * value;
    }
    fourth += (w ? w[i] : 1) * norm * norm;
  }
  const double delta = (square - (double)p * mu * mu) / (double)p;
  const double beta = (fourth / total - square) / ((double)p * total);
  return beta <= 0 ? 0 : beta < delta ? beta / delta : 1;
}

double mn_oas_shrinkage(size_t p, double total, const double *s)
{
  double alpha = 0, mu = 0;
  if (p == 1) return 0;
  for (size_t i = 0; i < p * p; i++) alpha += s[i] * s[i] / (double)(p * p);
  for (size_t j = 0; j < p; j++) mu += s[j * p + j] / (double)p;
  const double above = alpha + mu * mu, below = (total + 1) * (alpha - mu * mu / (double)p);
  return below > above ? above / below : 1;
}
