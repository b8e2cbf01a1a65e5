#include "gp_update.h"
#include "gp_mean.h"
#include <math.h>
#include <string.h>

/* A pivot below this fraction of the diagonal is rounding error: then A is factored again, with a jitter. */
static const double min_pivot = 1e-12;

void mn_gp_normalize(size_t n, size_t q, bool normalize, double *y, double *mean, double *scale)
{
  for (size_t t = 0; t < q; t++) {
    mean[t] = 0;
    scale[t] = 1;
    if (!normalize) continue;
    mn_gp_moments(n, q, y, NULL, t, &mean[t], &scale[t]);
    for (size_t i = 0; i < n; i++) y[i * q + t] = (y[i * q + t] - mean[t]) / scale[t];
  }
}

/* --- what follows from L, the rows and y --- */

/* Memory for all that can change, so that refresh cannot fail. */
struct workspace {
  double *y;           /* n x q                                        */
  double *right;       /* (columns + q) x n: inv(L) H, then inv(L) y   */
  double *turn;        /* 3 n: of mn_packed_remove and solve_upper     */
  double *coefficient; /* columns                                      */
};

static mn_status workspace_new(mn_context *ctx, const struct mn_gp_regressor *m, size_t n, struct workspace *w)
{
  const size_t q = m->y.cols, columns = mn_gp_columns(m);
  *w = (struct workspace){ .y = MN_RAW(ctx, double, n, q),
                           .right = MN_RAW(ctx, double, n, columns + q + 1),
                           .turn = MN_RAW(ctx, double, n, 3),
                           .coefficient = MN_RAW(ctx, double, columns + 1, 1) };
  return w->y && w->right && w->turn && w->coefficient ? MN_OK : MN_NO_MEMORY;
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* The factor of H' inv(A) H. */
static void factor_precision(size_t n, size_t columns, const double *basis, double *l)
{
  for (size_t j = 0; j < columns; j++)
    for (size_t k = 0; k <= j; k++) l[j * columns + k] = dot(n, basis + j * n, basis + k * n);
  mn_gp_alias_mean(columns, l);
}

/* The coefficients of the mean of target t; z = inv(L) y becomes inv(L) (y - H b). */
static void find_mean(struct mn_gp_regressor *m, size_t t, const struct workspace *w, double *z)
{
  const size_t n = m->x.rows, q = m->y.cols, columns = mn_gp_columns(m);
  double *b = w->coefficient;
  for (size_t k = 0; k < columns; k++) {
    const double *row = mn_row(&m->precision, k);
    b[k] = (dot(n, w->right + k * n, z) - dot(k, row, b)) / row[k];
  }
  for (size_t k = columns; k-- > 0;) {
    for (size_t j = k + 1; j < columns; j++) b[k] -= mn_row(&m->precision, j)[k] * b[j];
    b[k] /= mn_row(&m->precision, k)[k];
    m->mean_coef.at[k * q + t] = b[k];
  }
  for (size_t k = 0; k < columns; k++)
    for (size_t i = 0; i < n; i++) z[i] -= w->right[k * n + i] * b[k];
}

static double log_determinant(const struct mn_gp_regressor *m)
{
  double sum = 0;
  for (size_t i = 0; i < m->x.rows; i++) sum += 2 * log(m->factor.at[mn_packed_factor_size(i) + i]);
  return sum;
}

/* inv(L) H and inv(L) y, of which the rows before `first` are kept already. */
static void solve_lower(struct mn_gp_regressor *m, const struct workspace *w, size_t first)
{
  const size_t n = m->x.rows, q = m->y.cols, columns = mn_gp_columns(m);
  double *z = w->right + columns * n;
  for (size_t i = 0; i < n; i++) {
    if (i >= first) mn_gp_mean_row((mn_gp_mean)m->mean_kind, m->x.cols, mn_row(&m->x, i), w->coefficient);
    for (size_t k = 0; k < columns; k++) w->right[k * n + i] = i < first ? mn_row(&m->basis, i)[k] : w->coefficient[k];
    for (size_t t = 0; t < q; t++) z[t * n + i] = i < first ? mn_row(&m->solved, i)[t] : mn_row(&m->y, i)[t];
  }
  mn_packed_lower_from(n, first, m->factor.at, columns + q, w->right);
  for (size_t i = first; i < n; i++) {
    for (size_t k = 0; k < columns; k++) mn_row(&m->basis, i)[k] = w->right[k * n + i];
    for (size_t t = 0; m->solved.at && t < q; t++) mn_row(&m->solved, i)[t] = z[t * n + i];
  }
}

/* inv(L') z. It must not fail: if the parallel call is cancelled, this thread does it. */
static void solve_upper(mn_context *ctx, const struct mn_gp_regressor *m, const struct workspace *w, double *z)
{
  const size_t n = m->x.rows;
  double *before = w->turn + 2 * n;
  memcpy(before, z, n * sizeof *z);
  if (mn_packed_upper_parallel(ctx, n, m->factor.at, z, w->turn) == MN_OK) return;
  memcpy(z, before, n * sizeof *z);
  mn_packed_upper(n, m->factor.at, 1, z);
}

/* Everything but L, x and row_noise. */
static void refresh(mn_context *ctx, struct mn_gp_regressor *m, const struct workspace *w, size_t first)
{
  const size_t n = m->x.rows, q = m->y.cols, columns = mn_gp_columns(m);
  double *z = w->right + columns * n, square = 0;
  solve_lower(m, w, first);
  if (columns > 0) factor_precision(n, columns, w->right, m->precision.at);
  for (size_t t = 0; t < q; t++) {
    if (columns > 0) find_mean(m, t, w, z + t * n);
    square += dot(n, z + t * n, z + t * n);
  }
  for (size_t t = 0; t < q; t++) solve_upper(ctx, m, w, z + t * n);
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) mn_row(&m->dual_coef, i)[t] = z[t * n + i];
  m->log_likelihood = -0.5 * (square + (double)q * (log_determinant(m) + (double)n * log(2 * M_PI)));
  m->base.report.objective = -m->log_likelihood;
}

