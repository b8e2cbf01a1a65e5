/* A step of all free terms F of the dual, lower < g < upper, together. Conjugate gradients solve
 *
 *     (X_F X_F' + diag(ridge) + [inverse_rho 1 1']) step = dD / dg_F
 *
 * with the term in brackets if the intercept is penalized. If it has no penalty, the steps keep sum g = 0: residuals
 * are projected, in the norm of the diagonal preconditioner, to directions of sum 0, and the projection is the change
 * of the intercept (Gould, Hribar & Nocedal, SIAM J. Sci. Comput. 23, 2001, algorithm 6.2). The step is cut at the
 * bounds. */
#include "linear_svm_dual.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CG = 100 };

struct joint {
  mn_svm_dual *w;
  mn_linear_svm part; /* the free terms only */
  size_t count, *index;
  double *slope, *step, *residual, *direction, *image, *inverse; /* count each */
  double *v;                                                     /* p */
  double multiplier, inverse_rho; /* change of a free intercept; 0 unless it is penalized */
};

static bool is_free(const mn_svm_term *t, double tube)
{
  return t->g > t->lower && t->g < t->upper && (t->g > 0 || t->g < 0 || !(tube > 0));
}

/* Copy the rows of the free terms, so that products read them in order. */
static mn_status copy_dense(mn_context *ctx, struct joint *t, mn_data *out)
{
  const mn_data *from = t->w->s->data;
  out->x = (mn_matrix){ .at = MN_RAW(ctx, double, t->count, t->part.p), .rows = t->count, .cols = t->part.p };
  MN_CHECK_ALLOC(out->x.at);
  mn_gather_rows(&from->x, t->index, t->count, &out->x);
  return MN_OK;
}

static mn_status copy_sparse(mn_context *ctx, struct joint *t, mn_data *out)
{
  const mn_csr *from = t->w->s->data->sparse;
  mn_csr *to = MN_NEW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(to);
  *to = (mn_csr){ .rows = t->count, .cols = t->part.p, .start = MN_NEW(ctx, size_t, t->count + 1, 1) };
  MN_CHECK_ALLOC(to->start);
  for (size_t k = 0; k < t->count; k++) {
    const size_t i = t->index[k];
    to->start[k + 1] = to->start[k] + from->start[i + 1] - from->start[i];
  }
  to->col = MN_RAW(ctx, int32_t, to->start[t->count], 1);
  to->at = MN_RAW(ctx, double, to->start[t->count], 1);
  if (!to->col || !to->at) return MN_NO_MEMORY;
  for (size_t k = 0; k < t->count; k++) {
    const size_t begin = from->start[t->index[k]], size = to->start[k + 1] - to->start[k];
    memcpy(to->col + to->start[k], from->col + begin, size * sizeof *to->col);
    memcpy(to->at + to->start[k], from->at + begin, size * sizeof *to->at);
  }
  out->sparse = to;
  return MN_OK;
}

static mn_status copy_pairs(mn_context *ctx, struct joint *t)
{
  const mn_linear_svm *s = t->w->s;
  int32_t *row = MN_RAW(ctx, int32_t, t->count, 2);
  MN_CHECK_ALLOC(row);
  for (size_t k = 0; k < t->count; k++) {
    row[k] = s->row[t->index[k]];
    row[t->count + k] = s->less[t->index[k]];
  }
  t->part.row = row;
  t->part.less = row + t->count;
  return MN_OK;
}

static mn_status init(mn_context *ctx, mn_svm_dual *w, struct joint *t, mn_data *data)
{
  const mn_linear_svm *s = w->s;
  *t = (struct joint){ .w = w, .part = *s, .index = MN_RAW(ctx, size_t, s->n, 1) };
  MN_CHECK_ALLOC(t->index);
  for (size_t i = 0; i < s->n; i++)
    if (is_free(w->term + i, s->tube)) t->index[t->count++] = i;
  if (s->intercept == MN_SVM_PENALIZED) t->inverse_rho = w->inverse_rho;
  double *buffer = MN_NEW(ctx, double, t->count, 6);
  t->v = MN_RAW(ctx, double, s->p, 1);
  if (!buffer || !t->v) return MN_NO_MEMORY;
  double **parts[] = { &t->slope, &t->step, &t->residual, &t->direction, &t->image, &t->inverse };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) *parts[k] = buffer + k * t->count;
  *data = *s->data;
  data->rows = t->part.n = t->count;
  t->part.data = data;
  if (t->count == 0) return MN_OK;
  if (!s->row) return (data->sparse ? copy_sparse : copy_dense)(ctx, t, data);
  data->rows = s->data->rows;
  return copy_pairs(ctx, t);
}

