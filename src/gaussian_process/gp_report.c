#include "gp_report.h"
#include "../kernel/prior.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE, AT_LOW, AT_HIGH, FIXED };
static const char *const places[] = { "", "at lower bound", "at upper bound", "fixed" };

enum { MAX_NAME = 96 };

/* A hyperparameter with its node. */
struct entry {
  const mn_kernel_node *node;
  const mn_hyperparameter *h;
  size_t position; /* in the node */
  char name[MAX_NAME];
};

static struct entry entry_of(const mn_kernel *k, size_t i)
{
  struct entry e = { .h = &k->hyper[i] };
  for (size_t n = 0; n < k->nodes; n++)
    if (i >= k->node[n].first && i < k->node[n].first + k->node[n].count) e.node = &k->node[n];
  e.position = i - e.node->first;
  mn_kernel_hyper_name(k, i, e.name, sizeof e.name);
  return e;
}

static int place_of(const mn_hyperparameter *h)
{
  static const double tolerance = 1e-4; /* of logarithms */
  if (h->fixed) return FIXED;
  if (fabs(log(h->value / h->low)) < tolerance) return AT_LOW;
  return fabs(log(h->value / h->high)) < tolerance ? AT_HIGH : INSIDE;
}

/* What the summary adds to a hyperparameter: its place between the bounds, and its prior. */
static void note_of(const mn_hyperparameter *h, char *text, size_t size)
{
  mn_text_buffer out = { .at = text, .capacity = size };
  char a[MN_NUMBER_SIZE], b[MN_NUMBER_SIZE];
  const mn_prior_type *type = &mn_prior_types[h->prior.family];
  text[0] = '\0';
  mn_text_printf(&out, "%s", places[place_of(h)]);
  if (h->prior.family == MN_PRIOR_NONE || h->fixed) return;
  mn_text_printf(&out, "%sprior %s(%s%s%s)", out.size > 0 ? ", " : "", type->name, mn_format_number(a, h->prior.a),
                 type->second ? ", " : "", type->second ? mn_format_number(b, h->prior.b) : "");
}

/* --- warnings --- */

static void put_bounds(const mn_kernel *k, mn_text_buffer *text)
{
  char number[MN_NUMBER_SIZE];
  size_t count = 0;
  for (size_t i = 0; i < k->hypers; i++) {
    const struct entry e = entry_of(k, i);
    const int place = place_of(e.h);
    if (place != AT_HIGH && (place != AT_LOW || e.node->op == MN_KERNEL_WHITE)) continue;
    mn_text_printf(text, "%s%s = %s", count++ > 0 ? ", " : "hyperparameters at a bound: ", e.name,
                   mn_format_number(number, e.h->value));
    mn_text_printf(text, " (%s)", place == AT_LOW ? "lower" : "upper");
  }
  if (count > 0) mn_text_printf(text, "; widen the bounds, fix the value or simplify the kernel");
}

static bool is_constant(const mn_matrix *x, size_t j)
{
  for (size_t i = 1; i < x->rows; i++)
    if (mn_row(x, i)[j] != x->at[j]) return false;
  return true;
}

void mn_gp_warning(const void *self, mn_text_buffer *text)
{
  const struct mn_gp_regressor *m = self;
  if (m->base.report.n_iter > 1 || m->optimizer == 0) put_bounds(&m->fitted_kernel, text);
}

static void put_warnings(const mn_gp_account *m, mn_text_buffer *text)
{
  char number[MN_NUMBER_SIZE];
  const size_t before = text->size;
  if (m->searched) put_bounds(m->kernel, text);
  if (text->size > before) mn_text_printf(text, "\n");
  if (m->jitter > 0)
    mn_text_printf(text,
                   "jitter of %s was added to the diagonal: the kernel matrix is singular to rounding; add noise if "
                   "values at equal rows differ\n",
                   mn_format_number(number, m->jitter));
  for (size_t j = 0; m->x && j < m->x->cols && m->x->rows > 1; j++)
    if (is_constant(m->x, j)) mn_text_printf(text, "column %zu of X is constant and has no effect\n", j + 1);
  for (size_t t = 0; m->y && t < m->y->cols && m->y->rows > 1; t++)
    if (is_constant(m->y, t)) mn_text_printf(text, "y is constant\n");
}

/* --- the table --- */

enum { NUMBER_SIZE = 32 };

/* Five digits, which is more than a likelihood determines. */
static const char *short_number(char *text, double value)
{
  snprintf(text, NUMBER_SIZE, "%.5g", value);
  return text;
}

