#include "local_alignment.h"
#include "../factorization/small_eigen.h"
#include <math.h>
#include <string.h>

bool mn_local_has_row(const mn_local *s)
{
  return s->method == MN_LLE_STANDARD || s->method == MN_LLE_MODIFIED;
}

/* Columns of the basis of hessian: 1, the tangent coordinates, their products. */
static size_t basis_size(const mn_local *s)
{
  return 1 + s->components + s->components * (s->components + 1) / 2;
}

size_t mn_local_workspace(const mn_local *s)
{
  const size_t k = s->k;
  return (s->distances ? 0 : k * s->d + s->d) + 2 * k * k + 4 * k + k * (basis_size(s) > k ? basis_size(s) : k);
}

/* The inner products of the neighbors about the row, from distances: (d_a^2 + d_b^2 - d_ab^2) / 2. */
static void gram_of_distances(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors,
                              double *gram)
{
  const size_t k = s->k;
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b <= a; b++) {
      const size_t i = (size_t)neighbors[a], j = (size_t)neighbors[b];
      const double between = rows[i * s->d + j];
      gram[a * k + b] = gram[b * k + a] = (x[i] * x[i] + x[j] * x[j] - between * between) / 2;
    }
}

/* offset (k x d) = the neighbors minus the center, the row x; gram (k x k) = offset offset'. */
static void find_gram(const mn_local *s, const double *center, const double *rows, const int32_t *neighbors,
                      double *offset, double *gram)
{
  const size_t k = s->k, d = s->d;
  if (s->distances) {
    gram_of_distances(s, center, rows, neighbors, gram);
    return;
  }
  for (size_t a = 0; a < k; a++)
    for (size_t j = 0; j < d; j++) offset[a * d + j] = rows[(size_t)neighbors[a] * d + j] - center[j];
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b <= a; b++) {
      double sum = 0;
      for (size_t j = 0; j < d; j++) sum += offset[a * d + j] * offset[b * d + j];
      gram[a * k + b] = gram[b * k + a] = sum;
    }
}

/* x = inv(A) x for a positive definite A (k x k), which is overwritten; a pivot that is not positive, which only
 * rounding gives, is left out. */
static void solve_positive(size_t k, double *a, double *x)
{
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * k + j];
      for (size_t c = 0; c < j; c++) sum -= a[i * k + c] * a[j * k + c];
      a[i * k + j] = i == j ? (sum > 0 ? sqrt(sum) : INFINITY) : sum / a[j * k + j];
    }
    for (size_t c = 0; c < i; c++) x[i] -= a[i * k + c] * x[c];
    x[i] /= a[i * k + i];
  }
  for (size_t i = k; i-- > 0;) {
    for (size_t c = i + 1; c < k; c++) x[i] -= a[c * k + i] * x[c];
    x[i] /= a[i * k + i];
  }
}

static void scale_to_one(size_t k, double *weights)
{
  double sum = 0;
  for (size_t a = 0; a < k; a++) sum += weights[a];
  for (size_t a = 0; a < k; a++) weights[a] /= sum;
}

void mn_local_weights(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *weights,
                      double *work)
{
  const size_t k = s->k;
  double *gram = work, *offset = gram + k * k, trace = 0;
  find_gram(s, x, rows, neighbors, offset, gram);
  for (size_t a = 0; a < k; a++) trace += gram[a * k + a];
  for (size_t a = 0; a < k; a++) {
    gram[a * k + a] += trace > 0 ? s->reg * trace : s->reg;
    weights[a] = 1;
  }
  solve_positive(k, gram, weights);
  scale_to_one(k, weights);
}

/* --- standard --- */

static void standard_matrix(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors,
                            double *out, double *work)
{
  const size_t k = s->k, m = k + 1;
  double *v = work;
  mn_local_weights(s, x, rows, neighbors, v, work + m);
  for (size_t a = 0; a < k; a++) v[a] = -v[a];
  v[k] = 1;
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++) out[a * m + b] = v[a] * v[b];
}

/* --- modified --- */

/* Eigenpairs of the Gram matrix of the neighbors about the row; no negative eigenvalues. */
static void spectrum_about_row(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors,
                               double *values, double *vectors, double *work)
{
  double *gram = work, *offset = gram + s->k * s->k;
  const size_t rank = s->d < s->k ? s->d : s->k;
  find_gram(s, x, rows, neighbors, offset, gram);
  mn_small_eigen(s->k, gram, values, vectors);
  for (size_t a = 0; a < s->k; a++) values[a] = a < rank ? fmax(values[a], 0) : 0;
}

