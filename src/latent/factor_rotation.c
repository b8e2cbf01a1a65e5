#include "factor_rotation.h"
#include "../factorization/dense.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

const char *const mn_rotations[] = { "none", "varimax", "quartimax", "promax", "oblimin", NULL };

/* Rotate two rows of loadings by the angle that maximizes the criterion. Returns the angle. Kaiser, Psychometrika 23
 * (1958). */
static double rotate_pair(size_t p, double *x, double *y, bool varimax)
{
  double a = 0, b = 0, c = 0, d = 0;
  for (size_t j = 0; j < p; j++) {
    const double u = x[j] * x[j] - y[j] * y[j], v = 2 * x[j] * y[j];
    a += u;
    b += v;
    c += u * u - v * v;
    d += 2 * u * v;
  }
  const double share = varimax ? 1 / (double)p : 0;
  const double angle = atan2(d - 2 * a * b * share, c - (a * a - b * b) * share) / 4;
  const double cosine = cos(angle), sine = sin(angle);
  for (size_t j = 0; j < p; j++) {
    const double old = x[j];
    x[j] = cosine * old + sine * y[j];
    y[j] = cosine * y[j] - sine * old;
  }
  return angle;
}

/* Rotate all pairs until no angle is larger than rounding. */
static void rotate_orthogonal(bool varimax, size_t k, size_t p, double *loadings)
{
  enum { MAX_SWEEPS = 500 };
  double largest = 1;
  for (int sweep = 0; largest > 1e-10 && sweep < MAX_SWEEPS; sweep++) {
    largest = 0;
    for (size_t a = 0; a < k; a++)
      for (size_t b = a + 1; b < k; b++)
        largest = fmax(largest, fabs(rotate_pair(p, loadings + a * p, loadings + b * p, varimax)));
  }
}

/* The factors are linearly dependent, so oblique rotations have no unique result: they stay as they are. */
static mn_status dependent(mn_context *ctx, size_t k, size_t p, const double *loadings, bool *found)
{
  double *gram = MN_RAW(ctx, double, k, k), rcond;
  size_t minor;
  MN_CHECK_ALLOC(gram);
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, loadings, p, loadings, p, 0, gram, k));
  MN_TRY(mn_chol_try(ctx, k, gram, &rcond, &minor));
  *found = minor > 0 || rcond < 1e-12;
  return MN_OK;
}

/* The least squares fit U of the loadings to their powers, scaled so that the factors have variance 1. Hendrickson &
 * White, British J. Statistical Psychology 17 (1964). */
static mn_status promax(mn_context *ctx, double power, size_t k, size_t p, double *loadings, double *phi)
{
  double *target = MN_RAW(ctx, double, k, p), *gram = MN_RAW(ctx, double, k, k), *u = MN_RAW(ctx, double, k, k);
  double *identity = MN_NEW(ctx, double, k, k), *product = MN_RAW(ctx, double, k, k);
  if (!target || !gram || !u || !identity || !product) return MN_NO_MEMORY;
  for (size_t i = 0; i < k * p; i++) target[i] = copysign(pow(fabs(loadings[i]), power), loadings[i]);
  for (size_t c = 0; c < k; c++) identity[c * k + c] = 1;
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, loadings, p, loadings, p, 0, gram, k));
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, loadings, p, target, p, 0, product, k));
  MN_TRY(mn_solve(ctx, k, k, gram, product, u));
  MN_TRY(mn_gemm(ctx, true, false, k, k, k, 1, u, k, u, k, 0, gram, k));
  MN_TRY(mn_solve(ctx, k, k, gram, identity, phi));
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < k; i++) u[i * k + c] *= sqrt(phi[c * k + c]);
  for (size_t i = 0; i < k * k; i++) product[i] = phi[i] / sqrt(phi[i / k * (k + 1)] * phi[i % k * (k + 1)]);
  memcpy(phi, product, k * k * sizeof *phi);
  memcpy(target, loadings, k * p * sizeof *target);
  return mn_gemm(ctx, true, false, k, p, k, 1, u, k, target, p, 0, loadings, p);
}

/* Oblimin with gamma = 0 (quartimin): minimize sum_j sum_{a != b} l_aj^2 l_bj^2 / 4 over loadings inv(T) L, the columns
 * of T of length 1, by projected gradients. Jennrich, Psychometrika 67 (2002). */
struct oblimin {
  size_t k, p;
  const double *start;   /* k x p: L           */
  double *loadings;      /* k x p: inv(T) L    */
  double *slope;         /* k x p: derivatives */
  double *t, *next;      /* k x k              */
  double *turned, *step; /* k x k              */
};

/* The criterion at t; the loadings. */
static mn_status criterion(mn_context *ctx, struct oblimin *o, const double *t, double *value)
{
  const size_t k = o->k, p = o->p;
  MN_TRY(mn_solve(ctx, k, p, t, o->start, o->loadings));
  *value = 0;
  for (size_t j = 0; j < p; j++) {
    double total = 0;
    for (size_t c = 0; c < k; c++) total += o->loadings[c * p + j] * o->loadings[c * p + j];
    for (size_t c = 0; c < k; c++) {
      const double l = o->loadings[c * p + j], others = total - l * l;
      o->slope[c * p + j] = l * others;
      *value += l * l * others / 4;
    }
  }
  return MN_OK;
}

