/* Hidden Markov models: the class table. */
#include "hmm.h"

static const char *const topologies[] = { "ergodic", "left_right", NULL };
static const char *const decodings[] = { "viterbi", "posterior", NULL };

static size_t components(const void *self)
{
  return ((const mn_hmm_model *)self)->startprob.size;
}

/* Whether all values are probabilities. */
static bool are_probabilities(size_t n, const double *p)
{
  for (size_t i = 0; i < n; i++)
    if (!(p[i] >= 0 && p[i] <= 1 + 1e-9)) return false;
  return true;
}

static bool has_valid_columns(const mn_hmm_model *m)
{
  size_t families = 0;
  while (mn_mixture_families[families]) families++;
  for (size_t j = 0; j < m->column_emission.size; j++)
    if (!(m->column_emission.at[j] >= 0 && (size_t)m->column_emission.at[j] < families && m->column_levels.at[j] >= 0 &&
          m->column_levels.at[j] <= 1e6))
      return false;
  return m->column_emission.size > 0 && m->column_levels.size == m->column_emission.size;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_hmm_model *m = self;
  const size_t k = m->startprob.size, components_ = m->mix_weights.rows * m->mix_weights.cols;
  size_t nodes = 0, types = 0;
  while (mn_covariance_types[types]) types++;
  const bool second = m->transmat.rows != k;
  bool valid = k > 0 && k <= 1000 && m->transmat.cols == k && (!second || m->transmat.rows == k + k * k) &&
               (!m->exit.at || m->exit.rows == k) && has_valid_columns(m) && m->covariance_model >= MN_EII &&
               m->covariance_model < (int64_t)types && m->state_probabilities.size == k &&
               (!m->base.classes || mn_levels_size(m->base.classes) == k);
  if (valid) {
    const mn_hmm_topology t = mn_hmm_make_topology(k, second ? 2 : 1, m->exit.cols);
    mn_hmm_layout l;
    nodes = t.nodes;
    MN_TRY(mn_hmm_make_layout(ctx, k, m->mix_weights.at ? m->mix_weights.cols : 1, m->covariance_model, m->reg_covar,
                              m->emission_prior, &m->column_emission, &m->column_levels, &l));
    valid = components_ == l.gaussians && m->means.rows == l.gaussians && m->means.cols == l.g &&
            m->covariances.rows * m->covariances.cols == l.gaussians * (l.diagonal ? l.g : l.g * l.g) &&
            m->emission_parameters.cols == l.other.shown && m->emission_parameters.rows == (l.other.shown > 0 ? k : 0);
    for (size_t b = 0; valid && b < l.other.blocks; b++)
      valid = l.other.block[b].family != &mn_family_student_t || l.other.block[b].d <= MN_MAX_STUDENT_COLUMNS;
  }
  valid = valid && m->next_nodes.size == nodes && are_probabilities(k, m->startprob.at) &&
          are_probabilities(m->transmat.rows * k, m->transmat.at) &&
          are_probabilities(m->exit.rows * m->exit.cols, m->exit.at);
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "HMM: states and emissions do not fit each other");
}

