/* Sparse codes over a given dictionary; without one, over orthonormal cosines (DCT-II),
 *
 *     d_cj = s_c cos(pi (j + 1/2) c / p),     s_0 = sqrt(1 / p), s_c = sqrt(2 / p)
 *
 * Ahmed, Natarajan & Rao, IEEE Trans. Comput. C-23 (1974). */
#include "coder.h"
#include <string.h>

struct sparse_coder {
  mn_coder coder;
  mn_matrix dictionary; /* parameter */
};

static void set_cosines(mn_matrix *d)
{
  const size_t p = d->cols;
  for (size_t c = 0; c < p; c++)
    for (size_t j = 0; j < p; j++)
      mn_row(d, c)[j] = sqrt((c > 0 ? 2.0 : 1.0) / (double)p) *
                        cos(3.14159265358979323846 * ((double)j + 0.5) * (double)c / (double)p);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct sparse_coder *m = self;
  const size_t p = data->features, k = m->dictionary.at ? m->dictionary.rows : p;
  MN_TRY(mn_coder_check(ctx, &m->coder));
  if (m->dictionary.at && m->dictionary.cols != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SparseCoder: dictionary must have the columns of X, %zu, got %zu", p,
                   m->dictionary.cols);
  MN_TRY(mn_matrix_init(ctx, &m->coder.components, k, p));
  if (m->dictionary.at)
    memcpy(m->coder.components.at, m->dictionary.at, k * p * sizeof *m->dictionary.at);
  else
    set_cosines(&m->coder.components);
  return MN_OK;
}

static const mn_param params[] = {
  MN_TABLE(struct sparse_coder, dictionary, MN_NO_LIMITS(), "atoms x columns of X; nil: orthonormal cosines (DCT-II)"),
  MN_CODER_PARAMS(1, ""),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_coder, components, "atoms x features", "the dictionary"),
  MN_END,
};

const mn_class mn_sparse_coder = {
  .name = "SparseCoder",
  .family = "decomposition",
  .brief = "Sparse codes of rows over a given dictionary of atoms.",
  .objective = "x ~ b D with few nonzero b: orthogonal matching pursuit, least angle regression, lasso or thresholds",
  .source = "Pati, Rezaiifar & Krishnaprasad (1993); Efron et al., Ann. Stat. 32 (2004); Rubinstein et al. (2008)",
  .notes =
      "fit learns nothing but the number of columns. Atoms should have norm 1: scale the rows of the dictionary "
      "first. inverse_transform multiplies codes by the dictionary. lasso_lars and lasso_cd have the same minimum; "
      "lasso_lars reaches it exactly, lasso_cd is faster for many atoms in a code.",
  .example = "local D = ml.Matrix{ {1, 0, 0}, {0, 1, 0}, {0.6, 0, 0.8} }\n"
             "local model = ml.SparseCoder{ dictionary = D, transform_n_nonzero_coefs = 2 }\n"
             "print(model:fit{ {3, 0, 4} }:transform{ {3, 0, 4}, {1, 2, 0} })",
  .capabilities = MN_TRANSFORM,
  .size = sizeof(struct sparse_coder),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_CODER_MEMBERS,
};
