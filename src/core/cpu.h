/* Which instructions this process uses: one answer for all loops that exist in several variants. */
#ifndef MN_CORE_CPU_H
#define MN_CORE_CPU_H
#include <stdatomic.h>
#include <stddef.h>

/* In order: each has all that those before it have. AVX2 means x86-64-v3 (with FMA), AVX-512 means x86-64-v4. */
typedef enum mn_cpu_level { MN_CPU_UNKNOWN, MN_CPU_BASELINE, MN_CPU_AVX2, MN_CPU_AVX512 } mn_cpu_level;

/* Found on first use; all who come at once find the same. */
extern atomic_int mn_cpu_found;
int mn_cpu_find(void);

/* The best that this machine has, or the lesser one that the environment variable MANILIUS_CPU names ("baseline",
 * "avx2", "avx512") when it is first asked for. */
static inline int mn_cpu(void)
{
  const int found = atomic_load_explicit(&mn_cpu_found, memory_order_relaxed);
  return found != MN_CPU_UNKNOWN ? found : mn_cpu_find();
}

/* What MANILIUS_CPU says now (NULL: nothing) and the level of that name, MN_CPU_UNKNOWN when it is none. */
const char *mn_cpu_requested(int *level);

/* "baseline", "avx2" or "avx512". */
const char *mn_cpu_name(int level);

/* Cores this process may use. */
size_t mn_cores(void);

#endif
