#include "expression.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows evaluated at a time */

/* A value on the stack, for a block of rows. */
typedef struct operand {
  bool varies;        /* depends on parameters; if not, the derivatives are 0 and not stored */
  double *value;      /* BLOCK */
  double *derivative; /* parameters x BLOCK */
} operand;

static size_t count_arguments(mn_expression_operator operation)
{
  if (operation <= MN_OP_PARAMETER) return 0;
  if (operation == MN_OP_IF_ELSE) return 3;
  return operation < MN_OP_IF_ELSE ? 2 : 1;
}

static size_t stack_depth(const mn_expression *e)
{
  size_t depth = 0, max = 0;
  for (size_t k = 0; k < e->size; k++) {
    depth += 1 - count_arguments(e->at[k].operation);
    if (depth > max) max = depth;
  }
  return max;
}

mn_status mn_expression_check(mn_context *ctx, const mn_expression *e)
{
  size_t depth = 0;
  for (size_t k = 0; k < e->size; k++) {
    const mn_instruction *one = &e->at[k];
    const bool in_range = (one->operation != MN_OP_COLUMN || one->index < e->columns) &&
                          (one->operation != MN_OP_PARAMETER || one->index < e->parameters);
    if (one->operation >= MN_OP_COUNT || !in_range || depth < count_arguments(one->operation))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "expression: instruction %zu is invalid", k + 1);
    depth += 1 - count_arguments(one->operation);
  }
  if (depth != 1) return mn_fail(ctx, MN_BAD_ARGUMENT, "expression: must leave 1 value, leaves %zu", depth);
  return MN_OK;
}

/* The value of a function of one argument and its derivative. */
static double function_value(mn_expression_operator operation, double a, double *slope)
{
  switch (operation) {
  case MN_OP_NEGATE: return *slope = -1, -a;
  case MN_OP_EXP: return *slope = exp(a);
  case MN_OP_EXPM1: return *slope = exp(a), expm1(a);
  case MN_OP_LOG: return *slope = 1 / a, log(a);
  case MN_OP_LOG1P: return *slope = 1 / (1 + a), log1p(a);
  case MN_OP_LOG2: return *slope = 1 / (a * log(2)), log2(a);
  case MN_OP_LOG10: return *slope = 1 / (a * log(10)), log10(a);
  case MN_OP_SQRT: return *slope = 0.5 / sqrt(a), sqrt(a);
  case MN_OP_ABS: return *slope = (a > 0) - (a < 0), fabs(a);
  case MN_OP_SIN: return *slope = cos(a), sin(a);
  case MN_OP_COS: return *slope = -sin(a), cos(a);
  case MN_OP_TAN: return *slope = 1 + tan(a) * tan(a), tan(a);
  case MN_OP_ASIN: return *slope = 1 / sqrt((1 - a) * (1 + a)), asin(a);
  case MN_OP_ACOS: return *slope = -1 / sqrt((1 - a) * (1 + a)), acos(a);
  case MN_OP_ATAN: return *slope = 1 / (1 + a * a), atan(a);
  case MN_OP_SINH: return *slope = cosh(a), sinh(a);
  case MN_OP_COSH: return *slope = sinh(a), cosh(a);
  case MN_OP_TANH: return *slope = 1 / (cosh(a) * cosh(a)), tanh(a);
  default: return *slope = NAN;
  }
}

/* a^b. A derivative that is multiplied by 0 later, because that operand is constant, may be NaN. */
static double power(double a, double b, double *da, double *db)
{
  const double value = pow(a, b);
  *da = b == 0 ? 0 : b * pow(a, b - 1);
  *db = a == 0 && b > 0 ? 0 : value * log(a);
  return value;
}

/* The value of an operation with two arguments and its derivatives with respect to them. */
static double operation_value(mn_expression_operator operation, double a, double b, double *da, double *db)
{
  *da = *db = 0;
  switch (operation) {
  case MN_OP_ADD: return *da = *db = 1, a + b;
  case MN_OP_SUBTRACT: return *da = 1, *db = -1, a - b;
  case MN_OP_MULTIPLY: return *da = b, *db = a, a * b;
  case MN_OP_DIVIDE: return *da = 1 / b, *db = -a / b / b, a / b;
  case MN_OP_POWER: return power(a, b, da, db);
  case MN_OP_LESS: return a < b;
  case MN_OP_LESS_EQUAL: return a <= b;
  case MN_OP_GREATER: return a > b;
  case MN_OP_GREATER_EQUAL: return a >= b;
  default: return NAN;
  }
}

