/* Which instruction set this process uses, for all loops that are compiled in several variants; and its cores. */
#ifndef MN_CORE_CPU_H
#define MN_CORE_CPU_H
#include <stdatomic.h>
#include <stddef.h>

/* Ascending: each level includes those before it. AVX2 means x86-64-v3 (with FMA), AVX-512 means x86-64-v4. */
typedef enum mn_cpu_level { MN_CPU_UNKNOWN, MN_CPU_BASELINE, MN_CPU_AVX2, MN_CPU_AVX512 } mn_cpu_level;

/* Set on first use. Threads that race compute the same value. */
extern atomic_int mn_cpu_found;
int mn_cpu_find(void);

/* The highest level of this machine, or the lower one named by the environment variable MANILIUS_CPU ("baseline",
 * "avx2", "avx512") at the first call. */
static inline int mn_cpu(void)
{
  const int found = atomic_load_explicit(&mn_cpu_found, memory_order_relaxed);
  return found != MN_CPU_UNKNOWN ? found : mn_cpu_find();
}

/* The value of MANILIUS_CPU (NULL: unset or empty) and its level, MN_CPU_UNKNOWN if it names none. */
const char *mn_cpu_requested(int *level);

/* "baseline", "avx2" or "avx512". */
const char *mn_cpu_name(int level);

/* The number of cores this process may use. */
size_t mn_cores(void);

#endif
