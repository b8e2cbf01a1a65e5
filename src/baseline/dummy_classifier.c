/* Classification that ignores X: the score that a model has to exceed.
 *
 *     prior, most_frequent   label = the class with the most rows; p(c) = prior_c, or 1 for that class
 *     stratified             a random class, drawn with the priors; p = 1 for the drawn class
 *     uniform                a random class, all equally likely;    p(c) = 1 / classes
 *     constant               a given class
 *
 * The random classes of row i are drawn from the stream of i, so they depend on the seed and on the position of the row
 * in X. */
#include "../core/rng.h"
#include "../model/class.h"
#include "../model/program.h"
#include <string.h>

enum { PRIOR, MOST_FREQUENT, STRATIFIED, UNIFORM, CONSTANT };
static const char *const strategies[] = { "prior", "most_frequent", "stratified", "uniform", "constant", NULL };

struct dummy_classifier {
  mn_estimator base;
  int64_t strategy, seed;
  mn_text constant;
  mn_vector class_prior;
  mn_vector proba; /* of every row, unless the strategy is stratified */
};

static size_t largest(const mn_vector *v)
{
  size_t best = 0;
  for (size_t c = 1; c < v->size; c++) best = v->at[c] > v->at[best] ? c : best;
  return best;
}

static bool has_text(mn_label label, const mn_text *text)
{
  char shown[64];
  if (label.kind == MN_LABEL_TEXT)
    return label.as.text.size == text->size && memcmp(label.as.text.bytes, text->bytes, text->size) == 0;
  return strcmp(mn_format_label(shown, sizeof shown, label), text->bytes) == 0;
}

/* The class whose label has the text of the parameter `constant`. */
static mn_status find_constant(mn_context *ctx, const struct dummy_classifier *m, size_t *class)
{
  if (!m->constant.bytes)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "DummyClassifier: constant must be given for strategy 'constant', got nil");
  for (size_t c = 0; c < mn_levels_size(m->base.classes); c++) {
    if (!has_text(mn_levels_at(m->base.classes, c), &m->constant)) continue;
    *class = c;
    return MN_OK;
  }
  return mn_fail(ctx, MN_BAD_ARGUMENT, "DummyClassifier: constant must be a class of y, got '%s'", m->constant.bytes);
}

static mn_status set_proba(mn_context *ctx, struct dummy_classifier *m)
{
  const size_t k = m->class_prior.size;
  size_t class = largest(&m->class_prior);
  if (m->strategy == CONSTANT) MN_TRY(find_constant(ctx, m, &class));
  for (size_t c = 0; c < k; c++) {
    if (m->strategy == UNIFORM)
      m->proba.at[c] = 1 / (double)k;
    else
      m->proba.at[c] = m->strategy == PRIOR || m->strategy == STRATIFIED ? m->class_prior.at[c] : c == class;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct dummy_classifier *m = self;
  MN_TRY(mn_vector_init(ctx, &m->class_prior, data->classes));
  MN_TRY(mn_vector_init(ctx, &m->proba, data->classes));
  const double total = mn_total_weight(data);
  for (size_t i = 0; i < data->rows; i++) m->class_prior.at[data->code[i]] += mn_weight(data, i);
  for (size_t c = 0; c < data->classes; c++) m->class_prior.at[c] /= total;
  return set_proba(ctx, m);
}

/* A class drawn for row i with the fitted probabilities. */
static size_t draw(const struct dummy_classifier *m, size_t i)
{
  mn_rng rng = mn_stream(m->seed, i);
  return mn_random_weighted(&rng, m->proba.at, m->proba.size);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct dummy_classifier *m = self;
  const bool random = m->strategy == STRATIFIED || m->strategy == UNIFORM;
  const size_t likely = largest(&m->proba);
  for (size_t i = 0; i < data->rows; i++) out->at[i] = (double)(random ? draw(m, i) : likely);
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct dummy_classifier *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const size_t drawn = m->strategy == STRATIFIED ? draw(m, i) : 0;
    for (size_t c = 0; c < out->cols; c++)
      mn_row(out, i)[c] = m->strategy == STRATIFIED ? (c == drawn ? 0 : -INFINITY) : log(m->proba.at[c]);
  }
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct dummy_classifier *m = self;
  if (m->strategy == STRATIFIED || m->strategy == UNIFORM)
    return mn_cannot_export(ctx, &m->base, "its predictions are random");
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "proba", m->proba.size, m->proba.at);
  mn_program_code(program, "for c < outputs { out[c] = log(proba[c]) }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct dummy_classifier, strategy, PRIOR, strategies,
            "prior, most_frequent: the most frequent class; stratified, uniform: a random class; constant: `constant`"),
  MN_STRING(struct dummy_classifier, constant, "label of the strategy constant, as text"),
  MN_SEED(struct dummy_classifier, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct dummy_classifier, class_prior, "classes", "fraction of the rows (of their weights) in each class"),
  MN_VECTOR(struct dummy_classifier, proba, "classes", NULL),
  MN_END,
};

const mn_class mn_dummy_classifier = {
  .name = "DummyClassifier",
  .family = "baseline",
  .brief = "Baseline that ignores X: the most frequent, a random or a given class.",
  .objective = "label = argmax_c prior_c",
  .source = "the class frequencies",
  .notes = "A classifier is useful only if it scores higher than this. prior and most_frequent differ in their "
           "probabilities: the class frequencies, or 1 for the most frequent class. Random classes depend on the seed "
           "and on the position of the row in X.",
  .example = "local model = ml.DummyClassifier{}:fit({ {1}, {2}, {3} }, { 'no', 'no', 'yes' })\n"
             "print(model:predict{ {9} }, model:predict_proba{ {9} })",
  .capabilities = MN_CLASSIFY | MN_IGNORES_X | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct dummy_classifier),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .log_proba = log_proba,
  .export = export,
};
