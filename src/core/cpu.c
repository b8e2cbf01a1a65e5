#include "cpu.h"
#include <stdlib.h>
#include <string.h>

atomic_int mn_cpu_found = MN_CPU_UNKNOWN;

static int best(void)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                   __builtin_cpu_supports("bmi2");
  const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
  if (avx2) return avx512 ? MN_CPU_AVX512 : MN_CPU_AVX2;
#endif
  return MN_CPU_BASELINE;
}

const char *mn_cpu_name(int level)
{
  return level == MN_CPU_AVX512 ? "avx512" : level == MN_CPU_AVX2 ? "avx2" : "baseline";
}

int mn_cpu_find(void)
{
  const char *wanted = getenv("MANILIUS_CPU");
  int level = best();
  for (int lesser = MN_CPU_BASELINE; wanted && lesser < level; lesser++)
    if (strcmp(wanted, mn_cpu_name(lesser)) == 0) level = lesser;
  atomic_store_explicit(&mn_cpu_found, level, memory_order_relaxed);
  return level;
}
