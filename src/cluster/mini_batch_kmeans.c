/* Mini-batch k-means: each step assigns a batch of random rows to the centers and moves every center to the mean of all
 * rows that were ever assigned to it, with n_c the weight of those rows:
 *
 *     n_c = n_c + w_i,      c = c + w_i / n_c (x_i - c)
 *
 * Centers with few rows are moved to random rows of the batch now and then. The steps end when a moving average of the
 * inertia of the batches has not decreased for max_no_improvement steps.
 *
 * Sculley, WWW (2010); the moving average and the reassignment are those of scikit-learn. */
#include "../core/rng.h"
#include "../model/table.h"
#include "centers.h"
#include "lloyd.h"
#include <string.h>

struct mini_batch_kmeans {
  mn_estimator base;
  int64_t n_clusters, init, n_init, init_size, batch_size, max_iter, max_no_improvement, seed; /* parameters */
  double tol, reassignment_ratio;
  mn_matrix start;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  double inertia;
  mn_vector counts;
  int64_t n_steps, rows_since_reassignment;
};

/* Random streams: starts use the first ones, steps those from here on. */
enum { STEP_STREAMS = 1 << 20, REASSIGN_ROWS = 10 /* rows for each cluster between reassignments */ };

struct state {
  const struct mini_batch_kmeans *m;
  size_t k, d;
  double *centers, *counts; /* k x d; k */
  double *sums, *totals;    /* k x d; k */
  int32_t *label;           /* batch */
  size_t *row;              /* batch */
  double moved2;            /* sum of squared movements of the last step */
  int64_t step, rows_since_reassignment;
};

static mn_status make_state(mn_context *ctx, const struct mini_batch_kmeans *m, size_t d, size_t batch, struct state *s)
{
  *s = (struct state){ .m = m,
                       .k = m->cluster_centers.at ? m->cluster_centers.rows : (size_t)m->n_clusters,
                       .d = d,
                       .step = m->n_steps,
                       .rows_since_reassignment = m->rows_since_reassignment };
  s->centers = MN_RAW(ctx, double, s->k, d);
  s->counts = MN_NEW(ctx, double, s->k, 1);
  s->sums = MN_RAW(ctx, double, s->k, d);
  s->totals = MN_RAW(ctx, double, s->k, 1);
  s->label = MN_RAW(ctx, int32_t, batch, 1);
  s->row = MN_RAW(ctx, size_t, batch, 1);
  return s->centers && s->counts && s->sums && s->totals && s->label && s->row ? MN_OK : MN_NO_MEMORY;
}

/* `size` random rows, with replacement. */
static mn_status draw(mn_context *ctx, const mn_data *data, mn_rng *rng, size_t size, size_t *row, mn_data *out)
{
  for (size_t i = 0; i < size; i++) row[i] = mn_random_below(rng, data->rows);
  return mn_data_rows(ctx, data, row, size, out);
}

static bool is_due(struct state *s, size_t rows)
{
  bool due = false;
  for (size_t c = 0; c < s->k; c++) due |= !(s->counts[c] > 0);
  s->rows_since_reassignment += (int64_t)rows;
  due |= s->rows_since_reassignment >= REASSIGN_ROWS * (int64_t)s->k;
  if (due) s->rows_since_reassignment = 0;
  return due;
}

/* Move centers of few rows to random rows of the batch, at most half as many as it has rows. They count as much as the
 * smallest of the others. */
static void reassign(struct state *s, const mn_data *batch, mn_rng *rng)
{
  double largest = 0, smallest = INFINITY;
  size_t drawn = 0;
  for (size_t c = 0; c < s->k; c++) largest = fmax(largest, s->counts[c]);
  const double limit = s->m->reassignment_ratio * largest;
  for (size_t c = 0; c < s->k; c++)
    if (!(s->counts[c] < limit)) smallest = fmin(smallest, s->counts[c]);
  for (size_t i = 0; i < batch->rows; i++) s->row[i] = i;
  for (size_t c = 0; c < s->k && drawn < batch->rows / 2; c++) {
    if (!(s->counts[c] < limit)) continue;
    const size_t other = drawn + mn_random_below(rng, batch->rows - drawn), row = s->row[other];
    s->row[other] = s->row[drawn++];
    double *center = s->centers + c * s->d;
    const double *x = mn_dense_row(batch, row, center);
    if (x != center) memcpy(center, x, s->d * sizeof *center);
    s->counts[c] = smallest;
  }
}

