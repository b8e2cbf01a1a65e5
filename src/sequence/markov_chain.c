/* Markov chains of any order. The transitions of a context, the last `order` states, are its smoothed frequencies:
 *
 *     p(s | c) = (n(c, s) + smoothing) / (n(c) + smoothing states)
 *
 * The likelihood is that of the rows after the first `order` ones of each sequence. */
#include "markov_chain.h"
#include "../core/rng.h"
#include "sequences.h"
#include <stdio.h>
#include <string.h>

enum { MAX_TRANSITIONS = 1 << 24, DEAD_ERROR = 0, DEAD_ABSORBING, DEAD_UNIFORM };
static const char *const dead_ends[] = { "error", "absorbing", "uniform", NULL };

/* --- states --- */

static mn_label label_of(double value)
{
  const bool whole = fabs(value) <= 0x1p53 && !(floor(value) < value);
  return whole ? (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value }
               : (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
}

static mn_label label_in(const mn_data *data, size_t row)
{
  const double value = data->x.at[row];
  return data->levels && data->levels[0] ? mn_levels_at(data->levels[0], (size_t)value) : label_of(value);
}

static mn_status learn_states(mn_context *ctx, mn_markov *m, const mn_data *data)
{
  mn_label *label = MN_RAW(ctx, mn_label, data->rows, 1);
  MN_CHECK_ALLOC(label);
  for (size_t i = 0; i < data->rows; i++) label[i] = label_in(data, i);
  mn_levels_release(mn_context_memory(ctx), m->base.classes);
  m->base.classes = mn_levels_new(ctx, label, data->rows, NULL);
  MN_CHECK_ALLOC(m->base.classes);
  m->base.one_target = !(data->levels && data->levels[0]);
  return MN_OK;
}

/* The states of the rows, from 0; -1: unknown to fit. */
static mn_status read_states(mn_context *ctx, const mn_markov *m, const mn_data *data, int32_t **out)
{
  const mn_levels *levels = data->levels ? data->levels[0] : NULL;
  int32_t *state = MN_RAW(ctx, int32_t, data->rows, 1), *map = NULL;
  MN_CHECK_ALLOC(state);
  if (levels) {
    MN_CHECK_ALLOC(map = MN_RAW(ctx, int32_t, mn_levels_size(levels) + 1, 1));
    mn_levels_map(levels, m->base.classes, map);
  }
  for (size_t i = 0; i < data->rows; i++) {
    const double value = data->x.at[i];
    if (levels)
      state[i] = value >= 0 ? map[(size_t)value] : -1;
    else
      state[i] = i > 0 && !(value < data->x.at[i - 1]) && !(value > data->x.at[i - 1])
                     ? state[i - 1]
                     : mn_levels_find(m->base.classes, label_of(value));
  }
  *out = state;
  return MN_OK;
}

mn_status mn_chain_view_make(mn_context *ctx, const mn_markov *m, mn_chain_view *view)
{
  const mn_matrix *p = m->base.fitted ? &m->transition_matrix : &m->transition;
  if (!p->at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MarkovChain is not fitted; call fit, or set the parameter transition");
  *view = (mn_chain_view){ .m = m, .states = p->cols, .contexts = p->rows, .p = p->at };
  if (m->base.fitted) return MN_OK;
  size_t contexts = 1;
  for (int64_t i = 0; i < m->order && contexts <= p->rows; i++) contexts *= p->cols;
  if (contexts != p->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MarkovChain: transition of %zu states and order %lld must have states^order rows, got %zu", p->cols,
                   (long long)m->order, p->rows);
  for (size_t c = 0; c < contexts; c++) {
    double sum = 0;
    for (size_t s = 0; s < p->cols; s++) sum += mn_row(p, c)[s];
    if (fabs(sum - 1) > 1e-8 && sum > 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "MarkovChain: row %zu of transition must add up to 1, got %.10g", c + 1,
                     sum);
  }
  return mn_chain_check_rows(ctx, view);
}

const char *mn_chain_name(const mn_chain_view *view, size_t context, char *text, size_t size)
{
  size_t used = 0, divisor = view->contexts / view->states;
  text[0] = 0;
  for (int64_t i = 0; i < view->m->order && used < size; i++, divisor /= view->states) {
    const size_t state = context / divisor % view->states;
    char label[64];
    if (view->m->base.classes)
      mn_format_label(label, sizeof label, mn_levels_at(view->m->base.classes, state));
    else
      snprintf(label, sizeof label, "%zu", state + 1);
    const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", label);
    used += n > 0 ? (size_t)n : 0;
  }
  return text;
}

mn_status mn_chain_check_rows(mn_context *ctx, const mn_chain_view *view)
{
  char name[96];
  for (size_t c = 0; c < view->contexts; c++) {
    double sum = 0;
    for (size_t s = 0; s < view->states; s++) sum += view->p[c * view->states + s];
    if (sum > 0) continue;
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MarkovChain: the transitions from state %s sum to zero: no row follows it; set smoothing > 0, or "
                   "dead_ends to \"absorbing\" or \"uniform\"",
                   mn_chain_name(view, c, name, sizeof name));
  }
  return MN_OK;
}

/* --- fit --- */

static mn_status make_fields(mn_context *ctx, mn_markov *m, size_t k)
{
  size_t contexts = 1;
  for (int64_t i = 0; i < m->order; i++) {
    if (contexts > MAX_TRANSITIONS / k / k)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "MarkovChain: order %lld of %zu states has more than %d transitions; use a lower order",
                     (long long)m->order, k, (int)MAX_TRANSITIONS);
    contexts *= k;
  }
  MN_TRY(mn_matrix_init(ctx, &m->transition_matrix, contexts, k));
  MN_TRY(mn_matrix_init(ctx, &m->counts, contexts, k));
  return mn_vector_init(ctx, &m->start, k);
}

