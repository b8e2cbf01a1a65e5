/* Online dictionary learning: after the codes B of each batch of size h, in step t = 0, 1, ...,
 *
 *     A = keep A + B'B / h,     C = keep C + B'X / h,     keep = (theta + 1 - h) / (theta + 1),
 *     theta = (t + 1) h for t < h - 1, else h^2 + t + 1 - h,
 *
 * and each atom moves to its minimum for A and C (atoms.h).
 *
 * Mairal, Bach, Ponce & Sapiro, J. Mach. Learn. Res. 11 (2010), algorithms 1 and 2. */
#include "atoms.h"
#include "coder.h"
#include "../model/magnitudes.h"
#include <string.h>

struct mini_batch {
  mn_coder coder;
  int64_t n_components, fit_algorithm, max_iter, batch_size, max_no_improvement, seed; /* parameters */
  double tol;
  bool positive_dict, shuffle;
  mn_matrix dict_init;
  mn_matrix code_products, row_products; /* learned: A, C */
  int64_t n_steps;
};

/* The stopping test: a smoothed mean of the objective of batches. */
struct trend {
  double mean, lowest;
  int64_t without_improvement;
};

static size_t atom_count(const struct mini_batch *m, size_t features)
{
  return m->n_components == MN_UNSET ? features : (size_t)m->n_components;
}

/* One step with the batch in s; `objective` of its rows before the atoms move. */
static mn_status step(mn_context *ctx, struct mini_batch *m, mn_atoms *s, double *objective)
{
  const double h = (double)s->n, t = (double)m->n_steps;
  const double theta = t < h - 1 ? (t + 1) * h : h * h + t + 1 - h;
  memset(s->code, 0, s->n * s->k * sizeof *s->code);
  MN_TRY(mn_atoms_code(ctx, s));
  MN_TRY(mn_atoms_objective(ctx, s, objective));
  *objective /= h;
  MN_TRY(mn_atoms_statistics(ctx, s, (theta + 1 - h) / (theta + 1), 1 / h));
  m->n_steps++;
  return mn_atoms_update(ctx, s);
}

static double distance(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Whether to stop after a step. The first 100 steps, or the first pass if that is shorter, are not judged. */
static bool has_converged(const struct mini_batch *m, struct trend *t, const mn_atoms *s, size_t rows, double objective,
                          double change)
{
  const double share = fmin((double)s->n / ((double)rows + 1), 1);
  if ((double)m->n_steps <= fmin(100, (double)rows / (double)s->n)) return false;
  t->mean = isnan(t->mean) ? objective : t->mean * (1 - share) + objective * share;
  if (m->tol > 0 && change <= m->tol) return true;
  const bool improved = isnan(t->lowest) || t->mean < t->lowest;
  t->without_improvement = improved ? 0 : t->without_improvement + 1;
  if (improved) t->lowest = t->mean;
  return m->max_no_improvement > 0 && t->without_improvement >= m->max_no_improvement;
}

/* Passes over the rows of x in batches. */
static mn_status learn(mn_context *ctx, struct mini_batch *m, mn_atoms *s, size_t rows, const double *x)
{
  mn_report *report = &m->coder.base.report;
  const size_t size = s->n, p = s->p;
  struct trend trend = { .mean = (double)NAN, .lowest = (double)NAN };
  double *before = MN_RAW(ctx, double, s->k, p), objective = 0;
  MN_CHECK_ALLOC(before);
  for (int64_t pass = 0; pass < m->max_iter && !report->converged; pass++) {
    for (size_t i = 0; i < rows && !report->converged; i += size) {
      s->n = rows - i < size ? rows - i : size;
      s->x = x + i * p;
      memcpy(before, s->atoms, s->k * p * sizeof *before);
      MN_TRY(step(ctx, m, s, &objective));
      report->change = distance(s->k * p, s->atoms, before) / (double)s->k;
      report->converged = has_converged(m, &trend, s, rows, objective, report->change);
    }
    if (!mn_round(ctx, report, m->max_iter, isnan(trend.mean) ? objective : trend.mean)) break;
  }
  return MN_OK;
}

/* The rows of X in random order. */
static mn_status shuffle_rows(mn_context *ctx, const mn_data *data, mn_rng *rng, double **out)
{
  const size_t n = data->rows, p = data->features;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  *out = MN_RAW(ctx, double, n, p);
  if (!order || !*out) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) order[i] = i;
  mn_shuffle(rng, order, n);
  mn_matrix rows = { .at = *out, .rows = n, .cols = p };
  mn_gather_rows(&data->x, order, n, &rows);
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, const struct mini_batch *m, const mn_data *data, size_t batch, mn_atoms *s)
{
  MN_TRY(mn_coder_check(ctx, &m->coder));
  *s = (mn_atoms){ .n = batch, .p = data->features, .k = atom_count(m, data->features), .positive = m->positive_dict };
  s->coding =
      mn_atoms_coding(m->fit_algorithm, m->coder.alpha, m->coder.positive_code, (size_t)m->coder.transform_max_iter);
  s->rng = mn_stream(m->seed, (uint64_t)m->n_steps);
  return mn_atoms_init(ctx, s);
}

static mn_status start(mn_context *ctx, const struct mini_batch *m, const mn_data *data, mn_atoms *s)
{
  mn_atoms all = *s;
  all.n = data->rows;
  all.x = data->x.at;
  return mn_atoms_start(ctx, &all, "MiniBatchDictionaryLearning", &m->dict_init);
}

