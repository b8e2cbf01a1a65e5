/* The M step for the covariances of the fourteen models of mclust. A covariance is decomposed into
 *
 *     covariance_k = volume_k D_k diag(shape_k) D_k',     product of shape_k = 1,
 *
 * and each part may be equal for all components or vary. With scatter matrices W_k and counts n_k, the log likelihood
 * is
 *
 *     -1/2 sum_k [ n_k log det covariance_k + tr(W_k inv(covariance_k)) ] + constant.
 *
 * EEV and VEV have the eigenvectors of W_k, so that they are EEI and VEI of its eigenvalues; EVE and VVE are EVI and
 * VVI of the diagonals of D' W_k D. Models that iterate continue from the volumes and the orientation of the previous M
 * step: each iteration increases the likelihood.
 *
 * Celeux & Govaert, Pattern Recognition 28 (1995); Flury & Gautschi, SIAM J. Sci. Stat. Comput. 7 (1986). */
#include "../factorization/lapack.h"
#include "gaussian.h"
#include <string.h>

const char *const mn_covariance_types[] = { "full", "tied", "diag", "spherical", "EII", "VII", "EEI",
                                            "VEI",  "EVI",  "VVI",  "EEE",       "VEE", "EVE", "VVE",
                                            "EEV",  "VEV",  "EVV",  "VVV",       NULL };

static const double inner_tol = 1e-10;
enum { MAX_INNER = 100, MAX_SWEEPS = 20 };

mn_covariance_type mn_covariance_model(int64_t type)
{
  static const mn_covariance_type same[] = { MN_VVV, MN_EEE, MN_VVI, MN_VII };
  return type < MN_EII ? same[type] : (mn_covariance_type)type;
}

bool mn_covariance_is_diagonal(mn_covariance_type model)
{
  return model <= MN_VVI;
}

int64_t mn_covariance_parameters(mn_covariance_type model, size_t components, size_t features)
{
  const int64_t k = (int64_t)components, p = (int64_t)features, angles = p * (p - 1) / 2;
  switch (model) {
  case MN_EII: return 1;
  case MN_VII: return k;
  case MN_EEI: return p;
  case MN_VEI: return k + p - 1;
  case MN_EVI: return 1 + k * (p - 1);
  case MN_VVI: return k * p;
  case MN_EEE: return p + angles;
  case MN_VEE: return k + p - 1 + angles;
  case MN_EVE: return 1 + k * (p - 1) + angles;
  case MN_VVE: return k * p + angles;
  case MN_EEV: return p + k * angles;
  case MN_VEV: return k + p - 1 + k * angles;
  case MN_EVV: return 1 + k * (p - 1) + k * angles;
  default: return k * (p + angles);
  }
}

static double geometric_mean(size_t p, const double *value)
{
  double sum = 0;
  for (size_t j = 0; j < p; j++) sum += log(value[j]);
  return exp(sum / (double)p);
}

static double total_of(size_t n, const double *value)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += value[i];
  return sum;
}

/* Volumes vary, the shape is equal: alternate between both. `shape` (p) is workspace. */
static void fit_varying_volumes(const mn_gaussians *g, const double *count, const double *diagonal, double *shape,
                                double *variance)
{
  const size_t k = g->k, p = g->p;
  const bool first = !(g->volume[0] > 0);
  double change = INFINITY;
  for (size_t c = 0; first && c < k; c++)
    g->volume[c] = fmax(total_of(p, diagonal + c * p) / (count[c] * (double)p), DBL_MIN);
  for (int round = 0; round < MAX_INNER && change > inner_tol; round++) {
    memset(shape, 0, p * sizeof *shape);
    for (size_t c = 0; c < k; c++)
      for (size_t j = 0; j < p; j++) shape[j] += diagonal[c * p + j] / g->volume[c];
    const double scale = geometric_mean(p, shape);
    for (size_t j = 0; j < p; j++) shape[j] /= scale;
    change = 0;
    for (size_t c = 0; c < k; c++) {
      double sum = 0;
      for (size_t j = 0; j < p; j++) sum += diagonal[c * p + j] / shape[j];
      const double volume = fmax(sum / ((double)p * count[c]), DBL_MIN);
      change = fmax(change, fabs(volume - g->volume[c]) / volume);
      g->volume[c] = volume;
    }
  }
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) variance[c * p + j] = g->volume[c] * shape[j];
}

