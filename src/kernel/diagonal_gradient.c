/* The diagonal of a kernel matrix in two parts, k(x, x') for equal rows that differ and what white kernels add, and
 * their gradients. */
#include "evaluate.h"
#include "derivative.h"
#include "kernel_value.h"
#include <math.h>

/* The values of all nodes at the pair (x, x), and what each leaf is computed from. */
struct pair {
  const mn_kernel *kernel;
  size_t left[MN_KERNEL_MAX_NODES], right[MN_KERNEL_MAX_NODES]; /* operands of each node */
  double value[MN_KERNEL_MAX_NODES], base[MN_KERNEL_MAX_NODES];
};

static void find_operands(struct pair *p)
{
  size_t stack[MN_KERNEL_MAX_NODES], top = 0;
  for (size_t i = 0; i < p->kernel->nodes; i++) {
    const mn_kernel_op op = p->kernel->node[i].op;
    if (op >= MN_KERNEL_SUM) p->right[i] = stack[--top];
    if (op == MN_KERNEL_POWER) p->left[i] = p->right[i];
    if (op == MN_KERNEL_SUM || op == MN_KERNEL_PRODUCT) p->left[i] = stack[--top];
    stack[top++] = i;
  }
}

/* The squared length of row i in the columns of a leaf. */
static double norm2_of(const mn_kernel_side *side, size_t node, size_t i)
{
  return side->leaf[node].norm2 ? side->leaf[node].norm2[i] : 0;
}

static double leaf_value(const mn_kernel_node *node, const mn_hyperparameter *h, double base, bool same)
{
  switch (node->op) {
  case MN_KERNEL_LINEAR:
  case MN_KERNEL_COSINE: return base;
  case MN_KERNEL_POLYNOMIAL: return pow(h[0].value * base + h[1].value, node->exponent);
  case MN_KERNEL_SIGMOID: return tanh(h[0].value * base + h[1].value);
  case MN_KERNEL_CONSTANT: return h[0].value;
  case MN_KERNEL_WHITE: return same ? h[0].value : 0;
  default: return 1;
  }
}

static double evaluate(struct pair *p, const mn_kernel_side *side, size_t row, bool same)
{
  const mn_kernel *k = p->kernel;
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    const bool product = mn_leaf_form_of(node->op) == MN_FORM_PRODUCT;
    p->base[i] = product ? norm2_of(side, i, row) : 0;
    if (node->op == MN_KERNEL_SUM)
      p->value[i] = p->value[p->left[i]] + p->value[p->right[i]];
    else if (node->op == MN_KERNEL_PRODUCT)
      p->value[i] = p->value[p->left[i]] * p->value[p->right[i]];
    else if (node->op == MN_KERNEL_POWER)
      p->value[i] = pow(p->value[p->left[i]], node->exponent);
    else
      p->value[i] = leaf_value(node, k->hyper + node->first, p->base[i], same);
  }
  return p->value[k->nodes - 1];
}

/* Whether a leaf has derivatives at (x, x): all others are 1 whatever their hyperparameters. */
static bool varies(mn_kernel_op op)
{
  return op == MN_KERNEL_POLYNOMIAL || op == MN_KERNEL_SIGMOID || op == MN_KERNEL_CONSTANT || op == MN_KERNEL_WHITE;
}

/* g += weight dk / dtheta at the pair that was evaluated last. */
static void add_gradient(const struct pair *p, double weight, double *g)
{
  const mn_kernel *k = p->kernel;
  double factor[MN_KERNEL_MAX_NODES];
  factor[k->nodes - 1] = weight;
  for (size_t i = k->nodes; i-- > 0;) {
    const mn_kernel_node *node = &k->node[i];
    const size_t l = p->left[i], r = p->right[i];
    if (node->op == MN_KERNEL_SUM)
      factor[l] = factor[r] = factor[i];
    else if (node->op == MN_KERNEL_PRODUCT)
      factor[l] = factor[i] * p->value[r], factor[r] = factor[i] * p->value[l];
    else if (node->op == MN_KERNEL_POWER)
      factor[l] = node->exponent < 1 && !(p->value[l] > 0)
                      ? 0
                      : factor[i] * node->exponent * pow(p->value[l], node->exponent - 1);
  }
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    for (size_t e = 0; node->op < MN_KERNEL_SUM && e < node->count; e++) {
      const mn_hyperparameter *h = k->hyper + node->first;
      if (h[e].fixed) continue;
      if (varies(node->op)) *g += factor[i] * mn_leaf_extra_derivative(node, h, e, p->value[i], p->base[i]);
      g++;
    }
  }
}

/* Whether the diagonal is constant: no leaf is a function of the products of rows. */
static bool is_constant(const mn_kernel *k)
{
  for (size_t i = 0; i < k->nodes; i++)
    if (mn_leaf_form_of(k->node[i].op) == MN_FORM_PRODUCT) return false;
  return true;
}

static mn_status begin(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, struct pair *p,
                       mn_kernel_plan *plan)
{
  *p = (struct pair){ .kernel = k };
  if (!mn_kernel_has_values(k)) return mn_fail(ctx, MN_BAD_ARGUMENT, "kernel Function or precomputed has no gradient");
  find_operands(p);
  return is_constant(k) ? MN_OK : mn_kernel_plan_init(ctx, plan, k, rows, rows);
}

mn_status mn_kernel_diagonal_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows,
                                          const double *w, const double *noise, double *g)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kernel_plan plan = { 0 };
  struct pair p;
  for (size_t j = 0; j < mn_kernel_free_count(k); j++) g[j] = 0;
  MN_TRY(begin(ctx, k, rows, &p, &plan));
  const size_t distinct = is_constant(k) && rows->n > 1 ? 1 : rows->n;
  double more = 0, more_noise = 0; /* of the rows that equal the first */
  for (size_t i = distinct; i < rows->n; i++) more += w[i], more_noise += noise[i];
  for (size_t i = 0; i < distinct; i++) {
    evaluate(&p, &plan.a, i, false);
    add_gradient(&p, w[i] - noise[i] + more - more_noise, g);
    evaluate(&p, &plan.a, i, true);
    add_gradient(&p, noise[i] + more_noise, g);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_kernel_diagonal_parts(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *function,
                                   double *white)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kernel_plan plan = { 0 };
  struct pair p;
  MN_TRY(begin(ctx, k, rows, &p, &plan));
  for (size_t i = 0; i < rows->n; i++) {
    const bool repeated = i > 0 && is_constant(k);
    function[i] = repeated ? function[0] : evaluate(&p, &plan.a, i, false);
    white[i] = repeated ? white[0] : evaluate(&p, &plan.a, i, true) - function[i];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
