#include "kernel.h"
#include "function.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const mn_kernel_type mn_kernel_types[MN_KERNEL_OPS] = {
  [MN_KERNEL_LINEAR] = { .label = "Linear" },
  [MN_KERNEL_POLYNOMIAL] = { .label = "Polynomial", .extra = { "gamma", "coef0" } },
  [MN_KERNEL_RBF] = { .label = "RBF", .lengths = true },
  [MN_KERNEL_LAPLACIAN] = { .label = "Laplacian", .lengths = true },
  [MN_KERNEL_OU] = { .label = "OrnsteinUhlenbeck", .lengths = true },
  [MN_KERNEL_MATERN12] = { .label = "Matern", .lengths = true },
  [MN_KERNEL_MATERN32] = { .label = "Matern", .lengths = true },
  [MN_KERNEL_MATERN52] = { .label = "Matern", .lengths = true },
  [MN_KERNEL_RATIONAL] = { .label = "RationalQuadratic", .lengths = true, .extra = { "alpha" } },
  [MN_KERNEL_PERIODIC] = { .label = "Periodic", .lengths = true, .extra = { "period" } },
  [MN_KERNEL_SIGMOID] = { .label = "Sigmoid", .extra = { "gamma", "coef0" } },
  [MN_KERNEL_COSINE] = { .label = "Cosine" },
  [MN_KERNEL_CHI2] = { .label = "Chi2", .extra = { "gamma" } },
  [MN_KERNEL_WHITE] = { .label = "White", .extra = { "noise" } },
  [MN_KERNEL_CONSTANT] = { .label = "Constant", .extra = { "value" } },
  [MN_KERNEL_PRECOMPUTED] = { .label = "Precomputed" },
  [MN_KERNEL_FUNCTION] = { .label = "Function" },
  [MN_KERNEL_SUM] = { .label = "+" },
  [MN_KERNEL_PRODUCT] = { .label = "*" },
  [MN_KERNEL_POWER] = { .label = "^" },
};

const char *const mn_kernel_names[] = { "linear", "poly", "rbf",         "sigmoid", "laplacian",
                                        "cosine", "chi2", "precomputed", NULL };
static const mn_kernel_op named_ops[] = { MN_KERNEL_LINEAR,  MN_KERNEL_POLYNOMIAL, MN_KERNEL_RBF,
                                          MN_KERNEL_SIGMOID, MN_KERNEL_LAPLACIAN,  MN_KERNEL_COSINE,
                                          MN_KERNEL_CHI2,    MN_KERNEL_PRECOMPUTED };

mn_kernel_op mn_kernel_named(const char *name)
{
  for (size_t i = 0; mn_kernel_names[i]; i++)
    if (strcmp(mn_kernel_names[i], name) == 0) return named_ops[i];
  return MN_KERNEL_NONE;
}

const char *mn_kernel_name(mn_kernel_op op)
{
  for (size_t i = 0; mn_kernel_names[i]; i++)
    if (named_ops[i] == op) return mn_kernel_names[i];
  return NULL;
}

mn_kernel_op mn_kernel_find_part(const char *label, size_t size, double *exponent)
{
  int op = MN_KERNEL_NONE + 1;
  while (op < MN_KERNEL_OPS &&
         (strlen(mn_kernel_types[op].label) != size || memcmp(mn_kernel_types[op].label, label, size) != 0))
    op++;
  if (op == MN_KERNEL_OPS) return MN_KERNEL_NONE;
  const double nu = *exponent;
  if (op != MN_KERNEL_POLYNOMIAL && op != MN_KERNEL_POWER) *exponent = 0;
  if (op != MN_KERNEL_MATERN12) return (mn_kernel_op)op;
  if (nu == 0.5) return MN_KERNEL_MATERN12;
  return nu == 1.5 ? MN_KERNEL_MATERN32 : nu == 2.5 ? MN_KERNEL_MATERN52 : MN_KERNEL_NONE;
}

double mn_kernel_part_exponent(const mn_kernel_node *node)
{
  switch (node->op) {
  case MN_KERNEL_MATERN12: return 0.5;
  case MN_KERNEL_MATERN32: return 1.5;
  case MN_KERNEL_MATERN52: return 2.5;
  default: return node->exponent;
  }
}

