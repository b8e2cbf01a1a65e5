/* Lua values are created before scratch is allocated. */
#include "frame_keys.h"
#include "frame_columns.h"
#include "../values/userdata.h"

#define GROUPS "manilius.Groups"
#include <math.h>
#include <string.h>

/* Push a Vector of integers. */
static mn_lua_vector *push_integers(lua_State *L, size_t n)
{
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  v->whole = true;
  return v;
}

/* order(columns, descending) -> Vector of the rows in order; descending is a list of booleans */
static int order(lua_State *L)
{
  size_t keys, n;
  lua_settop(L, 2);
  mn_lua_copy_list(L, 2, "descending");
  const mn_view *key = mn_lua_check_columns(L, 1, &keys, &n);
  bool *descending = lua_newuserdatauv(L, keys + 1, 0);
  for (size_t j = 0; j < keys; j++) {
    lua_rawgeti(L, 2, (lua_Integer)j + 1);
    descending[j] = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  const mn_lua_vector *out = push_integers(L, n);
  mn_context *ctx = mn_lua_begin(L);
  int32_t *row = MN_RAW(ctx, int32_t, n, 1);
  if (!row || mn_frame_argsort(ctx, keys, key, descending, n, row) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < n; i++) out->at[i] = (double)row[i] + 1;
  mn_lua_end(L, ctx);
  return 1;
}

/* --- groups --- */

/* Groups of rows as a userdata that owns the arrays. */
struct groups {
  mn_groups view;
  int32_t *of;
  size_t *start;
};

static int free_groups(lua_State *L)
{
  struct groups *g = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_free(memory, g->of);
    mn_free(memory, g->start);
  }
  *g = (struct groups){ 0 };
  return 0;
}

static struct groups *push_groups(lua_State *L)
{
  struct groups *g = lua_newuserdatauv(L, sizeof *g, 0);
  *g = (struct groups){ 0 };
  luaL_setmetatable(L, GROUPS);
  return g;
}

static const mn_groups *check_groups(lua_State *L, int arg)
{
  const struct groups *g = luaL_checkudata(L, arg, GROUPS);
  return &g->view;
}

