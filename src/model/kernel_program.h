/* Kernels in exported programs. */
#ifndef MN_MODEL_KERNEL_PROGRAM_H
#define MN_MODEL_KERNEL_PROGRAM_H
#include "kernel_param.h"
#include "program.h"

/* Append statements that declare the real k = kernel(row i of the table `rows`, x), as mn_kernel_values computes it,
 * for use in a loop:
 *
 *   mn_program_code(program, "for i < n {");
 *   MN_TRY(mn_kernel_program(ctx, model, kernel, n, rows, program));
 *   mn_program_code(program, "  out[0] += k * coef[i] }");
 *
 *   rows  n x features, borrowed until the program is printed
 *
 * Fails with mn_cannot_export for a kernel that is precomputed or a function of the host. */
mn_status mn_kernel_program(mn_context *ctx, const mn_estimator *model, const mn_kernel *kernel, size_t n,
                            const double *rows, mn_program *program);

#endif
