/* One source, a variant for each kind of CPU, chosen by mn_cpu() at each call. For loops in *_kernel.c:
 *
 *   MN_CLONES(double, mn_sum, (size_t n, const double *x), (n, x))
 *   {
 *     ...
 *   }
 *
 * defines double mn_sum(size_t n, const double *x); `static` may stand before it. (The target_clones of the compiler
 * choose when the library is loaded: no test can force a variant, not every libc can do it, and the runtime of
 * ThreadSanitizer is not yet up then.) */
#ifndef MN_CORE_CLONES_H
#define MN_CORE_CLONES_H
#include "cpu.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MN_CLONES(type, name, parameters, arguments)                                                                   \
  type name parameters;                                                                                                \
  static inline __attribute__((always_inline)) type name##_body parameters;                                            \
  __attribute__((target("arch=x86-64-v4"))) static type name##_avx512 parameters                                       \
  {                                                                                                                    \
    return name##_body arguments;                                                                                      \
  }                                                                                                                    \
  __attribute__((target("arch=x86-64-v3"))) static type name##_avx2 parameters                                         \
  {                                                                                                                    \
    return name##_body arguments;                                                                                      \
  }                                                                                                                    \
  static type name##_baseline parameters                                                                               \
  {                                                                                                                    \
    return name##_body arguments;                                                                                      \
  }                                                                                                                    \
  type name parameters                                                                                                 \
  {                                                                                                                    \
    switch (mn_cpu()) {                                                                                                \
    case MN_CPU_AVX512: return name##_avx512 arguments;                                                                \
    case MN_CPU_AVX2: return name##_avx2 arguments;                                                                    \
    default: return name##_baseline arguments;                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  static inline type name##_body parameters
#else
#define MN_CLONES(type, name, parameters, arguments) type name parameters
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