/* Call for each row that has a context: its index, context and state. */
#define FOR_TRANSITIONS(m, data, state, k, contexts, row, context)                                                     \
  for (size_t s_ = 0, first_ = 0; s_ < mn_sequences(data); first_ += mn_sequence_rows(data, s_), s_++)                 \
    for (size_t row = first_, context = 0; row < first_ + mn_sequence_rows(data, s_);                                  \
         context = (context * (k) + (size_t)((state)[row] < 0 ? 0 : (state)[row])) % (contexts), row++)                \
      if (row >= first_ + (size_t)(m)->order)

static void count(mn_markov *m, const mn_data *data, const int32_t *state)
{
  const size_t k = m->counts.cols, contexts = m->counts.rows;
  FOR_TRANSITIONS(m, data, state, k, contexts, row, context) mn_row(&m->counts, context)[state[row]]++;
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++)
    if (mn_sequence_rows(data, s) > 0) m->start.at[state[first]]++;
  for (size_t i = 0; i < k; i++) m->start.at[i] /= (double)mn_sequences(data);
}

/* The last state of a context, as a row of the identity. */
static void make_absorbing(size_t k, size_t context, double *p)
{
  p[context % k] = 1;
}

static void set_probabilities(mn_markov *m, size_t *used)
{
  const size_t k = m->counts.cols;
  *used = 0;
  for (size_t c = 0; c < m->counts.rows; c++) {
    const double *n = mn_row(&m->counts, c);
    double *p = mn_row(&m->transition_matrix, c), total = 0;
    for (size_t s = 0; s < k; s++) total += n[s];
    *used += total > 0;
    if (total + m->smoothing > 0)
      for (size_t s = 0; s < k; s++) p[s] = (n[s] + m->smoothing) / (total + m->smoothing * (double)k);
    else if (m->dead_ends == DEAD_ABSORBING)
      make_absorbing(k, c, p);
    else if (m->dead_ends == DEAD_UNIFORM || m->order > 1)
      for (size_t s = 0; s < k; s++) p[s] = 1 / (double)k;
  }
}

