/* Kernels as values: k(x, y) is an expression of leaf kernels, sums, products and powers.
 *
 * The expression is a flat array of nodes in postfix order, so a kernel is plain data: copied, compared, saved and
 * evaluated without recursion. Every leaf has hyperparameters with bounds and a fixed flag, and optionally columns of
 * its own. With lengths l (one, or one for each column) and r^2 = sum_j (x_j - y_j)^2 / l_j^2:
 *
 *   linear              x'y
 *   polynomial          (gamma x'y + coef0)^degree
 *   RBF                 exp(-r^2 / 2)
 *   Laplacian           exp(-sum_j |x_j - y_j| / l_j)
 *   Ornstein-Uhlenbeck  exp(-r), which is also Matern with nu = 1/2
 *   Matern 3/2, 5/2     (1 + sqrt(3) r) exp(-sqrt(3) r),  (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)
 *   rational quadratic  (1 + r^2 / (2 alpha))^-alpha
 *   periodic            exp(-2 sum_j sin^2(pi (x_j - y_j) / period) / l_j^2)
 *   sigmoid             tanh(gamma x'y + coef0)
 *   cosine              x'y / (|x| |y|), 0 for a row of zeros
 *   chi2                exp(-gamma sum_j (x_j - y_j)^2 / (x_j + y_j)), for x, y >= 0
 *   white               noise if x and y are the same row of the same set, else 0
 *   constant            value
 *   precomputed         X holds the values of the kernel
 *   function            a function of the host
 *
 * Rasmussen and Williams (2006), chapter 4; Schoelkopf and Smola (2002), chapter 2. */
#ifndef MN_KERNEL_KERNEL_H
#define MN_KERNEL_KERNEL_H
#include "../core/matrix.h"

typedef enum mn_kernel_op {
  MN_KERNEL_NONE,
  MN_KERNEL_LINEAR,
  MN_KERNEL_POLYNOMIAL,
  MN_KERNEL_RBF,
  MN_KERNEL_LAPLACIAN,
  MN_KERNEL_OU,
  MN_KERNEL_MATERN12,
  MN_KERNEL_MATERN32,
  MN_KERNEL_MATERN52,
  MN_KERNEL_RATIONAL,
  MN_KERNEL_PERIODIC,
  MN_KERNEL_SIGMOID,
  MN_KERNEL_COSINE,
  MN_KERNEL_CHI2,
  MN_KERNEL_WHITE,
  MN_KERNEL_CONSTANT,
  MN_KERNEL_PRECOMPUTED,
  MN_KERNEL_FUNCTION,
  MN_KERNEL_SUM,     /* of the two operands before it */
  MN_KERNEL_PRODUCT, /* likewise                      */
  MN_KERNEL_POWER,   /* of the operand before it      */
  MN_KERNEL_OPS
} mn_kernel_op;

typedef enum mn_prior_family {
  MN_PRIOR_NONE,
  MN_PRIOR_LOGNORMAL,
  MN_PRIOR_GAMMA,
  MN_PRIOR_INVERSE_GAMMA,
  MN_PRIOR_HALF_NORMAL,
  MN_PRIORS
} mn_prior_family;

/* A density of the value, not of its logarithm: kernel/prior.h. */
typedef struct mn_prior {
  mn_prior_family family;
  double a, b;
} mn_prior;

typedef struct mn_hyperparameter {
  double value, low, high;
  bool fixed; /* no element of theta */
  mn_prior prior;
} mn_hyperparameter;

/* A function of the host, which counts the kernels that hold it: kernel/function.h. */
typedef struct mn_kernel_function mn_kernel_function;

typedef struct mn_kernel_node {
  mn_kernel_op op;
  double exponent;              /* of a power; degree of a polynomial */
  size_t first, count;          /* hyperparameters: lengths first     */
  size_t first_column, columns; /* its columns; 0: all                */
  mn_kernel_function *function; /* of a function, else NULL           */
} mn_kernel_node;

/* {0} is unset. A kernel given by name has no nodes: its hyperparameters are parameters of the estimator, and
 * mn_kernel_from_name makes the value. */