/* One step; *inertia of the batch is that before it. */
static mn_status take_step(mn_context *ctx, struct state *s, const mn_data *batch, mn_rng *rng, double *inertia)
{
  MN_TRY(mn_kmeans_assign(ctx, batch, s->k, s->centers, s->label, NULL, s->sums, s->totals, inertia));
  s->moved2 = mn_centers_move(s->k, s->d, s->sums, s->totals, s->centers, s->counts);
  if (s->m->reassignment_ratio > 0 && is_due(s, batch->rows)) reassign(s, batch, rng);
  s->step++;
  return MN_OK;
}

static mn_kmeans_settings start_settings(const struct mini_batch_kmeans *m)
{
  return (mn_kmeans_settings){
    .k = (size_t)m->n_clusters, .init = m->init, .seed = m->seed, .start = m->start.at ? &m->start : NULL
  };
}

static size_t start_rows(const struct mini_batch_kmeans *m, size_t batch)
{
  const size_t k = (size_t)m->n_clusters;
  if (m->init_size != MN_UNSET) return (size_t)m->init_size > k ? (size_t)m->init_size : k;
  return 3 * (batch > k ? batch : k);
}

/* The start with the lowest inertia on a sample of the rows, which starts are also chosen from. */
static mn_status choose_start(mn_context *ctx, struct state *s, const mn_data *data, size_t batch)
{
  const mn_kmeans_settings settings = start_settings(s->m);
  const size_t size = start_rows(s->m, batch);
  mn_rng rng = mn_stream(s->m->seed, STEP_STREAMS - 1);
  mn_data sample = *data;
  double *centers = MN_RAW(ctx, double, s->k, s->d), best = INFINITY, inertia;
  size_t *row = MN_RAW(ctx, size_t, size, 1);
  int32_t *label = MN_RAW(ctx, int32_t, size, 1);
  if (!centers || !row || !label) return MN_NO_MEMORY;
  if (size < data->rows) MN_TRY(draw(ctx, data, &rng, size, row, &sample));
  for (int64_t run = 0; run < (settings.start ? 1 : s->m->n_init); run++) {
    MN_TRY(mn_kmeans_start(ctx, &settings, &sample, run, centers));
    MN_TRY(mn_kmeans_assign(ctx, &sample, s->k, centers, label, NULL, NULL, NULL, &inertia));
    if (run > 0 && !(inertia < best)) continue;
    best = inertia;
    memcpy(s->centers, centers, s->k * s->d * sizeof *centers);
  }
  return MN_OK;
}

/* The moving average of the inertia of a row, and how long it has not decreased. */
struct average {
  double weight; /* of a new batch */
  double value, least;
  int64_t since;
};

/* Whether the steps have converged. The first batch, which sees the initial centers, does not count. */
static bool has_converged(const struct state *s, struct average *a, double inertia, double max_moved2)
{
  if (s->step <= 1) {
    a->value = inertia;
    return false;
  }
  a->value = s->step == 2 ? inertia : a->value * (1 - a->weight) + inertia * a->weight;
  if (max_moved2 > 0 && s->moved2 <= max_moved2) return true;
  a->since = a->value < a->least ? 0 : a->since + 1;
  a->least = fmin(a->least, a->value);
  return s->m->max_no_improvement > 0 && a->since >= s->m->max_no_improvement;
}

