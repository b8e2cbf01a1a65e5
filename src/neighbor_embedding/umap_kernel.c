#include "umap_kernel.h"
#include "../core/clones.h"
#include <math.h>

/* Largest force between two points along one column. */
static const float limit = 4;

/* Squared distances below this are raised to it: a force of 0 times infinity would not be 0. */
static const float least = 1e-12F;

#define INLINE static inline __attribute__((always_inline))

/* The pairs of one head that are processed together. */
struct chunk {
  size_t size;
  int32_t *tail;          /* MN_UMAP_CHUNK                             */
  float *square, *factor; /* MN_UMAP_CHUNK: squared distance, factor   */
  float *difference;      /* columns x MN_UMAP_CHUNK: head minus tail  */
};

INLINE struct chunk make_chunk(float *work)
{
  return (struct chunk){ 0, (int32_t *)(void *)work, work + MN_UMAP_CHUNK, work + 2 * MN_UMAP_CHUNK,
                         work + 3 * MN_UMAP_CHUNK };
}

INLINE void measure(const mn_umap_field *f, size_t i, size_t columns, const struct chunk *p)
{
  for (size_t t = 0; t < p->size; t++) p->square[t] = least;
  for (size_t c = 0; c < columns; c++) {
    const float at = f->head[c * f->heads + i], *tail = f->tail + c * f->tails;
    float *difference = p->difference + c * MN_UMAP_CHUNK;
    MN_INDEPENDENT
    for (size_t t = 0; t < p->size; t++) {
      difference[t] = at - tail[p->tail[t]];
      p->square[t] += difference[t] * difference[t];
    }
  }
}

INLINE float clip(float x)
{
  return x < -limit ? -limit : x > limit ? limit : x;
}

/* force_c += weight_t clip(factor_t difference_ct), summed over t; all weights 1 if `weight` is NULL. */
INLINE void add_forces(const mn_umap_field *f, size_t i, size_t columns, const struct chunk *p, const float *weight,
                       float scale, float *force)
{
  for (size_t c = 0; c < columns; c++) {
    const float *difference = p->difference + c * MN_UMAP_CHUNK;
    float sum = 0;
    if (weight)
      for (size_t t = 0; t < p->size; t++) sum += weight[t] * clip(p->factor[t] * difference[t]);
    else
      for (size_t t = 0; t < p->size; t++) sum += clip(p->factor[t] * difference[t]);
    force[c * f->heads + i] += scale * sum;
  }
}

INLINE void attract(const mn_umap_field *f, size_t i, size_t columns, struct chunk p, float *force)
{
  for (size_t e = f->start[i]; e < f->start[i + 1]; e += p.size) {
    const size_t rest = f->start[i + 1] - e;
    p.size = rest < MN_UMAP_CHUNK ? rest : MN_UMAP_CHUNK;
    for (size_t t = 0; t < p.size; t++) p.tail[t] = f->col[e + t];
    measure(f, i, columns, &p);
    MN_INDEPENDENT
    for (size_t t = 0; t < p.size; t++) {
      const float power = powf(p.square[t], f->b);
      p.factor[t] = -2 * f->a * f->b * power / (p.square[t] * (1 + f->a * power));
    }
    add_forces(f, i, columns, &p, f->rate + e, f->pull, force);
  }
}

