/* Taking back what a tree only seems to know: Quinlan, C4.5 (1993), chapter 4, with the constants of the program of
 * that book.
 *
 * E of the N rows of a leaf are of another class than most. The errors to be expected of N new rows are N U(E, N), U
 * being the upper limit, at `confidence`, of the share that E of N suggests. From the leaves up, a subtree becomes a
 * leaf, or its largest branch takes its place, where that is expected to err no more. */
#include "multiway_prune.h"
#include "../stats/special.h"

static const double MARGIN = 0.1; /* errors by which the smaller tree may seem worse */

static double errors_of(size_t classes, const double *counts, double *total)
{
  double most = 0;
  *total = 0;
  for (size_t c = 0; c < classes; c++) {
    *total += counts[c];
    most = fmax(most, counts[c]);
  }
  return fmax(0, *total - most);
}

/* Errors to be expected beyond the e of n; z: quantile of the normal distribution. */
static double more_errors(double n, double e, double confidence, double z)
{
  const double none = n * (1 - pow(confidence, 1 / n));
  if (e < 1e-9) return none;
  if (e < 1) return none + e * (more_errors(n, 1, confidence, z) - none);
  if (e + 0.5 >= n) return fmax(n - e, 0);
  const double f = (e + 0.5) / n, z2 = z * z;
  return n * (f + z2 / (2 * n) + z * sqrt(f / n - f * f / n + z2 / (4 * n * n))) / (1 + z2 / n) - e;
}

double mn_expected_errors(const struct mn_pruning *p, const double *counts)
{
  double total;
  const double errors = errors_of(p->bush->classes, counts, &total);
  return total > 0 ? errors + more_errors(total, errors, p->confidence, p->z) : 0;
}

/* --- collapse --- */

/* The cases of a subtree stand side by side, as it grew by depth. */
static void join_cases(mn_bush *b, size_t i)
{
  mn_stem *s = &b->stem[i];
  s->begin = SIZE_MAX;
  s->end = 0;
  for (int32_t c = s->first; c != MN_NO_STEM; c = b->stem[c].next) {
    s->begin = b->stem[c].begin < s->begin ? b->stem[c].begin : s->begin;
    s->end = b->stem[c].end > s->end ? b->stem[c].end : s->end;
  }
}

mn_status mn_bush_collapse(mn_context *ctx, mn_bush *b)
{
  const double near = 1e-3; /* as in C4.5 */
  double *below = MN_RAW(ctx, double, b->size, 1), *own = MN_RAW(ctx, double, b->size, 1), total;
  if (!below || !own) return MN_NO_MEMORY;
  for (size_t i = b->size; i-- > 0;) { /* children stand behind their parents */
    below[i] = own[i] = errors_of(b->classes, mn_stem_counts(b, i), &total);
    if (b->stem[i].first == MN_NO_STEM) continue;
    join_cases(b, i);
    below[i] = 0;
    for (int32_t c = b->stem[i].first; c != MN_NO_STEM; c = b->stem[c].next) below[i] += below[c];
  }
  for (size_t i = 0; i < b->size; i++)
    if (below[i] >= own[i] - near) b->stem[i].first = MN_NO_STEM;
  return MN_OK;
}

/* --- cases of a subtree --- */

size_t mn_places_below(struct mn_pruning *p, size_t at, size_t without)
{
  const mn_bush *b = p->bush;
  size_t n = 0;
  p->places[n++] = (uint32_t)at;
  for (size_t k = 0; k < n; k++)
    for (int32_t c = b->stem[p->places[k]].first; c != MN_NO_STEM; c = b->stem[c].next)
      if ((size_t)c != without) p->places[n++] = (uint32_t)c;
  return n;
}

/* The cases of node `at` alone on the stack, each row once; those of the subtree `without` are left out. */
static mn_status gather(mn_context *ctx, struct mn_pruning *p, size_t at, size_t without)
{
  mn_bush *b = p->bush;
  const size_t n = mn_places_below(p, at, without);
  b->stack.size = 0;
  for (size_t k = 0; k < n; k++) {
    const mn_stem *s = &b->stem[p->places[k]];
    for (size_t i = s->begin; s->first == MN_NO_STEM && i < s->end; i++) {
      const mn_weighted_row c = b->kept.at[i];
      if (!(p->part[c.row] > 0)) b->stack.at[b->stack.size++] = c; /* room for all rows is there from growing */
      p->part[c.row] += c.weight;
    }
  }
  for (size_t i = 0; i < b->stack.size; i++) {
    double *part = &p->part[b->stack.at[i].row];
    b->stack.at[i].weight = *part;
    *part = 0;
  }
  return mn_poll(ctx);
}

/* What is on the stack from `begin` on becomes the cases of leaf `at`. */
static mn_status keep_cases(mn_context *ctx, mn_bush *b, size_t at, size_t begin)
{
  const size_t n = b->stack.size - begin;
  MN_TRY(mn_cases_room(ctx, b, &b->kept, b->kept.size + n));
  b->stem[at].begin = b->kept.size;
  b->stem[at].end = b->kept.size + n;
  const size_t bytes = n * sizeof(mn_weighted_row);
  if (!mn_copy_cancellable(&(mn_cancel_token){ .ctx = ctx }, b->kept.at + b->kept.size, b->stack.at + begin, bytes))
    return mn_poll(ctx);
  b->kept.size += n;
  return MN_OK;
}

