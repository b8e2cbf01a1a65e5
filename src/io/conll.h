/* Files with a token a line and blank lines between sentences, as those of CoNLL shared tasks.
 *
 * A line has the fields of a token, between spaces and tabs or a delimiter. All lines have as many fields as the first
 * one; lines that begin with the text `comment` are skipped. */
#ifndef MN_IO_CONLL_H
#define MN_IO_CONLL_H
#include "../core/levels.h"

typedef struct mn_conll {
  const char *label; /* names the text in messages */
  const char *bytes;
  size_t size;
  const char *delimiter, *comment; /* NULL: any number of spaces and tabs; no comments */
  size_t delimiter_size, comment_size;
  size_t rows, cols, sentences; /* set by mn_conll_measure */
} mn_conll;

/* What is left of a line: its fields from `next` on, NULL behind the last one. */
typedef struct mn_conll_line {
  const char *next, *end;
} mn_conll_line;

/* MN_BAD_FILE if a line has another number of fields, or there are no tokens. */
mn_status mn_conll_measure(mn_context *ctx, mn_conll *text);

/* After that:
 *
 *   line     rows, workspace
 *   cell     rows, workspace
 *   factor   cols, in: without levels and of size rows; out: the fields of each column
 *   lengths  out: sentences: their rows */
mn_status mn_conll_read(mn_context *ctx, const mn_conll *text, mn_conll_line *line, mn_label *cell,
                        mn_factor *const *factor, double *lengths);

#endif
