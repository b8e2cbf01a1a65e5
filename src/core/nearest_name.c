#include "nearest_name.h"
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer names are compared as if they were nothing near */
enum { SHORTEST_BEGINNING = 4 };

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Changes of one letter, or swaps of neighbours, that make b of a (Damerau 1964, restricted): three rows of the table
 * of distances between beginnings. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
  size_t table[3][LONGEST + 1];
  for (size_t j = 0; j <= b_size; j++) table[0][j] = j;
  for (size_t i = 1; i <= a_size; i++) {
    const size_t *above = table[(i - 1) % 3], *second_above = table[(i + 1) % 3];
    size_t *row = table[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_size; j++) {
      const size_t changed = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
      row[j] = smaller(changed, smaller(above[j], row[j - 1]) + 1);
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = smaller(row[j], second_above[j - 2] + 1);
    }
  }
  return table[a_size % 3][b_size];
}

static size_t difference(size_t a, size_t b)
{
  return a > b ? a - b : b - a;
}

/* Of two names equally far from one of `size` letters. */
static bool is_better(const char *name, const char *than, size_t size)
{
  const size_t off = difference(strlen(name), size), other = difference(strlen(than), size);
  return off != other ? off < other : strcmp(name, than) < 0;
}

/* Does one go on, in another word, where the other ends, as "test_size" does after "test"? */
static bool goes_on(const char *with, const char *name, size_t size)
{
  return size >= SHORTEST_BEGINNING && strncmp(with, name, size) == 0 && with[size] == '_';
}

/* The shortest of the names that go on where `name` ends or end where it goes on. */
static const char *beginning(const char *name, size_t size, const char *const *names, size_t n)
{
  const char *shortest = NULL;
  for (size_t i = 0; i < n; i++) {
    if (!names[i] || !(goes_on(names[i], name, size) || goes_on(name, names[i], strlen(names[i])))) continue;
    if (!shortest || strlen(names[i]) < strlen(shortest)) shortest = names[i];
  }
  return shortest;
}

const char *mn_nearest_name(const char *name, const char *const *names, size_t n)
{
  const size_t size = strlen(name);
  const size_t most = size / 3 > 1 ? size / 3 : 1;
  const char *nearest = NULL;
  size_t least = most;
  if (size == 0 || size > LONGEST) return NULL;
  for (size_t i = 0; i < n; i++) {
    const size_t other = names[i] ? strlen(names[i]) : LONGEST + 1;
    if (other > LONGEST) continue;
    const size_t far = distance(name, size, names[i], other);
    if (far > least || far >= other) continue; /* all letters wrong is not near */
    if (nearest && far == least && !is_better(names[i], nearest, size)) continue;
    least = far;
    nearest = names[i];
  }
  return nearest ? nearest : beginning(name, size, names, n);
}