/* --- other cases through a subtree --- */

mn_status mn_pour_later(mn_context *ctx, struct mn_pruning *p, size_t *pours, struct mn_pour one)
{
  if (*pours == p->pours_room) {
    const size_t room = 2 * p->pours_room + 16;
    struct mn_pour *at = MN_GROW(ctx, p->pours, *pours, room);
    MN_CHECK_ALLOC(at);
    p->pours = at;
    p->pours_room = room;
  }
  p->pours[(*pours)++] = one;
  return MN_OK;
}

/* The child of `at` behind `before` (MN_NO_STEM: the first) made anew, for a level that has none. */
static mn_status add_child(mn_context *ctx, mn_bush *b, size_t at, int32_t before, uint32_t level, size_t *child)
{
  MN_TRY(mn_bush_add(ctx, b, child));
  int32_t *link = before == MN_NO_STEM ? &b->stem[at].first : &b->stem[before].next;
  b->stem[*child].level = level;
  b->stem[*child].next = *link;
  *link = (int32_t)*child;
  return MN_OK;
}

/* The branches of node `at` are poured later, each into the child of its level. A level without child is a leaf of its
 * own: SIZE_MAX, or a new one where what is poured is kept. */
static mn_status pour_branches(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branches, bool keep,
                               size_t *pours)
{
  mn_bush *b = p->bush;
  int32_t child = b->stem[at].first, before = MN_NO_STEM;
  for (size_t v = 0; v < branches; v++) {
    const mn_branch branch = b->branch[v];
    for (; child != MN_NO_STEM && b->stem[child].level < branch.level; child = b->stem[child].next) before = child;
    size_t to = SIZE_MAX;
    if (child != MN_NO_STEM && b->stem[child].level == branch.level) {
      to = (size_t)child;
    } else if (keep) {
      MN_TRY(add_child(ctx, b, at, before, branch.level, &to));
      before = (int32_t)to;
    }
    if (keep) b->stem[to].share = branch.weight;
    MN_TRY(mn_pour_later(ctx, p, pours, (struct mn_pour){ to, branch.begin }));
  }
  return MN_OK;
}

/* What becomes of cases that go through a subtree. */
enum pour_how {
  BESIDE, /* they come to those that are there           */
  KEEP    /* they take the place of those that are there */
};

/* What is on the stack goes through the subtree of `at`. *errors: to be expected; BESIDE: by how much more. */
static mn_status pour(mn_context *ctx, struct mn_pruning *p, size_t at, enum pour_how how, double *errors)
{
  mn_bush *b = p->bush;
  const bool keep = how == KEEP;
  size_t pours = 0, branches;
  *errors = 0;
  MN_TRY(mn_pour_later(ctx, p, &pours, (struct mn_pour){ at, 0 }));
  while (pours > 0) {
    const struct mn_pour one = p->pours[--pours];
    memset(p->tally, 0, b->classes * sizeof *p->tally);
    for (size_t i = one.begin; i < b->stack.size; i++) p->tally[b->code[b->stack.at[i].row]] += b->stack.at[i].weight;
    if (keep) memcpy(mn_stem_counts(b, one.at), p->tally, b->classes * sizeof *p->tally);
    if (one.at != SIZE_MAX && b->stem[one.at].first != MN_NO_STEM) {
      MN_TRY(mn_bush_divide(ctx, b, one.at, one.begin, NULL, &branches));
      MN_TRY(pour_branches(ctx, p, one.at, branches, keep, &pours));
      continue;
    }
    if (how == BESIDE && one.at != SIZE_MAX) {
      for (size_t c = 0; c < b->classes; c++) p->tally[c] += mn_stem_counts(b, one.at)[c];
      *errors -= b->stem[one.at].errors;
    }
    *errors += mn_expected_errors(p, p->tally);
    if (keep) MN_TRY(keep_cases(ctx, b, one.at, one.begin));
    b->stack.size = one.begin;
  }
  return mn_poll(ctx);
}

/* --- pruning --- */

/* Node `at` and all below it are looked at, children before their parents. */
static mn_status wait_for_all(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  const size_t most = p->waits + p->bush->size + 1;
  if (most > p->room) {
    uint32_t *waiting = MN_RAW(ctx, uint32_t, 2 * most, 2);
    MN_CHECK_ALLOC(waiting);
    if (p->waits > 0) memcpy(waiting, p->waiting, p->waits * sizeof *waiting);
    p->waiting = waiting;
    p->places = waiting + 2 * most;
    p->room = 2 * most;
  }
  const size_t n = mn_places_below(p, at, SIZE_MAX);
  memcpy(p->waiting + p->waits, p->places, n * sizeof *p->places);
  p->waits += n;
  return MN_OK;
}

