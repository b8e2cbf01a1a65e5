/* Mixtures of any families of components: the actions and the class table. The fit is in mixture_fit.c. */
#include "component_warning.h"
#include "mixture_model.h"
#include "gaussian.h"
#include <stdio.h>
#include <string.h>

static mn_status run(mn_context *ctx, const mn_family_mixture *m, const mn_data *data, double *log_density,
                     double *log_responsibility)
{
  mn_mixture_layout layout;
  double *t, *log_weight;
  MN_TRY(mn_mixture_view(ctx, m, &layout, &t, &log_weight));
  const mn_mixture_pass pass = { .layout = &layout,
                                 .data = data,
                                 .log_weight = log_weight,
                                 .t = t,
                                 .log_density = log_density,
                                 .log_responsibility = log_responsibility };
  /* Values outside the support have no density; joint families do not accept missing values. */
  for (size_t i = 0; i < layout.blocks; i++) {
    const mn_mixture_block *b = layout.block + i;
    for (size_t j = 0; b->family->joint && j < b->d; j++)
      for (size_t row = 0; row < data->rows; row++)
        if (isnan(mn_row(&data->x, row)[b->column[j]]))
          return mn_fail(ctx, MN_BAD_DATA, "X must be complete for the family %s, got nan in row %zu, column %zu",
                         b->family->name, row + 1, b->column[j] + 1);
  }
  return mn_mixture_run_pass(ctx, &pass);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, NULL, out->at);
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, out->at, NULL);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const size_t k = ((const mn_family_mixture *)self)->weights.size;
  double *r = MN_RAW(ctx, double, data->rows, k);
  MN_CHECK_ALLOC(r);
  MN_TRY(run(ctx, self, data, NULL, r));
  for (size_t i = 0; i < data->rows; i++) {
    size_t best = 0;
    for (size_t c = 1; c < k; c++) best = r[i * k + c] > r[i * k + best] ? c : best;
    out->at[i] = (double)best;
  }
  return MN_OK;
}

static size_t components(const void *self)
{
  return ((const mn_family_mixture *)self)->weights.size;
}

typedef struct sample_options {
  int64_t n, seed, trials;
} sample_options;

static const mn_param sample_params[] = {
  MN_COUNT(sample_options, n, 1, MN_CLOSED(1, INT32_MAX), "number of rows"),
  MN_SEED(sample_options, seed),
  MN_COUNT(sample_options, trials, MN_UNSET, MN_CLOSED(0, INT32_MAX),
           "sum of the columns of the family multinomial in each row, which the model does not describe; nil: for "
           "models without this family"),
  MN_END,
};

