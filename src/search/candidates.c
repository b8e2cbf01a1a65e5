#include "candidates.h"

enum { FEW = 16 /* are sorted by insertion */, MANY = 128 /* from here on the pivot is a median of nine */ };

static size_t median3(const mn_candidate *at, size_t a, size_t b, size_t c)
{
  if (mn_is_nearer(at[b], at[a])) return mn_is_nearer(at[a], at[c]) ? a : mn_is_nearer(at[b], at[c]) ? c : b;
  return mn_is_nearer(at[b], at[c]) ? b : mn_is_nearer(at[a], at[c]) ? c : a;
}

static size_t choose_pivot(const mn_candidate *at, size_t n)
{
  const size_t step = n / 8;
  if (n < MANY) return median3(at, 0, n / 2, n - 1);
  return median3(at, median3(at, 0, step, 2 * step), median3(at, 3 * step, 4 * step, 5 * step),
                 median3(at, 6 * step, 7 * step, n - 1));
}

/* Move the candidates nearer than a pivot before it and the others after it; returns its place. The loop has no branch
 * to mispredict, and copies members one by one: a vector load of what two stores have just written would wait. */
static size_t partition(mn_candidate *at, size_t n)
{
  const size_t chosen = choose_pivot(at, n);
  const mn_candidate pivot = at[chosen];
  size_t place = 0;
  at[chosen] = at[n - 1];
  for (size_t i = 0; i < n - 1; i++) {
    const mn_candidate item = at[i];
    at[i].value = at[place].value;
    at[i].index = at[place].index;
    at[place].value = item.value;
    at[place].index = item.index;
    place += (size_t)((item.value < pivot.value) | ((item.value == pivot.value) & (item.index < pivot.index)));
  }
  at[n - 1] = at[place];
  at[place] = pivot;
  return place;
}

static void sort_few(mn_candidate *at, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const mn_candidate item = at[i];
    size_t j = i;
    for (; j > 0 && mn_is_nearer(item, at[j - 1]); j--) at[j] = at[j - 1];
    at[j] = item;
  }
}

/* The number of partitions in a row after which the pivots are certainly bad. */
static int partitions(size_t n)
{
  int count = 8;
  for (; n > 1; n /= 2) count += 2;
  return count;
}

void mn_select_nearest(mn_candidate *at, size_t n, size_t k)
{
  for (int left = partitions(n); n > FEW; left--) {
    if (left == 0) {
      mn_heap_sort(at, n);
      return;
    }
    const size_t place = partition(at, n);
    if (place == k - 1) return;
    if (place >= k) {
      n = place;
    } else {
      at += place + 1;
      n -= place + 1;
      k -= place + 1;
    }
  }
  sort_few(at, n);
}

static void sort(mn_candidate *at, size_t n, int left)
{
  while (n > FEW) {
    if (left-- == 0) {
      mn_heap_sort(at, n);
      return;
    }
    const size_t place = partition(at, n), after = n - place - 1;
    if (place < after) { /* recursion into the smaller part */
      sort(at, place, left);
      at += place + 1;
      n = after;
    } else {
      sort(at + place + 1, after, left);
      n = place;
    }
  }
  sort_few(at, n);
}

void mn_sort_nearest(mn_candidate *at, size_t n)
{
  sort(at, n, partitions(n));
}