/* The atoms, and what their next steps need. */
static mn_status store(mn_context *ctx, struct mini_batch *m, const mn_atoms *s)
{
  MN_TRY(mn_matrix_init(ctx, &m->coder.components, s->k, s->p));
  MN_TRY(mn_matrix_init(ctx, &m->code_products, s->k, s->k));
  MN_TRY(mn_matrix_init(ctx, &m->row_products, s->k, s->p));
  memcpy(m->coder.components.at, s->atoms, s->k * s->p * sizeof *s->atoms);
  memcpy(m->code_products.at, s->a, s->k * s->k * sizeof *s->a);
  memcpy(m->row_products.at, s->b, s->k * s->p * sizeof *s->b);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mini_batch *m = self;
  const size_t n = data->rows, batch = (size_t)m->batch_size < n ? (size_t)m->batch_size : n;
  mn_atoms s;
  double *x = data->x.at;
  m->n_steps = 0;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(prepare(ctx, m, data, batch, &s));
  MN_TRY(start(ctx, m, data, &s));
  if (m->shuffle) MN_TRY(shuffle_rows(ctx, data, &s.rng, &x));
  m->coder.base.report = (mn_report){ .advice = "increase max_iter or tol" };
  MN_TRY(learn(ctx, m, &s, n, x));
  return store(ctx, m, &s);
}

/* One step with the rows of X as the batch. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mini_batch *m = self;
  mn_atoms s;
  double objective;
  MN_TRY(prepare(ctx, m, data, data->rows, &s));
  if (m->coder.components.at && s.k != m->coder.components.rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MiniBatchDictionaryLearning: n_components cannot change between batches, from %zu to %zu",
                   m->coder.components.rows, s.k);
  s.x = data->x.at;
  if (!m->coder.components.at) {
    MN_TRY(start(ctx, m, data, &s));
    MN_TRY(store(ctx, m, &s));
  }
  /* Archives may lack these. */
  if (!m->code_products.at) MN_TRY(mn_matrix_init(ctx, &m->code_products, s.k, s.k));
  if (!m->row_products.at) MN_TRY(mn_matrix_init(ctx, &m->row_products, s.k, s.p));
  s.atoms = m->coder.components.at;
  s.a = m->code_products.at;
  s.b = m->row_products.at;
  MN_TRY(step(ctx, m, &s, &objective));
  m->coder.base.report.converged = false;
  m->coder.base.report.change = (double)NAN;
  mn_record_round(ctx, &m->coder.base.report, objective);
  return mn_error_status(ctx);
}

static const mn_param params[] = {
  MN_COUNT(struct mini_batch, n_components, MN_UNSET, MN_CLOSED(1, 2147483647), "number of atoms; nil: columns of X"),
  MN_PENALTY(mn_coder, alpha, 1, MN_AT_LEAST(0), "L1 penalty on the codes in fit"),
  MN_COUNT(struct mini_batch, max_iter, 1000, MN_AT_LEAST(1), "maximum number of passes over the rows"),
  MN_COUNT(struct mini_batch, batch_size, 256, MN_CLOSED(1, 2147483647), "rows of a batch"),
  MN_FLAG(struct mini_batch, shuffle, true, "shuffle the rows before the first pass"),
  MN_REAL(struct mini_batch, tol, 1e-3, MN_AT_LEAST(0),
          "stop when a step changes the atoms by at most this, as norm over number of atoms"),
  MN_COUNT(struct mini_batch, max_no_improvement, 10, MN_AT_LEAST(0),
           "stop when the smoothed objective has not fallen in so many steps; 0: never"),
  MN_CHOICE(struct mini_batch, fit_algorithm, MN_FIT_LARS, mn_fit_algorithms,
            "codes of fit: by the path of the lasso, or by coordinate descent"),
  MN_FLAG(struct mini_batch, positive_dict, false, "atoms >= 0"),
  MN_TABLE(struct mini_batch, dict_init, MN_NO_LIMITS(),
           "atoms to start from, components x columns; nil: singular vectors"),
  MN_CODER_PARAMS(MN_UNSET_REAL, "; nil: alpha"),
  MN_SEED(struct mini_batch, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_coder, components, "atoms x features", "the atoms, of norm at most 1"),
  MN_INTEGER(struct mini_batch, n_steps, "number of batches so far"),
  MN_LEARNED(MN_KIND_MATRIX, struct mini_batch, code_products, "atoms? x atoms?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mini_batch, row_products, "atoms? x features?", NULL),
  MN_END,
};

const mn_class mn_mini_batch_dictionary_learning = {
  .name = "MiniBatchDictionaryLearning",
  .family = "decomposition",
  .brief = "Dictionary learning in batches of rows, for many rows.",
  .objective = "1/2 |X - B D|^2 + alpha |B|_1 over codes B and atoms D with |d| <= 1, online",
  .source = "Mairal, Bach, Ponce & Sapiro, J. Mach. Learn. Res. 11 (2010)",
  .notes =
      "partial_fit takes the rows it is given as one batch. The start is the exact singular value decomposition, "
      "that of scikit-learn is randomized; from the same start and in the same order the atoms are equal. transform "
      "uses transform_algorithm.",
  .example = "local X = ml.normal(60, 8, 1)\n"
             "local model = ml.MiniBatchDictionaryLearning{ n_components = 4, batch_size = 20, max_iter = 5 }:fit(X)\n"
             "print(model.n_steps, model:transform(X:slice(1, 2)))",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .size = sizeof(struct mini_batch),
  .params = params,
  .fields = fields,
  .fit = fit,
  .partial_fit = partial_fit,
  MN_CODER_MEMBERS,
};