typedef struct mn_kernel {
  mn_kernel_op name;    /* of a kernel given by name, else MN_KERNEL_NONE */
  mn_kernel_node *node; /* nodes */
  size_t nodes;
  mn_hyperparameter *hyper; /* hypers */
  size_t hypers;
  int32_t *column; /* columns of all nodes, 0-based; -1 - p: the name at `names` + p */
  size_t columns;
  char *names; /* NUL-terminated, one after the other */
  size_t names_size;
} mn_kernel;

enum { MN_KERNEL_MAX_NODES = 64 };

/* What a leaf kernel is: its name, and its hyperparameters after the lengths. */
typedef struct mn_kernel_type {
  const char *label;
  bool lengths; /* has one length, or one for each column */
  const char *extra[3];
} mn_kernel_type;
extern const mn_kernel_type mn_kernel_types[MN_KERNEL_OPS];

/* Lengths among the hyperparameters of a node, before the others. */
static inline size_t mn_kernel_lengths(const mn_kernel_node *node)
{
  const mn_kernel_type *type = &mn_kernel_types[node->op];
  return node->count - (size_t)(type->extra[0] != NULL) - (size_t)(type->extra[1] != NULL);
}

/* --- values --- */

static inline bool mn_kernel_is_set(const mn_kernel *k)
{
  return k->name != MN_KERNEL_NONE || k->nodes > 0;
}

/* The names that estimators accept, "linear", "poly", "rbf", ..., ending with NULL; the kernel of a name, or
 * MN_KERNEL_NONE; and the name of a kernel, or NULL. */
extern const char *const mn_kernel_names[];
mn_kernel_op mn_kernel_named(const char *name);
const char *mn_kernel_name(mn_kernel_op op);

/* Nodes by label, for archives and hosts: the node with this label, or MN_KERNEL_NONE. The labels of the three Matern
 * kernels are equal; their exponent is nu, which becomes 0 in the node. */
mn_kernel_op mn_kernel_find_part(const char *label, size_t size, double *exponent);
double mn_kernel_part_exponent(const mn_kernel_node *node);

/* An empty kernel of this size, to be filled in by the caller. On failure *k is {0}. */
mn_status mn_kernel_init(mn_context *ctx, mn_kernel *k, size_t nodes, size_t hypers, size_t columns, size_t names_size);

/* The kernel of a name. gamma, degree and coef0 are ignored by those without. The lengths are 1 / sqrt(2 gamma) for
 * rbf and 1 / gamma for laplacian. */
mn_status mn_kernel_from_name(mn_context *ctx, mn_kernel_op op, double gamma, double degree, double coef0,
                              mn_kernel *k);

/* a op b, with op SUM or PRODUCT; and a to the power of a positive number. */
mn_status mn_kernel_combine(mn_context *ctx, mn_kernel_op op, const mn_kernel *a, const mn_kernel *b, mn_kernel *k);
mn_status mn_kernel_power(mn_context *ctx, const mn_kernel *a, double exponent, mn_kernel *k);

mn_status mn_kernel_copy(mn_context *ctx, const mn_kernel *from, mn_kernel *to); /* to the empty *to */
void mn_kernel_free(mn_memory *memory, mn_kernel *k);                            /* k is {0} afterwards */
/* A copy in scratch whose hyperparameters can change; the rest it shares with *from. It is not freed. */
mn_status mn_kernel_scratch_copy(mn_context *ctx, const mn_kernel *from, mn_kernel *to);
bool mn_kernel_equal(const mn_kernel *a, const mn_kernel *b);
bool mn_kernel_has(const mn_kernel *k, mn_kernel_op op);

/* Whether the nodes form one expression and all values are in range: MN_BAD_ARGUMENT otherwise, so that a kernel from a
 * file or from a user is safe to evaluate. */
mn_status mn_kernel_validate(mn_context *ctx, const char *who, const mn_kernel *k);

/* Whether lengths and columns fit rows of d columns: MN_BAD_ARGUMENT, and a text that begins with `who`, otherwise. */
mn_status mn_kernel_check(mn_context *ctx, const char *who, const mn_kernel *k, size_t d);

/* Replace names of columns by their numbers. names NULL: X has none, which is an error if the kernel has. */
mn_status mn_kernel_find_columns(mn_context *ctx, const char *who, mn_kernel *k, const char *const *names, size_t n);

