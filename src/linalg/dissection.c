#include "dissection.h"
#include <string.h>

enum { LEAF = 48 }; /* smaller parts are not separated */

/* order[begin .. end - 1] is a part: the nodes with this mark. */
struct part {
  size_t begin, end;
};

struct dissection {
  const mn_csr *a;
  int32_t *order;
  int32_t *mark;      /* n: the part of each node, by the number of its first place  */
  int32_t *level;     /* n: of a breadth-first search; -1: not reached               */
  int32_t *queue;     /* n: nodes in the order of the search                         */
  int32_t *sorted;    /* n: workspace                                                */
  struct part *stack; /* n */
};

/* Breadth-first search of the part from a node: queue and level. Returns the number of nodes reached. */
static size_t search(struct dissection *s, struct part p, int32_t from)
{
  const int32_t own = s->mark[from];
  size_t tail = 0;
  for (size_t i = p.begin; i < p.end; i++) s->level[s->order[i]] = -1;
  s->level[from] = 0;
  s->queue[tail++] = from;
  for (size_t head = 0; head < tail; head++) {
    const int32_t node = s->queue[head];
    for (size_t e = s->a->start[node]; e < s->a->start[node + 1]; e++) {
      const int32_t other = s->a->col[e];
      if (s->mark[other] != own || s->level[other] >= 0) continue;
      s->level[other] = s->level[node] + 1;
      s->queue[tail++] = other;
    }
  }
  return tail;
}

/* The level with the fewest nodes among those that have between 1/3 and 2/3 of the nodes before them; 0: none. */
static int32_t middle_level(const struct dissection *s, size_t count)
{
  const int32_t last = s->level[s->queue[count - 1]];
  int32_t best = 0;
  size_t fewest = count;
  for (size_t i = 0, end; i < count; i = end) {
    const int32_t level = s->level[s->queue[i]];
    for (end = i; end < count && s->level[s->queue[end]] == level; end++) continue;
    const bool middle = 3 * end >= count && 3 * i <= 2 * count;
    if (middle && level > 0 && level < last && end - i < fewest) {
      best = level;
      fewest = end - i;
    }
  }
  return best;
}

/* Whether a node of the separating level has a neighbor in the next one; others belong to the first side. */
static bool separates(const struct dissection *s, int32_t node, int32_t level)
{
  for (size_t e = s->a->start[node]; e < s->a->start[node + 1]; e++) {
    const int32_t other = s->a->col[e];
    if (s->mark[other] == s->mark[node] && s->level[other] == level + 1) return true;
  }
  return false;
}

/* Put the nodes of a part for which side is 0, 1 and 2 in this order; *first and *second are the ends of 0 and 1. */
static void arrange(struct dissection *s, struct part p, const int32_t *side, size_t *first, size_t *second)
{
  size_t at = p.begin;
  memcpy(s->sorted + p.begin, s->order + p.begin, (p.end - p.begin) * sizeof *s->order);
  for (int32_t wanted = 0; wanted < 3; wanted++) {
    for (size_t i = p.begin; i < p.end; i++)
      if (side[s->sorted[i]] == wanted) s->order[at++] = s->sorted[i];
    if (wanted == 0) *first = at;
    if (wanted == 1) *second = at;
  }
}

static void push(struct dissection *s, size_t *depth, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++) s->mark[s->order[i]] = (int32_t)begin;
  if (end - begin > LEAF) s->stack[(*depth)++] = (struct part){ begin, end };
}

static mn_status split(mn_context *ctx, struct dissection *s, struct part p, size_t *depth)
{
  size_t count = search(s, p, s->order[p.begin]), first, second;
  for (int pass = 0; pass < 2; pass++) { /* from a node far out */
    MN_TRY(mn_poll(ctx));
    count = search(s, p, s->queue[count - 1]);
  }
  MN_TRY(mn_poll(ctx));
  const bool whole = count == p.end - p.begin;
  const int32_t middle = whole ? middle_level(s, count) : 0;
  if (whole && middle == 0) return MN_OK;
  for (size_t i = p.begin; i < p.end; i++) { /* the level becomes the side, in a second array */
    const int32_t node = s->order[i], level = s->level[node];
    int32_t side = level < 0;
    if (whole) side = level > middle ? 1 : level == middle && separates(s, node, middle) ? 2 : 0;
    s->queue[i] = side;
  }
  for (size_t i = p.begin; i < p.end; i++) s->level[s->order[i]] = s->queue[i];
  arrange(s, p, s->level, &first, &second);
  push(s, depth, p.begin, first);
  push(s, depth, first, second);
  for (size_t i = second; i < p.end; i++) s->mark[s->order[i]] = -1;
  return mn_poll(ctx);
}

mn_status mn_dissection_order(mn_context *ctx, const mn_csr *a, int32_t *order)
{
  const size_t n = a->rows;
  const mn_mark scratch = mn_scratch_mark(ctx);
  struct dissection s = { .a = a,
                          .order = order,
                          .mark = MN_RAW(ctx, int32_t, n, 1),
                          .level = MN_RAW(ctx, int32_t, n, 1),
                          .queue = MN_RAW(ctx, int32_t, n, 1),
                          .sorted = MN_RAW(ctx, int32_t, n, 1),
                          .stack = MN_RAW(ctx, struct part, n, 1) };
  size_t depth = 0;
  if (!s.mark || !s.level || !s.queue || !s.sorted || !s.stack) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) order[i] = (int32_t)i;
  push(&s, &depth, 0, n);
  while (depth > 0) {
    const struct part next = s.stack[--depth];
    MN_TRY(split(ctx, &s, next, &depth));
  }
  mn_scratch_release(ctx, scratch);
  return MN_OK;
}
