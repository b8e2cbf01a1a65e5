/* One source for a function, compiled once for each CPU level; mn_cpu() selects the variant at each call. For loops in
 * *_kernel.c:
 *
 *   MN_CLONES(double, mn_sum, (size_t n, const double *x), (n, x))
 *   {
 *     ...
 *   }
 *
 * defines double mn_sum(size_t n, const double *x); it may be preceded by `static`. (The attribute target_clones
 * selects when the library is loaded: a test could not force a variant, not every libc supports it, and the runtime of
 * ThreadSanitizer is not initialized by then.) */
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

/* Before a loop whose iterations are independent, if the compiler cannot prove it. */
#if defined(__clang__)
#define MN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define MN_INDEPENDENT _Pragma("GCC ivdep")
#else
#define MN_INDEPENDENT
#endif

/* First in the body of a function that must not contract a * b + c to a fused multiply-add, whatever the compiler
 * options. GCC needs this for the whole file, between MN_EXACT_BEGIN and MN_EXACT_END; with O3 it still vectorizes. */
#if defined(__clang__)
#define MN_EXACT _Pragma("clang fp contract(off)")
#define MN_EXACT_BEGIN
#define MN_EXACT_END
#elif defined(__GNUC__)
#define MN_EXACT
#if defined(__OPTIMIZE__)
#define MN_EXACT_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O3\", \"fp-contract=off\")")
#else
#define MN_EXACT_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#endif
#define MN_EXACT_END _Pragma("GCC pop_options")
#else
#define MN_EXACT
#define MN_EXACT_BEGIN
#define MN_EXACT_END
#endif

/* Around loops that O3 vectorizes without relaxing NaN or the order of sums; O2 alone would not. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define MN_VECTORIZE_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O3\")")
#define MN_VECTORIZE_END _Pragma("GCC pop_options")
#else
#define MN_VECTORIZE_BEGIN
#define MN_VECTORIZE_END
#endif

#endif