static mn_status set_trials(mn_context *ctx, const sample_options *o, mn_mixture_layout *l)
{
  for (size_t i = 0; i < l->blocks; i++) {
    if (l->block[i].family != &mn_family_multinomial) continue;
    if (o->trials == MN_UNSET)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "MixtureModel: sample requires trials, the sum of a row, for the family multinomial; for example "
                     "sample{ n = 10, trials = 50 }");
    l->block[i].trials = (double)o->trials;
  }
  return MN_OK;
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  const mn_family_mixture *m = self;
  const sample_options *o = options;
  mn_mixture_layout l;
  mn_matrix *x;
  mn_indexes *label;
  double *t, *log_weight, *value;
  MN_TRY(mn_mixture_view(ctx, m, &l, &t, &log_weight));
  MN_TRY(set_trials(ctx, o, &l));
  MN_CHECK_ALLOC(value = MN_RAW(ctx, double, l.p, 1));
  MN_TRY(mn_result_matrix(ctx, results, "X", (size_t)o->n, l.p, &x));
  MN_TRY(mn_result_indexes(ctx, results, "labels", (size_t)o->n, &label));
  for (size_t i = 0; i < x->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    const size_t c = mn_random_weighted(&rng, m->weights.at, l.k);
    label->at[i] = (int32_t)c;
    for (size_t b = 0; b < l.blocks; b++) {
      l.block[b].family->sample(l.block + b, t + c * l.size + l.block[b].first, &rng, value);
      for (size_t j = 0; j < l.block[b].d; j++) mn_row(x, i)[l.block[b].column[j]] = value[j];
    }
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

enum { NAME_SIZE = 128, NUMBER_SIZE = 14 };

/* The name of parameter i of a block; levels of factors by their labels. */
static void name_parameter(const mn_family_mixture *m, const mn_mixture_layout *l, const mn_mixture_block *b, size_t i,
                           char *name)
{
  const size_t column = b->column[0];
  const mn_levels *levels = m->base.feature_levels.size > 0 ? m->base.feature_levels.at[column] : NULL;
  char label[NAME_SIZE / 2];
  if (b->levels > 0 && levels && i < mn_levels_size(levels))
    snprintf(name, NAME_SIZE, "p of %s = %s", l->columns[column],
             mn_format_label(label, sizeof label, mn_levels_at(levels, i)));
  else
    b->family->parameter_name(b, i, l->columns, name, NAME_SIZE);
}

static int longest_name(const mn_family_mixture *m, const mn_mixture_layout *l)
{
  char name[NAME_SIZE];
  size_t width = strlen("component");
  for (size_t b = 0; b < l->blocks; b++)
    for (size_t i = 0; i < l->block[b].shown; i++) {
      name_parameter(m, l, l->block + b, i, name);
      if (strlen(name) > width) width = strlen(name);
    }
  return (int)width;
}

/* A line for each parameter, a column for each component. */
static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data, (void)options;
  const mn_family_mixture *m = self;
  mn_mixture_layout l;
  double *t, *log_weight;
  MN_TRY(mn_mixture_view(ctx, m, &l, &t, &log_weight));
  const size_t capacity = (l.shown + 2) * (NAME_SIZE + l.k * NUMBER_SIZE + 2);
  char *text = MN_NEW(ctx, char, capacity, 1), name[NAME_SIZE];
  MN_CHECK_ALLOC(text);
  const int width = longest_name(m, &l);
  size_t used = (size_t)snprintf(text, capacity, "%-*s", width, "component");
  for (size_t c = 0; c < l.k; c++) used += (size_t)snprintf(text + used, capacity - used, " %11zu", c + 1);
  used += (size_t)snprintf(text + used, capacity - used, "\n%-*s", width, "weight");
  for (size_t c = 0; c < l.k; c++) used += (size_t)snprintf(text + used, capacity - used, " %11.5g", m->weights.at[c]);
  for (size_t b = 0; b < l.blocks; b++)
    for (size_t i = 0; i < l.block[b].shown; i++) {
      name_parameter(m, &l, l.block + b, i, name);
      used += (size_t)snprintf(text + used, capacity - used, "\n%-*s", width, name);
      for (size_t c = 0; c < l.k; c++)
        used += (size_t)snprintf(text + used, capacity - used, " %11.5g", t[c * l.size + l.block[b].first + i]);
    }
  return mn_result_text(ctx, results, "text", text, used);
}

static const mn_operation operations[] = {
  { .name = "sample",
    .brief = "rows drawn from the mixture, and their components",
    .returns = "X (Matrix: n x features), labels (Vector: n)",
    .options = sample_params,
    .options_size = sizeof(sample_options),
    .run = sample },
  { .name = "summary", .brief = "the parameters of the components by name", .returns = "string", .run = summary },
  { .name = NULL },
};

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const mn_family_mixture *m = self;
  size_t families = 0;
  mn_mixture_layout l;
  while (mn_mixture_families[families]) families++;
  bool valid = m->column_family.size == m->column_levels.size && m->column_family.size > 0;
  for (size_t j = 0; valid && j < m->column_family.size; j++)
    valid = m->column_family.at[j] >= 0 && (size_t)m->column_family.at[j] < families && m->column_levels.at[j] >= 0 &&
            m->column_levels.at[j] <= 1e6;
  for (size_t c = 0; valid && c < m->weights.size; c++) valid = m->weights.at[c] >= 0;
  if (valid) {
    MN_TRY(mn_mixture_make_layout(ctx, m, &l));
    valid = m->parameters.cols == l.shown && m->parameters.rows == m->weights.size;
    for (size_t b = 0; valid && b < l.blocks; b++)
      valid = l.block[b].family != &mn_family_student_t || l.block[b].d <= MN_MAX_STUDENT_COLUMNS;
  }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "MixtureModel: families and parameters are inconsistent");
}

