/* tostring: the shape, and as much of the values as fits a screen of 80 columns. */
#include "kinds.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCREEN = 80, CELL_SIZE = 28, MOST_ROWS = 12, HEAD_ROWS = 8, TAIL_ROWS = 3, MOST_COLS = 40, WORD_SIZE = 40 };

/* A number and how far it reaches to either side of its point. */
struct cell {
  char text[CELL_SIZE];
  size_t left, right;
};

/* Whole numbers whole, others with five digits. */
static struct cell format_number(double value)
{
  struct cell c;
  const bool whole = fabs(value) < 1e15 && value == floor(value);
  if (isnan(value))
    snprintf(c.text, sizeof c.text, "nan");
  else if (whole)
    snprintf(c.text, sizeof c.text, "%.0f", value + 0.0);
  else
    snprintf(c.text, sizeof c.text, "%.5g", value);
  char *comma = strchr(c.text, ','); /* the host may have set a locale */
  if (comma) *comma = '.';
  c.left = strcspn(c.text, ".e");
  c.right = strlen(c.text) - c.left;
  return c;
}

static void add_spaces(luaL_Buffer *b, size_t n)
{
  while (n-- > 0) luaL_addchar(b, ' ');
}

/* --- Matrix --- */

/* The rows that are shown: all of few, else the first and the last ones. */
static size_t shown_rows(size_t rows, size_t row[MOST_ROWS])
{
  const bool all = rows <= MOST_ROWS;
  const size_t n = all ? rows : HEAD_ROWS + TAIL_ROWS;
  for (size_t i = 0; i < n; i++) row[i] = all || i < HEAD_ROWS ? i : rows - n + i;
  return n;
}

struct corner {
  size_t n_rows, n_cols, row[MOST_ROWS];
  size_t left[MOST_COLS], right[MOST_COLS];
  struct cell cell[MOST_ROWS][MOST_COLS];
};

/* Columns from the first on while they fit beside an ellipsis. */
static void lay_out(const mn_lua_matrix *m, struct corner *c)
{
  size_t width = 0;
  c->n_rows = shown_rows(m->rows, c->row);
  c->n_cols = 0;
  for (size_t j = 0; j < m->cols && j < MOST_COLS; j++) {
    size_t left = 0, right = 0;
    for (size_t i = 0; i < c->n_rows; i++) {
      const struct cell cell = format_number(m->at[c->row[i] * m->row_step + j * m->col_step]);
      c->cell[i][j] = cell;
      left = cell.left > left ? cell.left : left;
      right = cell.right > right ? cell.right : right;
    }
    const size_t room = j + 1 < m->cols ? SCREEN - 4 : SCREEN;
    width += 2 + left + right;
    if (width > room && j > 0) return;
    c->left[j] = left;
    c->right[j] = right;
    c->n_cols++;
  }
}

static void add_row(luaL_Buffer *b, const struct corner *c, size_t i, bool more)
{
  size_t pending = 0; /* blanks at the end of a line are left out */
  luaL_addchar(b, '\n');
  for (size_t j = 0; j < c->n_cols; j++) {
    const struct cell *cell = &c->cell[i][j];
    add_spaces(b, pending + 2 + c->left[j] - cell->left);
    luaL_addstring(b, cell->text);
    pending = c->right[j] - cell->right;
  }
  if (!more) return;
  add_spaces(b, pending);
  luaL_addstring(b, " ...");
}

int mn_lua_show_matrix(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_need_matrix(L, 1);
  struct corner c;
  char title[80];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Matrix %zu x %zu", m->rows, m->cols);
  luaL_addstring(&b, title);
  lay_out(m, &c);
  for (size_t i = 0; c.n_cols > 0 && i < c.n_rows; i++) {
    if (i > 0 && c.row[i] != c.row[i - 1] + 1) luaL_addstring(&b, "\n  ...");
    add_row(&b, &c, i, c.n_cols < m->cols);
  }
  luaL_pushresult(&b);
  return 1;
}

/* --- lists on one line --- */

/* A list of words that fills a line: the first ones, an ellipsis, the last one, or all when they fit. `word` writes
 * number i into its buffer. */
