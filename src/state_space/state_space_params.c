/* Parameters of state space models: checks, the first state, and the system that they describe. */
#include "../factorization/lapack.h"
#include "../factorization/semidefinite.h"
#include "state_space.h"
#include <stdio.h>
#include <string.h>

static bool is_given(const mn_state_space *m)
{
  return m->transition.at && m->observation.at && m->state_cov.at && m->observation_cov.at;
}

/* KalmanFilter, which learns nothing. */
static bool is_fixed(const mn_state_space *m)
{
  return !(m->base.class->capabilities & MN_ITERATE);
}

/* The number of states, by the first parameter that tells. */
static size_t count_states(const mn_state_space *m, size_t features)
{
  if (m->transition.at) return m->transition.cols;
  if (m->observation.at) return m->observation.cols;
  if (m->state_cov.at) return m->state_cov.cols;
  if (m->initial_mean.at) return m->initial_mean.size;
  if (m->n_states != MN_UNSET) return (size_t)m->n_states;
  return is_fixed(m) ? features : 1;
}

static mn_status check_shape(mn_context *ctx, const mn_state_space *m, const char *name, const mn_matrix *a,
                             size_t rows, size_t cols, size_t steps)
{
  if (!a->at || (a->cols == cols && (a->rows == rows || (is_fixed(m) && a->rows == rows * steps)))) return MN_OK;
  if (!is_fixed(m))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %zu x %zu, got %zu x %zu", mn_state_space_name(m), name, rows,
                   cols, a->rows, a->cols);
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: %s must be %zu x %zu, or such matrices for %zu rows of X stacked, got %zu x %zu",
                 mn_state_space_name(m), name, rows, cols, steps, a->rows, a->cols);
}

static mn_status check_size(mn_context *ctx, const mn_state_space *m, const char *name, const mn_vector *v, size_t size)
{
  if (!v->at || v->size == size) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must have %zu values, got %zu", mn_state_space_name(m), name, size,
                 v->size);
}

static mn_status check_covariance(mn_context *ctx, const mn_state_space *m, const char *name, const mn_matrix *a)
{
  char text[96];
  const size_t d = a->cols;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *factor = MN_RAW(ctx, double, d, d);
  MN_CHECK_ALLOC(factor);
  snprintf(text, sizeof text, "%s: %s", mn_state_space_name(m), name);
  for (size_t first = 0; a->at && first < a->rows; first += d) {
    const double *c = a->at + first * d;
    for (size_t i = 0; i < d; i++)
      for (size_t j = 0; j < i; j++)
        if (fabs(c[i * d + j] - c[j * d + i]) > 1e-9 * (fabs(c[i * d + i]) + fabs(c[j * d + j])))
          return mn_fail(ctx, MN_BAD_ARGUMENT, "%s must be symmetric, but rows %zu and %zu differ", text, i + 1, j + 1);
    MN_TRY(mn_semidefinite_factor(ctx, d, c, text, factor));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status check_parameters(mn_context *ctx, const mn_state_space *m, size_t d, size_t p, size_t n)
{
  if (m->n_states != MN_UNSET && (size_t)m->n_states != d)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_states is %lld, but the matrices have %zu states; leave out n_states",
                   mn_state_space_name(m), (long long)m->n_states, d);
  MN_TRY(check_shape(ctx, m, "transition", &m->transition, d, d, n));
  MN_TRY(check_shape(ctx, m, "state_cov", &m->state_cov, d, d, n));
  MN_TRY(check_shape(ctx, m, "observation", &m->observation, p, d, n));
  MN_TRY(check_shape(ctx, m, "observation_cov", &m->observation_cov, p, p, n));
  MN_TRY(check_shape(ctx, m, "initial_cov", &m->initial_cov, d, d, 1));
  MN_TRY(check_size(ctx, m, "state_offset", &m->state_offset, d));
  MN_TRY(check_size(ctx, m, "observation_offset", &m->observation_offset, p));
  MN_TRY(check_size(ctx, m, "initial_mean", &m->initial_mean, d));
  MN_TRY(check_covariance(ctx, m, "state_cov", &m->state_cov));
  MN_TRY(check_covariance(ctx, m, "observation_cov", &m->observation_cov));
  return check_covariance(ctx, m, "initial_cov", &m->initial_cov);
}

mn_status mn_state_space_init_states(mn_context *ctx, mn_state_space *m, size_t d)
{
  MN_TRY(mn_vector_init(ctx, &m->state_intercept, d));
  MN_TRY(mn_vector_init(ctx, &m->diffuse, d));
  MN_TRY(mn_vector_init(ctx, &m->next_mean, d));
  return mn_matrix_init(ctx, &m->next_covariance, d, d);
}

mn_status mn_state_space_init_system(mn_context *ctx, mn_state_space *m, size_t d, size_t p)
{
  MN_TRY(mn_matrix_init(ctx, &m->transition_matrix, m->transition.at ? m->transition.rows : d, d));
  MN_TRY(mn_matrix_init(ctx, &m->observation_matrix, m->observation.at ? m->observation.rows : p, d));
  MN_TRY(mn_matrix_init(ctx, &m->state_covariance, m->state_cov.at ? m->state_cov.rows : d, d));
  MN_TRY(mn_matrix_init(ctx, &m->observation_covariance, m->observation_cov.at ? m->observation_cov.rows : p, p));
  MN_TRY(mn_vector_init(ctx, &m->observation_intercept, p));
  MN_TRY(mn_vector_init(ctx, &m->start_mean, d));
  return mn_matrix_init(ctx, &m->start_covariance, d, d);
}

mn_status mn_state_space_check(mn_context *ctx, mn_state_space *m, size_t p, size_t n)
{
  enum { MAX_STATES = 1000 };
  const size_t d = count_states(m, p);
  if (d == 0 || d > MAX_STATES)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_states must be from 1 to %d, got %zu", mn_state_space_name(m),
                   MAX_STATES, d);
  MN_TRY(check_parameters(ctx, m, d, p, n));
  MN_TRY(mn_state_space_init_states(ctx, m, d));
  if (m->state_offset.at) memcpy(m->state_intercept.at, m->state_offset.at, d * sizeof *m->state_offset.at);
  return MN_OK;
}

