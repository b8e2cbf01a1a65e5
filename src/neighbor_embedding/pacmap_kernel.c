#include "pacmap_kernel.h"
#include "../core/clones.h"

#define INLINE static inline __attribute__((always_inline))

/* Sums over the tails of one head, in a plane: the case for which the loop is vectorized. */
INLINE float plane(const mn_pacmap_field *f, const mn_pacmap_kind *k, size_t i, float *fx, float *fy)
{
  const float *tx = f->tail, *ty = f->tail + f->tails, x = f->head[i], y = f->head[f->heads + i];
  const float offset = k->offset;
  float sum_x = 0, sum_y = 0, sum = 0;
  for (size_t e = k->start[i]; e < k->start[i + 1]; e++) {
    const int32_t j = k->tail[e];
    const float dx = x - tx[j], dy = y - ty[j], part = 1 / (offset + 1 + dx * dx + dy * dy);
    sum += part;
    sum_x += part * part * dx;
    sum_y += part * part * dy;
  }
  *fx = sum_x;
  *fy = sum_y;
  return sum;
}

INLINE float space(const mn_pacmap_field *f, const mn_pacmap_kind *k, size_t i, float factor, float *force)
{
  float sum = 0;
  for (size_t e = k->start[i]; e < k->start[i + 1]; e++) {
    const size_t j = (size_t)k->tail[e];
    float z = 1;
    for (size_t c = 0; c < f->columns; c++) {
      const float d = f->head[c * f->heads + i] - f->tail[c * f->tails + j];
      z += d * d;
    }
    const float part = 1 / (k->offset + z);
    sum += part;
    for (size_t c = 0; c < f->columns; c++)
      force[c * f->heads + i] += factor * part * part * (f->head[c * f->heads + i] - f->tail[c * f->tails + j]);
  }
  return sum;
}

/* With part = 1 / (offset + z) the losses are weight (1 - offset part) and weight part, and their derivatives by z are
 * weight offset part^2 and -weight part^2. */
MN_CLONES(void, mn_pacmap_forces, (const mn_pacmap_field *f, size_t begin, size_t end, float *force, float *loss),
          (f, begin, end, force, loss))
{
  for (size_t i = begin; i < end; i++) {
    for (size_t c = 0; c < f->columns; c++) force[c * f->heads + i] = 0;
    loss[i] = 0;
    for (size_t t = 0; t < f->kinds; t++) {
      const mn_pacmap_kind *k = f->kind + t;
      const float factor = 2 * k->weight * (k->repels ? 1 : -k->offset), count = (float)(k->start[i + 1] - k->start[i]);
      float sum, fx, fy;
      if (f->columns == 2) {
        sum = plane(f, k, i, &fx, &fy);
        force[i] += factor * fx;
        force[f->heads + i] += factor * fy;
      } else {
        sum = space(f, k, i, factor, force);
      }
      loss[i] += k->weight * (k->repels ? sum : count - k->offset * sum);
    }
  }
}