static void add_list(luaL_Buffer *b, size_t used, size_t n, void (*word)(const void *from, size_t i, char *text),
                     const void *from)
{
  char text[WORD_SIZE], last[WORD_SIZE];
  if (n == 0) return;
  word(from, n - 1, last);
  const size_t room = SCREEN - used;
  size_t all = 0;
  for (size_t i = 0; i < n && all <= room; i++) {
    word(from, i, text);
    all += 1 + strlen(text);
  }
  const size_t end = strlen(last) + 5; /* " ..." and " last" */
  size_t width = 0;
  for (size_t i = 0; i < n; i++) {
    word(from, i, text);
    width += 1 + strlen(text);
    if (all > room && width + end > room && i > 0) {
      luaL_addstring(b, " ... ");
      luaL_addstring(b, last);
      return;
    }
    luaL_addchar(b, ' ');
    luaL_addstring(b, text);
  }
}

static void vector_word(const void *from, size_t i, char *text)
{
  const mn_lua_vector *v = from;
  const struct cell c = format_number(v->at[i * v->step]);
  memcpy(text, c.text, sizeof c.text);
}

int mn_lua_show_vector(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_need_vector(L, 1);
  char title[48];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Vector of %zu%s", v->size, v->size > 0 ? ":" : "");
  luaL_addstring(&b, title);
  add_list(&b, strlen(title), v->size, vector_word, v);
  luaL_pushresult(&b);
  return 1;
}

/* --- Factor --- */

/* Controls as '?', long texts cut (between characters of UTF-8). */
static void label_word(mn_label label, char *text)
{
  enum { LONGEST = 24 };
  mn_label_text(text, WORD_SIZE, label);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  if (strlen(text) <= LONGEST) return;
  size_t end = LONGEST - 3;
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  memcpy(text + end, "...", 4);
}

static void factor_word(const void *from, size_t i, char *text)
{
  const mn_factor *f = from;
  if (f->code[i] < 0)
    memcpy(text, "nil", 4);
  else
    label_word(mn_levels_at(f->levels, (size_t)f->code[i]), text);
}

static void level_word(const void *from, size_t i, char *text)
{
  label_word(mn_levels_at(((const mn_factor *)from)->levels, i), text);
}

int mn_lua_show_factor(lua_State *L)
{
  const mn_factor *f = mn_lua_need_factor(L, 1);
  const size_t levels = f->levels ? mn_levels_size(f->levels) : 0;
  char title[64];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Factor of %zu, %zu level%s%s", f->size, levels, levels == 1 ? "" : "s",
           levels > 0 ? ":" : "");
  luaL_addstring(&b, title);
  add_list(&b, strlen(title), levels, level_word, f);
  if (f->size > 0) luaL_addstring(&b, "\n ");
  add_list(&b, 1, f->size, factor_word, f);
  luaL_pushresult(&b);
  return 1;
}

/* --- Sparse --- */

int mn_lua_show_sparse(lua_State *L)
{
  enum { MOST_ENTRIES = 10 };
  const mn_csr *s = mn_lua_need_sparse(L, 1);
  const size_t nonzeros = s->start ? s->start[s->rows] : 0;
  char line[96];
  size_t row = 0;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(line, sizeof line, "Sparse %zu x %zu, %zu value%s", s->rows, s->cols, nonzeros, nonzeros == 1 ? "" : "s");
  luaL_addstring(&b, line);
  for (size_t k = 0; k < nonzeros && k < MOST_ENTRIES; k++) {
    while (s->start[row + 1] <= k) row++;
    snprintf(line, sizeof line, "\n  (%zu, %zu)  %s", row + 1, (size_t)s->col[k] + 1, format_number(s->at[k]).text);
    luaL_addstring(&b, line);
  }
  if (nonzeros > MOST_ENTRIES) luaL_addstring(&b, "\n  ...");
  luaL_pushresult(&b);
  return 1;
}

int mn_lua_no_concat(lua_State *L)
{
  const int ours = mn_lua_kind_of(L, 1) != MN_NO_VALUE ? 1 : 2;
  return luaL_error(L, "a %s cannot be joined with '..'; use tostring", mn_lua_type_name(L, ours));
}
