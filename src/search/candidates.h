/* The nearest candidates of one query: in a heap with the farthest on top if there are few, by selection if there are
 * many. Ties are broken by the lowest index. */
#ifndef MN_SEARCH_CANDIDATES_H
#define MN_SEARCH_CANDIDATES_H
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mn_candidate {
  double value;
  int32_t index;
} mn_candidate;

static inline bool mn_is_nearer(mn_candidate a, mn_candidate b)
{
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

static inline void mn_heap_sift_down(mn_candidate *heap, size_t size, size_t i)
{
  const mn_candidate item = heap[i];
  for (size_t child; (child = 2 * i + 1) < size; i = child) {
    if (child + 1 < size && mn_is_nearer(heap[child], heap[child + 1])) child++;
    if (!mn_is_nearer(item, heap[child])) break;
    heap[i] = heap[child];
  }
  heap[i] = item;
}

/* Fill the heap with sentinels: index INT32_MAX at infinite distance. */
static inline void mn_heap_clear(mn_candidate *heap, size_t size)
{
  for (size_t i = 0; i < size; i++) heap[i] = (mn_candidate){ INFINITY, INT32_MAX };
}

/* Replace the farthest candidate if the item is nearer. */
static inline void mn_heap_offer(mn_candidate *heap, size_t size, mn_candidate item)
{
  if (!mn_is_nearer(item, heap[0])) return;
  heap[0] = item;
  mn_heap_sift_down(heap, size, 0);
}

/* Restore the heap after its values have changed. */
static inline void mn_heap_rebuild(mn_candidate *heap, size_t size)
{
  for (size_t i = size / 2; i-- > 0;) mn_heap_sift_down(heap, size, i);
}

/* Sort the heap, nearest first. */
static inline void mn_heap_sort(mn_candidate *heap, size_t size)
{
  mn_heap_rebuild(heap, size);
  for (size_t last = size; last-- > 1;) {
    const mn_candidate top = heap[0];
    heap[0] = heap[last];
    heap[last] = top;
    mn_heap_sift_down(heap, last, 0);
  }
}

/* Move the k nearest of n candidates (1 <= k <= n) to the front, the k-th to place k - 1. Expected time O(n). */
void mn_select_nearest(mn_candidate *at, size_t n, size_t k);

/* Sort, nearest first: for many candidates several times faster than mn_heap_sort. */
void mn_sort_nearest(mn_candidate *at, size_t n);

#endif