static const mn_svm_term *term_of(const struct joint *t, size_t k)
{
  return t->w->term + t->index[k];
}

/* v = X_F' direction; the curvature of D along direction. */
static mn_status transpose_direction(mn_context *ctx, struct joint *t, double *curvature, double *sum)
{
  double square = 0;
  MN_TRY(mn_svm_transposed(ctx, &t->part, t->direction, t->v));
  *sum = 0;
  for (size_t j = 0; j < t->part.p; j++) square += t->v[j] * t->v[j];
  for (size_t k = 0; k < t->count; k++) {
    square += term_of(t, k)->ridge * t->direction[k] * t->direction[k];
    *sum += t->direction[k];
  }
  *curvature = square + t->inverse_rho * *sum * *sum;
  return MN_OK;
}

/* image = the matrix times direction */
static mn_status multiply(mn_context *ctx, struct joint *t, double *curvature)
{
  double sum;
  MN_TRY(transpose_direction(ctx, t, curvature, &sum));
  MN_TRY(mn_svm_scores(ctx, &t->part, t->v, t->image));
  for (size_t k = 0; k < t->count; k++) t->image[k] += term_of(t, k)->ridge * t->direction[k] + t->inverse_rho * sum;
  return MN_OK;
}

/* The projection of the residual: residual - shift has sum 0 when preconditioned. */
static double find_shift(const struct joint *t)
{
  double above = 0, below = 0;
  if (t->part.intercept != MN_SVM_FREE) return 0;
  for (size_t k = 0; k < t->count; k++) {
    above += t->inverse[k] * t->residual[k];
    below += t->inverse[k];
  }
  return above / below;
}

static double preconditioned_norm(const struct joint *t, double shift)
{
  double sum = 0;
  for (size_t k = 0; k < t->count; k++) {
    const double r = t->residual[k] - shift;
    sum += r * r * t->inverse[k];
  }
  return sum;
}

/* Squared length of direction in the norm of the diagonal. */
static double preconditioned_length(const struct joint *t)
{
  double sum = 0;
  for (size_t k = 0; k < t->count; k++) sum += t->direction[k] * t->direction[k] / t->inverse[k];
  return sum;
}

static void advance(struct joint *t, double length)
{
  for (size_t k = 0; k < t->count; k++) {
    t->step[k] += length * t->direction[k];
    t->residual[k] -= length * t->image[k];
  }
}

/* The sum of g over all terms must become 0. */
static mn_status restore_sum(mn_context *ctx, struct joint *t)
{
  double total = 0, curvature;
  if (t->part.intercept != MN_SVM_FREE) return MN_OK;
  for (size_t k = 0; k < t->count; k++) total += t->inverse[k];
  for (size_t k = 0; k < t->count; k++) t->direction[k] = -t->w->sum * t->inverse[k] / total;
  MN_TRY(multiply(ctx, t, &curvature));
  advance(t, 1);
  return MN_OK;
}

/* The bounds of a free term; g does not cross 0 where the tube has a kink. */
static void get_bounds(const struct joint *t, size_t k, double *lower, double *upper)
{
  const mn_svm_term *e = term_of(t, k);
  *lower = t->part.tube > 0 && e->g > 0 ? 0 : e->lower;
  *upper = t->part.tube > 0 && e->g < 0 ? 0 : e->upper;
}