/* The gradient by T along the constraint, in `step`. Returns its length by *length. */
static mn_status gradient(mn_context *ctx, struct oblimin *o, double *length)
{
  const size_t k = o->k;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *product = MN_RAW(ctx, double, k, k);
  MN_CHECK_ALLOC(product);
  MN_TRY(mn_gemm(ctx, false, true, k, k, o->p, -1, o->slope, o->p, o->loadings, o->p, 0, product, k));
  for (size_t i = 0; i < k * k; i++) o->turned[i] = o->t[i % k * k + i / k];
  MN_TRY(mn_solve(ctx, k, k, o->turned, product, o->step));
  *length = 0;
  for (size_t c = 0; c < k; c++) {
    double along = 0;
    for (size_t i = 0; i < k; i++) along += o->t[i * k + c] * o->step[i * k + c];
    for (size_t i = 0; i < k; i++) {
      o->step[i * k + c] -= along * o->t[i * k + c];
      *length += o->step[i * k + c] * o->step[i * k + c];
    }
  }
  *length = sqrt(*length);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* next = t - size * step, columns scaled to length 1. */
static void move(struct oblimin *o, double size)
{
  const size_t k = o->k;
  for (size_t c = 0; c < k; c++) {
    double square = 0;
    for (size_t i = 0; i < k; i++) {
      o->next[i * k + c] = o->t[i * k + c] - size * o->step[i * k + c];
      square += o->next[i * k + c] * o->next[i * k + c];
    }
    for (size_t i = 0; i < k; i++) o->next[i * k + c] /= sqrt(square);
  }
}

static mn_status minimize(mn_context *ctx, struct oblimin *o)
{
  enum { MAX_ITER = 2000, MAX_HALVINGS = 30 };
  double value, size = 1, length;
  mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(criterion(ctx, o, o->t, &value));
  for (int i = 0; i < MAX_ITER; i++) {
    MN_TRY(gradient(ctx, o, &length));
    if (!(length > 1e-10 * value)) break;
    size *= 2;
    double now = INFINITY;
    for (int h = 0; h < MAX_HALVINGS && !(value - now > 0.5 * length * length * size); h++) {
      if (h > 0) size /= 2;
      move(o, size);
      MN_TRY(criterion(ctx, o, o->next, &now));
    }
    if (!(now < value)) break; /* rounding */
    memcpy(o->t, o->next, o->k * o->k * sizeof *o->t);
    value = now;
    MN_TRY(mn_scratch_recycle(ctx, &mark));
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return criterion(ctx, o, o->t, &value);
}

static mn_status oblimin(mn_context *ctx, size_t k, size_t p, double *loadings, double *phi)
{
  struct oblimin o = { .k = k, .p = p, .start = loadings };
  o.loadings = MN_RAW(ctx, double, k, p);
  o.slope = MN_RAW(ctx, double, k, p);
  o.t = MN_NEW(ctx, double, k, k);
  o.next = MN_RAW(ctx, double, k, k);
  o.turned = MN_RAW(ctx, double, k, k);
  o.step = MN_RAW(ctx, double, k, k);
  if (!o.loadings || !o.slope || !o.t || !o.next || !o.turned || !o.step) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) o.t[c * k + c] = 1;
  MN_TRY(minimize(ctx, &o));
  memcpy(loadings, o.loadings, k * p * sizeof *loadings);
  return mn_gemm(ctx, true, false, k, k, k, 1, o.t, k, o.t, k, 0, phi, k);
}

static void scale_columns(size_t k, size_t p, const double *length, bool back, double *loadings)
{
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++)
      if (length[j] > 0) loadings[c * p + j] *= back ? length[j] : 1 / length[j];
}

static void make_positive(size_t k, size_t p, double *loadings, double *phi)
{
  for (size_t c = 0; c < k; c++) {
    double *row = loadings + c * p;
    size_t top = 0;
    for (size_t j = 1; j < p; j++)
      if (fabs(row[j]) > fabs(row[top])) top = j;
    if (!(row[top] < 0)) continue;
    for (size_t j = 0; j < p; j++) row[j] = -row[j];
    for (size_t i = 0; i < k; i++) {
      if (i == c) continue;
      phi[c * k + i] = -phi[c * k + i];
      phi[i * k + c] = -phi[i * k + c];
    }
  }
}

mn_status mn_rotate_factors(mn_context *ctx, mn_rotation rotation, bool kaiser, double power, size_t k, size_t p,
                            double *loadings, double *phi)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *length = MN_NEW(ctx, double, p, 1);
  bool no_oblique = true;
  MN_CHECK_ALLOC(length);
  memset(phi, 0, k * k * sizeof *phi);
  for (size_t c = 0; c < k; c++) phi[c * k + c] = 1;
  for (size_t i = 0; i < k * p; i++) length[i % p] += loadings[i] * loadings[i];
  for (size_t j = 0; j < p; j++) length[j] = kaiser ? sqrt(length[j]) : 1;
  if (rotation == MN_ROTATION_PROMAX || rotation == MN_ROTATION_OBLIMIN)
    MN_TRY(dependent(ctx, k, p, loadings, &no_oblique));
  scale_columns(k, p, length, false, loadings);
  if (rotation != MN_ROTATION_NONE) rotate_orthogonal(rotation != MN_ROTATION_QUARTIMAX, k, p, loadings);
  if (rotation == MN_ROTATION_OBLIMIN && !no_oblique) MN_TRY(oblimin(ctx, k, p, loadings, phi));
  scale_columns(k, p, length, true, loadings);
  if (rotation == MN_ROTATION_PROMAX && !no_oblique) MN_TRY(promax(ctx, power, k, p, loadings, phi));
  make_positive(k, p, loadings, phi);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
