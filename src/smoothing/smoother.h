/* Linear smoothers: the prediction at a point is sum_i l_i y_i, where the weights l_i depend on X, the bandwidth and
 * the sample weights. Kernel regression and Loess differ in how l is computed; leave-one-out errors, traces, the
 * residual standard error and intervals follow from l alone. */
#ifndef MN_SMOOTHING_SMOOTHER_H
#define MN_SMOOTHING_SMOOTHER_H
#include "../model/class.h"
#include "../model/operation.h"
#include "kernel_shape.h"

typedef enum mn_smoothing_method {
  MN_NADARAYA_WATSON,
  MN_PRIESTLEY_CHAO,
  MN_GASSER_MUELLER,
  MN_LOCAL_POLYNOMIAL
} mn_smoothing_method;

/* How far degrees of freedom are computed: see mn_smoother_fields. */
enum { MN_STATISTICS_AUTO, MN_STATISTICS_EXACT, MN_STATISTICS_TRACE, MN_STATISTICS_NONE };
extern const char *const mn_smoother_statistics[];

/* The struct of an estimator begins with this. */
typedef struct mn_smoother {
  mn_estimator base;
  mn_matrix x;       /* rows x features        */
  mn_vector y;       /* rows                   */
  mn_vector weights; /* rows; empty: all are 1 */
  double trace_hat, enp, one_delta, two_delta, df, sigma;
} mn_smoother;

#define MN_SMOOTHER_STATISTICS_PARAM(type)                                                                             \
  MN_CHOICE(type, statistics, MN_STATISTICS_AUTO, mn_smoother_statistics,                                              \
            "exact: all, in O(rows^3); trace: df = one_delta, in O(rows^2); none: no standard errors; auto: exact up " \
            "to 2000 rows, then trace")

#define MN_SMOOTHER_FIELDS(type)                                                                                       \
  MN_LEARNED(MN_KIND_MATRIX, mn_smoother, x, "rows x features", NULL),                                                 \
      MN_LEARNED(MN_KIND_VECTOR, mn_smoother, y, "rows", NULL),                                                        \
      MN_LEARNED(MN_KIND_VECTOR, mn_smoother, weights, "rows?", NULL),                                                 \
      MN_OPTIONAL_NUMBER(mn_smoother, trace_hat, "trace of the smoother matrix L, where fitted values are L y"),       \
      MN_OPTIONAL_NUMBER(mn_smoother, enp, "equivalent number of parameters, the trace of L L'"),                      \
      MN_OPTIONAL_NUMBER(mn_smoother, one_delta,                                                                       \
                         "trace of (I - L)(I - L)'; sigma^2 = weighted sum of squared "                                \
                         "residuals / one_delta"),                                                                     \
      MN_OPTIONAL_NUMBER(mn_smoother, two_delta, "trace of ((I - L)(I - L)')^2"),                                      \
      MN_OPTIONAL_NUMBER(mn_smoother, df, "degrees of freedom of sigma, one_delta^2 / two_delta"),                     \
      MN_OPTIONAL_NUMBER(mn_smoother, sigma, "residual standard error")

/* What the computation of l needs, in scratch. */
typedef struct mn_smoother_plan {
  mn_smoothing_method method;
  mn_kernel_shape shape;
  size_t n, d, terms;
  size_t neighbors;        /* 0: fixed bandwidth. Else tricube weights over so many nearest rows */
  double widening;         /* factor of the squared distance of the farthest neighbor            */
  double *z;               /* d x n: (x - center) / scale                                        */
  const double *center;    /* d                                                                  */
  const double *scale;     /* d: the bandwidths if they are fixed                                */
  const double *weights;   /* n, or NULL                                                         */
  bool counts;             /* they are: see mn_left_out                                          */
  const int32_t *parent;   /* terms, as for mn_local_polynomial                                  */
  const int32_t *variable; /* terms                                                              */
  const size_t *order;     /* n: rows in ascending order of x, for Priestley-Chao, Gasser-Mueller */
  size_t work_size;        /* doubles of workspace for one worker                                */
} mn_smoother_plan;

/* Complete a plan, of which method, shape, neighbors, widening, center, scale and weights are set: z, terms, order.
 * MN_BAD_ARGUMENT if the method does not suit the columns of x, or there are too many terms. */
mn_status mn_smoother_plan_make(mn_context *ctx, const char *who, const mn_matrix *x, size_t degree,
                                mn_smoother_plan *plan);

/* The number of terms of a polynomial in d variables; infinite if it overflows. */
double mn_polynomial_terms(size_t d, size_t degree);

