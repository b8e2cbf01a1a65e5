/* LAPACK is loaded on first use, because linking it would cost every `require` 2.5 ms and 3 MB.
 *
 * A library that the host has loaded already is used as it is. One that we load is set to one thread, because it is
 * called from tasks that run in parallel. */
#include "lapack_table.h"
#include "lapack.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 128 };

#ifdef MN_LINK_LAPACK

#define MN_LAPACK_DECLARE(name, arguments) extern void name##_ arguments;
MN_LAPACK_ROUTINES(MN_LAPACK_DECLARE)
static const mn_lapack table = {
#define MN_LAPACK_BIND(name, arguments) .name = name##_,
  MN_LAPACK_ROUTINES(MN_LAPACK_BIND)
};

mn_status mn_lapack_get(mn_context *ctx, const mn_lapack **lapack)
{
  (void)ctx;
  *lapack = &table;
  return MN_OK;
}

const char *mn_lapack_name(void)
{
  return "linked in";
}

#else

#include <dlfcn.h>
#include <pthread.h>

/* Written once, under `once`, and constant from then on: code addresses belong to the process, not to a Lua state. */
static struct {
  pthread_once_t once;
  bool found;
  mn_lapack routines;
  char name[NAME_SIZE];
} loaded = { .once = PTHREAD_ONCE_INIT };

/* Candidates, best first: OpenBLAS with threads (its serial builds may not be safe to call from several threads), then
 * its substitutes, then the reference library. */
static const char *const libraries[] = {
#ifdef __APPLE__
  "libopenblas.dylib",
  "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
  "/usr/local/opt/openblas/lib/libopenblas.dylib",
  "/System/Library/Frameworks/Accelerate.framework/Accelerate",
#else
  "libopenblasp.so.0", "libopenblas.so.0", "libopenblas.so", "libflexiblas.so.3", "liblapack.so.3",
#endif
};

/* Uses memcpy because ISO C has no cast from an object pointer to a function pointer. */
static bool bind(void *library, const char *name, void *routine, size_t size)
{
  char symbol[32];
  snprintf(symbol, sizeof symbol, "%s_", name);
  void *const address = dlsym(library, symbol);
  if (address) memcpy(routine, &address, size);
  return address != NULL;
}

/* A library with 64-bit integers reads n as a negative number and returns 0; it cannot be used. */
static bool has_32_bit_integers(void *library)
{
  int (*idamax)(const void *n, const double *x, const int *step);
  if (!bind(library, "idamax", &idamax, sizeof idamax)) return false;
  const int32_t n[2] = { 1, -1 }, step[2] = { 1, 0 };
  const double x = 1;
  return idamax(n, &x, step) == 1;
}

static bool bind_all(void *library, mn_lapack *routines)
{
#define MN_LAPACK_BIND(name, arguments)                                                                                \
  if (!bind(library, #name, &routines->name, sizeof routines->name)) return false;
  MN_LAPACK_ROUTINES(MN_LAPACK_BIND)
#undef MN_LAPACK_BIND
  return has_32_bit_integers(library);
}

static void set_name(void *library, const char *file)
{
  char *(*config)(void) = NULL;
  void *const address = dlsym(library, "openblas_get_config");
  if (address) memcpy(&config, &address, sizeof config);
  snprintf(loaded.name, sizeof loaded.name, "%s", config ? config() : file);
}

static void use_one_thread(void *library)
{
  void (*set_threads)(int) = NULL;
  void *const address = dlsym(library, "openblas_set_num_threads");
  if (address) memcpy(&set_threads, &address, sizeof set_threads);
  if (set_threads) set_threads(1);
}

static bool try_library(const char *file)
{
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  const bool already_loaded = library != NULL;
  if (!library) library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  if (!bind_all(library, &loaded.routines)) {
    dlclose(library);
    return false;
  }
  if (!already_loaded) use_one_thread(library);
  set_name(library, file);
  return true; /* never closed: the table points into it */
}

static void load(void)
{
  loaded.found = bind_all(RTLD_DEFAULT, &loaded.routines);
  if (loaded.found) set_name(RTLD_DEFAULT, "of the host");
  for (size_t i = 0; !loaded.found && i < sizeof libraries / sizeof *libraries; i++)
    loaded.found = try_library(libraries[i]);
}

mn_status mn_lapack_get(mn_context *ctx, const mn_lapack **lapack)
{
  pthread_once(&loaded.once, load);
  if (!loaded.found)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "LAPACK: no library found; install libopenblas0 (Debian) or openblas (Fedora, Homebrew, Arch)");
  *lapack = &loaded.routines;
  return MN_OK;
}

const char *mn_lapack_name(void)
{
  pthread_once(&loaded.once, load);
  return loaded.found ? loaded.name : NULL;
}

#endif

mn_status mn_lapack_int(mn_context *ctx, const char *what, size_t n, int *result)
{
  if (n > INT_MAX) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s must be at most %d, got %zu", what, INT_MAX, n);
  *result = (int)n;
  return MN_OK;
}

void mn_transpose_into(size_t rows, size_t cols, const double *x, size_t x_stride, double *out, size_t out_stride)
{
  enum { TILE = 16 }; /* two tiles of 16 cache lines each */
  for (size_t i0 = 0; i0 < rows; i0 += TILE) {
    const size_t i1 = i0 + TILE < rows ? i0 + TILE : rows;
    for (size_t j0 = 0; j0 < cols; j0 += TILE) {
      const size_t j1 = j0 + TILE < cols ? j0 + TILE : cols;
      for (size_t j = j0; j < j1; j++)
        for (size_t i = i0; i < i1; i++) out[j * out_stride + i] = x[i * x_stride + j];
    }
  }
}