/* --- adding a row --- */

static mn_status reserve(mn_context *ctx, mn_matrix *m, size_t rows)
{
  mn_vector all = { .at = m->at, .size = m->rows * m->cols };
  if (m->cols == 0) return MN_OK;
  MN_TRY(mn_vector_resize(ctx, &all, rows * m->cols));
  m->at = all.at;
  return MN_OK;
}

static mn_status reserve_vector(mn_context *ctx, mn_vector *v, size_t size)
{
  const size_t old = v->size;
  MN_TRY(mn_vector_resize(ctx, v, size));
  v->size = old;
  return MN_OK;
}

static void set_rows(struct mn_gp_regressor *m, size_t n)
{
  m->x.rows = m->y.rows = m->dual_coef.rows = n;
  if (m->basis.at) m->basis.rows = n;
  if (m->solved.at) m->solved.rows = n;
  if (m->row_noise.at) m->row_noise.size = n;
  m->factor.size = mn_packed_factor_size(n);
}

static mn_status reserve_all(mn_context *ctx, struct mn_gp_regressor *m, size_t rows, bool has_noise)
{
  MN_TRY(reserve(ctx, &m->x, rows));
  MN_TRY(reserve(ctx, &m->y, rows));
  MN_TRY(reserve(ctx, &m->dual_coef, rows));
  MN_TRY(reserve(ctx, &m->basis, rows));
  m->solved.cols = m->y.cols;
  MN_TRY(reserve(ctx, &m->solved, rows));
  if (has_noise && !m->row_noise.at) MN_TRY(mn_vector_init(ctx, &m->row_noise, m->x.rows));
  if (m->row_noise.at) MN_TRY(reserve_vector(ctx, &m->row_noise, rows));
  return reserve_vector(ctx, &m->factor, mn_packed_factor_size(rows));
}

/* Row n of L, behind the others. *singular: it is not a positive definite matrix to rounding. */
static mn_status add_to_factor(mn_context *ctx, struct mn_gp_regressor *m, const double *x, double noise,
                               bool *singular)
{
  const size_t n = m->x.rows;
  const mn_kernel_rows stored = mn_gp_stored_rows(m), one = { .n = 1, .d = m->x.cols, .x = x };
  double diagonal, *row = m->factor.at + mn_packed_factor_size(n);
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &stored, &one, row, 1));
  MN_TRY(mn_kernel_diagonal(ctx, &m->fitted_kernel, &one, &diagonal));
  MN_TRY(mn_packed_lower_parallel(ctx, n, m->factor.at, row));
  diagonal += m->noise + noise + m->jitter;
  const double pivot = diagonal - dot(n, row, row);
  *singular = !(pivot > min_pivot * diagonal);
  row[n] = *singular ? 1 : sqrt(pivot);
  return MN_OK;
}

/* Factor the matrix of all rows again. The arrays have the capacity for it. */
static mn_status refactor(mn_context *ctx, struct mn_gp_regressor *m)
{
  mn_gp_solution s;
  double *to = m->factor.at;
  MN_TRY(mn_gp_regressor_solve(ctx, m, &s));
  m->jitter = s.jitter;
  for (size_t i = 0; i < m->x.rows; to += ++i) memcpy(to, s.l + i * m->x.rows, (i + 1) * sizeof *to);
  return MN_OK;
}