static mn_status use_given(mn_context *ctx, mn_markov *m)
{
  const mn_matrix *given = &m->transition;
  mn_chain_view view;
  mn_markov unfitted = *m;
  unfitted.base.fitted = false;
  unfitted.base.classes = NULL;
  if (given->cols != m->counts.cols)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MarkovChain: transition must have %zu columns, one for each state of X, got %zu", m->counts.cols,
                   given->cols);
  MN_TRY(mn_chain_view_make(ctx, &unfitted, &view));
  memcpy(m->transition_matrix.at, given->at, given->rows * given->cols * sizeof *given->at);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_markov *m = self;
  int32_t *state;
  size_t used;
  double transitions = 0;
  MN_TRY(learn_states(ctx, m, data));
  const size_t k = mn_levels_size(m->base.classes);
  MN_TRY(make_fields(ctx, m, k));
  MN_TRY(read_states(ctx, m, data, &state));
  count(m, data, state);
  set_probabilities(m, &used);
  if (m->transition.at) MN_TRY(use_given(ctx, m));
  const mn_chain_view view = { .m = m, .states = k, .contexts = m->counts.rows, .p = m->transition_matrix.at };
  MN_TRY(mn_chain_check_rows(ctx, &view));
  m->loglik = 0;
  for (size_t i = 0; i < m->counts.rows * k; i++) {
    transitions += m->counts.at[i];
    if (m->counts.at[i] > 0) m->loglik += m->counts.at[i] * log(m->transition_matrix.at[i]);
  }
  m->n_parameters = m->transition.at ? 0 : (int64_t)(used * (k - 1));
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglik;
  m->bic = (double)m->n_parameters * log(fmax(transitions, 1)) - 2 * m->loglik;
  return MN_OK;
}

/* --- actions --- */

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_markov *m = self;
  const size_t k = m->counts.cols, contexts = m->counts.rows;
  int32_t *state;
  MN_TRY(read_states(ctx, m, data, &state));
  FOR_TRANSITIONS(m, data, state, k, contexts, row, context)
  {
    bool known = state[row] >= 0;
    for (size_t i = 1; i <= (size_t)m->order; i++) known = known && state[row - i] >= 0;
    out->at[row] = known ? log(mn_row(&m->transition_matrix, context)[state[row]]) : -INFINITY;
  }
  return MN_OK;
}

/* After each row, the transitions of the context that ends there. After the first rows of a sequence, and after states
 * unknown to fit, the contexts that agree with what is known, weighted by their counts. */
static void following(const mn_markov *m, const int32_t *state, size_t known, double *p)
{
  const size_t k = m->counts.cols, order = (size_t)m->order;
  double total = 0;
  memset(p, 0, k * sizeof *p);
  for (size_t c = 0; c < m->counts.rows; c++) {
    bool fits = true;
    double n = m->smoothing + DBL_MIN;
    for (size_t i = 0, rest = c; i < order && i < known && fits; i++, rest /= k)
      fits = state[-(ptrdiff_t)i] < 0 || rest % k == (size_t)state[-(ptrdiff_t)i];
    if (!fits) continue;
    for (size_t s = 0; s < k; s++) n += mn_row(&m->counts, c)[s];
    total += n;
    for (size_t s = 0; s < k; s++) p[s] += n * mn_row(&m->transition_matrix, c)[s];
  }
  for (size_t s = 0; s < k; s++) p[s] /= total;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_markov *m = self;
  const size_t k = m->counts.cols, contexts = m->counts.rows, order = (size_t)m->order;
  int32_t *state;
  MN_TRY(read_states(ctx, m, data, &state));
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++)
    for (size_t i = first; i < first + mn_sequence_rows(data, s); i++) {
      double *p = mn_row(out, i);
      bool whole = i + 1 - first >= order;
      size_t context = 0;
      for (size_t j = whole ? order : 0; j-- > 0;) {
        whole = whole && state[i - j] >= 0;
        context = (context * k + (size_t)(state[i - j] < 0 ? 0 : state[i - j])) % contexts;
      }
      if (whole)
        memcpy(p, mn_row(&m->transition_matrix, context), k * sizeof *p);
      else
        following(m, state + i, i + 1 - first, p);
      for (size_t j = 0; j < k; j++) p[j] = log(p[j]);
      if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const size_t k = ((const mn_markov *)self)->counts.cols;
  mn_matrix p = { .at = MN_RAW(ctx, double, data->rows, k), .rows = data->rows, .cols = k };
  MN_CHECK_ALLOC(p.at);
  MN_TRY(log_proba(ctx, self, data, &p));
  for (size_t i = 0; i < data->rows; i++) {
    size_t best = 0;
    for (size_t s = 1; s < k; s++) best = mn_row(&p, i)[s] > mn_row(&p, i)[best] ? s : best;
    out->at[i] = (double)best;
  }
  return MN_OK;
}

