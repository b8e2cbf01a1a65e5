/* Formulas of kernels: "2 * RBF { length = 1 } + White { noise = 0.1 }". */
#include "../core/text_buffer.h"
#include "kernel.h"
#include <stdio.h>
#include <string.h>

struct writer {
  const mn_kernel *kernel;
  mn_text_buffer *text;
};

static void put_number(struct writer *w, double value)
{
  char number[MN_NUMBER_SIZE];
  mn_text_printf(w->text, "%s", mn_format_number(number, value));
}

static void put_values(struct writer *w, const char *name, const mn_hyperparameter *h, size_t n, const char *before)
{
  mn_text_printf(w->text, "%s%s = %s", before, name, n > 1 ? "{ " : "");
  for (size_t i = 0; i < n; i++) {
    if (i > 0) mn_text_printf(w->text, ", ");
    put_number(w, h[i].value);
  }
  if (n > 1) mn_text_printf(w->text, " }");
}

static const char *put_columns(struct writer *w, const mn_kernel_node *node, const char *before)
{
  if (node->columns == 0) return before;
  mn_text_printf(w->text, "%scolumns = { ", before);
  for (size_t i = 0; i < node->columns; i++) {
    const int32_t column = w->kernel->column[node->first_column + i];
    if (i > 0) mn_text_printf(w->text, ", ");
    if (column >= 0)
      mn_text_printf(w->text, "%d", column + 1);
    else
      mn_text_printf(w->text, "\"%s\"", w->kernel->names + (-1 - column));
  }
  mn_text_printf(w->text, " }");
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
  mn_text_printf(w->text, "%s", type->label);
  if (node->op == MN_KERNEL_POLYNOMIAL) {
    mn_text_printf(w->text, "%sdegree = ", before);
    put_number(w, node->exponent);
    before = ", ";
  }
  if (type->lengths) {
    put_values(w, "length", h, lengths, before);
    before = ", ";
  }
  if (strcmp(type->label, "Matern") == 0) {
    mn_text_printf(w->text, ", nu = ");
    put_number(w, mn_kernel_part_exponent(node));
  }
  for (size_t i = lengths; i < node->count; i++, before = ", ")
    put_values(w, type->extra[i - lengths], h + i, 1, before);
  before = put_columns(w, node, before);
  mn_text_printf(w->text, strcmp(before, ", ") == 0 ? " }" : " {}");
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
    mn_text_printf(w->text, " ^ ");
    put_number(w, node->exponent);
    return;
  }
  put_expression(w, begin_of(w->kernel, i - 1) - 1, node->op, false);
  mn_text_printf(w->text, " %s ", mn_kernel_types[node->op].label);
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
  if (grouped) mn_text_printf(w->text, "(");
  put_operator(w, i);
  if (grouped) mn_text_printf(w->text, ")");
}

size_t mn_kernel_text(const mn_kernel *k, char *text, size_t size)
{
  mn_text_buffer buffer = { .at = text, .capacity = size };
  struct writer w = { .kernel = k, .text = &buffer };
  if (size > 0) text[0] = '\0';
  if (k->nodes > 0)
    put_expression(&w, k->nodes - 1, MN_KERNEL_NONE, false);
  else if (k->name != MN_KERNEL_NONE)
    mn_text_printf(w.text, "%s", mn_kernel_name(k->name));
  return buffer.size;
}

const char *mn_kernel_hyper_name(const mn_kernel *k, size_t i, char *text, size_t size)
{
  size_t leaf = 0, leaves = 0;
  for (size_t n = 0; n < k->nodes; n++) leaves += k->node[n].count > 0;
  if (size > 0) text[0] = '\0';
  for (size_t n = 0; n < k->nodes; n++) {
    const mn_kernel_node *node = &k->node[n];
    const mn_kernel_type *type = &mn_kernel_types[node->op];
    const size_t lengths = mn_kernel_lengths(node), p = i - node->first;
    char number[24] = "", position[24] = "";
    leaf += node->count > 0;
    if (i < node->first || p >= node->count) continue;
    if (leaves > 1) snprintf(number, sizeof number, "%zu.", leaf);
    if (p < lengths && lengths > 1) snprintf(position, sizeof position, "[%zu]", p + 1);
    snprintf(text, size, "%s%s.%s%s", number, type->label, p < lengths ? "length" : type->extra[p - lengths], position);
  }
  return text;
}

const char *mn_kernel_theta_name(const mn_kernel *k, size_t j, char *text, size_t size)
{
  size_t i = 0;
  while (i < k->hypers && (k->hyper[i].fixed || j-- > 0)) i++;
  return mn_kernel_hyper_name(k, i, text, size);
}
