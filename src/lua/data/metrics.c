#include "metrics.h"
#include "../values/userdata.h"
#include <string.h>

mn_context *mn_lua_begin_metric(lua_State *L, int n)
{
  lua_settop(L, n);
  luaL_checkstack(L, 24, NULL);
  return mn_lua_begin(L);
}

const double *mn_lua_opt_values(lua_State *L, mn_context *ctx, int arg)
{
  if (lua_isnil(L, arg)) return NULL;
  return mn_lua_check_matrix(L, ctx, arg).at;
}

size_t mn_lua_check_count(lua_State *L, int arg)
{
  const lua_Integer value = luaL_checkinteger(L, arg);
  luaL_argcheck(L, value > 0, arg, "must be > 0");
  return (size_t)value;
}

void *mn_lua_push_buffer(lua_State *L, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_checked_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  return lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
}

/* --- labels in one list --- */

/* A Factor on its way into the list. */
struct part {
  const mn_factor *f;
  size_t levels;
  int32_t *place; /* of each level in the list */
};

static struct part part_of(lua_State *L, int arg)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, arg);
  struct part p = { .f = f, .levels = f->levels ? mn_levels_size(f->levels) : 0 };
  p.place = mn_lua_push_buffer(L, sizeof *p.place, p.levels);
  return p;
}

/* place[l] = place of level l in the list `of`, whose elements are distinct. */
static void place_in_list(const struct part *p, const struct part *of)
{
  for (size_t l = 0; l < of->levels; l++) of->place[l] = -1;
  for (size_t i = 0; i < of->f->size; i++)
    if (of->f->code[i] >= 0) of->place[of->f->code[i]] = (int32_t)i;
  for (size_t l = 0; l < p->levels; l++) {
    const int32_t found = of->levels > 0 ? mn_levels_find(of->f->levels, mn_levels_at(p->f->levels, l)) : -1;
    p->place[l] = found >= 0 ? of->place[found] : -1;
  }
}

static void mark_present(const struct part *p)
{
  for (size_t l = 0; l < p->levels; l++) p->place[l] = -1;
  for (size_t i = 0; i < p->f->size; i++)
    if (p->f->code[i] >= 0) p->place[p->f->code[i]] = 0;
}

/* Index of the next level from `l` on that is present. */
static size_t next_present(const struct part *p, size_t l)
{
  while (l < p->levels && p->place[l] < 0) l++;
  return l;
}

/* Places in the list of all labels that are present in either, which is pushed. */
static size_t place_in_union(lua_State *L, const struct part *a, const struct part *b)
{
  size_t k = 0;
  mark_present(a);
  mark_present(b);
  lua_newtable(L);
  for (size_t i = next_present(a, 0), j = next_present(b, 0); i < a->levels || j < b->levels; k++) {
    const int order = i == a->levels   ? 1
                      : j == b->levels ? -1
                                       : mn_label_compare(mn_levels_at(a->f->levels, i), mn_levels_at(b->f->levels, j));
    mn_lua_push_label(L, order <= 0 ? mn_levels_at(a->f->levels, i) : mn_levels_at(b->f->levels, j));
    lua_rawseti(L, -2, (lua_Integer)k + 1);
    if (order <= 0) {
      a->place[i] = (int32_t)k;
      i = next_present(a, i + 1);
    }
    if (order >= 0) {
      b->place[j] = (int32_t)k;
      j = next_present(b, j + 1);
    }
  }
  return k;
}

static void encode(const struct part *p, int32_t *code)
{
  for (size_t i = 0; i < p->f->size; i++) code[i] = p->f->code[i] < 0 ? -1 : p->place[p->f->code[i]];
}

static const char *kind_of(const struct part *p)
{
  if (p->levels == 0) return NULL;
  switch (mn_levels_at(p->f->levels, p->levels - 1).kind) { /* the last one: text comes behind numbers */
  case MN_LABEL_BOOLEAN: return "booleans";
  case MN_LABEL_TEXT: return "text";
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: break;
  }
  return "numbers";
}

mn_lua_codes mn_lua_align_labels(lua_State *L)
{
  const struct part a = part_of(L, 1), b = part_of(L, 2);
  const char *kind = kind_of(&a), *other = kind_of(&b);
  if (kind && other && kind != other && strcmp(kind, other) != 0)
    luaL_error(L, "y and predicted must hold labels of one kind, got %s and %s", kind, other);
  mn_lua_codes c = { .n = a.f->size };
  c.y = mn_lua_push_buffer(L, sizeof *c.y, a.f->size);
  c.predicted = mn_lua_push_buffer(L, sizeof *c.predicted, b.f->size);
  if (lua_isnil(L, 3)) {
    c.k = place_in_union(L, &a, &b);
  } else {
    const struct part list = part_of(L, 3);
    place_in_list(&a, &list);
    place_in_list(&b, &list);
    c.k = list.f->size;
    lua_pushvalue(L, 3);
  }
  c.names = lua_gettop(L);
  encode(&a, c.y);
  encode(&b, c.predicted);
  return c;
}

int32_t *mn_lua_class_codes(lua_State *L, size_t *n, size_t *k)
{
  const struct part y = part_of(L, 1), list = part_of(L, 2);
  int32_t *code = mn_lua_push_buffer(L, sizeof *code, y.f->size);
  place_in_list(&y, &list);
  encode(&y, code);
  *n = y.f->size;
  *k = list.f->size;
  return code;
}

void mn_lua_open_metrics(lua_State *L)
{
  lua_newtable(L);
  luaL_setfuncs(L, mn_lua_metrics_classes, 0);
  luaL_setfuncs(L, mn_lua_metrics_scores, 0);
  luaL_setfuncs(L, mn_lua_metrics_errors, 0);
  luaL_setfuncs(L, mn_lua_metrics_clusters, 0);
  luaL_setfuncs(L, mn_lua_metrics_lists, 0);
  lua_setfield(L, -2, "metrics");
}
