/* tostring: the shape, and as many of the values as fit on the screen. */
#include "userdata.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

enum { MAX_ROWS = 12, HEAD_ROWS = 8, TAIL_ROWS = 3, MAX_COLS = 64, WORD_SIZE = 40 };

/* --- the screen --- */

enum { MIN_WIDTH = 20, DEFAULT_WIDTH = 80, MAX_WIDTH = 1000 };

static const char screen_key = 's'; /* its address is the registry key of the width set by `screen` */

/* The width of the terminal on standard output; 0 if it is not a terminal. */
static int terminal_columns(void)
{
#ifdef TIOCGWINSZ
  struct winsize size;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) return size.ws_col;
#endif
  return 0;
}

/* The width set by `screen`, else the environment variable COLUMNS, else the width of the terminal, else 80. */
static size_t screen_columns(lua_State *L)
{
  const char *columns = getenv("COLUMNS");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &screen_key);
  long width = (long)lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (width <= 0 && columns) width = strtol(columns, NULL, 10);
  if (width <= 0) width = terminal_columns();
  if (width <= 0) width = DEFAULT_WIDTH;
  return (size_t)(width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width);
}

/* screen([columns]) -> width of printed values. A number sets it; 0 restores the default. */
int mn_lua_screen_width(lua_State *L)
{
  if (!lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, luaL_checkinteger(L, 1));
    lua_rawsetp(L, LUA_REGISTRYINDEX, &screen_key);
  }
  lua_pushinteger(L, (lua_Integer)screen_columns(L));
  return 1;
}

/* --- numbers --- */

/* The number format of a column: integers, fixed point, or scientific notation. */
struct format {
  enum { INTEGER, FIXED_POINT, SCIENTIFIC } kind;
  int digits; /* after the decimal point */
};

struct cell {
  char text[WORD_SIZE];
  size_t width;
};

/* Significant digits of the largest number in a column; maximum number of decimals. */
enum { SIGNIFICANT = 5, MAX_DECIMALS = 8 };

/* Number of decimals without trailing zeros. */
static int count_decimals(const char *text)
{
  const char *point = strpbrk(text, ".,");
  if (!point) return 0;
  int last = 0;
  for (int i = 1; point[i] >= '0' && point[i] <= '9'; i++)
    if (point[i] != '0') last = i;
  return last;
}

static void write_number(struct cell *c, double value, struct format format)
{
  if (isnan(value)) {
    snprintf(c->text, sizeof c->text, "nan");
  } else if (format.kind == SCIENTIFIC && isfinite(value)) {
    snprintf(c->text, sizeof c->text, "%.*e", format.digits, value);
  } else {
    snprintf(c->text, sizeof c->text, "%.*f", format.kind == INTEGER ? 0 : format.digits, value + 0.0);
  }
  char *comma = strchr(c->text, ','); /* the host may have set a locale */
  if (comma) *comma = '.';
  c->width = strlen(c->text);
}

/* Choose the format that shows the largest of n numbers with five significant digits and the smallest with two, without
 * trailing zeros that all of them share. */
static struct format choose_format(const double *value, size_t n)
{
  struct format format = { .kind = INTEGER };
  double max = 0, min = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double size = fabs(value[i]);
    if (!isfinite(size)) continue;
    if (size != floor(size)) format.kind = FIXED_POINT;
    max = fmax(max, size);
    if (size > 0) min = fmin(min, size);
  }
  if (max == 0) return format;
  const int max_exponent = (int)floor(log10(max)), min_exponent = (int)floor(log10(min));
  format.digits = SIGNIFICANT - 1 - max_exponent > 0 ? SIGNIFICANT - 1 - max_exponent : 0;
  if (format.kind == FIXED_POINT && format.digits < 1 - min_exponent) format.digits = 1 - min_exponent;
  if (format.kind == INTEGER ? max_exponent >= 15 : format.digits > MAX_DECIMALS || max_exponent >= 9)
    format = (struct format){ .kind = SCIENTIFIC, .digits = SIGNIFICANT - 1 };
  if (format.kind == INTEGER) return format;
  int needed = 0;
  for (size_t i = 0; i < n; i++) {
    struct cell c;
    write_number(&c, value[i], format);
    const int digits = count_decimals(c.text);
    needed = digits > needed ? digits : needed;
  }
  format.digits = needed;
  return format;
}