static size_t components(const void *self)
{
  return ((const mn_markov *)self)->counts.cols;
}

/* --- sample --- */

static mn_status put_states(mn_context *ctx, const mn_chain_view *view, const int32_t *state, size_t n,
                            mn_results *results)
{
  const mn_levels *levels = view->m->base.classes;
  if (levels && !view->m->base.one_target) {
    const char **name = MN_RAW(ctx, const char *, n, 1);
    char *text = MN_RAW(ctx, char, view->states, 256);
    if (!name || !text) return MN_NO_MEMORY;
    for (size_t s = 0; s < view->states; s++) mn_format_label(text + s * 256, 256, mn_levels_at(levels, s));
    for (size_t s = 0; s < view->states; s++) {
      const mn_label label = mn_levels_at(levels, s);
      if (label.kind != MN_LABEL_TEXT) continue;
      snprintf(text + s * 256, 256, "%.*s", (int)(label.as.text.size < 255 ? label.as.text.size : 255),
               label.as.text.bytes);
    }
    for (size_t i = 0; i < n; i++) name[i] = text + (size_t)state[i] * 256;
    return mn_result_names(ctx, results, "states", name, n);
  }
  mn_vector *out;
  MN_TRY(mn_result_vector(ctx, results, "states", n, &out));
  for (size_t i = 0; i < n; i++) {
    const mn_label label = levels ? mn_levels_at(levels, (size_t)state[i]) : label_of(state[i] + 1);
    out->at[i] = label.kind == MN_LABEL_INTEGER ? (double)label.as.integer : label.as.number;
  }
  return MN_OK;
}

/* The first context: a state by the shares of first rows, and the others by the chain from a random context. */
static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const mn_markov *m = self;
  const mn_sample_options *o = options;
  const size_t n = (size_t)o->n;
  mn_chain_view v;
  mn_rng rng = mn_stream(o->seed, 0);
  (void)data;
  MN_TRY(mn_chain_view_make(ctx, m, &v));
  int32_t *state = MN_RAW(ctx, int32_t, n, 1);
  double *weight = MN_NEW(ctx, double, v.contexts, 1);
  if (!state || !weight) return MN_NO_MEMORY;
  for (size_t c = 0; c < v.contexts; c++) {
    const double first = m->start.at ? m->start.at[c * v.states / v.contexts] : 1;
    double rows = m->counts.at ? m->smoothing : 1;
    for (size_t s = 0; m->counts.at && s < v.states; s++) rows += mn_row(&m->counts, c)[s];
    weight[c] = m->order == 1 ? first : first * rows;
  }
  size_t context = mn_random_weighted(&rng, weight, v.contexts), divisor = v.contexts;
  for (size_t i = 0; i < n; i++) {
    divisor /= v.states;
    const size_t s =
        divisor > 0 ? context / divisor % v.states : mn_random_weighted(&rng, v.p + context * v.states, v.states);
    state[i] = (int32_t)s;
    if (divisor == 0) context = (context * v.states + s) % v.contexts;
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
  }
  return put_states(ctx, &v, state, n, results);
}