static const char *column_name(const mn_gp_account *m, size_t j, char *text, size_t size)
{
  if (m->model->feature_names.size > j) return m->model->feature_names.at[j];
  if (m->rows.d == 1) return "X";
  snprintf(text, size, "x%zu", j + 1);
  return text;
}

static const char *unit_of(const mn_gp_account *m, const struct entry *e, char *text, size_t size)
{
  const mn_kernel *k = m->kernel;
  const size_t lengths = mn_kernel_lengths(e->node);
  const char *name = e->position < lengths ? "length" : mn_kernel_types[e->node->op].extra[e->position - lengths];
  const size_t j =
      e->node->columns > 0 ? (size_t)k->column[e->node->first_column + e->position % e->node->columns] : e->position;
  if (strcmp(name, "value") == 0 || strcmp(name, "noise") == 0) return "y^2";
  if (strcmp(name, "period") == 0 && m->rows.d == 1) return column_name(m, 0, text, size);
  if (strcmp(name, "period") == 0) return "X";
  if (strcmp(name, "length") != 0 || e->node->op == MN_KERNEL_PERIODIC) return "";
  return lengths > 1 || m->rows.d == 1 || e->node->columns == 1 ? column_name(m, j, text, size) : "X";
}

static void put_heading(const mn_gp_account *m, mn_text_buffer *text, const char *kernel)
{
  static const char *const means[] = { "zero", "constant", "linear" };
  char number[NUMBER_SIZE];
  bool normalized = false;
  for (size_t t = 0; t < m->y_mean->size; t++)
    normalized = normalized || m->y_scale->at[t] != 1 || m->y_mean->at[t] != 0;
  mn_text_printf(text, "%s: %zu %s%s, %zu feature%s\nkernel: %s\n", m->model->class->name, m->rows.n, m->row_name,
                 m->rows.n == 1 ? "" : "s", m->rows.d, m->rows.d == 1 ? "" : "s", kernel);
  mn_text_printf(text, "mean: %s; %s: %s%s\n\n", means[m->mean], m->likelihood_name,
                 short_number(number, m->log_likelihood),
                 normalized ? "; y is normalized, and y^2 below refers to it" : "");
}

static void put_row(mn_text_buffer *text, const struct entry *e, const char *unit, int unit_width)
{
  char value[NUMBER_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE], range[2 * NUMBER_SIZE + 8], note[MAX_NAME];
  note_of(e->h, note, sizeof note);
  snprintf(range, sizeof range, "%s to %s", short_number(low, e->h->low), short_number(high, e->h->high));
  mn_text_printf(text, "%-28s %13s  %-*s %-22s %s\n", e->name, short_number(value, e->h->value), unit_width, unit,
                 e->h->fixed ? "" : range, note);
}

/* The variance of the noise in normalized units, on average over the rows: what the model and its rows have, and White.
 */
static mn_status noise_variance(mn_context *ctx, const mn_gp_account *m, double *variance)
{
  const size_t n = m->rows.n;
  double *both = MN_RAW(ctx, double, n, 1), *function = MN_RAW(ctx, double, n, 1);
  if (!both || !function) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_diagonal(ctx, m->kernel, &m->rows, both));
  MN_TRY(mn_gp_function_variances(ctx, m->kernel, &m->rows, function));
  *variance = m->noise;
  for (size_t i = 0; i < n; i++)
    *variance += (fmax(both[i] - function[i], 0) + (m->row_noise ? m->row_noise[i] : 0)) / (double)n;
  return MN_OK;
}

static void put_noise(const mn_gp_account *m, mn_text_buffer *text, double noise)
{
  char number[NUMBER_SIZE];
  const char *kind = m->noise_process ? " on average over the rows, learned by a second process"
                     : m->row_noise   ? " on average over the rows"
                                      : "";
  for (size_t t = 0; t < m->y_scale->size; t++)
    mn_text_printf(text, "\nnoise: standard deviation %s%s", short_number(number, m->y_scale->at[t] * sqrt(noise)),
                   kind);
  mn_text_printf(text, "\n");
}

static void put_summary(const mn_gp_account *m, mn_text_buffer *text, const char *kernel, double noise)
{
  char unit[MAX_NAME];
  int width = 8; /* of the column of units, some of which are names of columns of X */
  for (size_t i = 0; i < m->kernel->hypers; i++) {
    const struct entry e = entry_of(m->kernel, i);
    const int length = (int)strlen(unit_of(m, &e, unit, sizeof unit));
    width = length > width ? length : width;
  }
  put_heading(m, text, kernel);
  mn_text_printf(text, "%-28s %13s  %-*s %-22s\n", "hyperparameter", "value", width, "unit", "bounds");
  for (size_t i = 0; i < m->kernel->hypers; i++) {
    const struct entry e = entry_of(m->kernel, i);
    put_row(text, &e, unit_of(m, &e, unit, sizeof unit), width);
  }
  put_noise(m, text, noise);
  put_warnings(m, text);
}