double mn_local_ratio(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *work)
{
  double *values = work, *vectors = values + s->k, small = 0, large = 0;
  spectrum_about_row(s, x, rows, neighbors, values, vectors, vectors + s->k * s->k);
  for (size_t a = 0; a < s->k; a++) *(a < s->components ? &large : &small) += values[a];
  return large > 0 ? small / large : 0;
}

/* The number of the last eigenvectors that nearly reconstruct the row: the largest for which the sum of their
 * eigenvalues over that of the others is below eta. */
static size_t weight_vectors(const mn_local *s, const double *values)
{
  const size_t rank = s->d < s->k ? s->d : s->k;
  double total = 0, sum = 0;
  for (size_t a = 0; a < rank; a++) total += values[a];
  size_t count = s->k - rank;
  for (size_t a = rank; a-- > 1;) {
    sum += values[a];
    if (!(sum < s->eta * (total - sum))) break;
    count++;
  }
  return count > 0 ? count : 1;
}

/* weights (k): of reconstruction, from the eigenpairs. */
static void spectral_weights(const mn_local *s, const double *values, const double *vectors, double *weights)
{
  const size_t k = s->k;
  double trace = 0;
  for (size_t a = 0; a < k; a++) trace += values[a];
  const double reg = trace > 0 ? s->reg * trace : s->reg;
  for (size_t b = 0; b < k; b++) weights[b] = 0;
  for (size_t a = 0; a < k; a++) {
    double sum = 0;
    for (size_t b = 0; b < k; b++) sum += vectors[a * k + b];
    for (size_t b = 0; b < k; b++) weights[b] += sum / (values[a] + reg) * vectors[a * k + b];
  }
  scale_to_one(k, weights);
}

/* The last `count` eigenvectors, reflected so that their sums are equal, plus (1 - alpha) times the weights: vectors of
 * weights with the sum 1, in the rows of `vectors`. */
static void spread_weights(const mn_local *s, size_t count, double *vectors, const double *weights, double *h)
{
  const size_t k = s->k;
  double *v = vectors + (k - count) * k, squares = 0, norm = 0;
  for (size_t c = 0; c < count; c++) {
    h[c] = 0;
    for (size_t b = 0; b < k; b++) h[c] += v[c * k + b];
    squares += h[c] * h[c];
  }
  const double alpha = sqrt(squares / (double)count);
  for (size_t c = 0; c < count; c++) {
    h[c] = alpha - h[c];
    norm += h[c] * h[c];
  }
  norm = sqrt(norm);
  for (size_t c = 0; c < count; c++) h[c] = norm < 1e-12 ? 0 : h[c] / norm;
  for (size_t b = 0; b < k; b++) {
    double along = 0;
    for (size_t c = 0; c < count; c++) along += v[c * k + b] * h[c];
    for (size_t c = 0; c < count; c++) v[c * k + b] += (1 - alpha) * weights[b] - 2 * along * h[c];
  }
}

static void modified_matrix(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors,
                            double *out, double *work)
{
  const size_t k = s->k, m = k + 1;
  double *values = work, *weights = values + k, *h = weights + k, *vectors = h + k;
  spectrum_about_row(s, x, rows, neighbors, values, vectors, vectors + k * k);
  const size_t count = weight_vectors(s, values);
  spectral_weights(s, values, vectors, weights);
  spread_weights(s, count, vectors, weights, h);
  memset(out, 0, m * m * sizeof *out);
  for (size_t c = k - count; c < k; c++) {
    const double *v = vectors + c * k;
    for (size_t a = 0; a < k; a++) {
      for (size_t b = 0; b < k; b++) out[a * m + b] += v[a] * v[b];
      out[a * m + k] -= v[a];
      out[k * m + a] -= v[a];
    }
  }
  out[k * m + k] = (double)count;
}

/* --- hessian and ltsa --- */

/* Subtract the means of rows and columns of a symmetric matrix. mean: k */
static void center_gram(size_t k, double *gram, double *mean)
{
  double all = 0;
  for (size_t a = 0; a < k; a++) {
    mean[a] = 0;
    for (size_t b = 0; b < k; b++) mean[a] += gram[a * k + b] / (double)k;
    all += mean[a] / (double)k;
  }
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) gram[a * k + b] += all - mean[a] - mean[b];
}