static size_t largest_branch(const mn_bush *b, size_t at, double *errors)
{
  size_t largest = 0;
  double most = -1;
  *errors = 0;
  for (int32_t c = b->stem[at].first; c != MN_NO_STEM; c = b->stem[c].next) {
    double sum = 0;
    for (size_t k = 0; k < b->classes; k++) sum += mn_stem_counts(b, (size_t)c)[k];
    *errors += b->stem[c].errors;
    if (sum < most - 1e-6) continue;
    most = sum;
    largest = (size_t)c;
  }
  return largest;
}

/* The branch takes the place of its parent, whose cases it gets; then all of it is looked at again. */
static mn_status raise_branch(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch)
{
  mn_stem *s = &p->bush->stem[at];
  const mn_stem *from = &p->bush->stem[branch];
  double errors;
  MN_TRY(gather(ctx, p, at, SIZE_MAX));
  s->first = from->first;
  s->feature = from->feature;
  s->cut = from->cut;
  s->cut_rank = from->cut_rank;
  s->gain = from->gain;
  MN_TRY(pour(ctx, p, at, KEEP, &errors));
  return wait_for_all(ctx, p, at);
}

/* Where the cases of the leaves below `at` begin, if nothing else stands between them; else SIZE_MAX. */
static size_t place_below(struct mn_pruning *p, size_t at)
{
  const size_t n = mn_places_below(p, at, SIZE_MAX);
  size_t begin = SIZE_MAX, end = 0, sum = 0;
  for (size_t k = 0; k < n; k++) {
    const mn_stem *s = &p->bush->stem[p->places[k]];
    if (s->first != MN_NO_STEM || s->begin == s->end) continue;
    begin = s->begin < begin ? s->begin : begin;
    end = s->end > end ? s->end : end;
    sum += s->end - s->begin;
  }
  return begin != SIZE_MAX && end - begin == sum ? begin : SIZE_MAX;
}

/* A leaf takes the place that the leaves below it had: a chain of them would else need that of its rows squared. */
static mn_status become_leaf(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  mn_bush *b = p->bush;
  mn_stem *s = &b->stem[at];
  if (b->way->keep) {
    const size_t begin = place_below(p, at);
    MN_TRY(gather(ctx, p, at, SIZE_MAX));
    if (begin == SIZE_MAX) {
      MN_TRY(keep_cases(ctx, b, at, 0));
    } else {
      memcpy(b->kept.at + begin, b->stack.at, b->stack.size * sizeof(mn_weighted_row));
      s->begin = begin;
      s->end = begin + b->stack.size;
    }
    b->stack.size = 0;
  }
  s->first = MN_NO_STEM;
  return MN_OK;
}

/* Do rows come to nodes below `at` in parts? */
static bool is_torn(const mn_bush *b, size_t at)
{
  bool torn = b->columns->has_missing[b->stem[at].feature];
  for (int32_t c = b->stem[at].first; c != MN_NO_STEM; c = b->stem[c].next) torn = torn || b->stem[c].torn;
  return torn;
}

/* What the branch is expected to err with all cases of its parent `at`. Where they come whole, those that it has stay
 * where they are, and only the others, the fewer ones, go through it. */
static mn_status raised_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors)
{
  const mn_stem *s = &p->bush->stem[branch];
  if (s->torn) return mn_raised_errors(ctx, p, at, branch, errors);
  MN_TRY(gather(ctx, p, at, branch));
  MN_TRY(pour(ctx, p, branch, BESIDE, errors));
  *errors += s->errors;
  return MN_OK;
}

static mn_status look_at(mn_context *ctx, struct mn_pruning *p, size_t at)
{
  mn_bush *b = p->bush;
  const double leaf = mn_expected_errors(p, mn_stem_counts(b, at));
  double below, raised = INFINITY;
  b->stem[at].errors = leaf;
  b->stem[at].torn = b->stem[at].first != MN_NO_STEM && is_torn(b, at);
  if (b->stem[at].first == MN_NO_STEM) return MN_OK;
  const size_t branch = largest_branch(b, at, &below);
  b->stem[at].errors = below;
  if (b->way->keep) MN_TRY(raised_errors(ctx, p, at, branch, &raised));
  if (leaf <= below + MARGIN && leaf <= raised + MARGIN) {
    b->stem[at].errors = leaf;
    b->stem[at].torn = false;
    return become_leaf(ctx, p, at);
  }
  return raised <= below + MARGIN ? raise_branch(ctx, p, at, branch) : MN_OK;
}

mn_status mn_bush_prune(mn_context *ctx, mn_bush *b, double confidence)
{
  struct mn_pruning p = { .bush = b, .confidence = confidence, .z = mn_normal_quantile(1 - confidence) };
  p.part = MN_NEW(ctx, double, b->rows, 1);
  p.tally = MN_NEW(ctx, double, b->classes, 1);
  if (!p.part || !p.tally) return MN_NO_MEMORY;
  if (b->way->keep) MN_TRY(mn_raising_make(ctx, &p));
  MN_TRY(wait_for_all(ctx, &p, 0));
  while (p.waits > 0) MN_TRY(look_at(ctx, &p, p.waiting[--p.waits]));
  return MN_OK;
}
