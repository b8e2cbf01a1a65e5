/* What names of parameters, options and metrics of other libraries are called here. */
#ifndef MN_CORE_FOREIGN_NAMES_H
#define MN_CORE_FOREIGN_NAMES_H
#include <stddef.h>

/* The one of names[0..n-1] that means what `name` means in another library, NULL if there is none. */
const char *mn_translate_name(const char *name, const char *const *names, size_t n);

/* What to use instead of a setting of other libraries that has no counterpart, such as n_jobs; NULL for other names. */
const char *mn_foreign_name_note(const char *name);

#endif