static void *new_array(mn_memory *memory, size_t size, size_t n)
{
  size_t bytes;
  void *at = mn_checked_size(size, n, 1, &bytes) ? mn_alloc(memory, bytes) : NULL;
  return at ? memset(at, 0, bytes) : NULL;
}

mn_status mn_kernel_init(mn_context *ctx, mn_kernel *k, size_t nodes, size_t hypers, size_t columns, size_t names_size)
{
  mn_memory *memory = mn_context_memory(ctx);
  *k = (mn_kernel){ .node = new_array(memory, sizeof *k->node, nodes),
                    .nodes = nodes,
                    .hyper = new_array(memory, sizeof *k->hyper, hypers),
                    .hypers = hypers,
                    .column = new_array(memory, sizeof *k->column, columns),
                    .columns = columns,
                    .names = new_array(memory, 1, names_size),
                    .names_size = names_size };
  if (k->node && k->hyper && k->column && k->names) return MN_OK;
  mn_kernel_free(memory, k);
  return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a kernel of %zu parts", nodes);
}

void mn_kernel_free(mn_memory *memory, mn_kernel *k)
{
  for (size_t i = 0; k->node && i < k->nodes; i++)
    if (k->node[i].function) mn_kernel_function_release(k->node[i].function);
  mn_free(memory, k->node);
  mn_free(memory, k->hyper);
  mn_free(memory, k->column);
  mn_free(memory, k->names);
  *k = (mn_kernel){ 0 };
}

mn_status mn_kernel_from_name(mn_context *ctx, mn_kernel_op op, double gamma, double degree, double coef0, mn_kernel *k)
{
  const mn_kernel_type *type = &mn_kernel_types[op];
  const size_t count = type->lengths ? 1 : (size_t)(type->extra[0] != NULL) + (size_t)(type->extra[1] != NULL);
  MN_TRY(mn_kernel_init(ctx, k, 1, count, 0, 0));
  k->node[0] = (mn_kernel_node){ .op = op, .count = count, .exponent = op == MN_KERNEL_POLYNOMIAL ? degree : 0 };
  for (size_t i = 0; i < count; i++) k->hyper[i] = (mn_hyperparameter){ .low = 1e-5, .high = 1e5 };
  if (op == MN_KERNEL_RBF)
    k->hyper[0].value = 1 / sqrt(2 * gamma);
  else if (op == MN_KERNEL_LAPLACIAN)
    k->hyper[0].value = 1 / gamma;
  else if (count > 0)
    k->hyper[0].value = gamma;
  if (count > 1) {
    k->hyper[1].value = coef0;
    k->hyper[1].fixed = !(coef0 > 0);
  }
  return MN_OK;
}

/* Append the nodes of `from`, whose parts follow those that are in k. */
static void append(mn_kernel *k, size_t *node, size_t *hyper, size_t *column, size_t *name, const mn_kernel *from)
{
  for (size_t i = 0; i < from->nodes; i++) {
    mn_kernel_node *to = &k->node[*node + i];
    *to = from->node[i];
    to->first += *hyper;
    to->first_column += *column;
    if (to->function) mn_kernel_function_retain(to->function);
  }
  for (size_t i = 0; i < from->columns; i++)
    k->column[*column + i] = from->column[i] < 0 ? from->column[i] - (int32_t)*name : from->column[i];
  if (from->hypers > 0) memcpy(k->hyper + *hyper, from->hyper, from->hypers * sizeof *k->hyper);
  if (from->names_size > 0) memcpy(k->names + *name, from->names, from->names_size);
  *node += from->nodes;
  *hyper += from->hypers;
  *column += from->columns;
  *name += from->names_size;
}

static mn_status join(mn_context *ctx, const mn_kernel *a, const mn_kernel *b, mn_kernel_node last, mn_kernel *k)
{
  const mn_kernel none = { 0 };
  if (!b) b = &none;
  size_t node = 0, hyper = 0, column = 0, name = 0;
  if (a->nodes + b->nodes + 1 > MN_KERNEL_MAX_NODES)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "kernel: from 1 to %d parts are allowed, got %zu", MN_KERNEL_MAX_NODES,
                   a->nodes + b->nodes + 1);
  MN_TRY(mn_kernel_init(ctx, k, a->nodes + b->nodes + 1, a->hypers + b->hypers, a->columns + b->columns,
                        a->names_size + b->names_size));
  append(k, &node, &hyper, &column, &name, a);
  append(k, &node, &hyper, &column, &name, b);
  k->node[node] = last;
  return MN_OK;
}