/* A single number: an integer, or with five significant digits. */
static struct cell format_number(double value)
{
  struct cell c;
  if (value == floor(value) && fabs(value) < 1e15)
    write_number(&c, value, (struct format){ .kind = INTEGER });
  else if (isnan(value))
    write_number(&c, value, (struct format){ .kind = FIXED_POINT });
  else
    snprintf(c.text, sizeof c.text, "%.5g", value);
  char *comma = strchr(c.text, ',');
  if (comma) *comma = '.';
  c.width = strlen(c.text);
  return c;
}

static void add_spaces(luaL_Buffer *b, size_t n)
{
  while (n-- > 0) luaL_addchar(b, ' ');
}

/* Control characters become '?'; long labels are cut between UTF-8 characters. */
static void label_word(mn_label label, char *text)
{
  enum { MAX_LENGTH = 24 };
  mn_format_label(text, WORD_SIZE, label);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  if (strlen(text) <= MAX_LENGTH) return;
  size_t end = MAX_LENGTH - 3;
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  memcpy(text + end, "...", 4);
}

/* --- Matrix --- */

/* The indices of the rows to show: all, or the first and the last ones. */
static size_t select_rows(size_t rows, size_t row[MAX_ROWS])
{
  const bool all = rows <= MAX_ROWS;
  const size_t n = all ? rows : HEAD_ROWS + TAIL_ROWS;
  for (size_t i = 0; i < n; i++) row[i] = all || i < HEAD_ROWS ? i : rows - n + i;
  return n;
}

/* The part of a matrix that is shown. */
struct excerpt {
  size_t n_rows, n_cols, row[MAX_ROWS];
  bool named;
  struct cell name[MAX_COLS];
  struct format format[MAX_COLS];
  size_t width[MAX_COLS];
};

static double excerpt_value(const mn_lua_matrix *m, const struct excerpt *c, size_t i, size_t j)
{
  return m->at[c->row[i] * m->row_step + j * m->col_step];
}

static size_t format_column(const mn_lua_matrix *m, struct excerpt *c, size_t j)
{
  double value[MAX_ROWS];
  struct cell cell;
  size_t width = c->named ? c->name[j].width : 0;
  for (size_t i = 0; i < c->n_rows; i++) value[i] = excerpt_value(m, c, i, j);
  c->format[j] = choose_format(value, c->n_rows);
  for (size_t i = 0; i < c->n_rows; i++) {
    write_number(&cell, value[i], c->format[j]);
    width = cell.width > width ? cell.width : width;
  }
  return c->width[j] = width;
}

/* As many columns as fit on the screen next to an ellipsis; at least one. */
static void format_columns(const mn_lua_matrix *m, struct excerpt *c, size_t screen)
{
  size_t width = 0;
  c->n_rows = select_rows(m->rows, c->row);
  c->n_cols = 0;
  for (size_t j = 0; j < m->cols && j < MAX_COLS; j++) {
    width += 2 + format_column(m, c, j);
    if (width > (j + 1 < m->cols ? screen - 5 : screen) && j > 0) return;
    c->n_cols++;
  }
}

static void add_row(luaL_Buffer *b, const mn_lua_matrix *m, const struct excerpt *c, size_t i)
{
  luaL_addchar(b, '\n');
  for (size_t j = 0; j < c->n_cols; j++) {
    struct cell cell;
    write_number(&cell, excerpt_value(m, c, i, j), c->format[j]);
    add_spaces(b, 2 + c->width[j] - cell.width);
    luaL_addstring(b, cell.text);
  }
  if (c->n_cols < m->cols) luaL_addstring(b, "  ...");
}

