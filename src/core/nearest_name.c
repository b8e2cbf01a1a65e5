#include "nearest_name.h"
#include "foreign_names.h"
#include <stdbool.h>
#include <string.h>

enum { MAX_LENGTH = 63 }; /* longer names are never near */
enum { MIN_PREFIX = 4 };

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t min_size(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* The edit distance with swaps of neighbors (Damerau 1964, restricted), by three rows of the table of distances between
 * prefixes. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
  size_t table[3][MAX_LENGTH + 1];
  for (size_t j = 0; j <= b_size; j++) table[0][j] = j;
  for (size_t i = 1; i <= a_size; i++) {
    const size_t *above = table[(i - 1) % 3], *second_above = table[(i + 1) % 3];
    size_t *row = table[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_size; j++) {
      const size_t changed = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
      row[j] = min_size(changed, min_size(above[j], row[j - 1]) + 1);
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = min_size(row[j], second_above[j - 2] + 1);
    }
  }
  return table[a_size % 3][b_size];
}

static size_t abs_difference(size_t a, size_t b)
{
  return a > b ? a - b : b - a;
}

/* Whether a comes before b, two names at the same distance from one of `size` letters. */
static bool comes_before(const char *a, const char *b, size_t size)
{
  const size_t off_a = abs_difference(strlen(a), size), off_b = abs_difference(strlen(b), size);
  return off_a != off_b ? off_a < off_b : strcmp(a, b) < 0;
}

/* Whether `longer` is `name` and further words, as "test_size" is for "test". */
static bool extends(const char *longer, const char *name, size_t size)
{
  return size >= MIN_PREFIX && strncmp(longer, name, size) == 0 && longer[size] == '_';
}

/* The shortest of the names that extend `name` or that it extends. */
static const char *find_extension(const char *name, size_t size, const char *const *names, size_t n)
{
  const char *shortest = NULL;
  for (size_t i = 0; i < n; i++) {
    if (!names[i] || !(extends(names[i], name, size) || extends(name, names[i], strlen(names[i])))) continue;
    if (!shortest || strlen(names[i]) < strlen(shortest)) shortest = names[i];
  }
  return shortest;
}

const char *mn_nearest_name(const char *name, const char *const *names, size_t n)
{
  const size_t size = strlen(name);
  const char *nearest = NULL;
  size_t min_distance = size / 3 > 1 ? size / 3 : 1;
  if (size == 0 || size > MAX_LENGTH) return NULL;
  const char *translated = mn_translate_name(name, names, n);
  if (translated) return translated;
  for (size_t i = 0; i < n; i++) {
    const size_t other = names[i] ? strlen(names[i]) : MAX_LENGTH + 1;
    if (other > MAX_LENGTH) continue;
    const size_t d = distance(name, size, names[i], other);
    if (d > min_distance || d >= other) continue; /* all letters wrong is not near */
    if (nearest && d == min_distance && !comes_before(names[i], nearest, size)) continue;
    min_distance = d;
    nearest = names[i];
  }
  return nearest ? nearest : find_extension(name, size, names, n);
}