/* With more free terms than columns D is linear along some directions: follow one up to the first bound. */
static void add_flat_direction(struct joint *t)
{
  double length = INFINITY, lower, upper;
  for (size_t k = 0; k < t->count; k++) {
    const double at = term_of(t, k)->g + t->step[k], direction = t->direction[k];
    get_bounds(t, k, &lower, &upper);
    if (direction > 0) length = fmin(length, (upper - at) / direction);
    if (direction < 0) length = fmin(length, (lower - at) / direction);
  }
  for (size_t k = 0; length > 0 && length < INFINITY && k < t->count; k++) t->step[k] += length * t->direction[k];
}

static mn_status conjugate_gradients(mn_context *ctx, struct joint *t, double tolerance)
{
  static const double flat = 1e-10;
  MN_TRY(restore_sum(ctx, t));
  double shift = find_shift(t), now = preconditioned_norm(t, shift), before = 1;
  const double target = tolerance * tolerance * now;
  for (int round = 0; round < MAX_CG && now > target; round++) {
    double curvature;
    for (size_t k = 0; k < t->count; k++)
      t->direction[k] = t->inverse[k] * (t->residual[k] - shift) + (round > 0 ? now / before * t->direction[k] : 0);
    MN_TRY(multiply(ctx, t, &curvature));
    if (!(curvature > flat * preconditioned_length(t))) {
      add_flat_direction(t);
      break;
    }
    advance(t, now / curvature);
    before = now;
    shift = find_shift(t);
    now = preconditioned_norm(t, shift);
    MN_TRY(mn_poll(ctx));
  }
  t->multiplier = shift;
  return MN_OK;
}

/* The part of the step that bounds allow, into direction; false if D does not rise along it. */
static bool cut_step(struct joint *t, double *gain)
{
  enum { HALVINGS = 10 };
  double length = 1, lower, upper;
  for (int attempt = 0; attempt < HALVINGS; attempt++, length /= 2) {
    *gain = 0;
    for (size_t k = 0; k < t->count; k++) {
      const double g = term_of(t, k)->g;
      get_bounds(t, k, &lower, &upper);
      t->direction[k] = fmin(fmax(g + length * t->step[k], lower), upper) - g;
      *gain += (t->slope[k] - t->multiplier) * t->direction[k];
    }
    if (*gain > 0) return true;
  }
  return false;
}

static mn_status apply_step(mn_context *ctx, struct joint *t, double gain)
{
  mn_svm_dual *w = t->w;
  double curvature, sum;
  MN_TRY(transpose_direction(ctx, t, &curvature, &sum));
  const double length = curvature > gain ? gain / curvature : 1;
  for (size_t k = 0; k < t->count; k++) {
    mn_svm_term *e = w->term + t->index[k];
    e->g = fmin(fmax(e->g + length * t->direction[k], e->lower), e->upper);
  }
  for (size_t j = 0; j < t->part.p; j++) w->v[j] += length * t->v[j];
  w->sum += length * sum;
  w->c += length * (t->part.intercept == MN_SVM_FREE ? t->multiplier : sum * w->inverse_rho);
  return MN_OK;
}

/* dD/dg at the free terms. */
static mn_status compute_slopes(mn_context *ctx, struct joint *t)
{
  MN_TRY(mn_svm_scores(ctx, &t->part, t->w->v, t->slope));
  for (size_t k = 0; k < t->count; k++) {
    const mn_svm_term *e = term_of(t, k);
    const double tube = e->g > 0 ? t->part.tube : -t->part.tube;
    t->slope[k] = e->target - t->slope[k] - t->w->c - e->ridge * e->g - tube;
    t->residual[k] = t->slope[k];
    t->inverse[k] = 1 / fmax(e->curvature - t->w->inverse_rho + t->inverse_rho, DBL_MIN);
  }
  return MN_OK;
}

mn_status mn_svm_joint_step(mn_context *ctx, mn_svm_dual *w, double tolerance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct joint t;
  mn_data data;
  double gain;
  MN_TRY(init(ctx, w, &t, &data));
  if (t.count > 0) {
    MN_TRY(compute_slopes(ctx, &t));
    MN_TRY(conjugate_gradients(ctx, &t, tolerance));
    if (cut_step(&t, &gain)) MN_TRY(apply_step(ctx, &t, gain));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