static mn_status run_steps(mn_context *ctx, struct state *s, const mn_data *data, size_t batch, double max_moved2,
                           mn_report *r)
{
  const size_t pass = (data->rows + batch - 1) / batch;
  const double total = mn_total_weight(data);
  struct average average = { .weight = fmin(1, 2 * (double)batch / ((double)data->rows + 1)), .least = INFINITY };
  mn_mark mark = mn_scratch_mark(ctx);
  for (bool proceed = true; proceed;) {
    mn_rng rng = mn_stream(s->m->seed, (uint64_t)(STEP_STREAMS + s->step));
    mn_data rows;
    double inertia;
    rows = *data;
    if (batch < data->rows) MN_TRY(draw(ctx, data, &rng, batch, s->row, &rows));
    MN_TRY(take_step(ctx, s, &rows, &rng, &inertia));
    r->converged = has_converged(s, &average, inertia / mn_total_weight(&rows), max_moved2);
    r->change = s->moved2;
    if (r->converged || (size_t)s->step % pass == 0)
      proceed = mn_round(ctx, r, s->m->max_iter, average.value * total) && !r->converged && r->n_iter < s->m->max_iter;
    else
      MN_TRY(mn_poll(ctx));
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  return mn_error_status(ctx);
}

/* Labels and inertia of all rows. */
static mn_status store(mn_context *ctx, struct mini_batch_kmeans *m, const mn_data *data, const struct state *s)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(mn_kmeans_assign(ctx, data, s->k, s->centers, label, NULL, NULL, NULL, &m->inertia));
  MN_TRY(mn_centers_check_inertia(ctx, "MiniBatchKMeans", m->inertia));
  MN_TRY(mn_centers_store(ctx, data->rows, s->d, s->k, s->centers, label, s->counts, &m->cluster_centers, &m->labels,
                          &m->counts));
  m->n_steps = s->step;
  m->rows_since_reassignment = s->rows_since_reassignment;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mini_batch_kmeans *m = self;
  const size_t batch = (size_t)m->batch_size < data->rows ? (size_t)m->batch_size : data->rows;
  struct state s;
  double variance = 0;
  MN_TRY(mn_centers_check(ctx, "MiniBatchKMeans", m->n_clusters, &m->start, data));
  MN_TRY(make_state(ctx, m, data->features, batch, &s));
  MN_TRY(choose_start(ctx, &s, data, batch));
  if (m->tol > 0) MN_TRY(mn_kmeans_mean_variance(ctx, data, &variance));
  const bool whole = batch == data->rows;
  m->base.report =
      (mn_report){ .advice = whole ? "use KMeans, because X has no more rows than batch_size" : "increase max_iter" };
  MN_TRY(run_steps(ctx, &s, data, batch, m->tol * variance, &m->base.report));
  return store(ctx, m, data, &s);
}

/* One step with the given rows. The first batch chooses the initial centers. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mini_batch_kmeans *m = self;
  struct state s;
  double inertia;
  MN_TRY(make_state(ctx, m, data->features, data->rows, &s));
  mn_rng rng = mn_stream(m->seed, (uint64_t)(STEP_STREAMS + s.step));
  if (m->cluster_centers.at) {
    memcpy(s.centers, m->cluster_centers.at, s.k * s.d * sizeof *s.centers);
    memcpy(s.counts, m->counts.at, s.k * sizeof *s.counts);
  } else {
    MN_TRY(mn_centers_check(ctx, "MiniBatchKMeans", m->n_clusters, &m->start, data));
    MN_TRY(choose_start(ctx, &s, data, data->rows));
  }
  MN_TRY(take_step(ctx, &s, data, &rng, &inertia));
  MN_TRY(store(ctx, m, data, &s));
  m->base.report.converged = false;
  m->base.report.change = (double)NAN;
  mn_record_round(ctx, &m->base.report, m->inertia);
  return mn_error_status(ctx);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_predict(ctx, &((const struct mini_batch_kmeans *)self)->cluster_centers, data, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_transform(ctx, &((const struct mini_batch_kmeans *)self)->cluster_centers, data, out);
}

/* After partial_fit, which sets no change, labels are those of a batch. */
static void warning(const void *self, mn_text_buffer *text)
{
  const struct mini_batch_kmeans *m = self;
  if (isnan(m->base.report.change)) return;
  mn_centers_label_warning(m->n_clusters, &m->labels, text);
}

