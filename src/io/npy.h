/* NumPy's array files: .npy, format 1 to 3, of one or two dimensions.
 *
 * Supported types are f4, f8, i1 to i8, u1 to u8 and b1, in either byte order and in row- or column-major order. A
 * vector is read as one column. An integer that no double equals is an error. */
#ifndef MN_IO_NPY_H
#define MN_IO_NPY_H
#include "../core/matrix.h"

mn_status mn_read_npy(mn_context *ctx, const char *path, mn_matrix *out);
mn_status mn_parse_npy(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_matrix *out);

/* Writes format 1, f8, row-major, two dimensions. The file is replaced atomically. */
mn_status mn_write_npy(mn_context *ctx, const char *path, const mn_matrix *m);

/* The same into memory: the caller frees *bytes with mn_free. */
mn_status mn_format_npy(mn_context *ctx, const mn_matrix *m, char **bytes, size_t *size);

#endif