/* The volume is equal, shapes vary. */
static void fit_varying_shapes(const mn_gaussians *g, const double *count, const double *diagonal, double *variance)
{
  const size_t k = g->k, p = g->p;
  const double n = total_of(k, count);
  double volume = 0;
  for (size_t c = 0; c < k; c++) volume += geometric_mean(p, diagonal + c * p) / n;
  for (size_t c = 0; c < k; c++) {
    const double scale = volume / geometric_mean(p, diagonal + c * p);
    for (size_t j = 0; j < p; j++) variance[c * p + j] = scale * diagonal[c * p + j];
  }
}

/* The variances of a diagonal model from the diagonals of the scatter matrices. Both are k x p, and differ. */
static void fit_diagonal(mn_covariance_type model, const mn_gaussians *g, const double *count, const double *diagonal,
                         double *shape, double *variance)
{
  const size_t k = g->k, p = g->p;
  const double n = total_of(k, count);
  if (model == MN_VEI) {
    fit_varying_volumes(g, count, diagonal, shape, variance);
    return;
  }
  if (model == MN_EVI) {
    fit_varying_shapes(g, count, diagonal, variance);
    return;
  }
  memset(shape, 0, p * sizeof *shape);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) shape[j] += diagonal[c * p + j];
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      double *v = variance + c * p + j;
      if (model == MN_EII) *v = total_of(p, shape) / (n * (double)p);
      if (model == MN_VII) *v = total_of(p, diagonal + c * p) / (count[c] * (double)p);
      if (model == MN_EEI) *v = shape[j] / n;
      if (model == MN_VVI) *v = diagonal[c * p + j] / count[c];
    }
}

/* covariance = D' diag(variance) D, with the eigenvectors in the rows of D. */
static void compose(size_t p, const double *d, const double *variance, double *covariance)
{
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t t = 0; t < p; t++) sum += d[t * p + i] * variance[t] * d[t * p + j];
      covariance[i * p + j] = covariance[j * p + i] = sum;
    }
}

/* EEV, VEV: each component has the eigenvectors of its scatter matrix, in descending order of the eigenvalues. */
static mn_status fit_own_orientations(mn_context *ctx, mn_covariance_type model, const mn_gaussians *g,
                                      const double *count, double *scatter)
{
  const size_t k = g->k, p = g->p;
  double *vectors = MN_RAW(ctx, double, k *p, p), *values = MN_RAW(ctx, double, k, p);
  double *variance = MN_RAW(ctx, double, k, p), *shape = MN_RAW(ctx, double, p, 1);
  if (!vectors || !values || !variance || !shape) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, scatter + c * p * p, values + c * p, vectors + c * p * p));
  for (size_t j = 0; j < k * p; j++) values[j] = fmax(values[j], 0);
  fit_diagonal(model == MN_EEV ? MN_EEI : MN_VEI, g, count, values, shape, variance);
  for (size_t c = 0; c < k; c++) compose(p, vectors + c * p * p, variance + c * p, g->covariance + c * p * p);
  return MN_OK;
}

/* Rotate rows l and m of D, and rows and columns l and m of all scatter matrices, so that sum_k (W_k)_ll / v_kl +
 * (W_k)_mm / v_km is smallest for the variances v: the new direction l is the eigenvector of the smaller eigenvalue of
 * T = sum_k (1 / v_kl - 1 / v_km) W_k, restricted to rows and columns l and m. */
static double rotate_pair(const mn_gaussians *g, const double *variance, size_t l, size_t m, double *scatter)
{
  const size_t k = g->k, p = g->p;
  double a = 0, b = 0, d = 0;
  for (size_t c = 0; c < k; c++) {
    const double *w = scatter + c * p * p, factor = 1 / variance[c * p + l] - 1 / variance[c * p + m];
    a += factor * w[l * p + l];
    b += factor * w[l * p + m];
    d += factor * w[m * p + m];
  }
  const double angle = atan2(-2 * b, d - a) / 2, cosine = cos(angle), sine = sin(angle);
  if (!(fabs(angle) > 0)) return 0;
  double *rows[2] = { g->orientation + l * p, g->orientation + m * p };
  for (size_t j = 0; j < p; j++) {
    const double x = rows[0][j], y = rows[1][j];
    rows[0][j] = cosine * x + sine * y;
    rows[1][j] = cosine * y - sine * x;
  }
  for (size_t c = 0; c < k; c++) {
    double *w = scatter + c * p * p;
    for (size_t j = 0; j < p; j++) {
      const double x = w[l * p + j], y = w[m * p + j];
      w[l * p + j] = cosine * x + sine * y;
      w[m * p + j] = cosine * y - sine * x;
    }
    for (size_t j = 0; j < p; j++) {
      const double x = w[j * p + l], y = w[j * p + m];
      w[j * p + l] = cosine * x + sine * y;
      w[j * p + m] = cosine * y - sine * x;
    }
  }
  return fabs(angle);
}

