/* Computes all monomials of the features up to a degree.
 *
 * The terms of degree d whose first feature is i are x_i times the terms of degree d - 1 whose first feature is at
 * least i, which are adjacent at the end of their degree. So a row is filled by runs of one multiplication per term.
 * With `interaction_only` the first feature must be greater than i: no feature is multiplied by itself. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "../preprocess/names.h"
#include "polynomial_kernel.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 16, MAX_OUTPUTS = INT32_MAX };

struct polynomial_features {
  mn_estimator base;
  int64_t degree, min_degree; /* parameters */
  bool interaction_only, include_bias;
  int64_t n_output_features;
};

/* The shape of the terms. */
struct shape {
  size_t features, degree, min_degree, bias;
  bool distinct; /* no feature twice in a term */
};

/* n choose k, or MAX_OUTPUTS + 1 if it exceeds MAX_OUTPUTS. */
static size_t choose(size_t n, size_t k)
{
  if (k > n) return 0;
  if (k > n - k) k = n - k;
  uint64_t c = 1; /* never decreases as k grows to n / 2, so stopping early is correct */
  for (uint64_t i = 1; i <= k; i++) {
    if (n - k + i > MAX_OUTPUTS && k > 0) return (size_t)MAX_OUTPUTS + 1;
    c = c * (n - k + i) / i;
    if (c > MAX_OUTPUTS) return (size_t)MAX_OUTPUTS + 1;
  }
  return (size_t)c;
}

/* Number of terms of degree d >= 1 in the last m features. */
static size_t count_terms(const struct shape *s, size_t d, size_t m)
{
  if (m == 0) return 0;
  return s->distinct ? choose(m, d) : choose(m + d - 1, d);
}

/* Number of terms of degree d whose first feature is before i: the offset of those that begin with i. */
static size_t term_offset(const struct shape *s, size_t d, size_t i)
{
  return count_terms(s, d, s->features) - count_terms(s, d, s->features - i);
}

/* Index of the first term of degree d, counting all degrees from 1 and the bias. */
static size_t degree_begin(const struct shape *s, size_t d)
{
  size_t begin = s->bias;
  for (size_t lower = 1; lower < d; lower++) begin += count_terms(s, lower, s->features);
  return begin;
}

static size_t first_degree(const struct shape *s)
{
  return s->min_degree > 1 ? s->min_degree : 1;
}

/* Number of outputs, or MAX_OUTPUTS + 1 if all degrees together have more: lower degrees are computed too. */
static size_t count_outputs(const struct shape *s)
{
  size_t all = s->bias, kept = all;
  for (size_t d = 1; d <= s->degree && all <= MAX_OUTPUTS; d++) {
    const size_t terms = count_terms(s, d, s->features);
    if (terms == 0) break; /* degree above the number of distinct features */
    all += terms;
    if (d >= first_degree(s)) kept += terms;
  }
  return all > MAX_OUTPUTS ? (size_t)MAX_OUTPUTS + 1 : kept;
}

static struct shape shape_of(const struct polynomial_features *m)
{
  return (struct shape){ .features = m->base.n_features,
                         .degree = (size_t)m->degree,
                         .min_degree = (size_t)m->min_degree,
                         .bias = m->include_bias,
                         .distinct = m->interaction_only };
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct polynomial_features *m = self;
  (void)data;
  const struct shape s = shape_of(m);
  if (m->min_degree > m->degree)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "PolynomialFeatures: min_degree must be at most degree, %zu, got %zu",
                   s.degree, s.min_degree);
  const size_t outputs = count_outputs(&s);
  if (outputs > MAX_OUTPUTS)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "PolynomialFeatures: degree must give at most %d columns, got more from degree %zu of %zu features",
                   MAX_OUTPUTS, s.degree, s.features);
  if (outputs == 0)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "PolynomialFeatures: degree must be at least 1 without bias and, with interaction_only, at most the number of features, %zu, got %zu",
        s.features, s.degree);
  m->n_output_features = (int64_t)outputs;
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return (size_t)((const struct polynomial_features *)self)->n_output_features;
}

struct work {
  const mn_matrix *x;
  mn_matrix *out;
  struct shape shape;
  struct mn_run *run;
  size_t runs, all, skipped; /* terms computed for a row, and those below min_degree */
  double *row;               /* workers x all, if terms are skipped */
  mn_blocks blocks;
};

static void expand_row(const struct work *w, const double *x, double *term)
{
  const struct shape *s = &w->shape;
  if (s->bias) term[0] = 1;
  if (s->degree == 0) return;
  memcpy(term + s->bias, x, s->features * sizeof *x);
  mn_monomials(w->runs, w->run, x, s->bias + s->features, term);
}

static void expand_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t bias = w->shape.bias;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(w->x, i);
    double *out = mn_row(w->out, i), *term = w->skipped > 0 ? w->row + worker * w->all : out;
    expand_row(w, x, term);
    if (w->skipped == 0) continue;
    if (bias) out[0] = 1;
    memcpy(out + bias, term + bias + w->skipped, (w->all - bias - w->skipped) * sizeof *out);
  }
}

