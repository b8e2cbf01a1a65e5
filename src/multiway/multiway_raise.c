/* What a branch would err in the place of its parent, where rows with missing values are in parts below it.
 *
 * The parts follow from the weight of the known rows at each split, and so change with every row that comes. But a row
 * whose value is known at all splits on its way stays where it is: it is counted there, and only the others go through
 * the branch. Of these, rows that lack all columns that are asked further down can go one way only, into all branches,
 * whichever rows they are: they are a mist, the weight of each class. So in a chain a split costs a look at the cases
 * below it and a step for each node, where all rows going through all nodes cost their product.
 *
 * Columns are bits of 64; where there are more, those that share a bit are taken together: for missing where rows are
 * to stay, for present where they are to become mist. That costs time only. */
#include "multiway_prune.h"

static uint64_t bit_of(size_t column)
{
  return UINT64_C(1) << column % 64;
}

mn_status mn_raising_make(mn_context *ctx, struct mn_pruning *p)
{
  const mn_tree_columns *c = p->bush->columns;
  const size_t rows = p->bush->rows;
  struct mn_raising *r = &p->raising;
  r->lacks_some = MN_RAW(ctx, uint64_t, rows, 2);
  MN_CHECK_ALLOC(r->lacks_some);
  r->lacks_all = r->lacks_some + rows;
  for (size_t i = 0; i < rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    r->lacks_some[i] = 0;
    r->lacks_all[i] = UINT64_MAX;
  }
  for (size_t j = 0; j < c->features; j++) {
    for (size_t i = 0; i < rows; i++) {
      if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
      if (c->has_missing[j] && mn_packed_get(c->rank[j], i) == c->distinct[j])
        r->lacks_some[i] |= bit_of(j);
      else
        r->lacks_all[i] &= ~bit_of(j);
    }
  }
  return MN_OK;
}

static mn_status want_nodes(mn_context *ctx, struct mn_pruning *p)
{
  struct mn_raising *r = &p->raising;
  const size_t room = 2 * p->bush->size;
  if (p->bush->size <= r->nodes_room) return MN_OK;
  r->way = MN_RAW(ctx, uint64_t, room, 2);
  r->known = MN_RAW(ctx, double, room, p->bush->classes + 1);
  if (!r->way || !r->known) return MN_NO_MEMORY;
  r->below = r->way + room;
  r->stay = r->known + room;
  r->nodes_room = room;
  return MN_OK;
}

/* --- who stays --- */

/* way: the columns asked above each node, from `at` on; below: those asked in it and further down. */
static void mark_columns(struct mn_pruning *p, size_t at, size_t n)
{
  const mn_bush *b = p->bush;
  struct mn_raising *r = &p->raising;
  r->way[at] = 0;
  for (size_t k = 0; k < n; k++) {
    const size_t node = p->places[k];
    for (int32_t c = b->stem[node].first; c != MN_NO_STEM; c = b->stem[c].next)
      r->way[c] = r->way[node] | bit_of(b->stem[node].feature);
  }
  for (size_t k = n; k-- > 0;) {
    const size_t node = p->places[k];
    const int32_t first = b->stem[node].first;
    r->below[node] = first == MN_NO_STEM ? 0 : bit_of(b->stem[node].feature);
    for (int32_t c = first; c != MN_NO_STEM; c = b->stem[c].next) r->below[node] |= r->below[c];
  }
}

/* The cases of a leaf of the branch, or beside it: counted where they stay, else on the stack, each row once. */
static void sort_out(struct mn_pruning *p, size_t leaf, bool of_branch)
{
  mn_bush *b = p->bush;
  const mn_stem *s = &b->stem[leaf];
  double *stay = p->raising.stay + leaf * b->classes;
  memset(stay, 0, b->classes * sizeof *stay);
  for (size_t i = s->begin; i < s->end; i++) {
    const mn_weighted_row c = b->kept.at[i];
    if (of_branch && !(p->raising.lacks_some[c.row] & p->raising.way[leaf])) {
      stay[b->code[c.row]] += c.weight;
      continue;
    }
    if (!(p->part[c.row] > 0)) b->stack.at[b->stack.size++] = c; /* room for all rows is there from growing */
    p->part[c.row] += c.weight;
  }
}

static void take_parts(struct mn_pruning *p)
{
  mn_bush *b = p->bush;
  for (size_t i = 0; i < b->stack.size; i++) {
    double *part = &p->part[b->stack.at[i].row];
    b->stack.at[i].weight = *part;
    *part = 0;
  }
}

/* Those that stay in the leaves of the branch are counted, up to the branch; the other cases of `at` are on the stack.
 */