static void apply_function(mn_expression_operator operation, size_t n, size_t p, operand *a)
{
  double slope[BLOCK];
  for (size_t i = 0; i < n; i++) a->value[i] = function_value(operation, a->value[i], &slope[i]);
  for (size_t j = 0; a->varies && j < p; j++)
    for (size_t i = 0; i < n; i++) a->derivative[j * BLOCK + i] *= slope[i];
}

/* The result replaces the first argument. */
static void apply_operation(mn_expression_operator operation, size_t n, size_t p, operand *a, const operand *b)
{
  double da[BLOCK], db[BLOCK];
  for (size_t i = 0; i < n; i++) a->value[i] = operation_value(operation, a->value[i], b->value[i], &da[i], &db[i]);
  for (size_t j = 0; (a->varies || b->varies) && j < p; j++) {
    double *d = a->derivative + j * BLOCK;
    const double *e = b->derivative + j * BLOCK;
    for (size_t i = 0; i < n; i++) d[i] = (a->varies ? da[i] * d[i] : 0) + (b->varies ? db[i] * e[i] : 0);
  }
  a->varies = a->varies || b->varies;
}

static void apply_if_else(size_t n, size_t p, operand *a, const operand *yes, const operand *no)
{
  for (size_t j = 0; (yes->varies || no->varies) && j < p; j++)
    for (size_t i = 0; i < n; i++) {
      const operand *from = a->value[i] != 0 ? yes : no;
      a->derivative[j * BLOCK + i] = from->varies ? from->derivative[j * BLOCK + i] : 0;
    }
  for (size_t i = 0; i < n; i++) a->value[i] = a->value[i] != 0 ? yes->value[i] : no->value[i];
  a->varies = yes->varies || no->varies;
}

static void push(const mn_instruction *one, size_t n, size_t p, const double *x, size_t columns,
                 const double *parameters, bool differentiate, operand *top)
{
  top->varies = differentiate && one->operation == MN_OP_PARAMETER;
  for (size_t i = 0; i < n; i++)
    top->value[i] = one->operation == MN_OP_NUMBER   ? one->number
                    : one->operation == MN_OP_COLUMN ? x[i * columns + one->index]
                                                     : parameters[one->index];
  if (!top->varies) return;
  memset(top->derivative, 0, p * BLOCK * sizeof *top->derivative);
  for (size_t i = 0; i < n; i++) top->derivative[one->index * BLOCK + i] = 1;
}

/* Evaluate n <= BLOCK rows; the result is stack[0]. */
static void evaluate_block(const mn_expression *e, size_t n, const double *x, const double *parameters,
                           bool differentiate, operand *stack)
{
  const size_t p = e->parameters;
  operand *top = stack;
  for (size_t k = 0; k < e->size; k++) {
    const mn_expression_operator operation = e->at[k].operation;
    top -= count_arguments(operation);
    switch (count_arguments(operation)) {
    case 0: push(&e->at[k], n, p, x, e->columns, parameters, differentiate, top); break;
    case 1: apply_function(operation, n, p, top); break;
    case 2: apply_operation(operation, n, p, top, top + 1); break;
    default: apply_if_else(n, p, top, top + 1, top + 2); break;
    }
    top++;
  }
}

static operand *allocate_stack(mn_context *ctx, size_t depth, size_t p, bool differentiate)
{
  operand *stack = MN_NEW(ctx, operand, depth, 1);
  double *values = MN_RAW(ctx, double, depth, BLOCK);
  double *derivatives = MN_RAW(ctx, double, depth, (differentiate ? p : 1) * BLOCK);
  if (!stack || !values || !derivatives) return NULL;
  for (size_t k = 0; k < depth; k++) {
    stack[k].value = values + k * BLOCK;
    stack[k].derivative = derivatives + k * (differentiate ? p : 1) * BLOCK;
  }
  return stack;
}

mn_status mn_expression_evaluate(mn_context *ctx, const mn_expression *e, size_t rows, const double *x,
                                 const double *parameters, double *value, double *jacobian)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t p = e->parameters;
  operand *stack = allocate_stack(ctx, stack_depth(e), p, jacobian != NULL);
  if (!stack) return MN_NO_MEMORY;
  for (size_t from = 0; from < rows; from += BLOCK) {
    const size_t n = rows - from < BLOCK ? rows - from : BLOCK;
    evaluate_block(e, n, x + from * e->columns, parameters, jacobian != NULL, stack);
    memcpy(value + from, stack->value, n * sizeof *value);
    for (size_t j = 0; jacobian && j < p; j++)
      for (size_t i = 0; i < n; i++)
        jacobian[(from + i) * p + j] = stack->varies ? stack->derivative[j * BLOCK + i] : 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