/* The formula of the kernel, "2 * RBF { length = 1 } + White { noise = 0.1 }", as snprintf: the length of the whole
 * text, of which what fits is written. */
size_t mn_kernel_text(const mn_kernel *k, char *text, size_t size);

/* --- hyperparameters --- */

/* theta: the logarithms of the hyperparameters that are not fixed, in the order of the expression. */
size_t mn_kernel_free_count(const mn_kernel *k);
void mn_kernel_theta(const mn_kernel *k, double *theta);
void mn_kernel_set_theta(mn_kernel *k, const double *theta);
void mn_kernel_bounds(const mn_kernel *k, double *low, double *high); /* of theta */

/* The name of hyperparameter i, and of element j of theta, "RBF.length" or "Matern.length[2]", with the number of the
 * leaf before it if there are several: "1.RBF.length". Returns `text`. */
const char *mn_kernel_hyper_name(const mn_kernel *k, size_t i, char *text, size_t size);
const char *mn_kernel_theta_name(const mn_kernel *k, size_t j, char *text, size_t size);

/* --- evaluation --- */

/* Rows on which kernels are evaluated, dense or sparse. */
typedef struct mn_kernel_rows {
  size_t n, d;
  const double *x;      /* n x d; NULL if sparse */
  const mn_csr *sparse; /* or NULL               */
  const size_t *place;  /* of a precomputed kernel: the column of X that belongs to each row, as right operand; NULL:
                           columns 0, 1, ... */
} mn_kernel_rows;

/* out (rows ldo apart): K of rows with themselves, n x n, symmetric to the bit; of a with b, a.n x b.n, where white is
 * 0; and the diagonal of the first, n. The kernel has passed mn_kernel_check. MN_BAD_DATA if X does not suit the kernel
 * (negative values with chi2) or a value is not finite. The bytes do not depend on the number of threads. */
mn_status mn_kernel_matrix(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out, size_t ldo);
mn_status mn_kernel_cross(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                          double *out, size_t ldo);
mn_status mn_kernel_diagonal(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out);

/* dK / dtheta, free_count x n x n, contiguous; and g_j = sum_ab w_ab dK_ab / dtheta_j without these matrices, for
 * symmetric w (n x n, rows ldw apart), of which the lower triangle is read. MN_BAD_ARGUMENT for a function of the host.
 */
mn_status mn_kernel_gradient(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out);
mn_status mn_kernel_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, const double *w,
                                 size_t ldw, double *g);

/* The latter for the matrix of a with b (w: a.n x b.n, all of it), where white is 0; unless ga is NULL, also its
 * gradient by the rows of a, which are dense then: ga (a.n x d), row i = sum_j w_ij dk(a_i, b_j) / da_i. And for the
 * diagonal: g_j = sum_i w_i dk(x_i, x_i') / dtheta_j + noise_i dwhite_i / dtheta_j, where k(x, x') is the value for two
 * different rows that are equal, and white_i what white kernels add to it. */
mn_status mn_kernel_cross_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a,
                                       const mn_kernel_rows *b, const double *w, size_t ldw, double *g, double *ga);
mn_status mn_kernel_diagonal_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows,
                                          const double *w, const double *noise, double *g);

/* The diagonal in these two parts: k(x_i, x_i') and white_i, n each. */
mn_status mn_kernel_diagonal_parts(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *function,
                                   double *white);

/* Many requests for single rows of the kernel matrix of one set of rows. What depends on the rows alone (scaling,
 * norms, copies) is computed once, in scratch, where the plan lives, too. `kernel` and `rows` must outlive it. */
typedef struct mn_kernel_plan mn_kernel_plan;
mn_status mn_kernel_plan_new(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, mn_kernel_plan **plan);

/* out[i][j] = K[row[i]][column[j]], rows ldo apart; column NULL: all columns in their order. Exactly one of out64 and
 * out32 is not NULL. */
mn_status mn_kernel_plan_rows(mn_context *ctx, const mn_kernel_plan *plan, size_t rows, const size_t *row,
                              size_t columns, const size_t *column, double *out64, float *out32, size_t ldo);

#endif