static mn_status part_cases(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch)
{
  mn_bush *b = p->bush;
  struct mn_raising *r = &p->raising;
  MN_TRY(want_nodes(ctx, p));
  size_t n = mn_places_below(p, at, SIZE_MAX);
  mark_columns(p, at, n);
  b->stack.size = 0;
  n = mn_places_below(p, at, branch);
  for (size_t k = 0; k < n; k++)
    if (b->stem[p->places[k]].first == MN_NO_STEM) sort_out(p, p->places[k], false);
  n = mn_places_below(p, branch, SIZE_MAX);
  for (size_t k = n; k-- > 0;) {
    const size_t node = p->places[k];
    r->known[node] = 0;
    if (b->stem[node].first == MN_NO_STEM) {
      sort_out(p, node, true);
      for (size_t c = 0; c < b->classes; c++) r->known[node] += r->stay[node * b->classes + c];
    }
    for (int32_t c = b->stem[node].first; c != MN_NO_STEM; c = b->stem[c].next) r->known[node] += r->known[c];
  }
  take_parts(p);
  return MN_OK;
}

/* --- the others through the branch --- */

static double *mist_of(const struct mn_pruning *p, size_t pour)
{
  return p->raising.mist + pour * p->bush->classes;
}

static mn_status want_mist(mn_context *ctx, struct mn_pruning *p, size_t pours)
{
  struct mn_raising *r = &p->raising;
  if (pours <= r->mist_room) return MN_OK;
  double *mist = mn_scratch_grow(ctx, r->mist, p->bush->classes * sizeof *mist, r->mist_room, 2 * pours);
  MN_CHECK_ALLOC(mist);
  r->mist = mist;
  r->mist_room = 2 * pours;
  return MN_OK;
}

/* Cases that lack all of the columns become part of the mist. */
static void dissolve(struct mn_pruning *p, size_t begin, uint64_t columns, double *mist)
{
  mn_bush *b = p->bush;
  size_t left = begin;
  for (size_t i = begin; i < b->stack.size; i++) {
    const mn_weighted_row c = b->stack.at[i];
    if (columns & ~p->raising.lacks_all[c.row])
      b->stack.at[left++] = c;
    else
      mist[b->code[c.row]] += c.weight;
  }
  b->stack.size = left;
}

/* The branches of the node are poured later, each with its share of the mist. */
static mn_status pour_branches(mn_context *ctx, struct mn_pruning *p, size_t at, size_t begin, const double *mist,
                               size_t *pours)
{
  mn_bush *b = p->bush;
  size_t branches;
  MN_TRY(mn_bush_divide(ctx, b, at, begin, p->raising.known, &branches));
  MN_TRY(want_mist(ctx, p, *pours + branches));
  int32_t child = b->stem[at].first;
  for (size_t v = 0; v < branches; v++) {
    const mn_branch branch = b->branch[v];
    while (child != MN_NO_STEM && b->stem[child].level < branch.level) child = b->stem[child].next;
    const bool has = child != MN_NO_STEM && b->stem[child].level == branch.level;
    MN_TRY(mn_pour_later(ctx, p, pours, (struct mn_pour){ has ? (size_t)child : SIZE_MAX, branch.begin }));
    double *to = mist_of(p, *pours - 1);
    for (size_t c = 0; c < b->classes; c++) to[c] = branch.weight * mist[c];
  }
  return MN_OK;
}

mn_status mn_raised_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors)
{
  mn_bush *b = p->bush;
  size_t pours = 0;
  *errors = 0;
  MN_TRY(part_cases(ctx, p, at, branch));
  MN_TRY(want_mist(ctx, p, 1));
  memset(mist_of(p, 0), 0, b->classes * sizeof(double));
  MN_TRY(mn_pour_later(ctx, p, &pours, (struct mn_pour){ branch, 0 }));
  while (pours > 0) {
    const struct mn_pour one = p->pours[--pours];
    const bool inner = one.at != SIZE_MAX && b->stem[one.at].first != MN_NO_STEM;
    dissolve(p, one.begin, inner ? p->raising.below[one.at] : 0, mist_of(p, pours));
    memcpy(p->tally, mist_of(p, pours), b->classes * sizeof *p->tally);
    if (inner) {
      MN_TRY(pour_branches(ctx, p, one.at, one.begin, p->tally, &pours));
      continue;
    }
    for (size_t c = 0; one.at != SIZE_MAX && c < b->classes; c++)
      p->tally[c] += p->raising.stay[one.at * b->classes + c];
    *errors += mn_expected_errors(p, p->tally);
    b->stack.size = one.begin;
  }
  return mn_poll(ctx);
}