/* W := D W D' for one matrix; `work` is p x p. */
static void rotate_scatter(size_t p, const double *d, double *w, double *work)
{
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      double sum = 0;
      for (size_t t = 0; t < p; t++) sum += d[i * p + t] * w[t * p + j];
      work[i * p + j] = sum;
    }
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      double sum = 0;
      for (size_t t = 0; t < p; t++) sum += work[i * p + t] * d[j * p + t];
      w[i * p + j] = sum;
    }
}

/* The first orientation: eigenvectors of the sum of the scatter matrices. */
static mn_status init_orientation(mn_context *ctx, const mn_gaussians *g, const double *scatter)
{
  const size_t p = g->p;
  double *sum = MN_NEW(ctx, double, p, p), *values = MN_RAW(ctx, double, p, 1);
  if (!sum || !values) return MN_NO_MEMORY;
  for (size_t c = 0; c < g->k; c++)
    for (size_t j = 0; j < p * p; j++) sum[j] += scatter[c * p * p + j];
  return mn_eigh(ctx, p, p, MN_LARGEST, sum, values, g->orientation);
}

/* EVE, VVE: alternate between the variances for a common orientation and rotations for given variances. */
static mn_status fit_common_orientation(mn_context *ctx, mn_covariance_type model, const mn_gaussians *g,
                                        const double *count, double *scatter)
{
  const size_t k = g->k, p = g->p;
  double *diagonal = MN_RAW(ctx, double, k, p), *variance = MN_RAW(ctx, double, k, p);
  double *work = MN_RAW(ctx, double, p, p), change = INFINITY;
  if (!diagonal || !variance || !work) return MN_NO_MEMORY;
  if (!(g->volume[0] > 0)) MN_TRY(init_orientation(ctx, g, scatter));
  g->volume[0] = 1;
  for (size_t c = 0; c < k; c++) rotate_scatter(p, g->orientation, scatter + c * p * p, work);
  for (int sweep = 0; sweep <= MAX_SWEEPS; sweep++) {
    for (size_t c = 0; c < k; c++)
      for (size_t j = 0; j < p; j++) diagonal[c * p + j] = fmax(scatter[c * p * p + j * p + j], 0);
    fit_diagonal(model == MN_EVE ? MN_EVI : MN_VVI, g, count, diagonal, work, variance);
    if (sweep == MAX_SWEEPS || !(change > inner_tol)) break;
    for (size_t j = 0; j < k * p; j++)
      if (!(variance[j] > 0)) change = 0; /* singular: the caller reports it */
    if (!(change > 0)) break;
    change = 0;
    for (size_t l = 0; l + 1 < p; l++)
      for (size_t m = l + 1; m < p; m++) change = fmax(change, rotate_pair(g, variance, l, m, scatter));
  }
  for (size_t c = 0; c < k; c++) compose(p, g->orientation, variance + c * p, g->covariance + c * p * p);
  return MN_OK;
}

/* det(A)^(1/p); 0 if A is not positive definite. */
static mn_status determinant_root(mn_context *ctx, size_t p, const double *a, double *work, double *out)
{
  size_t minor;
  memcpy(work, a, p * p * sizeof *work);
  MN_TRY(mn_chol_try(ctx, p, work, NULL, &minor));
  *out = minor == 0 ? exp(mn_chol_logdet(p, work) / (double)p) : 0;
  return MN_OK;
}

