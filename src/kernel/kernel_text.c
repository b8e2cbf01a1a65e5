/* Formulas of kernels: "2 * RBF { length = 1 } + White { noise = 0.1 }". */
#include "kernel.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct writer {
  const mn_kernel *kernel;
  char *text;
  size_t size, used; /* used may exceed size: the length of the whole text */
};

static __attribute__((format(printf, 2, 3))) void put(struct writer *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const size_t left = w->used < w->size ? w->size - w->used : 0;
  const int length = vsnprintf(left > 0 ? w->text + w->used : NULL, left, format, arguments);
  va_end(arguments);
  if (length > 0) w->used += (size_t)length;
}

static void put_number(struct writer *w, double value)
{
  char number[MN_NUMBER_SIZE];
  put(w, "%s", mn_format_number(number, value));
}

static void put_values(struct writer *w, const char *name, const mn_hyperparameter *h, size_t n, const char *before)
{
  put(w, "%s%s = %s", before, name, n > 1 ? "{ " : "");
  for (size_t i = 0; i < n; i++) {
    if (i > 0) put(w, ", ");
    put_number(w, h[i].value);
  }
  if (n > 1) put(w, " }");
}

static const char *put_columns(struct writer *w, const mn_kernel_node *node, const char *before)
{
  if (node->columns == 0) return before;
  put(w, "%scolumns = { ", before);
  for (size_t i = 0; i < node->columns; i++) {
    const int32_t column = w->kernel->column[node->first_column + i];
    if (i > 0) put(w, ", ");
    if (column >= 0)
      put(w, "%d", column + 1);
    else
      put(w, "\"%s\"", w->kernel->names + (-1 - column));
  }
  put(w, " }");
  return ", ";
}

static void put_leaf(struct writer *w, const mn_kernel_node *node)
{
  const mn_kernel_type *type = &mn_kernel_types[node->op];
  const mn_hyperparameter *h = w->kernel->hyper + node->first;
  const char *before = " { ";
  const size_t lengths = mn_kernel_lengths(node);
  if (node->op == MN_KERNEL_CONSTANT) {
    put_number(w, h->value);
    return;
  }
  put(w, "%s", type->label);
  if (node->op == MN_KERNEL_POLYNOMIAL) {
    put(w, "%sdegree = ", before);
    put_number(w, node->exponent);
    before = ", ";
  }
  if (type->lengths) {
    put_values(w, "length", h, lengths, before);
    before = ", ";
  }
  if (strcmp(type->label, "Matern") == 0) {
    put(w, ", nu = ");
    put_number(w, mn_kernel_part_exponent(node));
  }
  for (size_t i = lengths; i < node->count; i++, before = ", ")
    put_values(w, type->extra[i - lengths], h + i, 1, before);
  before = put_columns(w, node, before);
  put(w, strcmp(before, ", ") == 0 ? " }" : " {}");
}

/* The node at which the expression that ends with node i begins. */
static size_t begin_of(const mn_kernel *k, size_t i)
{
  size_t missing = 1;
  for (;; i--) {
    missing--;
    missing += k->node[i].op < MN_KERNEL_SUM ? 0 : k->node[i].op == MN_KERNEL_POWER ? 1 : 2;
    if (missing == 0) return i;
  }
}

static void put_expression(struct writer *w, size_t i, mn_kernel_op outer, bool right);

static void put_operator(struct writer *w, size_t i)
{
  const mn_kernel_node *node = &w->kernel->node[i];
  if (node->op == MN_KERNEL_POWER) {
    put_expression(w, i - 1, MN_KERNEL_POWER, false);
    put(w, " ^ ");
    put_number(w, node->exponent);
    return;
  }
  put_expression(w, begin_of(w->kernel, i - 1) - 1, node->op, false);
  put(w, " %s ", mn_kernel_types[node->op].label);
  put_expression(w, i - 1, node->op, true);
}

/* Operators are ordered sum, product, power; the depth of the recursion is bounded by MN_KERNEL_MAX_NODES. */
static void put_expression(struct writer *w, size_t i, mn_kernel_op outer, bool right)
{
  const mn_kernel_op op = w->kernel->node[i].op;
  if (op < MN_KERNEL_SUM) {
    put_leaf(w, &w->kernel->node[i]);
    return;
  }
  const bool grouped = outer != MN_KERNEL_NONE && (op < outer || (op == outer && (right || op == MN_KERNEL_POWER)));
  if (grouped) put(w, "(");
  put_operator(w, i);
  if (grouped) put(w, ")");
}

size_t mn_kernel_text(const mn_kernel *k, char *text, size_t size)
{
  struct writer w = { .kernel = k, .text = text, .size = size };
  if (size > 0) text[0] = '\0';
  if (k->nodes > 0)
    put_expression(&w, k->nodes - 1, MN_KERNEL_NONE, false);
  else if (k->name != MN_KERNEL_NONE)
    put(&w, "%s", mn_kernel_name(k->name));
  return w.used;
}

const char *mn_kernel_theta_name(const mn_kernel *k, size_t j, char *text, size_t size)
{
  size_t leaf = 0, leaves = 0;
  for (size_t i = 0; i < k->nodes; i++) leaves += k->node[i].count > 0;
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    const mn_kernel_type *type = &mn_kernel_types[node->op];
    const size_t lengths = mn_kernel_lengths(node);
    leaf += node->count > 0;
    for (size_t p = 0; p < node->count; p++) {
      if (k->hyper[node->first + p].fixed || j-- > 0) continue;
      char number[24] = "", position[24] = "";
      if (leaves > 1) snprintf(number, sizeof number, "%zu.", leaf);
      if (p < lengths && lengths > 1) snprintf(position, sizeof position, "[%zu]", p + 1);
      snprintf(text, size, "%s%s.%s%s", number, type->label, p < lengths ? "length" : type->extra[p - lengths],
               position);
      return text;
    }
  }
  if (size > 0) text[0] = '\0';
  return text;
}
