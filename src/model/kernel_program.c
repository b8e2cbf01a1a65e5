#include "kernel_program.h"
#include "../core/text_buffer.h"
#include "../kernel/kernel_value.h"
#include <stdio.h>
#include <string.h>

enum { NODE_TEXT = 1200 }; /* characters of the statements of a node, at most */

struct writer {
  const mn_kernel *kernel;
  const mn_kernel_node *node;
  size_t index; /* of the node                                 */
  const mn_hyperparameter *hyper;
  size_t lengths;
  mn_text_buffer text; /* one that does not fit is noticed at the end */
};

/* A number that the row language reads as a real: exact, and with a point or exponent. */
static const char *real(double value, char text[MN_NUMBER_SIZE])
{
  snprintf(text, MN_NUMBER_SIZE, "%.17g", value);
  if (!strpbrk(text, ".e")) strcat(text, ".0");
  return text;
}

/* for j over the columns of the node { int c = column; body } */
static void put_loop(struct writer *w, const char *body)
{
  if (w->node->columns > 0)
    mn_text_printf(&w->text, " for j < %zu { int c = kernel_columns[%zu + j] %s }", w->node->columns,
                   w->node->first_column, body);
  else
    mn_text_printf(&w->text, " for c < features { %s }", body);
}

/* real name<index> = the product of two rows, given by table and offset */
static void put_product(struct writer *w, const char *name, const char *a, const char *a_at, const char *b,
                        const char *b_at)
{
  char body[160];
  if (w->node->columns == 0) {
    mn_text_printf(&w->text, " real %s%zu = dot(features, %s, %s, %s, %s)", name, w->index, a, a_at, b, b_at);
    return;
  }
  mn_text_printf(&w->text, " real %s%zu = 0.0", name, w->index);
  snprintf(body, sizeof body, "%s%zu += %s[%s + c] * %s[%s + c]", name, w->index, a, a_at, b, b_at);
  put_loop(w, body);
}

/* real v<index> = the sum over the columns of `term`, where apart = numerator / length of the column. */
static void put_distance(struct writer *w, const char *numerator, const char *term)
{
  char body[320];
  const char *place = w->lengths <= 1 ? "0" : w->node->columns > 0 ? "j" : "c";
  const size_t first = (size_t)(w->hyper - w->kernel->hyper);
  snprintf(body, sizeof body, "real apart = %s / kernel_lengths[%zu + %s] v%zu += %s", numerator, first, place,
           w->index, term);
  mn_text_printf(&w->text, " real v%zu = 0.0", w->index);
  put_loop(w, body);
}

#define APART "rows[i * features + c] - x[c]"

static double other(const struct writer *w, size_t i)
{
  return w->hyper[w->lengths + i].value;
}

/* v<index> = v<index> to a power, as mn_kernel_values computes it. */
static void put_power(struct writer *w, double exponent)
{
  char e[MN_NUMBER_SIZE];
  const double factors = mn_kernel_whole_power(exponent);
  if (!(factors > 0)) {
    mn_text_printf(&w->text, " v%zu = pow(v%zu, %s)", w->index, w->index, real(exponent, e));
    return;
  }
  mn_text_printf(&w->text, " real base%zu = v%zu", w->index, w->index);
  for (double i = 1; i < factors; i++) mn_text_printf(&w->text, " v%zu = v%zu * base%zu", w->index, w->index, w->index);
}

static void put_products(struct writer *w)
{
  char a[MN_NUMBER_SIZE], b[MN_NUMBER_SIZE];
  const size_t m = w->index;
  put_product(w, "v", "rows", "i * features", "x", "0");
  switch (w->node->op) {
  case MN_KERNEL_POLYNOMIAL:
    mn_text_printf(&w->text, " v%zu = %s * v%zu + %s", m, real(other(w, 0), a), m, real(other(w, 1), b));
    put_power(w, w->node->exponent);
    break;
  case MN_KERNEL_SIGMOID:
    mn_text_printf(&w->text,
                   " v%zu = %s * v%zu + %s real e%zu = expm1(-2.0 * abs(v%zu)) real t%zu = -e%zu / (e%zu + 2.0)", m,
                   real(other(w, 0), a), m, real(other(w, 1), b), m, m, m, m, m);
    mn_text_printf(&w->text, " v%zu = v%zu < 0.0 ? -t%zu : t%zu", m, m, m, m);
    break;
  case MN_KERNEL_COSINE:
    put_product(w, "p", "rows", "i * features", "rows", "i * features");
    put_product(w, "q", "x", "0", "x", "0");
    mn_text_printf(&w->text, " real b%zu = p%zu * q%zu v%zu = b%zu > 0.0 ? v%zu / sqrt(b%zu) : 0.0", m, m, m, m, m, m,
                   m);
    break;
  default: break;
  }
}