/* EVV: covariance_k = volume W_k / det(W_k)^(1/p). */
static mn_status fit_equal_volumes(mn_context *ctx, const mn_gaussians *g, const double *count, const double *scatter)
{
  const size_t k = g->k, width = g->width;
  double *work = MN_RAW(ctx, double, g->p, g->p), *scale = MN_RAW(ctx, double, k, 1), volume = 0;
  if (!work || !scale) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    MN_TRY(determinant_root(ctx, g->p, scatter + c * width, work, scale + c));
    volume += scale[c] / total_of(k, count);
  }
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < width; j++)
      g->covariance[c * width + j] = scale[c] > 0 ? volume * scatter[c * width + j] / scale[c] : 0;
  return MN_OK;
}

/* One iteration of VEE: the common matrix C, of determinant 1, for the volumes; then the volumes for C. */
static mn_status improve_volumes(mn_context *ctx, const mn_gaussians *g, const double *count, const double *scatter,
                                 double *common, double *inverse, double *change)
{
  const size_t k = g->k, p = g->p;
  double root;
  memset(common, 0, p * p * sizeof *common);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p * p; j++) common[j] += scatter[c * p * p + j] / g->volume[c];
  MN_TRY(determinant_root(ctx, p, common, inverse, &root));
  for (size_t j = 0; j < p * p; j++) common[j] = root > 0 ? common[j] / root : 0;
  *change = 0;
  if (!(root > 0)) return MN_OK;
  MN_TRY(mn_chol_inverse(ctx, p, inverse));
  for (size_t c = 0; c < k; c++) {
    double trace = 0;
    for (size_t j = 0; j < p * p; j++) trace += scatter[c * p * p + j] * inverse[j] * root;
    const double volume = fmax(trace / ((double)p * count[c]), DBL_MIN);
    *change = fmax(*change, fabs(volume - g->volume[c]) / volume);
    g->volume[c] = volume;
  }
  return MN_OK;
}

/* VEE: shape and orientation are equal. */
static mn_status fit_equal_shapes(mn_context *ctx, const mn_gaussians *g, const double *count, const double *scatter)
{
  const size_t k = g->k, p = g->p;
  double *common = MN_RAW(ctx, double, p, p), *inverse = MN_RAW(ctx, double, p, p), change = INFINITY;
  const bool first = !(g->volume[0] > 0);
  if (!common || !inverse) return MN_NO_MEMORY;
  for (size_t c = 0; first && c < k; c++) {
    double trace = 0;
    for (size_t j = 0; j < p; j++) trace += scatter[c * p * p + j * (p + 1)];
    g->volume[c] = fmax(trace / (count[c] * (double)p), DBL_MIN);
  }
  for (int round = 0; round < MAX_INNER && change > inner_tol; round++)
    MN_TRY(improve_volumes(ctx, g, count, scatter, common, inverse, &change));
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p * p; j++) g->covariance[c * p * p + j] = g->volume[c] * common[j];
  return MN_OK;
}

/* EEE, VVV */
static void fit_unconstrained(mn_covariance_type model, const mn_gaussians *g, const double *count,
                              const double *scatter)
{
  const size_t k = g->k, width = g->width;
  const double n = total_of(k, count);
  for (size_t j = 0; j < width; j++) {
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += scatter[c * width + j];
    for (size_t c = 0; c < k; c++)
      g->covariance[c * width + j] = model == MN_EEE ? sum / n : scatter[c * width + j] / count[c];
  }
}

mn_status mn_fit_covariances(mn_context *ctx, mn_covariance_type model, const mn_gaussians *g, const double *count,
                             double *scatter)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = MN_OK;
  if (g->diagonal) {
    double *shape = MN_RAW(ctx, double, g->p, 1);
    MN_CHECK_ALLOC(shape);
    fit_diagonal(model, g, count, scatter, shape, g->covariance);
  } else {
    switch (model) {
    case MN_VEE: status = fit_equal_shapes(ctx, g, count, scatter); break;
    case MN_EVV: status = fit_equal_volumes(ctx, g, count, scatter); break;
    case MN_EVE:
    case MN_VVE: status = fit_common_orientation(ctx, model, g, count, scatter); break;
    case MN_EEV:
    case MN_VEV: status = fit_own_orientations(ctx, model, g, count, scatter); break;
    default: fit_unconstrained(model, g, count, scatter); break;
    }
  }
  mn_scratch_release(ctx, mark);
  return status;
}
