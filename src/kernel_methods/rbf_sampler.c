/* A feature map whose inner products approximate a shift-invariant kernel, by random Fourier features:
 *
 *     z_c(x) = sqrt(2 k(0) / D) cos(omega_c'x + b_c),      b_c uniform on [0, 2 pi)
 *
 * By Bochner's theorem k is k(0) times the characteristic function of a distribution, from which omega_c is drawn:
 *
 *   RBF                 normal with standard deviation 1 / l_j
 *   Laplacian           Cauchy with scale 1 / l_j, for each column
 *   Matern nu           Student's t with 2 nu degrees of freedom and scale 1 / l_j
 *   rational quadratic  normal with a variance that is gamma distributed: shape alpha, mean 1 / l_j^2
 *   product             the sum of the frequencies of its factors
 *   sum                 the frequency of one term, drawn in proportion to the values k(0)
 *
 * Rahimi & Recht, NIPS 20 (2007); Rasmussen & Williams (2006), section 4.2. */
#include "../core/finite_kernel.h"
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "../linalg/elementwise.h"
#include "../linalg/product.h"
#include "../model/kernel_param.h"
#include "../model/program.h"
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

struct rbf_sampler {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double gamma;
  int64_t n_components, seed;
  mn_kernel fitted_kernel; /* learned */
  mn_matrix frequencies;   /* features x components: omega */
  mn_vector phases;        /* components: b                */
  double amplitude;        /* k(0)                         */
};

/* The kernel, whose expressions are in postfix order, and where frequencies are drawn. */
struct draw {
  const mn_kernel *k;
  size_t d;
  mn_rng random;
};

/* The number of nodes of the expression that ends at node `last`. */
static size_t expression_size(const mn_kernel *k, size_t last)
{
  const mn_kernel_op op = k->node[last].op;
  if (op == MN_KERNEL_POWER) return 1 + expression_size(k, last - 1);
  if (op != MN_KERNEL_SUM && op != MN_KERNEL_PRODUCT) return 1;
  const size_t right = expression_size(k, last - 1);
  return 1 + right + expression_size(k, last - 1 - right);
}

/* Where the left operand of a sum or product ends. */
static size_t left_operand(const mn_kernel *k, size_t last)
{
  return last - 1 - expression_size(k, last - 1);
}

/* k(0) of the expression that ends at node `last`. */
static double amplitude(const mn_kernel *k, size_t last)
{
  const mn_kernel_node *node = &k->node[last];
  switch (node->op) {
  case MN_KERNEL_SUM: return amplitude(k, left_operand(k, last)) + amplitude(k, last - 1);
  case MN_KERNEL_PRODUCT: return amplitude(k, left_operand(k, last)) * amplitude(k, last - 1);
  case MN_KERNEL_POWER: return pow(amplitude(k, last - 1), node->exponent);
  case MN_KERNEL_CONSTANT: return k->hyper[node->first].value;
  default: return 1;
  }
}

static double standard_cauchy(mn_rng *random)
{
  return tan(0.5 * two_pi * (mn_random_uniform(random) - 0.5));
}

/* A factor for a normal vector: 1 / sqrt(g / shape) makes it Student's t with 2 shape degrees of freedom, sqrt(g /
 * shape) normal with a gamma distributed variance, where g has a gamma distribution with this shape. */
static double scale_factor(struct draw *s, const mn_kernel_node *node)
{
  const double *last = &s->k->hyper[node->first + node->count - 1].value;
  switch (node->op) {
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: return 1 / sqrt(mn_random_gamma(&s->random, 0.5) / 0.5);
  case MN_KERNEL_MATERN32: return 1 / sqrt(mn_random_gamma(&s->random, 1.5) / 1.5);
  case MN_KERNEL_MATERN52: return 1 / sqrt(mn_random_gamma(&s->random, 2.5) / 2.5);
  case MN_KERNEL_RATIONAL: return sqrt(mn_random_gamma(&s->random, *last) / *last);
  default: return 1;
  }
}

