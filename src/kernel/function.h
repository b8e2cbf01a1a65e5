/* A kernel that is a function of the host. Kernels that are copied share it and count its users; its owner frees it
 * when there are none. */
#ifndef MN_KERNEL_FUNCTION_H
#define MN_KERNEL_FUNCTION_H
#include "../core/matrix.h"
#include <stdatomic.h>

typedef struct mn_kernel_function {
  atomic_size_t users;

  /* out[i][j] = k(a_i, b_j), rows ldo apart, for a (m x d) and b (n x d). Called on the thread of `ctx`. */
  mn_status (*call)(mn_context *ctx, void *user, mn_matrix a, mn_matrix b, double *out, size_t ldo);

  /* out[i] = k(a_i, a_i) */
  mn_status (*diagonal)(mn_context *ctx, void *user, mn_matrix a, double *out);
  void *user;
} mn_kernel_function;

static inline void mn_kernel_function_retain(mn_kernel_function *f)
{
  atomic_fetch_add(&f->users, 1);
}

static inline void mn_kernel_function_release(mn_kernel_function *f)
{
  atomic_fetch_sub(&f->users, 1);
}

#endif