/* vectors: the eigenvectors of the Gram matrix of the centered neighbors, of which the first span the tangent space. */
static void tangent_space(const mn_local *s, const double *rows, const int32_t *neighbors, double *values,
                          double *vectors, double *work)
{
  const size_t k = s->k, d = s->distances ? 0 : s->d;
  double *center = work, *gram = center + d, *offset = gram + k * k;
  if (s->distances) { /* about the first neighbor, then about the mean */
    gram_of_distances(s, rows + (size_t)neighbors[0] * s->d, rows, neighbors, gram);
    center_gram(k, gram, values);
    mn_small_eigen(k, gram, values, vectors);
    return;
  }
  for (size_t j = 0; j < d; j++) {
    center[j] = 0;
    for (size_t a = 0; a < k; a++) center[j] += rows[(size_t)neighbors[a] * d + j] / (double)k;
  }
  find_gram(s, center, rows, neighbors, offset, gram);
  mn_small_eigen(k, gram, values, vectors);
}

/* Make the rows of q (count x k) orthonormal, twice for accuracy; a row that depends on others becomes 0. */
static void orthonormalize(size_t count, size_t k, double *q)
{
  for (size_t c = 0; c < count; c++) {
    double *row = q + c * k, before = 0, after = 0;
    for (size_t b = 0; b < k; b++) before += row[b] * row[b];
    for (int pass = 0; pass < 2; pass++)
      for (size_t e = 0; e < c; e++) {
        double part = 0;
        for (size_t b = 0; b < k; b++) part += q[e * k + b] * row[b];
        for (size_t b = 0; b < k; b++) row[b] -= part * q[e * k + b];
      }
    for (size_t b = 0; b < k; b++) after += row[b] * row[b];
    const double scale = after > 1e-24 * before ? 1 / sqrt(after) : 0;
    for (size_t b = 0; b < k; b++) row[b] *= scale;
  }
}

/* The tangent vectors may be constant if the neighbors span less than the tangent space. */
static void ltsa_matrix(const mn_local *s, const double *rows, const int32_t *neighbors, double *out, double *work)
{
  const size_t k = s->k, size = 1 + s->components;
  double *values = work, *vectors = values + k, *basis = vectors + k * k;
  tangent_space(s, rows, neighbors, values, vectors, basis);
  for (size_t b = 0; b < k; b++) basis[b] = 1;
  memcpy(basis + k, vectors, s->components * k * sizeof *basis);
  orthonormalize(size, k, basis);
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) {
      double sum = a == b;
      for (size_t c = 0; c < size; c++) sum -= basis[c * k + a] * basis[c * k + b];
      out[a * k + b] = sum;
    }
}

static void hessian_matrix(const mn_local *s, const double *rows, const int32_t *neighbors, double *out, double *work)
{
  const size_t k = s->k, p = s->components, size = basis_size(s);
  double *values = work, *vectors = values + k, *basis = vectors + k * k;
  tangent_space(s, rows, neighbors, values, vectors, basis);
  size_t at = 1 + p;
  for (size_t b = 0; b < k; b++) basis[b] = 1;
  memcpy(basis + k, vectors, p * k * sizeof *basis);
  for (size_t c = 0; c < p; c++)
    for (size_t e = c; e < p; e++, at++)
      for (size_t b = 0; b < k; b++) basis[at * k + b] = vectors[c * k + b] * vectors[e * k + b];
  orthonormalize(size, k, basis);
  memset(out, 0, k * k * sizeof *out);
  for (size_t c = 1 + p; c < size; c++)
    for (size_t a = 0; a < k; a++)
      for (size_t b = 0; b < k; b++) out[a * k + b] += basis[c * k + a] * basis[c * k + b];
}

void mn_local_matrix(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *out,
                     double *work)
{
  switch (s->method) {
  case MN_LLE_STANDARD: standard_matrix(s, x, rows, neighbors, out, work); return;
  case MN_LLE_MODIFIED: modified_matrix(s, x, rows, neighbors, out, work); return;
  case MN_LLE_HESSIAN: hessian_matrix(s, rows, neighbors, out, work); return;
  default: ltsa_matrix(s, rows, neighbors, out, work); return;
  }
}