static const mn_operation operations[] = {
  { .name = "stationary",
    .brief = "long-run share of each state",
    .returns = "Vector (states)",
    .needs = MN_WORKS_UNFITTED,
    .run = mn_chain_stationary },
  { .name = "hitting_times",
    .brief = "expected number of steps to the states of target, and the probability to reach them",
    .returns = "times, probability (Vector: contexts)",
    .needs = MN_WORKS_UNFITTED,
    .options = mn_chain_target_params,
    .options_size = sizeof(mn_chain_target),
    .run = mn_chain_hitting_times },
  { .name = "absorption",
    .brief = "where the chain ends: probabilities of the closed classes, and expected steps until then",
    .returns = "probability (Matrix: contexts x closed classes), times (Vector: contexts), class (Vector: contexts; 0: "
               "transient)",
    .needs = MN_WORKS_UNFITTED,
    .run = mn_chain_absorption },
  { .name = "sample",
    .brief = "a sequence drawn from the chain",
    .returns = "states (Vector, or a list of strings: n)",
    .needs = MN_WORKS_UNFITTED,
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = sample },
  { .name = NULL },
};

/* --- tables --- */

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_markov *m = self;
  const size_t k = m->base.classes ? mn_levels_size(m->base.classes) : 0;
  size_t contexts = 1;
  for (int64_t i = 0; i < m->order && contexts <= m->counts.rows; i++) contexts *= k;
  bool valid = k > 0 && m->counts.cols == k && m->counts.rows == contexts && m->n_parameters >= 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "MarkovChain: states and transitions do not fit each other");
}

static const mn_param params[] = {
  MN_COUNT(mn_markov, order, 1, MN_CLOSED(1, 64), "number of states on which the next one depends"),
  MN_REAL(mn_markov, smoothing, 0, MN_AT_LEAST(0), "added to the count of each transition; 1: Laplace's rule"),
  MN_CHOICE(mn_markov, dead_ends, DEAD_ERROR, dead_ends,
            "states that no row follows, without smoothing: error; absorbing: they stay; uniform: any state follows"),
  MN_TABLE(mn_markov, transition, MN_CLOSED(0, 1),
           "given probabilities, contexts x states, contexts in the order of their states; nil: learned"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_markov, transition_matrix, "contexts x states", "probability of each state after each context"),
  MN_MATRIX(mn_markov, counts, "contexts x states", "number of transitions"),
  MN_VECTOR(mn_markov, start, "states", "share of each state among the first rows of sequences"),
  MN_NUMBER(mn_markov, loglik, "log likelihood of the rows of fit after the first ones"),
  MN_NUMBER(mn_markov, aic, "2 n_parameters - 2 loglik"),
  MN_NUMBER(mn_markov, bic, "n_parameters log(n) - 2 loglik, n being the number of transitions"),
  MN_INTEGER(mn_markov, n_parameters, "number of free probabilities of the contexts that occur"),
  MN_END,
};

const mn_class mn_markov_chain = {
  .name = "MarkovChain",
  .family = "sequence",
  .brief = "Markov chain of categories: each state depends on the last one or the last few.",
  .objective = "p(x[t] | x[t-1], ..., x[t-order])",
  .source = "Norris, Markov Chains (1997); Grassmann, Taksar & Heyman, Oper. Res. 33 (1985)",
  .notes =
      "X is one column in time order: a Factor, or numbers that name states; the option lengths gives the rows of each of "
      "several sequences. predict gives the likeliest state after each row, predict_proba its probabilities. "
      "score_samples gives log p(row | rows before), 0 for the first rows. Of order 2 and above, contexts are ordered by "
      "their earliest state. stationary, hitting_times and absorption also work on a given transition without fit.",
  .example = "local X = ml.Factor{ 'sun', 'sun', 'rain', 'rain', 'sun', 'rain', 'rain', 'sun' }\n"
             "local model = ml.MarkovChain{}:fit(X)\n"
             "print(model.transition_matrix, model:stationary(), model:hitting_times{ target = { 'rain' } }.times)",
  .capabilities = MN_DENSITY,
  .accepts = MN_LENGTHS | MN_ONE_COLUMN | MN_FACTORS,
  .size = sizeof(mn_markov),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .log_proba = log_proba,
  .components = components,
  .score_samples = score_samples,
  .export = mn_sequence_export,
  .check = check,
};