/* group(columns) -> groups of rows with equal values, in ascending order; number of groups */
static int group(lua_State *L)
{
  size_t keys, n, count;
  lua_settop(L, 1);
  const mn_view *key = mn_lua_check_columns(L, 1, &keys, &n);
  struct groups *g = push_groups(L);
  g->of = mn_lua_alloc(L, sizeof *g->of, n, 1);
  mn_context *ctx = mn_lua_begin(L);
  if (mn_frame_rank(ctx, keys, key, n, g->of, &count) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  g->start = mn_lua_alloc(L, sizeof *g->start, count + 1, 1);
  mn_frame_group_starts(n, count, g->of, g->start);
  g->view = (mn_groups){ .n = n, .count = count, .of = g->of, .start = g->start };
  mn_lua_charge(L, n * sizeof *g->of + count * sizeof *g->start);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

/* single_group(n) -> all n rows in one group */
static int single_group(lua_State *L)
{
  const size_t n = mn_lua_check_size(L, 1);
  struct groups *g = push_groups(L);
  g->of = mn_lua_alloc(L, sizeof *g->of, n, 1);
  g->start = mn_lua_alloc(L, sizeof *g->start, 2, 1);
  memset(g->of, 0, n * sizeof *g->of);
  g->start[0] = 0;
  g->start[1] = n;
  g->view = (mn_groups){ .n = n, .count = 1, .of = g->of, .start = g->start };
  return 1;
}

/* first_rows(groups) -> Vector of the first row of each group */
static int first_rows(lua_State *L)
{
  const mn_groups *g = check_groups(L, 1);
  const mn_lua_vector *out = push_integers(L, g->count);
  for (size_t i = g->n; i-- > 0;) out->at[g->of[i]] = (double)(i + 1);
  return 1;
}

/* group_sizes(groups) -> Vector of the number of rows of each group */
static int group_sizes(lua_State *L)
{
  const mn_groups *g = check_groups(L, 1);
  const mn_lua_vector *out = push_integers(L, g->count);
  for (size_t i = 0; i < g->count; i++) out->at[i] = (double)(g->start[i + 1] - g->start[i]);
  return 1;
}

/* group_rows(groups) -> Vector of the rows ordered by group; Vector of the count + 1 positions where groups begin */
static int group_rows(lua_State *L)
{
  const mn_groups *g = check_groups(L, 1);
  const mn_lua_vector *rows = push_integers(L, g->n), *starts = push_integers(L, g->count + 1);
  mn_context *ctx = mn_lua_begin(L);
  int32_t *row = MN_RAW(ctx, int32_t, g->n, 1);
  if (!row || mn_frame_group_rows(ctx, g, row) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < g->n; i++) rows->at[i] = (double)row[i] + 1;
  for (size_t i = 0; i <= g->count; i++) starts->at[i] = (double)g->start[i] + 1;
  mn_lua_end(L, ctx);
  return 2;
}

static const char *const summary_names[] = {
  [MN_SUM_SIZE] = "size",     [MN_SUM_COUNT] = "count", [MN_SUM_UNIQUE] = "nunique", [MN_SUM_FIRST] = "first",
  [MN_SUM_LAST] = "last",     [MN_SUM_MIN] = "min",     [MN_SUM_MAX] = "max",        [MN_SUM_SUM] = "sum",
  [MN_SUM_MEAN] = "mean",     [MN_SUM_VAR] = "var",     [MN_SUM_STD] = "std",        [MN_SUM_Q25] = "q25",
  [MN_SUM_MEDIAN] = "median", [MN_SUM_Q75] = "q75"
};

static mn_summary summary_named(lua_State *L, const char *name)
{
  size_t s = 0;
  while (s < MN_SUMMARIES && strcmp(name, summary_names[s]) != 0) s++;
  if (s == MN_SUMMARIES) luaL_error(L, "there is no summary '%s'", name);
  return (mn_summary)s;
}

static bool keeps_whole(mn_summary what)
{
  return what == MN_SUM_FIRST || what == MN_SUM_LAST || what == MN_SUM_MIN || what == MN_SUM_MAX || what == MN_SUM_SUM;
}

/* The result of a summary: numbers, which are codes when the column is a Factor and the summary is one of its values.
 */
struct result {
  double *number;
  mn_factor *labels;
};

/* Append a column of `count` values for a summary of the column at 1 to the list at `list`. */
static struct result push_result(lua_State *L, mn_summary what, size_t count, const mn_levels *levels, int list,
                                 lua_Integer position)
{
  const mn_lua_vector *from = mn_lua_test_vector(L, 1);
  struct result r = { 0 };
  if (!from && what >= MN_SUM_SUM) luaL_error(L, "%s needs numbers", summary_names[what]);
  mn_lua_vector *v = mn_lua_push_raw_vector(L, count);
  v->whole = what <= MN_SUM_UNIQUE || (from && from->whole && keeps_whole(what));
  r.number = v->at;
  if (!from && keeps_whole(what))
    r.labels = mn_lua_push_factor(L, count, levels); /* above the Vector, which stays on the stack */
  lua_rawseti(L, list, position);
  return r;
}

/* Turn codes into labels. */
static void convert_codes(const struct result *r)
{
  for (size_t g = 0; r->labels && g < r->labels->size; g++)
    r->labels->code[g] = isnan(r->number[g]) ? -1 : (int32_t)r->number[g];
}

/* summarize(column, groups, names) -> list of columns, one for each summary in `names` */
static int summarize(lua_State *L)
{
  size_t n;
  mn_summary what[MN_SUMMARIES];
  struct result result[MN_SUMMARIES];
  double *out[MN_SUMMARIES];
  lua_settop(L, 3);
  const mn_view view = mn_lua_check_column(L, 1, &n);
  const mn_groups *groups = check_groups(L, 2);
  mn_lua_copy_list(L, 3, "summaries");
  const size_t summaries = lua_rawlen(L, 3);
  if (groups->n != n)
    return luaL_error(L, "groups of %I rows do not match a column of %I rows", (lua_Integer)groups->n, (lua_Integer)n);
  if (summaries > MN_SUMMARIES) return luaL_error(L, "there can be at most %d summaries", MN_SUMMARIES);
  luaL_checkstack(L, MN_SUMMARIES + 8, NULL);
  lua_createtable(L, MN_SUMMARIES, 0);
  const int list = lua_gettop(L);
  for (size_t s = 0; s < summaries; s++) {
    lua_rawgeti(L, 3, (lua_Integer)s + 1);
    what[s] = summary_named(L, luaL_checkstring(L, -1));
    lua_pop(L, 1);
    result[s] = push_result(L, what[s], groups->count, view.levels, list, (lua_Integer)s + 1);
    out[s] = result[s].number;
  }
  mn_context *ctx = mn_lua_begin(L);
  if (mn_frame_summarize(ctx, &view, groups, summaries, what, out) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t s = 0; s < summaries; s++) convert_codes(&result[s]);
  mn_lua_end(L, ctx);
  lua_settop(L, list);
  return 1;
}

/* crosstab(a, b) -> a Vector for each group of b: how many of its rows are in each group of a */
static int crosstab(lua_State *L)
{
  lua_settop(L, 2);
  const mn_groups *a = check_groups(L, 1), *b = check_groups(L, 2);
  if (a->n != b->n) return luaL_error(L, "columns must have the same length");
  double **count = lua_newuserdatauv(L, b->count * sizeof *count + 1, 0);
  lua_createtable(L, mn_lua_table_size(b->count), 0);
  for (size_t j = 0; j < b->count; j++) {
    mn_lua_vector *v = mn_lua_push_vector(L, a->count);
    v->whole = true;
    count[j] = v->at;
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  for (size_t i = 0; i < a->n; i++) count[b->of[i]][a->of[i]]++;
  return 1;
}

static const char *const join_names[] = { "inner", "left", "right", "outer", NULL };

/* join(left keys, right keys, how) -> Vectors of left and right rows, NaN where there is none */
static int join(lua_State *L)
{
  size_t keys, left, others, right, rows;
  const mn_join_kind how = (mn_join_kind)luaL_checkoption(L, 3, NULL, join_names);
  lua_settop(L, 3);
  const mn_view *left_key = mn_lua_check_columns(L, 1, &keys, &left),
                *right_key = mn_lua_check_columns(L, 2, &others, &right);
  if (keys != others) return luaL_error(L, "both sides must have the same number of keys");
  for (size_t j = 0; j < keys; j++)
    if (!left_key[j].number != !right_key[j].number)
      return luaL_error(L, "key %I has numbers on one side and labels on the other", (lua_Integer)j + 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_vector *out[2] = { mn_lua_push_empty_vector(L), mn_lua_push_empty_vector(L) };
  mn_join j;
  const bool done = mn_frame_match(ctx, keys, left_key, left, right_key, right, &j) == MN_OK &&
                    mn_frame_count_matches(ctx, &j, how, &rows) == MN_OK &&
                    mn_vector_init(ctx, &out[0]->own, rows) == MN_OK &&
                    mn_vector_init(ctx, &out[1]->own, rows) == MN_OK;
  if (!done) return mn_lua_raise(L, ctx);
  mn_frame_join(&j, how, out[0]->own.at, out[1]->own.at);
  mn_lua_end(L, ctx);
  for (int side = 0; side < 2; side++) {
    mn_lua_commit_vector(L, out[side]);
    out[side]->whole = true;
  }
  return 2;
}

/* coalesce_rows(left rows, right rows, n) -> the left row, or n + the right row where the left one is missing */
static int coalesce_rows(lua_State *L)
{
  const mn_lua_vector *left = mn_lua_checkudata_vector(L, 1), *right = mn_lua_checkudata_vector(L, 2);
  const double n = (double)mn_lua_check_size(L, 3);
  if (left->size != right->size) return luaL_error(L, "left and right rows must have the same length");
  const mn_lua_vector *out = push_integers(L, left->size);
  for (size_t i = 0; i < left->size; i++) {
    const double row = left->at[i * left->step];
    out->at[i] = isnan(row) ? n + right->at[i * right->step] : row;
  }
  return 1;
}

/* --- concat --- */

static int concat_vectors(lua_State *L, const mn_view *view, const size_t *size, size_t parts, size_t n)
{
  mn_lua_vector *out = mn_lua_push_raw_vector(L, n);
  out->whole = true;
  size_t position = 0;
  for (size_t p = 0; p < parts; p++) {
    mn_lua_copy_strided(view[p].number, view[p].step, out->at + position, 1, size[p]);
    position += size[p];
    lua_rawgeti(L, 1, (lua_Integer)p + 1);
    if (!mn_lua_checkudata_vector(L, -1)->whole) out->whole = false;
    lua_pop(L, 1);
  }
  return 1;
}

static int concat_factors(lua_State *L, const mn_view *view, const size_t *size, size_t parts, size_t n)
{
  mn_factor *out = mn_lua_push_factor(L, n, NULL);
  mn_context *ctx = mn_lua_begin(L);
  const mn_levels **levels = MN_RAW(ctx, const mn_levels *, parts, 1);
  int32_t **map = MN_RAW(ctx, int32_t *, parts, 1);
  if (!levels || !map) return mn_lua_raise(L, ctx);
  for (size_t p = 0; p < parts; p++) levels[p] = view[p].levels;
  out->levels = mn_frame_union_levels(ctx, levels, parts, map);
  if (!out->levels) return mn_lua_raise(L, ctx);
  size_t position = 0;
  for (size_t p = 0; p < parts; p++)
    for (size_t i = 0; i < size[p]; i++) out->code[position++] = view[p].code[i] < 0 ? -1 : map[p][view[p].code[i]];
  mn_lua_end(L, ctx);
  return 1;
}

/* concat{ column, ... } -> one column; of Factors, it has the union of their levels */
static int concat(lua_State *L)
{
  size_t n = 0;
  lua_settop(L, 1);
  mn_lua_copy_list(L, 1, "columns");
  const size_t parts = lua_rawlen(L, 1);
  mn_view *view = lua_newuserdatauv(L, parts * sizeof *view + 1, 0);
  size_t *size = lua_newuserdatauv(L, parts * sizeof *size + 1, 0);
  for (size_t p = 0; p < parts; p++) {
    lua_rawgeti(L, 1, (lua_Integer)p + 1);
    view[p] = mn_lua_check_column(L, -1, &size[p]);
    lua_pop(L, 1);
    if (!view[p].number != !view[0].number)
      return luaL_error(L, "part %I has %s, part 1 has %s", (lua_Integer)p + 1, view[p].number ? "numbers" : "labels",
                        view[0].number ? "numbers" : "labels");
    n += size[p];
  }
  if (parts == 0) return luaL_error(L, "there are no columns to concatenate");
  return view[0].number ? concat_vectors(L, view, size, parts, n) : concat_factors(L, view, size, parts, n);
}

/* present_or(column, k) -> Vector: i where value i is present, k where it is missing */
static int present_or(lua_State *L)
{
  size_t n;
  const mn_view view = mn_lua_check_column(L, 1, &n);
  const double k = (double)mn_lua_check_size(L, 2);
  const mn_lua_vector *out = push_integers(L, n);
  for (size_t i = 0; i < n; i++) {
    const bool missing = view.number ? isnan(view.number[i * view.step]) : view.code[i] < 0;
    out->at[i] = missing ? k : (double)(i + 1);
  }
  return 1;
}

void mn_lua_open_frame_keys(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "order", order },
    { "group", group },
    { "group_rows", group_rows },
    { "single_group", single_group },
    { "first_rows", first_rows },
    { "group_sizes", group_sizes },
    { "summarize", summarize },
    { "join", join },
    { "coalesce_rows", coalesce_rows },
    { "concat", concat },
    { "present_or", present_or },
    { "crosstab", crosstab },
    { NULL, NULL },
  };
  mn_lua_new_gc_metatable(L, GROUPS, free_groups);
  luaL_setfuncs(L, functions, 0);
}
