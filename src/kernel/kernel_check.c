/* Whether a kernel is well formed, and whether it fits the columns of X. */
#include "prior.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_positive(double value)
{
  return value > 0 && value <= 1e300;
}

static mn_status check_hyper(mn_context *ctx, const char *who, const mn_kernel_node *node, const mn_hyperparameter *h,
                             const char *name)
{
  char number[MN_NUMBER_SIZE], other[MN_NUMBER_SIZE];
  const char *label = mn_kernel_types[node->op].label;
  const bool is_constant = strcmp(name, "coef0") == 0, is_gamma = strcmp(name, "gamma") == 0;
  const bool fits = is_constant ? fabs(h->value) <= 1e300 : is_positive(h->value) || (is_gamma && h->value == 0);
  if (!fits)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s of kernel %s must be %s, got %s", who, name, label,
                   is_constant ? "finite"
                   : is_gamma  ? ">= 0 and finite"
                               : "> 0 and finite",
                   mn_format_number(number, h->value));
  if (!h->fixed && !(h->value > 0))
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "%s: coef0 of kernel %s must be > 0 unless it is fixed, since gradients are with respect to its logarithm, got %s",
        who, label, mn_format_number(number, h->value));
  if (!mn_prior_is_valid(&h->prior))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the parameters of the %s prior of %s of kernel %s must be finite and > 0",
                   who, mn_prior_types[h->prior.family].name, name, label);
  if (!is_positive(h->low) || !is_positive(h->high) || h->low > h->high)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: bounds of %s of kernel %s must be positive and ascending, got %s and %s",
                   who, name, label, mn_format_number(number, h->low), mn_format_number(other, h->high));
  return MN_OK;
}

/* Columns of a leaf: numbers in range, each only once, or names. */
static mn_status check_columns(mn_context *ctx, const char *who, const mn_kernel *k, const mn_kernel_node *node)
{
  const char *label = mn_kernel_types[node->op].label;
  for (size_t i = 0; i < node->columns; i++) {
    const int32_t column = k->column[node->first_column + i];
    const size_t name = column < 0 ? (size_t)(-1 - (int64_t)column) : 0;
    if (column < 0 && (name >= k->names_size || k->names[k->names_size - 1] != '\0'))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a column of kernel %s has no name", who, label);
    for (size_t j = 0; j < i; j++) {
      const int32_t other = k->column[node->first_column + j];
      if (column >= 0 && column == other)
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: columns of kernel %s must differ, got %d twice", who, label,
                       column + 1);
      if (column < 0 && other < 0 && strcmp(k->names + name, k->names + (-1 - other)) == 0)
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: columns of kernel %s must differ, got '%s' twice", who, label,
                       k->names + name);
    }
  }
  return MN_OK;
}

static mn_status check_leaf(mn_context *ctx, const char *who, const mn_kernel *k, const mn_kernel_node *node)
{
  const mn_kernel_type *type = &mn_kernel_types[node->op];
  const size_t lengths = mn_kernel_lengths(node); /* huge if there are too few hyperparameters */
  if (lengths > node->count || (lengths > 0) != type->lengths || node->count > k->hypers ||
      node->first > k->hypers - node->count || node->columns > k->columns ||
      node->first_column > k->columns - node->columns)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s has the wrong number of hyperparameters", who, type->label);
  if (node->columns > 0 && lengths > 1 && lengths != node->columns)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s has %zu lengths for %zu columns; give one, or one for each",
                   who, type->label, lengths, node->columns);
  if (node->op == MN_KERNEL_POLYNOMIAL && !is_positive(node->exponent))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: degree of kernel Polynomial must be > 0", who);
  if ((node->op == MN_KERNEL_FUNCTION) != (node->function != NULL))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s has no function", who, type->label);
  for (size_t i = 0; i < node->count; i++)
    MN_TRY(check_hyper(ctx, who, node, &k->hyper[node->first + i], i < lengths ? "length" : type->extra[i - lengths]));
  return check_columns(ctx, who, k, node);
}

mn_status mn_kernel_validate(mn_context *ctx, const char *who, const mn_kernel *k)
{
  size_t depth = 0, hypers = 0, columns = 0;
  if (k->nodes > MN_KERNEL_MAX_NODES)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel may have at most %d parts, got %zu", who, MN_KERNEL_MAX_NODES,
                   k->nodes);
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    if (node->op <= MN_KERNEL_NONE || node->op >= MN_KERNEL_OPS)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel has an unknown part", who);
    const size_t operands = node->op < MN_KERNEL_SUM ? 0 : node->op == MN_KERNEL_POWER ? 1 : 2;
    if (depth < operands) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel is incomplete", who);
    depth += 1 - operands;
    if (node->op == MN_KERNEL_POWER && !is_positive(node->exponent))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the exponent of a kernel must be > 0", who);
    if (operands > 0) continue;
    if (node->first != hypers || node->first_column != columns)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel has hyperparameters in the wrong order", who);
    MN_TRY(check_leaf(ctx, who, k, node));
    hypers += node->count;
    columns += node->columns;
  }
  if (depth != 1 || hypers != k->hypers || columns != k->columns)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel is incomplete", who);
  return MN_OK;
}

static bool depends_on_rows(mn_kernel_op op)
{
  return op < MN_KERNEL_WHITE || op == MN_KERNEL_FUNCTION;
}

static mn_status check_fit(mn_context *ctx, const char *who, const mn_kernel *k, const mn_kernel_node *node, size_t d)
{
  const mn_kernel_type *type = &mn_kernel_types[node->op];
  const size_t lengths = mn_kernel_lengths(node), width = node->columns ? node->columns : d;
  for (size_t i = 0; i < node->columns; i++) {
    const int32_t column = k->column[node->first_column + i];
    if (column < 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s uses column '%s', but X has no column names", who,
                     type->label, k->names + (-1 - column));
    if ((size_t)column >= d)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s uses column %d, but X has %zu columns", who, type->label,
                     column + 1, d);
  }
  if (lengths > 1 && lengths != width)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel %s has %zu lengths, but X has %zu columns", who, type->label,
                   lengths, width);
  return MN_OK;
}

mn_status mn_kernel_check(mn_context *ctx, const char *who, const mn_kernel *k, size_t d)
{
  const bool precomputed = mn_kernel_has(k, MN_KERNEL_PRECOMPUTED);
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    if (node->op >= MN_KERNEL_SUM) continue;
    if (precomputed && depends_on_rows(node->op))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: kernel Precomputed cannot be combined with %s, since X holds values of the kernel", who,
                     mn_kernel_types[node->op].label);
    MN_TRY(check_fit(ctx, who, k, node, d));
  }
  return MN_OK;
}

mn_status mn_kernel_find_columns(mn_context *ctx, const char *who, mn_kernel *k, const char *const *names, size_t n)
{
  for (size_t i = 0; names && i < k->columns; i++) {
    if (k->column[i] >= 0) continue;
    const char *name = k->names + (-1 - k->column[i]);
    size_t j = 0;
    while (j < n && strcmp(names[j], name) != 0) j++;
    if (j == n) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: a kernel uses column '%s', which X does not have", who, name);
    k->column[i] = (int32_t)j;
  }
  return k->nodes > 0 ? mn_kernel_validate(ctx, who, k) : MN_OK;
}