static void add_leaf(struct draw *s, const mn_kernel_node *node, double *omega)
{
  if (node->op == MN_KERNEL_CONSTANT) return;
  const size_t lengths = node->count - (node->op == MN_KERNEL_RATIONAL);
  const size_t columns = node->columns > 0 ? node->columns : s->d;
  const double factor = scale_factor(s, node);
  for (size_t j = 0; j < columns; j++) {
    const size_t column = node->columns > 0 ? (size_t)s->k->column[node->first_column + j] : j;
    const double length = s->k->hyper[node->first + (lengths > 1 ? j : 0)].value;
    const double z = node->op == MN_KERNEL_LAPLACIAN ? standard_cauchy(&s->random) : mn_random_normal(&s->random);
    omega[column] += factor * z / length;
  }
}

/* Add a draw of the frequency of the expression that ends at node `last`. */
static void add_frequency(struct draw *s, size_t last, double *omega)
{
  const mn_kernel_node *node = &s->k->node[last];
  if (node->op == MN_KERNEL_PRODUCT) {
    add_frequency(s, left_operand(s->k, last), omega);
    add_frequency(s, last - 1, omega);
  } else if (node->op == MN_KERNEL_SUM) {
    const double left = amplitude(s->k, left_operand(s->k, last)), right = amplitude(s->k, last - 1);
    const bool first = mn_random_uniform(&s->random) * (left + right) < left;
    add_frequency(s, first ? left_operand(s->k, last) : last - 1, omega);
  } else if (node->op == MN_KERNEL_POWER) {
    for (double i = 0; i < node->exponent; i++) add_frequency(s, last - 1, omega);
  } else {
    add_leaf(s, node, omega);
  }
}

static bool can_be_sampled(const mn_kernel_node *node)
{
  enum { MAX_POWER = 1000 };
  switch (node->op) {
  case MN_KERNEL_RBF:
  case MN_KERNEL_LAPLACIAN:
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12:
  case MN_KERNEL_MATERN32:
  case MN_KERNEL_MATERN52:
  case MN_KERNEL_RATIONAL:
  case MN_KERNEL_CONSTANT:
  case MN_KERNEL_SUM:
  case MN_KERNEL_PRODUCT: return true;
  case MN_KERNEL_POWER: return node->exponent <= MAX_POWER && node->exponent == floor(node->exponent);
  default: return false;
  }
}

static mn_status check_kernel(mn_context *ctx, const mn_kernel *k)
{
  for (size_t i = 0; i < k->nodes; i++)
    if (!can_be_sampled(&k->node[i]))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "RBFSampler: kernel must be composed of RBF, Laplacian, OrnsteinUhlenbeck, Matern, "
                     "RationalQuadratic and Constant by sums, products and whole powers, got %s; use Nystroem",
                     mn_kernel_types[k->node[i].op].label);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct rbf_sampler *m = self;
  const size_t count = (size_t)m->n_components, d = data->features;
  const mn_kernel_settings settings = { .gamma = m->gamma, .degree = 1 };
  MN_TRY(mn_kernel_resolve(ctx, &m->base, &m->kernel, &settings, data, &m->fitted_kernel));
  const mn_kernel *k = &m->fitted_kernel;
  MN_TRY(check_kernel(ctx, k));
  MN_TRY(mn_matrix_init(ctx, &m->frequencies, d, count));
  MN_TRY(mn_vector_init(ctx, &m->phases, count));
  double *omega = MN_RAW(ctx, double, d, 1);
  MN_CHECK_ALLOC(omega);
  m->amplitude = amplitude(k, k->nodes - 1);
  for (size_t c = 0; c < count; c++) {
    struct draw s = { .k = k, .d = d, .random = mn_stream(m->seed, c) };
    memset(omega, 0, d * sizeof *omega);
    add_frequency(&s, k->nodes - 1, omega);
    for (size_t j = 0; j < d; j++) mn_row(&m->frequencies, j)[c] = omega[j];
    m->phases.at[c] = two_pi * mn_random_uniform(&s.random);
  }
  return MN_OK;
}

static double scale_of(const struct rbf_sampler *m)
{
  return sqrt(2 * m->amplitude / (double)m->phases.size);
}