/* Characters of UTF-8 text. */
static size_t count_characters(const char *text)
{
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

static void read_names(lua_State *L, const mn_lua_matrix *m, struct excerpt *c)
{
  c->named = mn_lua_push_column_names(L, 1);
  for (size_t j = 0; c->named && j < m->cols && j < MAX_COLS; j++) {
    mn_label label;
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (mn_lua_to_label(L, -1, &label)) label_word(label, c->name[j].text);
    c->name[j].width = count_characters(c->name[j].text);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void add_names(luaL_Buffer *b, const mn_lua_matrix *m, const struct excerpt *c)
{
  if (!c->named || c->n_cols == 0) return;
  luaL_addchar(b, '\n');
  for (size_t j = 0; j < c->n_cols; j++) {
    add_spaces(b, 2 + c->width[j] - c->name[j].width);
    luaL_addstring(b, c->name[j].text);
  }
  if (c->n_cols < m->cols) luaL_addstring(b, "  ...");
}

int mn_lua_matrix_tostring(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t screen = screen_columns(L);
  struct excerpt c = { .named = false };
  char title[80];
  luaL_Buffer b;
  read_names(L, m, &c);
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Matrix %zu x %zu", m->rows, m->cols);
  luaL_addstring(&b, title);
  format_columns(m, &c, screen);
  add_names(&b, m, &c);
  for (size_t i = 0; c.n_cols > 0 && i < c.n_rows; i++) {
    if (i > 0 && c.row[i] != c.row[i - 1] + 1) luaL_addstring(&b, "\n  ...");
    add_row(&b, m, &c, i);
  }
  luaL_pushresult(&b);
  return 1;
}

/* --- lists on one line --- */

/* Add a list of n words in `max_width` columns: all of them, or the first ones, an ellipsis and the last one. `word`
 * writes word i into its buffer. */
static void add_list(luaL_Buffer *b, size_t max_width, size_t n, void (*word)(const void *from, size_t i, char *text),
                     const void *from)
{
  char text[WORD_SIZE], last[WORD_SIZE];
  if (n == 0) return;
  word(from, n - 1, last);
  size_t all = 0;
  for (size_t i = 0; i < n && all <= max_width; i++) {
    word(from, i, text);
    all += 1 + strlen(text);
  }
  const size_t end = strlen(last) + 5; /* " ..." and " last" */
  size_t width = 0;
  for (size_t i = 0; i < n; i++) {
    word(from, i, text);
    width += 1 + strlen(text);
    if (all > max_width && width + end > max_width && i > 0) {
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

static size_t remaining_width(size_t screen, const char *title)
{
  const size_t used = strlen(title);
  return used < screen ? screen - used : 0;
}

int mn_lua_vector_tostring(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  const size_t screen = screen_columns(L);
  char title[48];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Vector of %zu%s", v->size, v->size > 0 ? ":" : "");
  luaL_addstring(&b, title);
  add_list(&b, remaining_width(screen, title), v->size, vector_word, v);
  luaL_pushresult(&b);
  return 1;
}

/* --- Factor --- */

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

int mn_lua_factor_tostring(lua_State *L)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  const size_t levels = f->levels ? mn_levels_size(f->levels) : 0, screen = screen_columns(L);
  char title[64];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(title, sizeof title, "Factor of %zu, %zu level%s%s", f->size, levels, levels == 1 ? "" : "s",
           levels > 0 ? ":" : "");
  luaL_addstring(&b, title);
  add_list(&b, remaining_width(screen, title), levels, level_word, f);
  if (f->size > 0) luaL_addstring(&b, "\n ");
  add_list(&b, screen - 1, f->size, factor_word, f);
  luaL_pushresult(&b);
  return 1;
}

/* --- Sparse --- */

int mn_lua_sparse_tostring(lua_State *L)
{
  enum { MAX_ENTRIES = 10 };
  const mn_csr *s = mn_lua_checkudata_sparse(L, 1);
  const size_t nonzeros = s->start ? s->start[s->rows] : 0;
  char line[96];
  size_t row = 0;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  snprintf(line, sizeof line, "Sparse %zu x %zu, %zu value%s", s->rows, s->cols, nonzeros, nonzeros == 1 ? "" : "s");
  luaL_addstring(&b, line);
  for (size_t k = 0; k < nonzeros && k < MAX_ENTRIES; k++) {
    while (s->start[row + 1] <= k) row++;
    snprintf(line, sizeof line, "\n  (%zu, %zu)  %s", row + 1, (size_t)s->col[k] + 1, format_number(s->at[k]).text);
    luaL_addstring(&b, line);
  }
  if (nonzeros > MAX_ENTRIES) luaL_addstring(&b, "\n  ...");
  luaL_pushresult(&b);
  return 1;
}

int mn_lua_concat_error(lua_State *L)
{
  const int value = mn_lua_userdata_kind(L, 1) != MN_LUA_NONE ? 1 : 2;
  return luaL_error(L, "a %s cannot be joined with '..'; use tostring", mn_lua_type_name(L, value));
}
