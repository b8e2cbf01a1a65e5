#include "metrics.h"
#include "../values/userdata.h"
#include <string.h>

mn_context *mn_lua_begin_metric(lua_State *L, int n)
{
  lua_settop(L, n);
  luaL_checkstack(L, 24, NULL);
  return mn_lua_begin(L);
}

const double *mn_lua_opt_weights(lua_State *L, mn_context *ctx, int arg, size_t n)
{
  if (lua_isnil(L, arg)) return NULL;
  const mn_matrix w = mn_lua_check_matrix(L, ctx, arg);
  if (w.rows * w.cols != n)
    luaL_error(L, "weights must have %I values, got %I", (lua_Integer)n, (lua_Integer)(w.rows * w.cols));
  return w.at;
}

size_t mn_lua_check_count(lua_State *L, int arg)
{
  const lua_Integer value = luaL_checkinteger(L, arg);
  luaL_argcheck(L, value > 0, arg, "must be > 0");
  return (size_t)value;
}

/* --- label codes --- */

/* Maps the levels of a Factor to positions in a list of labels. */
struct level_map {
  const mn_factor *f;
  size_t levels;
  int32_t *position; /* of each level; -1 when it is not in the list */
};

static struct level_map new_level_map(lua_State *L, int arg)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, arg);
  struct level_map p = { .f = f, .levels = f->levels ? mn_levels_size(f->levels) : 0 };
  p.position = mn_lua_push_buffer(L, sizeof *p.position, p.levels);
  return p;
}

/* Map levels to positions in a list of distinct labels. */
static void map_to_list(const struct level_map *p, const struct level_map *list)
{
  for (size_t l = 0; l < list->levels; l++) list->position[l] = -1;
  for (size_t i = 0; i < list->f->size; i++)
    if (list->f->code[i] >= 0) list->position[list->f->code[i]] = (int32_t)i;
  for (size_t l = 0; l < p->levels; l++) {
    const int32_t found = list->levels > 0 ? mn_levels_find(list->f->levels, mn_levels_at(p->f->levels, l)) : -1;
    p->position[l] = found >= 0 ? list->position[found] : -1;
  }
}

static void mark_present(const struct level_map *p)
{
  for (size_t l = 0; l < p->levels; l++) p->position[l] = -1;
  for (size_t i = 0; i < p->f->size; i++)
    if (p->f->code[i] >= 0) p->position[p->f->code[i]] = 0;
}

/* The first present level from l on. */
static size_t next_present(const struct level_map *p, size_t l)
{
  while (l < p->levels && p->position[l] < 0) l++;
  return l;
}

/* Push the list of all labels present in either Factor and map levels to positions in it. */
static size_t map_to_union(lua_State *L, const struct level_map *a, const struct level_map *b)
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
      a->position[i] = (int32_t)k;
      i = next_present(a, i + 1);
    }
    if (order >= 0) {
      b->position[j] = (int32_t)k;
      j = next_present(b, j + 1);
    }
  }
  return k;
}

static void encode(const struct level_map *p, int32_t *code)
{
  for (size_t i = 0; i < p->f->size; i++) code[i] = p->f->code[i] < 0 ? -1 : p->position[p->f->code[i]];
}

static const char *label_type(const struct level_map *p)
{
  if (p->levels == 0) return NULL;
  switch (mn_levels_at(p->f->levels, p->levels - 1).kind) { /* the last one: text sorts after numbers */
  case MN_LABEL_BOOLEAN: return "booleans";
  case MN_LABEL_TEXT: return "text";
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: break;
  }
  return "numbers";
}

mn_lua_codes mn_lua_align_labels(lua_State *L)
{
  const struct level_map a = new_level_map(L, 1), b = new_level_map(L, 2);
  if (a.f->size != b.f->size)
    luaL_error(L, "y and predicted must have the same length, got %I and %I", (lua_Integer)a.f->size,
               (lua_Integer)b.f->size);
  const char *type = label_type(&a), *other = label_type(&b);
  if (type && other && strcmp(type, other) != 0)
    luaL_error(L, "y and predicted must have labels of the same type, got %s and %s", type, other);
  mn_lua_codes c = { .n = a.f->size };
  c.y = mn_lua_push_buffer(L, sizeof *c.y, a.f->size);
  c.predicted = mn_lua_push_buffer(L, sizeof *c.predicted, b.f->size);
  if (lua_isnil(L, 3)) {
    c.k = map_to_union(L, &a, &b);
  } else {
    const struct level_map list = new_level_map(L, 3);
    map_to_list(&a, &list);
    map_to_list(&b, &list);
    c.k = list.f->size;
    lua_pushvalue(L, 3);
  }
  c.names = lua_gettop(L);
  encode(&a, c.y);
  encode(&b, c.predicted);
  return c;
}

int32_t *mn_lua_class_codes(lua_State *L, size_t *n, size_t *n_classes)
{
  const struct level_map y = new_level_map(L, 1), list = new_level_map(L, 2);
  int32_t *code = mn_lua_push_buffer(L, sizeof *code, y.f->size);
  map_to_list(&y, &list);
  encode(&y, code);
  *n = y.f->size;
  *n_classes = list.f->size;
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
  luaL_setfuncs(L, mn_lua_metrics_spans, 0);
  lua_setfield(L, -2, "metrics");
}