/* One dense row, in the order of exported programs. */
static void transform_row(const struct rbf_sampler *m, const double *x, double *out)
{
  const size_t count = m->phases.size;
  const double scale = scale_of(m);
  memset(out, 0, count * sizeof *out);
  for (size_t j = 0; j < m->frequencies.rows; j++)
    for (size_t c = 0; c < count; c++) out[c] += x[j] * mn_row(&m->frequencies, j)[c];
  for (size_t c = 0; c < count; c++) out[c] = scale * cos(out[c] + m->phases.at[c]);
}

static mn_status transform_rows(mn_context *ctx, const struct rbf_sampler *m, const mn_data *data, mn_matrix *out)
{
  enum { FEW_ROWS = 8 };
  const size_t n = data->rows, d = data->features, count = out->cols;
  const double scale = scale_of(m), *w = m->frequencies.at;
  if (!data->sparse && n <= FEW_ROWS) {
    for (size_t i = 0; i < n; i++) transform_row(m, mn_row(&data->x, i), mn_row(out, i));
    return MN_OK;
  }
  if (data->sparse)
    MN_TRY(mn_csr_multiply(ctx, data->sparse, count, w, out->at));
  else
    MN_TRY(mn_gemm(ctx, false, false, n, count, d, 1, data->x.at, d, w, count, 0, out->at, count));
  for (size_t i = 0; i < n * count; i++) out->at[i] += m->phases.at[i % count];
  const mn_strided all = { .at = out->at, .row_step = count, .col_step = 1 };
  MN_TRY(mn_elementwise_unary(ctx, MN_COS, n, count, all, out->at));
  for (size_t i = 0; i < n * count; i++) out->at[i] *= scale;
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(transform_rows(ctx, self, data, out));
  if (!mn_all_finite(out->rows * out->cols, out->at))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "RBFSampler: X is too large, its products with the frequencies overflow; scale the columns of X");
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct rbf_sampler *m = self;
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_reals(program, "frequencies", m->frequencies.rows * m->frequencies.cols, m->frequencies.at);
  mn_program_reals(program, "phases", m->phases.size, m->phases.at);
  mn_program_real(program, "scale", scale_of(m));
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }"
                           "for j < features { for c < outputs { out[c] += x[j] * frequencies[j * outputs + c] } }"
                           "for c < outputs { out[c] = scale * cos(out[c] + phases[c]) }");
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct rbf_sampler *)self)->phases.size;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "rbf%zu", j + 1);
}

static const char *const kernel_names[] = { "rbf", "laplacian", NULL };

static const mn_param params[] = {
  MN_KERNEL_PARAM_OF(struct rbf_sampler, kernel, MN_KERNEL_RBF, kernel_names,
                     "shift-invariant: a name, or a value built with ml.kernel"),
  MN_REAL(struct rbf_sampler, gamma, 1, MN_GREATER_THAN(0), "scale of the kernels rbf and laplacian"),
  MN_COUNT(struct rbf_sampler, n_components, 100, MN_CLOSED(1, INT32_MAX), "number of features"),
  MN_SEED(struct rbf_sampler, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct rbf_sampler, frequencies, "features x components", "frequencies omega"),
  MN_VECTOR(struct rbf_sampler, phases, "components", "phases b"),
  MN_NUMBER(struct rbf_sampler, amplitude, "value of the kernel at distance 0"),
  MN_LEARNED(MN_KIND_KERNEL, struct rbf_sampler, fitted_kernel, "", "the kernel with all its hyperparameters"),
  MN_END,
};

const mn_class mn_rbf_sampler = {
  .name = "RBFSampler",
  .family = "kernel",
  .brief = "Random Fourier features: their inner products approximate a kernel.",
  .objective = "z_c(x) = sqrt(2 k(0) / D) cos(omega_c'x + b_c), omega_c from the spectral density of k",
  .source = "Rahimi & Recht, NIPS 20 (2007)",
  .notes =
      "The error of an inner product decreases as 1 / sqrt(n_components). Besides rbf, any shift-invariant kernel is "
      "accepted: Laplacian, Matern, OrnsteinUhlenbeck, RationalQuadratic, and their sums, products and powers. "
      "Nystroem is often more accurate for the same number of features, since it uses the data.",
  .example = "local map = ml.RBFSampler{ gamma = 0.5, n_components = 3 }\n"
             "print(map:fit{ {0}, {1}, {2} }:transform{ {1.5} })",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct rbf_sampler),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .export = export,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
};