static void warning(const void *self, mn_text_buffer *text)
{
  const mn_family_mixture *m = self;
  mn_component_warning(m->n_components, &m->weights, text);
}

static const mn_param params[] = {
  MN_COUNT(mn_family_mixture, n_components, 1, MN_CLOSED(1, INT32_MAX), "number of components"),
  { .name = "family",
    .kind = MN_KIND_COLUMNS,
    .offset = offsetof(mn_family_mixture, family),
    .initial = (double)NAN,
    .words = true,
    MN_NO_LIMITS(),
    .brief = "family of all columns, or a list with that of each; nil: categorical for factors, gaussian for numbers" },
  MN_REAL(mn_family_mixture, tol, 1e-6, MN_AT_LEAST(0),
          "stop when an iteration increases the mean log likelihood per row by at most this"),
  MN_REAL(mn_family_mixture, reg_covar, 1e-6, MN_AT_LEAST(0), "variance added to gaussian and student_t columns"),
  MN_COUNT(mn_family_mixture, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_COUNT(mn_family_mixture, n_init, 5, MN_CLOSED(1, INT32_MAX), "number of starts; the best result is kept"),
  MN_CHOICE(mn_family_mixture, init_params, MN_START_PLUS_PLUS, mn_mixture_starts,
            "components of the rows at the start, on scaled columns: the nearest of k-means++ centers or random rows "
            "(random_from_data); kmeans; random"),
  MN_SEED(mn_family_mixture, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_family_mixture, weights, "components", "weight of each component"),
  MN_MATRIX(mn_family_mixture, parameters, "components x parameters",
            "parameters of each component in the order of summary"),
  MN_LEARNED(MN_KIND_INDEXES, mn_family_mixture, column_family, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_family_mixture, column_levels, "features", NULL),
  MN_NUMBER(mn_family_mixture, loglik, "log likelihood"),
  MN_NUMBER(mn_family_mixture, aic, "2 n_parameters - 2 loglik"),
  MN_NUMBER(mn_family_mixture, bic, "n_parameters log(n) - 2 loglik, n being the sum of the sample weights"),
  MN_NUMBER(mn_family_mixture, icl, "bic minus twice the log probability of each row's likeliest component"),
  MN_INTEGER(mn_family_mixture, n_parameters, "number of free parameters"),
  MN_END,
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "programs do not have its densities");
}

const mn_class mn_mixture_model = {
  .name = "MixtureModel",
  .family = "mixture",
  .brief = "Mixture of any families: counts, flags, categories, durations, directions.",
  .objective = "-sum_i w_i log sum_k weight_k prod_j p_j(x_ij | component k)",
  .source = "McLachlan & Peel, Finite Mixture Models (2000)",
  .notes =
      "Families: gaussian, poisson, bernoulli, categorical (factors, or codes from 0), exponential and gamma, independent "
      "within a component; multinomial, student_t and von_mises_fisher take all columns that name them together. With "
      "categorical columns it is latent class analysis. Missing values of independent columns, and unknown categories, are "
      "integrated out. "
      "GaussianMixture models covariances.",
  .example = "local X = { {0}, {1}, {0}, {2}, {9}, {7}, {11}, {8} }\n"
             "local model = ml.MixtureModel{ n_components = 2, family = 'poisson' }:fit(X)\n"
             "print(model:summary())",
  .capabilities = MN_CLUSTER | MN_DENSITY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(mn_family_mixture),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_mixture_model_fit,
  .predict = predict,
  .log_proba = log_proba,
  .components = components,
  .score_samples = score_samples,
  .export = export,
  .check = check,
  .warning = warning,
};
