/* Dictionary learning: atoms D and sparse codes B that minimize 1/2 |X - B D|^2 + alpha |B|_1 in turn (atoms.h). */
#include "atoms.h"
#include "coder.h"
#include "../model/magnitudes.h"
#include <string.h>

struct dictionary_learning {
  mn_coder coder;
  int64_t n_components, fit_algorithm, max_iter, seed; /* parameters */
  double tol;
  bool positive_dict;
  mn_matrix dict_init;
  double error; /* learned */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct dictionary_learning *m = self;
  const size_t p = data->features, k = m->n_components == MN_UNSET ? p : (size_t)m->n_components;
  mn_atoms s = { .n = data->rows, .p = p, .k = k, .x = data->x.at, .positive = m->positive_dict };
  MN_TRY(mn_coder_check(ctx, &m->coder));
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  s.coding =
      mn_atoms_coding(m->fit_algorithm, m->coder.alpha, m->coder.positive_code, (size_t)m->coder.transform_max_iter);
  s.rng = mn_stream(m->seed, 0);
  MN_TRY(mn_atoms_init(ctx, &s));
  MN_TRY(mn_atoms_start(ctx, &s, "DictionaryLearning", &m->dict_init));
  m->coder.base.report = (mn_report){ .advice = "increase max_iter or tol" };
  MN_TRY(mn_atoms_alternate(ctx, &s, &m->coder.base.report, m->max_iter, m->tol, &m->error));
  MN_TRY(mn_matrix_init(ctx, &m->coder.components, k, p));
  memcpy(m->coder.components.at, s.atoms, k * p * sizeof *s.atoms);
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct dictionary_learning, n_components, MN_UNSET, MN_CLOSED(1, 2147483647),
           "number of atoms; nil: columns of X"),
  MN_PENALTY(mn_coder, alpha, 1, MN_AT_LEAST(0), "L1 penalty on the codes in fit"),
  MN_COUNT(struct dictionary_learning, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct dictionary_learning, tol, 1e-8, MN_AT_LEAST(0),
          "stop when an iteration lowers the objective by at most this part of it"),
  MN_CHOICE(struct dictionary_learning, fit_algorithm, MN_FIT_LARS, mn_fit_algorithms,
            "codes of fit: by the path of the lasso, or by coordinate descent"),
  MN_FLAG(struct dictionary_learning, positive_dict, false, "atoms >= 0"),
  MN_TABLE(struct dictionary_learning, dict_init, MN_NO_LIMITS(),
           "atoms to start from, components x columns; nil: singular vectors"),
  MN_CODER_PARAMS(MN_UNSET_REAL, "; nil: alpha"),
  MN_SEED(struct dictionary_learning, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_coder, components, "atoms x features", "the atoms, of norm at most 1"),
  MN_NUMBER(struct dictionary_learning, error, "the objective at the end"),
  MN_END,
};

const mn_class mn_dictionary_learning = {
  .name = "DictionaryLearning",
  .family = "decomposition",
  .brief = "Dictionary learning: atoms of which a few explain each row.",
  .objective = "1/2 |X - B D|^2 + alpha |B|_1 over codes B and atoms D with |d| <= 1",
  .source = "Mairal, Bach, Ponce & Sapiro, J. Mach. Learn. Res. 11 (2010)",
  .notes = "X is not centered. An atom that no code uses is replaced by a row of X, for which the objective may rise "
           "once. The result is a local minimum, equal to that of scikit-learn from the same start. transform uses "
           "transform_algorithm, so its codes differ from those of fit unless that is lasso_lars or lasso_cd. "
           "MiniBatchDictionaryLearning is faster for many rows.",
  .example = "local X = ml.normal(60, 8, 1)\n"
             "local model = ml.DictionaryLearning{ n_components = 4, max_iter = 10, tol = 0.01 }:fit(X)\n"
             "print(model.error, model:transform(X:slice(1, 2)))",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .size = sizeof(struct dictionary_learning),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_CODER_MEMBERS,
};
