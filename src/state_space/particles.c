#include "particles.h"
#include <math.h>
#include <string.h>

void mn_particle_weights(size_t n, const double *log_weight, double *weight, mn_particle_report *report)
{
  double largest = -INFINITY, sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, log_weight[i]);
  for (size_t i = 0; i < n; i++) {
    weight[i] = largest > -INFINITY ? exp(log_weight[i] - largest) : 1;
    sum += weight[i];
  }
  for (size_t i = 0; i < n; i++) {
    weight[i] /= sum;
    squares += weight[i] * weight[i];
  }
  report->log_sum = largest > -INFINITY ? largest + log(sum) : -INFINITY;
  report->ess = 1 / squares;
}

void mn_particle_moments(size_t n, size_t d, const double *particles, const double *weight, double *mean, double *cov)
{
  memset(mean, 0, d * sizeof *mean);
  memset(cov, 0, d * d * sizeof *cov);
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < d; a++) mean[a] += weight[i] * particles[i * d + a];
  for (size_t i = 0; i < n; i++) {
    const double *x = particles + i * d;
    for (size_t a = 0; a < d; a++)
      for (size_t b = 0; b < d; b++) cov[a * d + b] += weight[i] * (x[a] - mean[a]) * (x[b] - mean[b]);
  }
}

void mn_particle_draw(size_t n, const double *weight, double u, size_t *index)
{
  double cumulative = weight[0];
  for (size_t i = 0, at = 0; i < n; i++) {
    while (cumulative < ((double)i + u) / (double)n && at + 1 < n) cumulative += weight[++at];
    index[i] = at;
  }
}