/* Compute z again after a change of scale. */
void mn_smoother_rescale(const mn_matrix *x, mn_smoother_plan *plan);

/* q (d) = the point x in the scale of z. */
void mn_smoother_scale_point(const mn_smoother_plan *plan, const double *x, double *q);

/* l, n values, at the scaled point q.
 *
 *   skip  a row that is left out, by mn_left_out of its weight; SIZE_MAX: none
 *   work  plan->work_size doubles
 *
 * If no row has a positive kernel weight, l is the mean over the nearest rows (Priestley-Chao: 0). */
void mn_smoother_row(const mn_smoother_plan *plan, const double *q, size_t skip, double *work, double *l);

/* The weights l at one point. */
typedef struct mn_smoother_weights {
  size_t count;
  const int32_t *row; /* count: those of all other rows are 0; NULL: all rows in order */
  const double *l;    /* count                                                         */
} mn_smoother_weights;

/* The row of weight k. */
static inline size_t mn_row_of_weight(const mn_smoother_weights *w, size_t k)
{
  return w->row ? (size_t)w->row[k] : k;
}

/* The weight of row i. */
double mn_weight_of_row(const mn_smoother_weights *w, size_t i);

/* sum_i l_i y_i */
double mn_weights_dot(const mn_smoother_weights *w, const double *y);

/* The weights at the scaled point q from a list of the plan->neighbors nearest rows; l is workspace of n values. */
mn_smoother_weights mn_smoother_weigh_neighbors(const mn_smoother_plan *plan, const double *q, const int32_t *near,
                                                double *work, double *l);

/* What a pass over points calls for point `i`, from several threads. */
typedef void (*mn_smoother_visit)(void *user, size_t i, const mn_smoother_weights *w);

/* Compute the weights at each row of `points`, in parallel; leave_out: without row i, where points are the rows of the
 * plan. */
mn_status mn_smoother_pass(mn_context *ctx, const mn_smoother_plan *plan, const mn_matrix *points, bool leave_out,
                           mn_smoother_visit visit, void *user);

/* out[i] = prediction at row i of `points` with target y. */
mn_status mn_smoother_predict(mn_context *ctx, const mn_smoother_plan *plan, const mn_matrix *points, bool leave_out,
                              const double *y, double *out);

/* Store the training data. */
mn_status mn_smoother_store(mn_context *ctx, mn_smoother *m, const mn_data *data);

/* trace_hat, enp, one_delta, two_delta and df from the plan of the fit.
 *
 *   kind      exact or trace
 *   repeated  weights are numbers of copies, and L is that of the repeated rows; if not, weights do not enter the
 *             traces, as in R's loess
 *   fitted    n, out: fitted values */
mn_status mn_smoother_compute_statistics(mn_context *ctx, mn_smoother *m, const mn_smoother_plan *plan, int64_t kind,
                                         bool repeated, double *fitted);

/* sigma from residuals; NaN if there are no degrees of freedom. */
void mn_smoother_set_sigma(mn_smoother *m, const double *residuals);

/* The operations intervals and predict_interval. `make` makes the plan of a fitted model. */
typedef mn_status (*mn_smoother_plan_function)(mn_context *ctx, const mn_smoother *m, mn_smoother_plan *plan);
typedef struct mn_smoother_interval_options {
  double level;
  int64_t kind;
} mn_smoother_interval_options;
extern const mn_param mn_smoother_interval_params[];
mn_status mn_smoother_intervals(mn_context *ctx, const mn_smoother *m, mn_smoother_plan_function make,
                                const mn_data *data, const mn_smoother_interval_options *options, mn_results *results);
mn_status mn_smoother_predict_interval(mn_context *ctx, const mn_smoother *m, mn_smoother_plan_function make,
                                       const mn_data *data, double level, mn_results *results);

/* Rows of a table of operations. */
#define MN_SMOOTHER_OPERATIONS(intervals_, predict_interval_)                                                          \
  { .name = "intervals",                                                                                               \
    .brief = "prediction or confidence interval for each row of X",                                                    \
    .returns = "Frame: fit, low, high, std_error (of a new observation, or with kind = 'confidence' of its mean)",     \
    .needs = MN_NEEDS_X,                                                                                               \
    .options = mn_smoother_interval_params,                                                                            \
    .options_size = sizeof(mn_smoother_interval_options),                                                              \
    .run = (intervals_) },                                                                                             \
      MN_PREDICT_INTERVAL(", from Student's t", predict_interval_)

#endif