static mn_status plan_runs(mn_context *ctx, struct work *w)
{
  const struct shape *s = &w->shape;
  const size_t p = s->features;
  w->run = MN_RAW(ctx, struct mn_run, s->degree, p);
  MN_CHECK_ALLOC(w->run);
  for (size_t d = 2; d <= s->degree; d++) {
    const size_t lower = degree_begin(s, d - 1), end = degree_begin(s, d);
    for (size_t i = 0; i < p; i++) {
      const size_t begin = lower + term_offset(s, d - 1, s->distinct ? i + 1 : i);
      if (begin < end) w->run[w->runs++] = (struct mn_run){ .feature = i, .begin = begin, .size = end - begin };
    }
  }
  w->all = degree_begin(s, s->degree + 1);
  w->skipped = s->degree > 0 ? degree_begin(s, first_degree(s)) - s->bias : 0;
  if (w->skipped == 0) return MN_OK;
  w->row = MN_RAW(ctx, double, mn_threads(ctx), w->all);
  MN_CHECK_ALLOC(w->row);
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct work w = { .x = &data->x, .out = out, .shape = shape_of(self) };
  MN_TRY(plan_runs(ctx, &w));
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / w.all, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, expand_block, &w);
}

/* Append "name" or "name^power", truncated to the buffer. */
static size_t append(char *text, size_t size, size_t used, const char *name, size_t power)
{
  if (used >= size) return used;
  const char *space = used > 0 ? " " : "";
  return used + (size_t)(power > 1 ? snprintf(text + used, size - used, "%s%s^%zu", space, name, power)
                                   : snprintf(text + used, size - used, "%s%s", space, name));
}

/* Find the features of a term in order: the first by the position of the term within its degree, the others by the
 * position of the term from which it was computed. */
static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct shape s = shape_of(self);
  char own[MN_INPUT_NAME_SIZE];
  if (j < s.bias) {
    snprintf(text, size, "1");
    return;
  }
  size_t d = first_degree(&s), at = j - s.bias, used = 0, power = 0, last = 0;
  while (d < s.degree && at >= count_terms(&s, d, s.features)) at -= count_terms(&s, d++, s.features);
  text[0] = '\0';
  for (; d > 0; d--) {
    size_t i = last;
    while (i + 1 < s.features && term_offset(&s, d, i + 1) <= at) i++;
    if (power > 0 && i != last) {
      used = append(text, size, used, mn_input_name(inputs, last, own), power);
      power = 0;
    }
    power++;
    last = i;
    at -= term_offset(&s, d, i);
    if (d > 1) at += term_offset(&s, d - 1, s.distinct ? i + 1 : i);
  }
  append(text, size, used, mn_input_name(inputs, last, own), power);
}

/* Check a loaded model: a wrong count would let transform write past its result. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct polynomial_features *m = self;
  const bool in_range = m->min_degree <= m->degree;
  const struct shape s = shape_of(m);
  if (in_range && m->n_output_features > 0 && count_outputs(&s) == (size_t)m->n_output_features) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "PolynomialFeatures: n_output_features does not match the degree");
}

/* Export the runs as three arrays. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  struct work w = { .shape = shape_of(self) };
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(plan_runs(ctx, &w));
  int32_t *at = MN_RAW(ctx, int32_t, 3, w.runs);
  MN_CHECK_ALLOC(at);
  for (size_t r = 0; r < w.runs; r++) {
    at[r] = (int32_t)w.run[r].feature;
    at[w.runs + r] = (int32_t)w.run[r].begin;
    at[2 * w.runs + r] = (int32_t)w.run[r].size;
  }
  mn_program_indexes(program, "feature", w.runs, at);
  mn_program_indexes(program, "begin", w.runs, at + w.runs);
  mn_program_indexes(program, "size", w.runs, at + 2 * w.runs);
  mn_program_count(program, "runs", w.runs);
  mn_program_count(program, "all", w.all);
  mn_program_count(program, "bias", w.shape.bias);
  mn_program_count(program, "skipped", w.skipped);
  mn_program_code(program, "reals term[all] int next = bias");
  if (w.shape.bias) mn_program_code(program, "term[0] = 1.0 out[0] = 1.0");
  if (w.shape.degree > 0)
    mn_program_code(program, "for j < features { term[next] = x[j] next += 1 }"
                             "for r < runs {"
                             "  real factor = x[feature[r]]"
                             "  for t < size[r] { term[next] = factor * term[begin[r] + t] next += 1 }"
                             "}"
                             "for t = bias < outputs { out[t] = term[t + skipped] }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct polynomial_features, degree, 2, MN_CLOSED(0, 1000), "maximum degree of a term"),
  MN_COUNT(struct polynomial_features, min_degree, 0, MN_CLOSED(0, 1000),
           "minimum degree of a term, except for the bias"),
  MN_FLAG(struct polynomial_features, interaction_only, false, "use each feature at most once in a term"),
  MN_FLAG(struct polynomial_features, include_bias, true, "include a leading column of ones"),
  MN_END,
};

static const mn_field fields[] = {
  MN_INTEGER(struct polynomial_features, n_output_features, "number of terms"),
  MN_END,
};

const mn_class mn_polynomial_features = {
  .name = "PolynomialFeatures",
  .family = "preprocess",
  .brief = "Computes all products of features up to a degree.",
  .objective = "1, x1, ..., xp, x1^2, x1 x2, ..., xp^2, ...",
  .source = "Gergonne, Annales de mathematiques 6 (1815); Pedregosa et al., JMLR 12 (2011)",
  .notes = "Terms are ordered by degree, then by their features, as in scikit-learn. "
           "degree = (a, b) in scikit-learn is min_degree = a, degree = b. "
           "p features of degree d give (p + d) choose d terms.",
  .example = "local poly = ml.PolynomialFeatures{ degree = 2 }:fit{ {2, 3} }\n"
             "print(poly:transform{ {2, 3} })\n"
             "print(table.concat(poly:output_names(), \", \"))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct polynomial_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