/* Bits of a counter: Steele, Lea & Flood, OOPSLA 2014. */
INLINE uint64_t mix64(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

INLINE uint32_t mix32(uint32_t x)
{
  x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
  x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
  return x ^ x >> 16;
}

INLINE void repel(const mn_umap_field *f, size_t i, size_t columns, struct chunk p, float *force)
{
  const uint64_t stream = mix64(f->seed + mix64(f->epoch) + f->spread * (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
  const uint32_t key = (uint32_t)(stream >> 32);
  const double rate = (double)f->draws[i];
  const size_t draws = (size_t)((double)f->epoch * rate) - (size_t)((double)(f->epoch - 1) * rate);
  const uint32_t tails = (uint32_t)f->tails;
  for (size_t first = 0; first < draws; first += p.size) {
    p.size = draws - first < MN_UMAP_CHUNK ? draws - first : MN_UMAP_CHUNK;
    MN_INDEPENDENT
    for (size_t t = 0; t < p.size; t++) {
      const uint32_t bits = mix32(key + (uint32_t)(first + t) * UINT32_C(0x9e3779b9));
      p.tail[t] = (int32_t)((uint64_t)bits * tails >> 32);
    }
    measure(f, i, columns, &p);
    MN_INDEPENDENT
    for (size_t t = 0; t < p.size; t++) {
      const float power = powf(p.square[t], f->b);
      p.factor[t] = 2 * f->b / ((0.001F + p.square[t]) * (1 + f->a * power));
    }
    add_forces(f, i, columns, &p, NULL, f->push, force);
  }
}

INLINE void forces(const mn_umap_field *f, size_t begin, size_t end, size_t columns, float *work, float *force)
{
  const struct chunk p = make_chunk(work);
  for (size_t i = begin; i < end; i++) {
    for (size_t c = 0; c < columns; c++) force[c * f->heads + i] = 0;
    attract(f, i, columns, p, force);
    repel(f, i, columns, p, force);
  }
}

MN_CLONES(void, mn_umap_forces, (const mn_umap_field *f, size_t begin, size_t end, float *work, float *force),
          (f, begin, end, work, force))
{
  if (f->columns == 2) /* constant for the compiler */
    forces(f, begin, end, 2, work, force);
  else
    forces(f, begin, end, f->columns, work, force);
}

/* --- densMAP --- */

MN_CLONES(void, mn_umap_radii,
          (const mn_umap_field *f, size_t begin, size_t end, float *work, float *membership, float *spread),
          (f, begin, end, work, membership, spread))
{
  struct chunk p = make_chunk(work);
  for (size_t i = begin; i < end; i++) {
    float sum = 0, squares = 0;
    for (size_t e = f->start[i]; e < f->start[i + 1]; e += p.size) {
      const size_t rest = f->start[i + 1] - e;
      p.size = rest < MN_UMAP_CHUNK ? rest : MN_UMAP_CHUNK;
      for (size_t t = 0; t < p.size; t++) p.tail[t] = f->col[e + t];
      measure(f, i, f->columns, &p);
      for (size_t t = 0; t < p.size; t++) {
        const float q = 1 / (1 + f->a * powf(p.square[t], f->b));
        sum += q;
        squares += q * p.square[t];
      }
    }
    membership[i] = sum;
    spread[i] = squares;
  }
}

/* With q = 1 / (1 + a d^(2b)) and z = d^2, dq/dz = -b q (1 - q) / z, so that
 *
 *     d log(S_i / P_i) / dz = q ((1 - b (1 - q)) / S_i + b (1 - q) / (z P_i)),
 *
 * for i and, as z is also a distance of the tail, for the tail. */
MN_CLONES(void, mn_umap_density_forces,
          (const mn_umap_field *f, const mn_umap_density *d, size_t begin, size_t end, float *work, float *force),
          (f, d, begin, end, work, force))
{
  struct chunk p = make_chunk(work);
  for (size_t i = begin; i < end; i++)
    for (size_t e = f->start[i]; e < f->start[i + 1]; e += p.size) {
      const size_t rest = f->start[i + 1] - e;
      p.size = rest < MN_UMAP_CHUNK ? rest : MN_UMAP_CHUNK;
      for (size_t t = 0; t < p.size; t++) p.tail[t] = f->col[e + t];
      measure(f, i, f->columns, &p);
      const float slope = d->slope[i], by_spread = slope / d->spread[i], by_membership = slope / d->membership[i];
      MN_INDEPENDENT
      for (size_t t = 0; t < p.size; t++) {
        const int32_t j = p.tail[t];
        const float q = 1 / (1 + f->a * powf(p.square[t], f->b)), fall = f->b * (1 - q);
        const float of_spread = by_spread + d->slope[j] / d->spread[j];
        const float of_membership = by_membership + d->slope[j] / d->membership[j];
        p.factor[t] = 2 * q * ((1 - fall) * of_spread + fall / p.square[t] * of_membership) / f->rate[e + t];
      }
      add_forces(f, i, f->columns, &p, f->rate + e, f->pull, force);
    }
}
