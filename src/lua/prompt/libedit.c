#include "libedit.h"
#include <dlfcn.h>
#include <string.h>

static const char *const files[] = {
#ifdef __APPLE__
  "libedit.3.dylib",
  "/usr/lib/libedit.dylib",
#else
  "libedit.so.2",
  "libedit.so.0",
  "libedit.so",
#endif
};

/* Uses memcpy because ISO C has no cast from an object pointer to a function pointer. */
static bool bind(void *library, const char *name, void *function, size_t size)
{
  void *const address = dlsym(library, name);
  if (address) memcpy(function, &address, size);
  return address != NULL;
}

static bool bind_all(void *library, struct mn_libedit *functions)
{
#define MN_LIBEDIT_BIND(name, result, arguments)                                                                       \
  if (!bind(library, #name, &functions->name, sizeof functions->name)) return false;
  MN_LIBEDIT_FUNCTIONS(MN_LIBEDIT_BIND)
#undef MN_LIBEDIT_BIND
  return true;
}

/* The addresses are the same for all editors of a process, and commands that libedit calls need them before they know
 * their editor. */
const struct mn_libedit *mn_libedit_load(void)
{
  static struct mn_libedit functions;
  static bool loaded;
  for (size_t i = 0; !loaded && i < sizeof files / sizeof *files; i++) {
    void *library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    loaded = bind_all(library, &functions);
    if (!loaded) dlclose(library);
  }
  return loaded ? &functions : NULL;
}
