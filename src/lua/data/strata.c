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

/* --- splits by folds --- */

/* Set field `name` to a Vector of the `count` rows, from 1, that are in fold f, or that are not. */
static void set_rows(lua_State *L, const char *name, const int32_t *fold, int32_t f, bool in, size_t count)
{
  double *row = mn_lua_push_raw_vector(L, count)->at;
  for (size_t i = 0, n = 0; n < count; i++) {
    row[n] = (double)i + 1; /* overwritten unless it belongs */
    n += (fold[i] == f) == in;
  }
  lua_setfield(L, -2, name);
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
    set_rows(L, "train", fold, (int32_t)f + 1, false, given.size - count[f]);
    set_rows(L, "test", fold, (int32_t)f + 1, true, count[f]);
    lua_rawseti(L, -2, (lua_Integer)f + 1);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* are_rows(values, n) -> whether all are whole numbers from 1 to n */
static int are_rows(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector v = mn_lua_check_vector(L, ctx, 1);
  const double n = luaL_checknumber(L, 2);
  luaL_argcheck(L, n >= 0 && n <= 0x1p53, 2, "must be a number of rows");
  bool good = true;
  for (size_t i = 0; i < v.size && good; i++) {
    const double row = v.at[i];
    good = row >= 1 && row <= n && (double)(int64_t)row == row;
  }
  lua_pushboolean(L, good);
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_strata(lua_State *L)
{
  lua_pushcfunction(L, fold_splits);
  lua_setfield(L, -2, "fold_splits");
  lua_pushcfunction(L, are_rows);
  lua_setfield(L, -2, "are_rows");
  lua_pushcfunction(L, strata);
  lua_setfield(L, -2, "strata");
}