mn_status mn_kernel_combine(mn_context *ctx, mn_kernel_op op, const mn_kernel *a, const mn_kernel *b, mn_kernel *k)
{
  return join(ctx, a, b, (mn_kernel_node){ .op = op }, k);
}

mn_status mn_kernel_power(mn_context *ctx, const mn_kernel *a, double exponent, mn_kernel *k)
{
  return join(ctx, a, NULL, (mn_kernel_node){ .op = MN_KERNEL_POWER, .exponent = exponent }, k);
}

mn_status mn_kernel_copy(mn_context *ctx, const mn_kernel *from, mn_kernel *to)
{
  size_t node = 0, hyper = 0, column = 0, name = 0;
  if (from->nodes == 0) {
    *to = (mn_kernel){ .name = from->name };
    return MN_OK;
  }
  MN_TRY(mn_kernel_init(ctx, to, from->nodes, from->hypers, from->columns, from->names_size));
  append(to, &node, &hyper, &column, &name, from);
  return MN_OK;
}

mn_status mn_kernel_scratch_copy(mn_context *ctx, const mn_kernel *from, mn_kernel *to)
{
  *to = *from;
  to->hyper = MN_RAW(ctx, mn_hyperparameter, from->hypers + 1, 1);
  MN_CHECK_ALLOC(to->hyper);
  if (from->hypers > 0) memcpy(to->hyper, from->hyper, from->hypers * sizeof *to->hyper);
  return MN_OK;
}

bool mn_kernel_has(const mn_kernel *k, mn_kernel_op op)
{
  if (k->name == op) return true;
  for (size_t i = 0; i < k->nodes; i++)
    if (k->node[i].op == op) return true;
  return false;
}

/* Where the hyperparameters and columns of a node begin follows from their order. */
static bool same_node(const mn_kernel_node *a, const mn_kernel_node *b)
{
  return a->op == b->op && a->exponent == b->exponent && a->count == b->count && a->columns == b->columns &&
         a->function == b->function;
}

static bool same_hyper(const mn_hyperparameter *a, const mn_hyperparameter *b)
{
  return a->value == b->value && a->low == b->low && a->high == b->high && a->fixed == b->fixed &&
         a->prior.family == b->prior.family && a->prior.a == b->prior.a && a->prior.b == b->prior.b;
}

bool mn_kernel_equal(const mn_kernel *a, const mn_kernel *b)
{
  if (a->name != b->name || a->nodes != b->nodes || a->hypers != b->hypers || a->columns != b->columns ||
      a->names_size != b->names_size)
    return false;
  for (size_t i = 0; i < a->nodes; i++)
    if (!same_node(&a->node[i], &b->node[i])) return false;
  for (size_t i = 0; i < a->hypers; i++)
    if (!same_hyper(&a->hyper[i], &b->hyper[i])) return false;
  for (size_t i = 0; i < a->columns; i++)
    if (a->column[i] != b->column[i]) return false;
  return a->names_size == 0 || memcmp(a->names, b->names, a->names_size) == 0;
}

size_t mn_kernel_free_count(const mn_kernel *k)
{
  size_t n = 0;
  for (size_t i = 0; i < k->hypers; i++) n += !k->hyper[i].fixed;
  return n;
}

void mn_kernel_theta(const mn_kernel *k, double *theta)
{
  for (size_t i = 0; i < k->hypers; i++)
    if (!k->hyper[i].fixed) *theta++ = log(k->hyper[i].value);
}

void mn_kernel_set_theta(mn_kernel *k, const double *theta)
{
  for (size_t i = 0; i < k->hypers; i++)
    if (!k->hyper[i].fixed) k->hyper[i].value = exp(*theta++);
}

void mn_kernel_bounds(const mn_kernel *k, double *low, double *high)
{
  for (size_t i = 0; i < k->hypers; i++) {
    if (k->hyper[i].fixed) continue;
    *low++ = log(k->hyper[i].low);
    *high++ = log(k->hyper[i].high);
  }
}
