/* Templates of features of tokens, one a line, in the notation of CRF++:
 *
 *     U01:%x[-1,0]/%x[0,form]
 *
 * gives each token the feature "U01:" with the text of the first column in the row before it, a slash, and that of the
 * column form in its own row. Rows before and behind the sequence have the texts _B-1, _B-2, ... and _B+1, ...
 *
 *     B01:%x[0,form]
 *
 * gives each token but the first of a sequence a feature of the transition to it. */
#ifndef MN_TAGGING_TEMPLATE_H
#define MN_TAGGING_TEMPLATE_H
#include "../model/class.h"
#include "../text/term_source.h"

/* What a macro takes of the text of a cell. */
enum mn_macro_kind {
  MN_MACRO_TEXT,   /* %x[row,column]: all of it                                              */
  MN_MACRO_LOWER,  /* %l[row,column]: in lower case                                          */
  MN_MACRO_PREFIX, /* %p[row,column,n]: the first n characters                               */
  MN_MACRO_SUFFIX, /* %s[row,column,n]: the last n characters                                */
  MN_MACRO_SHAPE   /* %w[row,column]: X, x and 0 for runs of capitals, other letters, digits */
};

/* Bytes that are copied, then a macro (unless column is SIZE_MAX). */
typedef struct mn_template_piece {
  const char *bytes;
  size_t size;
  enum mn_macro_kind kind;
  int64_t offset;
  size_t column, characters;
  bool ends_line;     /* the feature is complete                   */
  bool of_transition; /* a line B: skipped for the first of a sequence */
} mn_template_piece;

typedef struct mn_template {
  const mn_template_piece *piece; /* in scratch */
  size_t pieces;
  bool has_transition_features;
} mn_template;

/* Read the text of a template for X with these columns; names NULL: they have none. `who` for messages;
 * `transitions`: the model has them. */
mn_status mn_template_parse(mn_context *ctx, const char *who, bool transitions, const char *text, size_t columns,
                            const char *const *names, mn_template *out);

/* Whether a line, or a feature that it made, is of transitions: B, digits, then nothing, a colon or a macro. */
bool mn_is_of_transition(const char *line, size_t size);

/* Append what a macro takes of a text to the term of `a`. */
mn_status mn_template_append(mn_context *ctx, const mn_template_piece *piece, const char *text, size_t size,
                             mn_analysis *a);

#endif
