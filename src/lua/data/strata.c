#include "strata.h"
#include "../values/userdata.h"
#include <math.h>

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

/* --- splits by folds --- */

/* The rows 0..n-1, counted from 1: the `count` rows of fold f to `test`, the others to `train`. */
static void split_rows(size_t n, const int32_t *fold, int32_t f, size_t count, double *train, double *test)
{
  size_t tested = 0, trained = 0, i = 0;
  for (; tested < count && trained < n - count; i++) {
    test[tested] = train[trained] = (double)i + 1; /* one of them is overwritten */
    tested += fold[i] == f;
    trained += fold[i] != f;
  }
  for (; tested < count; i++) test[tested++] = (double)i + 1;
  for (; trained < n - count; i++) train[trained++] = (double)i + 1;
}

/* fold_splits(fold, k) -> list of { train = Vector, test = Vector }; fold: the fold of each row, 1..k. */
static int fold_splits(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector given = mn_lua_check_vector(L, ctx, 1);
  const size_t k = mn_lua_check_size(L, 2);
  luaL_argcheck(L, k > 0 && k <= INT32_MAX, 2, "must be from 1 to 2147483647");
  int32_t *fold = MN_RAW(ctx, int32_t, given.size, 1);
  size_t *count = MN_NEW(ctx, size_t, k, 1);
  if (!fold || !count) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < given.size; i++) {
    luaL_argcheck(L, given.at[i] >= 1 && given.at[i] <= (double)k, 1, "must be folds from 1 to k");
    fold[i] = (int32_t)given.at[i];
    count[fold[i] - 1]++;
  }
  lua_createtable(L, (int)k, 0);
  for (size_t f = 0; f < k; f++) {
    lua_createtable(L, 0, 2);
    double *train = mn_lua_push_raw_vector(L, given.size - count[f])->at;
    lua_setfield(L, -2, "train");
    double *test = mn_lua_push_raw_vector(L, count[f])->at;
    lua_setfield(L, -2, "test");
    split_rows(given.size, fold, (int32_t)f + 1, count[f], train, test);
    lua_rawseti(L, -2, (lua_Integer)f + 1);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* are_rows(values, n) -> whether all are whole numbers from 1 to n */
static int are_rows(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector v = mn_lua_check_vector(L, ctx, 1);
  lua_pushboolean(L, mn_lua_are_indices(v.size, v.at, mn_lua_check_size(L, 2)));
  return mn_lua_finish(L, ctx, 1);
}

/* test_positions(tests, n) -> Vector with the position of each of n rows in the concatenated Vectors `tests` (nan: it
 * is in none); the first row that occurs again, or nil */
static int test_positions(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_copy_list(L, 1, "tests");
  const size_t n = mn_lua_check_size(L, 2), parts = lua_rawlen(L, 1);
  double *position = mn_lua_push_raw_vector(L, n)->at;
  size_t last = 0, again = 0;
  for (size_t i = 0; i < n; i++) position[i] = (double)NAN;
  for (size_t f = 0; f < parts; f++) {
    lua_rawgeti(L, 1, (lua_Integer)f + 1);
    const mn_vector row = mn_lua_check_vector(L, ctx, 4);
    luaL_argcheck(L, mn_lua_are_indices(row.size, row.at, n), 1, "must be rows from 1 to n");
    for (size_t i = 0; i < row.size; i++) {
      double *at = &position[(size_t)row.at[i] - 1];
      if (again == 0 && !isnan(*at)) again = (size_t)row.at[i];
      *at = (double)++last;
    }
    lua_settop(L, 3);
  }
  if (again > 0)
    lua_pushinteger(L, (lua_Integer)again);
  else
    lua_pushnil(L);
  return mn_lua_finish(L, ctx, 2);
}

void mn_lua_open_strata(lua_State *L)
{
  lua_pushcfunction(L, fold_splits);
  lua_setfield(L, -2, "fold_splits");
  lua_pushcfunction(L, are_rows);
  lua_setfield(L, -2, "are_rows");
  lua_pushcfunction(L, test_positions);
  lua_setfield(L, -2, "test_positions");
  lua_pushcfunction(L, strata);
  lua_setfield(L, -2, "strata");
}
