#include "strata.h"
#include "../values/userdata.h"

struct strata {
  size_t n, classes, used; /* rows; classes, of which `used` have rows */
  size_t *order;           /* classes: the used classes by their first rows */
  size_t *count, *next;    /* classes: number of rows; the next place of a row, in that order */
};

static void count_rows(struct strata *s, mn_vector code)
{
  for (size_t i = 0; i < s->n; i++) {
    const size_t c = (size_t)code.at[i] - 1;
    if (s->count[c]++ == 0) s->order[s->used++] = c;
  }
  for (size_t u = 0, first = 0; u < s->used; u++) {
    s->next[s->order[u]] = first;
    first += s->count[s->order[u]];
  }
}

/* The folds 1 + (first + i) mod k of the rows i = 0..count-1 of a class, in order. */
static void put_folds(size_t first, size_t count, size_t k, double *fold)
{
  const size_t start = first % k, rounds = count / k, rest = count % k;
  const size_t wrapped = rest > k - start ? rest - (k - start) : 0; /* folds below have a row of the rest */
  size_t at = 0;
  for (size_t f = 0; f < (rounds > 0 ? k : wrapped); f++) {
    const size_t rows = rounds + (f < wrapped || (f >= start && f < start + rest));
    for (size_t i = 0; i < rows; i++) fold[at++] = (double)f + 1;
  }
  for (size_t f = start; rounds == 0 && f < start + rest - wrapped; f++) fold[at++] = (double)f + 1;
}

/* Sorted by class, the rows are assigned to the folds in turn; within a class the folds are then put in order. */
static void assign_folds(const struct strata *s, size_t k, double *fold)
{
  size_t first = 0;
  for (size_t u = 0; u < s->used; u++) {
    const size_t count = s->count[s->order[u]];
    put_folds(first, count, k, fold + first);
    first += count;
  }
}

static void push_counts(lua_State *L, const struct strata *s)
{
  lua_createtable(L, (int)s->used, 0);
  for (size_t u = 0; u < s->used; u++) {
    lua_pushinteger(L, (lua_Integer)s->count[s->order[u]]);
    lua_rawseti(L, -2, (lua_Integer)u + 1);
  }
}

/* strata(code, k) -> Vector of the place of each row among the rows sorted by class, Vector of folds by place, list of
 * the numbers of rows of the classes. Classes stand in order of their first rows; code: whole numbers from 1. */
static int strata(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector code = mn_lua_check_vector(L, ctx, 1);
  const size_t k = mn_lua_check_size(L, 2);
  struct strata s = { .n = code.size };
  luaL_argcheck(L, k > 0, 2, "must be at least 1");
  for (size_t i = 0; i < s.n; i++) {
    luaL_argcheck(L, code.at[i] >= 1 && code.at[i] <= INT32_MAX, 1, "must be codes from 1");
    if ((size_t)code.at[i] > s.classes) s.classes = (size_t)code.at[i];
  }
  double *place = mn_lua_push_raw_vector(L, s.n)->at, *fold = mn_lua_push_raw_vector(L, s.n)->at;
  s.order = MN_RAW(ctx, size_t, s.classes, 1);
  s.count = MN_NEW(ctx, size_t, s.classes, 1);
  s.next = MN_RAW(ctx, size_t, s.classes, 1);
  if (!s.order || !s.count || !s.next) return mn_lua_raise(L, ctx);
  count_rows(&s, code);
  for (size_t i = 0; i < s.n; i++) place[i] = (double)++s.next[(size_t)code.at[i] - 1];
  assign_folds(&s, k, fold);
  push_counts(L, &s);
  return mn_lua_finish(L, ctx, 3);
}

void mn_lua_open_strata(lua_State *L)
{
  lua_pushcfunction(L, strata);
  lua_setfield(L, -2, "strata");
}
