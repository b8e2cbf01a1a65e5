#include "tsne_kernel.h"
#include "../core/clones.h"
#include <math.h>

#define INLINE static inline __attribute__((always_inline))
enum { CHUNK = 256 };

/* The coordinates of up to CHUNK neighbors, one after another for each dimension. */
INLINE void collect(size_t dims, size_t count, const int32_t *col, const float *y, float near[3][CHUNK])
{
  for (size_t l = 0; l < count; l++)
    for (size_t c = 0; c < dims; c++) near[c][l] = y[(size_t)col[l] * dims + c];
}

INLINE void attract_row(const mn_tsne_graph *g, size_t dims, size_t i, const float *y, float per_dof, double *out)
{
  float near[3][CHUNK];
  double sum[3] = { 0 };
  const float *at = y + i * dims;
  for (size_t begin = g->start[i]; begin < g->start[i + 1]; begin += CHUNK) {
    const size_t left = g->start[i + 1] - begin, count = left < CHUNK ? left : CHUNK;
    const float *p = g->p + begin;
    float a = 0, b = 0, c = 0;
    collect(dims, count, g->col + begin, y, near);
    for (size_t l = 0; l < count; l++) {
      const float x = at[0] - near[0][l], v = dims > 1 ? at[1] - near[1][l] : 0, w = dims > 2 ? at[2] - near[2][l] : 0;
      const float pull = p[l] / (1 + (x * x + v * v + w * w) * per_dof);
      a += pull * x;
      b += pull * v;
      c += pull * w;
    }
    sum[0] += (double)a;
    sum[1] += (double)b;
    sum[2] += (double)c;
  }
  for (size_t c = 0; c < dims; c++) out[c] = sum[c];
}

MN_CLONES(void, mn_tsne_attract,
          (const mn_tsne_graph *g, size_t dims, size_t begin, size_t end, const float *y, double dof, double *out),
          (g, dims, begin, end, y, dof, out))
{
  const float per_dof = (float)(1 / dof);
  for (size_t i = begin; i < end; i++) {
    if (dims == 1) attract_row(g, 1, i, y, per_dof, out + i);
    if (dims == 2) attract_row(g, 2, i, y, per_dof, out + 2 * i);
    if (dims == 3) attract_row(g, 3, i, y, per_dof, out + 3 * i);
  }
}

INLINE double log_row(const mn_tsne_graph *g, size_t dims, size_t i, const float *y, float per_dof)
{
  float near[3][CHUNK];
  double sum = 0;
  const float *at = y + i * dims;
  for (size_t begin = g->start[i]; begin < g->start[i + 1]; begin += CHUNK) {
    const size_t left = g->start[i + 1] - begin, count = left < CHUNK ? left : CHUNK;
    const float *p = g->p + begin;
    float part = 0;
    collect(dims, count, g->col + begin, y, near);
    for (size_t l = 0; l < count; l++) {
      const float x = at[0] - near[0][l], v = dims > 1 ? at[1] - near[1][l] : 0, w = dims > 2 ? at[2] - near[2][l] : 0;
      part += p[l] * logf(1 + (x * x + v * v + w * w) * per_dof);
    }
    sum += (double)part;
  }
  return sum;
}

MN_CLONES(double, mn_tsne_log_sum,
          (const mn_tsne_graph *g, size_t dims, size_t begin, size_t end, const float *y, double dof),
          (g, dims, begin, end, y, dof))
{
  const float per_dof = (float)(1 / dof);
  double sum = 0;
  for (size_t i = begin; i < end; i++) sum += log_row(g, dims, i, y, per_dof);
  return sum;
}

/* The forces of the weights a, along one dimension. */
INLINE double pull(size_t n, const double *a, const double *y, double at)
{
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += a[j] * (at - y[j]);
  return sum;
}

static MN_CLONES(void, all_pairs, (mn_tsne_pairs * s), (s))
{
  const size_t n = s->n;
  const double *p = s->p, power = -(s->dof + 1) / 2;
  double *near = s->work, *pulls = near + n, similarity = 0, logs = 0;
  for (size_t j = 0; j < n; j++) near[j] = 1;
  for (size_t c = 0; c < s->dims; c++)
    for (size_t j = 0; j < n; j++) near[j] += (s->at[c] - s->y[c * n + j]) * (s->at[c] - s->y[c * n + j]) / s->dof;
  for (size_t j = 0; p && j < n; j++) {
    pulls[j] = p[j] / near[j];
    logs += p[j] * log(near[j]);
  }
  if (s->dof == 1)
    for (size_t j = 0; j < n; j++) {
      const double w = 1 / near[j];
      similarity += w;
      near[j] = w * w;
    }
  else
    for (size_t j = 0; j < n; j++) {
      const double w = exp(power * log(near[j]));
      similarity += w;
      near[j] = w / near[j];
    }
  for (size_t c = 0; c < s->dims; c++) {
    if (p) s->attraction[c] = pull(n, pulls, s->y + c * n, s->at[c]);
    s->repulsion[c] = pull(n, near, s->y + c * n, s->at[c]);
  }
  s->similarity = similarity;
  s->log_sum = logs;
}

void mn_tsne_all_pairs(mn_tsne_pairs *s)
{
  all_pairs(s);
}