mn_status mn_state_space_is_known(mn_context *ctx, const mn_state_space *m, bool *known)
{
  *known = is_fixed(m) || m->initialization != MN_START_DEFAULT;
  if (!*known || is_fixed(m) || is_given(m)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: initialization = \"%s\" requires transition, observation, state_cov and observation_cov; leave "
                 "it out to learn them",
                 mn_state_space_name(m), m->initialization == MN_START_DIFFUSE ? "diffuse" : "stationary");
}

/* --- the first state --- */

/* By doubling: P := P + A P A', A := A A. */
mn_status mn_stationary_covariance(mn_context *ctx, size_t d, const double *f, const double *q, double *p,
                                   bool *stationary)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *a = MN_RAW(ctx, double, d, d), *moved = MN_RAW(ctx, double, d, d), *added = MN_RAW(ctx, double, d, d);
  if (!a || !moved || !added) return MN_NO_MEMORY;
  memcpy(a, f, d * d * sizeof *a);
  memcpy(p, q, d * d * sizeof *p);
  *stationary = false;
  for (int round = 0; round < 60 && !*stationary; round++) {
    double largest = 0;
    mn_small_product(d, d, d, a, p, moved);
    mn_small_product_bt(d, d, d, moved, a, added);
    for (size_t i = 0; i < d * d; i++) p[i] += added[i];
    mn_small_product(d, d, d, a, a, moved);
    memcpy(a, moved, d * d * sizeof *a);
    for (size_t i = 0; i < d * d; i++) largest = fmax(largest, fabs(a[i]));
    if (!(largest < 1e100)) break;
    *stationary = largest < 1e-17;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status stationary_cov(mn_context *ctx, const mn_state_space *m, double *p)
{
  bool stationary;
  MN_TRY(mn_stationary_covariance(ctx, m->state_intercept.size, m->transition_matrix.at, m->state_covariance.at, p,
                                  &stationary));
  if (stationary) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: initialization = \"stationary\" requires a transition whose eigenvalues are inside the unit "
                 "circle; use \"diffuse\"",
                 mn_state_space_name(m));
}

/* (I - F) mean = b */
static mn_status stationary_mean(mn_context *ctx, const mn_state_space *m, double *mean)
{
  const size_t d = m->state_intercept.size;
  double *a = MN_RAW(ctx, double, d, d);
  MN_CHECK_ALLOC(a);
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < d; j++) a[i * d + j] = (i == j) - m->transition_matrix.at[i * d + j];
  const mn_rows rows = { .n = d, .p = d, .m = 1, .x = a, .y = m->state_intercept.at };
  return mn_least_squares(ctx, &rows, 0, mean, NULL, NULL);
}

mn_status mn_state_space_start(mn_context *ctx, mn_state_space *m)
{
  const size_t d = m->state_intercept.size;
  if (m->initialization == MN_START_STATIONARY && m->transition_matrix.rows != d)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: initialization = \"stationary\" requires a constant transition",
                   mn_state_space_name(m));
  if (m->initialization == MN_START_STATIONARY && !m->initial_cov.at)
    MN_TRY(stationary_cov(ctx, m, m->start_covariance.at));
  if (m->initialization == MN_START_STATIONARY && !m->initial_mean.at)
    MN_TRY(stationary_mean(ctx, m, m->start_mean.at));
  for (size_t i = 0; i < d; i++) m->diffuse.at[i] = m->initialization == MN_START_DIFFUSE && !m->initial_cov.at;
  return MN_OK;
}

/* --- the system --- */

static mn_status steps_of(mn_context *ctx, const mn_state_space *m, const char *name, const mn_matrix *a, size_t rows,
                          size_t n, mn_matrix_steps *steps)
{
  *steps = (mn_matrix_steps){ .at = a->at, .varies = a->rows != rows, .size = rows * a->cols };
  if (!steps->varies || a->rows == rows * n) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: %s has matrices for %zu rows, but X has %zu", mn_state_space_name(m), name,
                 a->rows / rows, n);
}

mn_status mn_state_space_system(mn_context *ctx, const mn_state_space *m, size_t n, mn_linear_system *system)
{
  const size_t d = m->start_mean.size, p = m->observation_intercept.size;
  bool *diffuse = MN_NEW(ctx, bool, d, 1);
  MN_CHECK_ALLOC(diffuse);
  *system = (mn_linear_system){ .d = d,
                                .p = p,
                                .state_offset = m->state_intercept.at,
                                .observation_offset = m->observation_intercept.at,
                                .start_mean = m->start_mean.at,
                                .start_cov = m->start_covariance.at,
                                .diffuse = diffuse,
                                .square_root = m->square_root };
  for (size_t i = 0; i < d; i++) diffuse[i] = m->diffuse.at[i] > 0;
  MN_TRY(steps_of(ctx, m, "transition", &m->transition_matrix, d, n, &system->transition));
  MN_TRY(steps_of(ctx, m, "state_cov", &m->state_covariance, d, n, &system->state_cov));
  MN_TRY(steps_of(ctx, m, "observation", &m->observation_matrix, p, n, &system->observation));
  return steps_of(ctx, m, "observation_cov", &m->observation_covariance, p, n, &system->observation_cov);
}
