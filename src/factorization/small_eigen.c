#include "small_eigen.h"
#include <float.h>
#include <math.h>

/* Rotate rows p and q of m: the new ones are c p - s q and s p + c q. */
static void rotate_rows(size_t n, double *m, size_t p, size_t q, double c, double s)
{
  double *x = m + p * n, *y = m + q * n;
  for (size_t i = 0; i < n; i++) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

static void rotate_columns(size_t n, double *m, size_t p, size_t q, double c, double s)
{
  for (size_t i = 0; i < n; i++) {
    const double a = m[i * n + p], b = m[i * n + q];
    m[i * n + p] = c * a - s * b;
    m[i * n + q] = s * a + c * b;
  }
}

/* Make a_pq zero. Golub & Van Loan, section 8.5.2. */
static void annihilate(size_t n, double *a, double *vectors, size_t p, size_t q)
{
  const double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + hypot(1, tau)), c = 1 / sqrt(1 + t * t), s = t * c;
  rotate_rows(n, a, p, q, c, s);
  rotate_columns(n, a, p, q, c, s);
  rotate_rows(n, vectors, p, q, c, s);
}

static void sort_pairs(size_t n, double *values, double *vectors)
{
  for (size_t i = 0; i + 1 < n; i++) {
    size_t largest = i;
    for (size_t j = i + 1; j < n; j++) largest = values[j] > values[largest] ? j : largest;
    if (largest == i) continue;
    const double value = values[i];
    values[i] = values[largest];
    values[largest] = value;
    rotate_rows(n, vectors, i, largest, 0, -1);
  }
}

void mn_small_eigen(size_t n, double *a, double *values, double *vectors)
{
  enum { MAX_SWEEPS = 50 };
  double norm = 0;
  for (size_t i = 0; i < n * n; i++) norm += a[i] * a[i];
  for (size_t i = 0; i < n * n; i++) vectors[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    double rest = 0;
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++) {
        rest += 2 * a[p * n + q] * a[p * n + q];
        if (fabs(a[p * n + q]) > DBL_EPSILON * sqrt(fabs(a[p * n + p] * a[q * n + q])) * 1e-2)
          annihilate(n, a, vectors, p, q);
      }
    if (!(rest > DBL_EPSILON * DBL_EPSILON * norm)) break;
  }
  for (size_t i = 0; i < n; i++) values[i] = a[i * n + i];
  sort_pairs(n, values, vectors);
}