static const mn_param params[] = {
  MN_COUNT(mn_hmm_model, n_states, MN_UNSET, MN_CLOSED(1, 1000), "number of states; nil: those of y, or 2"),
  { .name = "emission",
    .kind = MN_KIND_COLUMNS,
    .offset = offsetof(mn_hmm_model, emission),
    .initial = (double)NAN,
    .words = true,
    MN_NO_LIMITS(),
    .brief = "family of all columns, or a list with that of each, as in MixtureModel; gaussian columns are joint; nil: "
             "categorical for factors, gaussian for numbers" },
  MN_CHOICE(mn_hmm_model, covariance_type, MN_FULL, mn_covariance_types,
            "covariances of gaussian columns, as in GaussianMixture"),
  MN_COUNT(mn_hmm_model, n_mix, 1, MN_CLOSED(1, 1000), "components of each state in gaussian columns"),
  MN_COUNT(mn_hmm_model, order, 1, MN_CLOSED(1, 2),
           "number of states on which the next one depends; with max_duration: of stays"),
  MN_COUNT(mn_hmm_model, max_duration, MN_UNSET, MN_CLOSED(1, 10000),
           "stays of up to this many rows have probabilities of their own (semi-Markov); nil: geometric"),
  MN_CHOICE(mn_hmm_model, topology, MN_HMM_ERGODIC, topologies,
            "left_right: start in state 1, and never go back to an earlier state"),
  MN_TABLE(mn_hmm_model, allowed, MN_CLOSED(0, 1),
           "states x states: 0 where a transition is forbidden; nil: all are allowed"),
  MN_TABLE(mn_hmm_model, tied, MN_AT_LEAST(0),
           "in the layout of transmat: transitions with equal numbers > 0 share one probability; 0: its own; nil: all "
           "their own"),
  MN_CHOICE(mn_hmm_model, decoding, MN_HMM_DECODE_VITERBI, decodings,
            "what predict gives: the likeliest path (viterbi), or the likeliest state of each row (posterior)"),
  MN_REAL(mn_hmm_model, startprob_prior, 1, MN_AT_LEAST(1), "Dirichlet prior of start probabilities; 1: none"),
  MN_REAL(mn_hmm_model, transmat_prior, 1, MN_AT_LEAST(1),
          "Dirichlet prior of transitions; 1: none, 2: add one to counts"),
  MN_REAL(mn_hmm_model, emission_prior, 1, MN_AT_LEAST(1), "Dirichlet prior of categorical columns; 1: none"),
  MN_REALS(mn_hmm_model, startprob_pseudocounts, MN_AT_LEAST(0),
           "prior counts of each state at the first row, beside startprob_prior; nil: none"),
  MN_TABLE(mn_hmm_model, transmat_pseudocounts, MN_AT_LEAST(0),
           "prior counts of each transition, in the layout of transmat, beside transmat_prior; nil: none"),
  MN_TABLE(mn_hmm_model, emission_pseudocounts, MN_AT_LEAST(0),
           "prior counts of each level of categorical columns, in the layout of emission_parameters, beside "
           "emission_prior; nil: none"),
  MN_REAL(mn_hmm_model, reg_covar, 1e-6, MN_AT_LEAST(0), "variance added to gaussian and student_t columns"),
  MN_REALS(mn_hmm_model, startprob_init, MN_CLOSED(0, 1), "start probabilities from which EM begins"),
  MN_TABLE(mn_hmm_model, transmat_init, MN_CLOSED(0, 1), "transitions from which EM begins, in the layout of transmat"),
  MN_TABLE(mn_hmm_model, means_init, MN_NO_LIMITS(), "means from which EM begins, in the layout of means"),
  MN_TABLE(mn_hmm_model, covariances_init, MN_NO_LIMITS(),
           "covariances from which EM begins, in the layout of covariances"),
  MN_TABLE(mn_hmm_model, emission_init, MN_NO_LIMITS(),
           "other emissions from which EM begins, in the layout of emission_parameters"),
  MN_FLAG(mn_hmm_model, learn, true, "false: the start, which must be given in full, is the model"),
  MN_CHOICE(mn_hmm_model, init_params, MN_START_KMEANS, mn_mixture_starts,
            "states of the rows at the start, on scaled columns, as in GaussianMixture; random without numbers"),
  MN_COUNT(mn_hmm_model, n_init, 5, MN_CLOSED(1, INT32_MAX), "number of starts; the best result is kept"),
  MN_COUNT(mn_hmm_model, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(mn_hmm_model, tol, 1e-6, MN_AT_LEAST(0),
          "stop when an iteration increases the mean log likelihood per row by at most this"),
  MN_SEED(mn_hmm_model, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_hmm_model, startprob, "states", "probability of each state at the first row of a sequence"),
  MN_MATRIX(
      mn_hmm_model, transmat, "transitions x states",
      "probability of the next state; of order 2 rows from the first to the second row, then from pairs of states"),
  MN_MATRIX(
      mn_hmm_model, exit, "states? x durations?",
      "probability that a stay ends with its d-th row, if it lasts until then; the last one for longer stays too"),
  MN_MATRIX(mn_hmm_model, mix_weights, "states? x mix?", "weight of each component of the gaussian columns"),
  MN_MATRIX(mn_hmm_model, means, "components? x columns?", "means of the gaussian columns, state by state"),
  MN_MATRIX(mn_hmm_model, covariances, "stacked? x columns?",
            "stacked covariances of the components; variances if axes are those of the columns"),
  MN_MATRIX(mn_hmm_model, emission_parameters, "states? x parameters?",
            "parameters of the other columns in their order, as in MixtureModel: probabilities of levels, means"),
  MN_LEARNED(MN_KIND_INDEXES, mn_hmm_model, column_emission, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_hmm_model, column_levels, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_hmm_model, next_nodes, "nodes", NULL),
  MN_VECTOR(mn_hmm_model, state_probabilities, "states", "states after the last row of fit, or of advance"),
  MN_NUMBER(mn_hmm_model, loglik, "log likelihood of the rows of fit"),
  MN_NUMBER(mn_hmm_model, aic, "2 n_parameters - 2 loglik"),
  MN_NUMBER(mn_hmm_model, bic, "n_parameters log(rows) - 2 loglik"),
  MN_INTEGER(mn_hmm_model, n_parameters, "number of free parameters"),
  MN_LEARNED(MN_KIND_COUNT, mn_hmm_model, covariance_model, "", NULL),
  MN_END,
};

const mn_class mn_hmm = {
  .name = "HMM",
  .family = "sequence",
  .brief = "Hidden Markov model: rows in time order, each drawn by a hidden state.",
  .objective = "-log sum over paths of start(s[1]) prod_t p(s[t+1] | s[t]) prod_t p(x[t] | s[t])",
  .source = "Rabiner, Proc. IEEE 77 (1989); Baum et al., Ann. Math. Statist. 41 (1970); Yu, Artif. Intell. 174 (2010)",
  .notes =
      "The option lengths gives the rows of each of several sequences. fit(X, y) counts known states, some of which may be "
      "missing. Missing values are integrated out. predict_proba gives the states given all rows, filter given those "
      "before, score_samples log p(row | rows before): -inf from an impossible row on. States are in no order. "
      "ml.select_hmm compares numbers of states.",
  .example = "local X = ml.read_csv('examples/data/faithful.csv'):select{'waiting'}\n"
             "local model = ml.HMM{ n_states = 2 }:fit(X)\n"
             "print(model.means, model.transmat, model:predict(X))",
  .capabilities = MN_CLUSTER | MN_DENSITY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_MISSING | MN_FACTORS | MN_LENGTHS | MN_Y_LABELS | MN_Y_OPTIONAL | MN_UNLABELLED,
  .size = sizeof(mn_hmm_model),
  .params = params,
  .fields = fields,
  .operations = mn_hmm_operations,
  .fit = mn_hmm_fit,
  .predict = mn_hmm_predict,
  .log_proba = mn_hmm_log_proba,
  .components = components,
  .score_samples = mn_hmm_score_samples,
  .export = mn_sequence_export,
  .check = check,
};