/* The kernel as text in scratch, with five digits. */
static mn_status kernel_text(mn_context *ctx, const mn_kernel *k, char **text)
{
  char number[NUMBER_SIZE];
  mn_kernel rounded;
  MN_TRY(mn_kernel_scratch_copy(ctx, k, &rounded));
  for (size_t i = 0; i < k->hypers; i++) rounded.hyper[i].value = strtod(short_number(number, k->hyper[i].value), NULL);
  const size_t size = mn_kernel_text(&rounded, NULL, 0) + 1;
  *text = MN_RAW(ctx, char, size, 1);
  MN_CHECK_ALLOC(*text);
  mn_kernel_text(&rounded, *text, size);
  return MN_OK;
}

static mn_status add_table(mn_context *ctx, const mn_gp_account *m, mn_results *results)
{
  const mn_kernel *k = m->kernel;
  const size_t n = k->hypers;
  struct entry *e = MN_RAW(ctx, struct entry, n + 1, 1);
  const char **names = MN_RAW(ctx, const char *, n + 1, 4), **units = names ? names + n : NULL,
             **notes = names ? names + 2 * n : NULL;
  char *text = MN_RAW(ctx, char, n + 1, 2 * MAX_NAME), *note = text ? text + n * MAX_NAME : NULL;
  mn_vector *value, *low, *high;
  if (!e || !names || !text) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    e[i] = entry_of(k, i);
    names[i] = e[i].name;
    units[i] = unit_of(m, &e[i], text + i * MAX_NAME, MAX_NAME);
    note_of(e[i].h, note + i * MAX_NAME, MAX_NAME);
    notes[i] = note + i * MAX_NAME;
  }
  MN_TRY(mn_result_names(ctx, results, "hyperparameters.name", names, n));
  MN_TRY(mn_result_vector(ctx, results, "hyperparameters.value", n, &value));
  MN_TRY(mn_result_names(ctx, results, "hyperparameters.unit", units, n));
  MN_TRY(mn_result_vector(ctx, results, "hyperparameters.low", n, &low));
  MN_TRY(mn_result_vector(ctx, results, "hyperparameters.high", n, &high));
  MN_TRY(mn_result_names(ctx, results, "hyperparameters.note", notes, n));
  for (size_t i = 0; i < n; i++) {
    value->at[i] = k->hyper[i].value;
    low->at[i] = k->hyper[i].low;
    high->at[i] = k->hyper[i].high;
  }
  return MN_OK;
}

mn_status mn_gp_summarize(mn_context *ctx, const mn_gp_account *m, mn_results *results)
{
  mn_text_buffer text = { 0 }, warnings = { 0 };
  char *kernel;
  double noise;
  MN_TRY(kernel_text(ctx, m->kernel, &kernel));
  MN_TRY(noise_variance(ctx, m, &noise));
  MN_TRY(add_table(ctx, m, results));
  mn_result_real(results, "log_likelihood", m->log_likelihood);
  mn_result_real(results, "noise_variance", noise);
  mn_result_real(results, "jitter", m->jitter);
  put_warnings(m, &warnings);
  MN_TRY(mn_text_allocate(ctx, &warnings));
  put_warnings(m, &warnings);
  MN_TRY(mn_result_text(ctx, results, "warnings", warnings.at, warnings.size));
  put_summary(m, &text, kernel, noise);
  MN_TRY(mn_text_allocate(ctx, &text));
  put_summary(m, &text, kernel, noise);
  return mn_result_text(ctx, results, "text", text.at, text.size);
}

mn_status mn_gp_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  (void)data;
  (void)options;
  const mn_gp_account account = { .model = &m->base,
                                  .kernel = &m->fitted_kernel,
                                  .rows = mn_gp_stored_rows(m),
                                  .row_name = "row",
                                  .x = &m->x,
                                  .y = &m->y,
                                  .mean = (mn_gp_mean)m->mean_kind,
                                  .y_mean = &m->y_mean,
                                  .y_scale = &m->y_scale,
                                  .likelihood_name = "log marginal likelihood",
                                  .log_likelihood = m->log_likelihood,
                                  .jitter = m->jitter,
                                  .noise = m->noise,
                                  .row_noise = m->row_noise.at,
                                  .noise_process = mn_gp_has_noise_process(m),
                                  .searched = m->base.report.n_iter > 1 || m->optimizer == 0 };
  return mn_gp_summarize(ctx, &account, results);
}