static size_t outputs(const void *self)
{
  return ((const struct mini_batch_kmeans *)self)->cluster_centers.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  mn_centers_export(&((const struct mini_batch_kmeans *)self)->cluster_centers, action, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct mini_batch_kmeans, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct mini_batch_kmeans, init, MN_KMEANS_PLUS_PLUS, mn_kmeans_inits,
            "method for choosing the initial centers, from a sample of the rows"),
  MN_TABLE(struct mini_batch_kmeans, start, MN_NO_LIMITS(),
           "initial centers, n_clusters x features; nil: chosen by init"),
  MN_COUNT(struct mini_batch_kmeans, n_init, 1, MN_CLOSED(1, 1 << 16),
           "number of starts, of which the best on the sample is used"),
  MN_COUNT(struct mini_batch_kmeans, init_size, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "rows of the sample for the start, at least n_clusters; nil: three times batch_size or n_clusters"),
  MN_COUNT(struct mini_batch_kmeans, batch_size, 1024, MN_CLOSED(1, INT32_MAX),
           "rows of each step, drawn at random; all rows if there are not more"),
  MN_COUNT(struct mini_batch_kmeans, max_iter, 100, MN_CLOSED(1, INT32_MAX),
           "maximum number of passes, each of as many batches as make up the rows"),
  MN_COUNT(struct mini_batch_kmeans, max_no_improvement, 10, MN_CLOSED(0, INT32_MAX),
           "stop after this many steps in which the smoothed inertia of the batches has not decreased; 0: never"),
  MN_REAL(struct mini_batch_kmeans, tol, 0, MN_AT_LEAST(0),
          "stop when the sum of the squared center movements of a step is at most this fraction of the mean variance; "
          "0: never"),
  MN_REAL(struct mini_batch_kmeans, reassignment_ratio, 0.01, MN_CLOSED(0, 1),
          "centers with less than this fraction of the rows of the largest move to random rows; 0: never"),
  MN_SEED(struct mini_batch_kmeans, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mini_batch_kmeans, cluster_centers, "clusters x features", "center of each cluster"),
  MN_INDEXES(struct mini_batch_kmeans, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct mini_batch_kmeans, inertia, "weighted sum of squared distances to the nearest center"),
  MN_VECTOR(struct mini_batch_kmeans, counts, "clusters",
            "sum of the sample weights of the rows of all batches that moved each center"),
  MN_INTEGER(struct mini_batch_kmeans, n_steps, "number of steps, one for each batch"),
  MN_INTEGER(struct mini_batch_kmeans, rows_since_reassignment, NULL),
  MN_END,
};

const mn_class mn_mini_batch_kmeans = {
  .name = "MiniBatchKMeans",
  .family = "cluster",
  .brief = "k-means clustering in steps on small batches of random rows, for large data.",
  .objective = "sum_i w_i |x_i - c_l(i)|^2 over centers c and labels l",
  .source = "Sculley, WWW (2010)",
  .notes =
      "Much faster than KMeans on many rows; the inertia is typically a few percent higher. Parameters are those of "
      "scikit-learn. partial_fit takes one step with the rows given; labels and inertia are then those of the batch. "
      "Sample weights scale the effect of a row; batches are drawn without regard to them. transform returns the "
      "distance to each center. Scale the columns first if their units differ.",
  .example = "local X = ml.normal(5000, 3, 1)\n"
             "local model = ml.MiniBatchKMeans{ n_clusters = 5 }:fit(X)\n"
             "print(model.inertia / ml.KMeans{ n_clusters = 5 }:fit(X).inertia)",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE,
  .size = sizeof(struct mini_batch_kmeans),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .partial_fit = partial_fit,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
};
