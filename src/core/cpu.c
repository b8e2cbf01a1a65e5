#include "cpu.h"
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

atomic_int mn_cpu_found = MN_CPU_UNKNOWN;

#if defined(__x86_64__)
/* All features that the compiler may use in the two variants must be checked, since a virtual machine can report any
 * mixture; LZCNT, for example, decodes as another instruction where it is missing. Features whose registers the system
 * does not save are not reported. Clang cannot query the last three, and compiles no variants. */
#if defined(__clang__)
#define HAS_OTHER_FEATURES 1
#else
#define HAS_OTHER_FEATURES                                                                                             \
  (__builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("movbe") && __builtin_cpu_supports("f16c"))
#endif

static bool has_avx2(void)
{
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && HAS_OTHER_FEATURES;
}

static bool has_avx512(void)
{
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

static int highest_level(void)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (has_avx2()) return has_avx512() ? MN_CPU_AVX512 : MN_CPU_AVX2;
#endif
  return MN_CPU_BASELINE;
}

const char *mn_cpu_name(int level)
{
  return level == MN_CPU_AVX512 ? "avx512" : level == MN_CPU_AVX2 ? "avx2" : "baseline";
}

const char *mn_cpu_requested(int *level)
{
  const char *requested = getenv("MANILIUS_CPU");
  *level = MN_CPU_UNKNOWN;
  if (!requested || !*requested) return NULL;
  for (int known = MN_CPU_BASELINE; known <= MN_CPU_AVX512; known++)
    if (strcmp(requested, mn_cpu_name(known)) == 0) *level = known;
  return requested;
}

int mn_cpu_find(void)
{
  const int highest = highest_level();
  int requested;
  (void)mn_cpu_requested(&requested);
  const int level = requested != MN_CPU_UNKNOWN && requested < highest ? requested : highest;
  atomic_store_explicit(&mn_cpu_found, level, memory_order_relaxed);
  return level;
}

size_t mn_cores(void)
{
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    const int count = CPU_COUNT(&set);
    if (count > 0) return (size_t)count;
  }
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (size_t)online : 1;
}
