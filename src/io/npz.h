/* NumPy archives of arrays (.npz): a ZIP file of .npy files, stored or deflated. */
#ifndef MN_IO_NPZ_H
#define MN_IO_NPZ_H
#include "../core/matrix.h"

typedef struct mn_npz_array {
  char *name; /* without ".npy"; from mn_alloc, NUL-terminated */
  mn_matrix value;
} mn_npz_array;

typedef struct mn_npz {
  mn_npz_array *at;
  size_t size;
} mn_npz;

/* On failure *out is empty. Arrays are read as by mn_read_npy. */
mn_status mn_read_npz(mn_context *ctx, const char *path, mn_npz *out);
mn_status mn_parse_npz(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_npz *out);
/* Writes arrays without compression. The file is replaced atomically. */
mn_status mn_write_npz(mn_context *ctx, const char *path, const mn_npz *npz);

void mn_npz_free(mn_memory *memory, mn_npz *npz);

#endif