/* Add a row with reserved memory to x, y and L. On failure *m is unchanged. *valid: the rows of inv(L) y that stay. */
static mn_status append(mn_context *ctx, struct mn_gp_regressor *m, const double *x, const double *y, double noise,
                        size_t *valid)
{
  const size_t n = m->x.rows;
  bool singular;
  MN_TRY(add_to_factor(ctx, m, x, noise, &singular));
  memcpy(m->x.at + n * m->x.cols, x, m->x.cols * sizeof *x);
  for (size_t t = 0; t < m->y.cols; t++) m->y.at[n * m->y.cols + t] = (y[t] - m->y_mean.at[t]) / m->y_scale.at[t];
  if (m->row_noise.at) m->row_noise.at[n] = noise;
  set_rows(m, n + 1);
  const mn_status status = singular ? refactor(ctx, m) : MN_OK;
  if (status != MN_OK) set_rows(m, n);
  if (singular) *valid = 0;
  return status;
}

static void renormalize(struct mn_gp_regressor *m)
{
  const size_t n = m->y.rows, q = m->y.cols;
  if (!m->normalize_y) return;
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) mn_row(&m->y, i)[t] = m->y_mean.at[t] + m->y_scale.at[t] * mn_row(&m->y, i)[t];
  mn_gp_normalize(n, q, true, m->y.at, m->y_mean.at, m->y_scale.at);
}

/* --- removing a row --- */

static void remove_row_of(mn_matrix *m, size_t row)
{
  if (m->at) memmove(mn_row(m, row), mn_row(m, row + 1), (m->rows - row - 1) * m->cols * sizeof *m->at);
}

static void remove_row(struct mn_gp_regressor *m, size_t row, const struct workspace *w)
{
  const size_t n = m->x.rows;
  mn_matrix noise = { .at = m->row_noise.at, .rows = n, .cols = 1 };
  mn_packed_remove(n, row, m->factor.at, w->turn, w->turn + n);
  remove_row_of(&m->x, row);
  remove_row_of(&m->y, row);
  remove_row_of(&noise, row);
  set_rows(m, n - 1);
}

mn_status mn_gp_remove_row(mn_context *ctx, struct mn_gp_regressor *m, size_t row)
{
  struct workspace w;
  MN_TRY(workspace_new(ctx, m, m->x.rows, &w));
  remove_row(m, row, &w);
  renormalize(m);
  refresh(ctx, m, &w, 0);
  return MN_OK;
}

/* --- partial_fit --- */

/* Variances of the noise of new rows: as given, or learned, of the form that the rows of the fit have. */
static mn_status noise_of(mn_context *ctx, const struct mn_gp_regressor *m, const mn_data *data, double **noise)
{
  const mn_kernel_rows rows = { .n = data->rows, .d = m->x.cols, .x = data->x.at };
  if (!mn_gp_has_noise_process(m)) return mn_gp_given_noise(ctx, m, data, noise);
  double *variance = MN_RAW(ctx, double, data->rows, 1);
  *noise = MN_RAW(ctx, double, data->rows, 1);
  if (!variance || !*noise) return MN_NO_MEMORY;
  MN_TRY(mn_gp_log_noise(ctx, m, &rows, *noise, variance));
  for (size_t i = 0; i < data->rows; i++) (*noise)[i] = exp((*noise)[i] - variance[i] / 2);
  return MN_OK;
}

mn_status mn_gp_add_rows(mn_context *ctx, struct mn_gp_regressor *m, const mn_data *data)
{
  const size_t rows = m->x.rows + data->rows;
  size_t valid = m->solved.at && !m->normalize_y ? m->x.rows : 0;
  struct workspace w;
  double *noise;
  MN_TRY(noise_of(ctx, m, data, &noise));
  MN_TRY(workspace_new(ctx, m, rows, &w));
  MN_TRY(reserve_all(ctx, m, rows, noise != NULL));
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    MN_TRY(append(ctx, m, mn_row(&data->x, i), mn_row(&data->y, i), noise ? noise[i] : 0, &valid));
    for (; m->window != MN_UNSET && m->x.rows > (size_t)m->window; valid = 0) remove_row(m, 0, &w);
  }
  renormalize(m);
  refresh(ctx, m, &w, valid);
  return MN_OK;
}

mn_status mn_gp_update(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_gp_add_rows(ctx, self, data);
}
