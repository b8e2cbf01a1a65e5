/* One source, a variant for each kind of CPU, chosen when the library is loaded. For loops in *_kernel.c. Not under
 * ThreadSanitizer, whose runtime is not yet up when the choice is made. */
#ifndef MN_CLONES_H
#define MN_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define MN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MN_CLONES
#endif

/* Before a loop whose rounds do not depend on each other, where the compiler cannot see it. */
#if defined(__clang__)
#define MN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define MN_INDEPENDENT _Pragma("GCC ivdep")
#else
#define MN_INDEPENDENT
#endif

/* First in the body of a function that rounds every product before it adds it, whatever the compiler's settings. GCC is
 * told for the whole file, between MN_EXACT_BEGIN and MN_EXACT_END; O3, since loops are to be vectorised as they stand.
 */
#if defined(__clang__)
#define MN_EXACT _Pragma("clang fp contract(off)")
#define MN_EXACT_BEGIN
#define MN_EXACT_END
#elif defined(__GNUC__)
#define MN_EXACT
#define MN_EXACT_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O3\", \"fp-contract=off\")")
#define MN_EXACT_END _Pragma("GCC pop_options")
#else
#define MN_EXACT
#define MN_EXACT_BEGIN
#define MN_EXACT_END
#endif

#endif