static void put_distances(struct writer *w)
{
  char a[MN_NUMBER_SIZE], b[MN_NUMBER_SIZE], period[240];
  const size_t m = w->index;
  switch (w->node->op) {
  case MN_KERNEL_LAPLACIAN:
    put_distance(w, "abs(" APART ")", "apart");
    mn_text_printf(&w->text, " v%zu = exp(-v%zu)", m, m);
    return;
  case MN_KERNEL_PERIODIC:
    snprintf(period, sizeof period, "sin(3.141592653589793 * (" APART ") / %s)", real(other(w, 0), a));
    put_distance(w, period, "apart * apart");
    mn_text_printf(&w->text, " v%zu = exp(-2.0 * v%zu)", m, m);
    return;
  case MN_KERNEL_CHI2:
    mn_text_printf(&w->text, " real v%zu = 0.0", m);
    snprintf(period, sizeof period,
             "real both = rows[i * features + c] + x[c] real apart = " APART " "
             "v%zu += both > 0.0 ? apart * apart / both : 0.0",
             m);
    put_loop(w, period);
    mn_text_printf(&w->text, " v%zu = exp(-(%s * v%zu))", m, real(other(w, 0), a), m);
    return;
  default: break;
  }
  put_distance(w, "(" APART ")", "apart * apart");
  switch (w->node->op) {
  case MN_KERNEL_RBF: mn_text_printf(&w->text, " v%zu = exp(-0.5 * v%zu)", m, m); break;
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: mn_text_printf(&w->text, " v%zu = exp(-sqrt(v%zu))", m, m); break;
  case MN_KERNEL_MATERN32:
    mn_text_printf(&w->text, " real r%zu = sqrt(3.0 * v%zu) v%zu = (1.0 + r%zu) * exp(-r%zu)", m, m, m, m, m);
    break;
  case MN_KERNEL_MATERN52:
    mn_text_printf(&w->text, " real r%zu = sqrt(5.0 * v%zu) v%zu = (1.0 + r%zu + r%zu * r%zu / 3.0) * exp(-r%zu)", m, m,
                   m, m, m, m, m);
    break;
  default:
    mn_text_printf(&w->text, " v%zu = pow(1.0 + v%zu / (2.0 * %s), %s)", m, m, real(other(w, 0), a),
                   real(-other(w, 0), b));
    break;
  }
}

static void put_leaf(struct writer *w)
{
  char number[MN_NUMBER_SIZE];
  size_t others = 0;
  while (others < sizeof mn_kernel_types[0].extra / sizeof *mn_kernel_types[0].extra &&
         mn_kernel_types[w->node->op].extra[others])
    others++;
  w->lengths = w->node->count - others;
  switch (w->node->op) {
  case MN_KERNEL_LINEAR:
  case MN_KERNEL_POLYNOMIAL:
  case MN_KERNEL_SIGMOID:
  case MN_KERNEL_COSINE: put_products(w); break;
  case MN_KERNEL_WHITE: mn_text_printf(&w->text, " real v%zu = 0.0", w->index); break;
  case MN_KERNEL_CONSTANT: mn_text_printf(&w->text, " real v%zu = %s", w->index, real(other(w, 0), number)); break;
  default: put_distances(w); break;
  }
}

static void put_nodes(struct writer *w)
{
  size_t stack[MN_KERNEL_MAX_NODES], top = 0; /* the nodes whose values are on the stack */
  for (size_t m = 0; m < w->kernel->nodes; m++) {
    w->node = &w->kernel->node[m];
    w->index = m;
    w->hyper = w->kernel->hyper + w->node->first;
    if (w->node->op == MN_KERNEL_SUM || w->node->op == MN_KERNEL_PRODUCT) {
      top--;
      mn_text_printf(&w->text, " real v%zu = v%zu %c v%zu", m, stack[top - 1], w->node->op == MN_KERNEL_SUM ? '+' : '*',
                     stack[top]);
      stack[top - 1] = m;
    } else if (w->node->op == MN_KERNEL_POWER) {
      mn_text_printf(&w->text, " real v%zu = v%zu", m, stack[top - 1]);
      put_power(w, w->node->exponent);
      stack[top - 1] = m;
    } else {
      put_leaf(w);
      stack[top++] = m;
    }
  }
  mn_text_printf(&w->text, " real k = v%zu", stack[0]);
}

mn_status mn_kernel_program(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel, size_t n,
                            const double *rows, mn_program *program)
{
  if (!mn_kernel_has_values(kernel)) return mn_cannot_export(ctx, model, "its kernel is precomputed or a function");
  struct writer w = { .kernel = kernel, .text.capacity = (kernel->nodes + 1) * NODE_TEXT };
  double *lengths = MN_RAW(ctx, double, kernel->hypers + 1, 1);
  w.text.at = MN_RAW(ctx, char, w.text.capacity, 1);
  if (!lengths || !w.text.at) return MN_NO_MEMORY;
  for (size_t i = 0; i < kernel->hypers; i++) lengths[i] = kernel->hyper[i].value;
  put_nodes(&w);
  if (w.text.size >= w.text.capacity) return mn_cannot_export(ctx, model, "the statements of its kernel are too long");
  mn_program_reals(program, "rows", n * model->n_features, rows);
  if (kernel->hypers > 0) mn_program_reals(program, "kernel_lengths", kernel->hypers, lengths);
  if (kernel->columns > 0) mn_program_indexes(program, "kernel_columns", kernel->columns, kernel->column);
  mn_program_code(program, w.text.at);
  return MN_OK;
}
