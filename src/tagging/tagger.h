/* Log-linear models of tags: of single tokens (LogLinear) and of sequences (MEMM, CRF, StructuredPerceptron).
 *
 *     score(x, y) = sum_t sum_a x_ta coef[a, y_t]
 *                   + sum_t (transitions[y_{t-1}, y_t] + sum_b x_tb coef[b, (y_{t-1}, y_t)])
 *
 * x_ta are the values of the attributes of token t: words, suffixes, columns; those of lines B of a template, b, are of
 * transitions. A pair (a, l) of an attribute and a tag, or a transition, has a coefficient if they occur together in
 * fit, or, by a parameter, always. The number of a tag in a pair is its class; that of the transition from i to j is
 * classes + i classes + j. */
#ifndef MN_TAGGING_TAGGER_H
#define MN_TAGGING_TAGGER_H
#include "../model/class.h"
#include "../text/vocabulary.h"

/* What attributes are. */
enum mn_attribute_source {
  MN_FROM_COLUMNS, /* the columns of X                                  */
  MN_FROM_RECORDS, /* named values of rows                              */
  MN_FROM_TEMPLATE /* strings made of the columns of X, by the template or as column=text */
};

/* The struct of all estimators of this folder; each has the parameters of its own table. */
typedef struct mn_tagger {
  mn_estimator base;
  mn_text template; /* parameters */
  int64_t solver, update, min_freq, max_iter, seed;
  double c1, c2, tol, eta0, C;
  bool all_possible_states, all_possible_transitions, averaged, fit_intercept;
  int64_t source;           /* learned fields; source: enum mn_attribute_source */
  mn_vocabulary vocabulary; /* names of the attributes, if they are strings      */
  mn_indexes first;         /* attributes + 1: the first pair of each            */
  mn_indexes label;         /* pairs: tags or transitions                        */
  mn_vector coef;           /* pairs                                             */
  mn_matrix transitions;    /* classes x classes; empty without transitions      */
} mn_tagger;

#define MN_TAGGER_TEMPLATE                                                                                             \
  MN_STRING(mn_tagger, template, "features of a token from columns of X, one a line, as U01:%x[-1,0]; nil: column=text")

/* That of models with transitions. */
#define MN_TAGGER_SEQUENCE_TEMPLATE                                                                                    \
  MN_STRING(mn_tagger, template,                                                                                       \
            "features from columns of X, one a line: of a token, as U01:%x[-1,0], or of the transition to it, as "     \
            "B01:%x[0,0]; nil: column=text")

#define MN_TAGGER_STATES                                                                                               \
  MN_COUNT(mn_tagger, min_freq, 0, MN_CLOSED(0, 1e15),                                                                 \
           "minimum number of occurrences of a pair of a feature and a tag, or of a transition; rarer ones have no "   \
           "coefficient"),                                                                                             \
      MN_FLAG(mn_tagger, all_possible_states, false,                                                                   \
              "coefficients for all pairs of a feature and a tag, also those that do not occur in fit")

#define MN_TAGGER_TRANSITIONS                                                                                          \
  MN_FLAG(mn_tagger, all_possible_transitions, false,                                                                  \
          "coefficients for all transitions between tags, also those that do not occur in fit")

#define MN_TAGGER_PENALTIES                                                                                            \
  MN_PENALTY(mn_tagger, c1, 0, MN_AT_LEAST(0), "L1 penalty: c1 sum |coefficient|"),                                    \
      MN_PENALTY(mn_tagger, c2, 1, MN_AT_LEAST(0), "L2 penalty: c2 sum coefficient^2")

/* label_brief: what the numbers in `label` are. */
#define MN_TAGGER_FIELDS(label_brief)                                                                                  \
  { .name = "terms",                                                                                                   \
    .kind = MN_KIND_NAMES,                                                                                             \
    .offset = offsetof(mn_tagger, vocabulary.terms),                                                                   \
    .shape = "terms?",                                                                                                 \
    .brief = "the features, if they are strings, in order" },                                                          \
      { .name = "slots",                                                                                               \
        .kind = MN_KIND_INDEXES,                                                                                       \
        .offset = offsetof(mn_tagger, vocabulary.slots),                                                               \
        .shape = "",                                                                                                   \
        .derived = true },                                                                                             \
      MN_LEARNED(MN_KIND_COUNT, mn_tagger, source, "", NULL), MN_INDEXES(mn_tagger, first, "starts", NULL),            \
      MN_INDEXES(mn_tagger, label, "pairs?", label_brief),                                                             \
      MN_VECTOR(mn_tagger, coef, "pairs?", "coefficients of the pairs of a feature and a tag, by feature, then tag")

#define MN_TAGGER_SEQUENCE_FIELDS                                                                                      \
  MN_TAGGER_FIELDS("the tag of each coefficient; for a transition from i to j, classes + (i - 1) classes + j"),        \
      MN_MATRIX(mn_tagger, transitions, "classes? x classes?",                                                         \
                "coefficients of transitions: from the row to the column")

/* Members of a class table that all share. */
#define MN_TAGGER_MEMBERS                                                                                              \
  .family = "tagging", .size = sizeof(mn_tagger), .check = mn_tagger_check, .derive = mn_tagger_derive

mn_status mn_tagger_check(mn_context *ctx, const void *self);
mn_status mn_tagger_derive(mn_context *ctx, void *self);

static inline size_t mn_attributes(const mn_tagger *m)
{
  return m->first.size - 1;
}

/* Whether attribute a is of transitions; false if it has no coefficients. */
static inline bool mn_is_attribute_of_transitions(const mn_tagger *m, size_t a)
{
  const int32_t f = m->first.at[a];
  return f < m->first.at[a + 1] && (size_t)m->label.at[f] >= mn_levels_size(m->base.classes);
}

/* The name of attribute a: that of fit, or xj. Returns it or `buffer`. */
enum { MN_ATTRIBUTE_NAME = 32 };
const char *mn_attribute_name(const mn_tagger *m, size_t a, char buffer[MN_ATTRIBUTE_NAME]);

#endif
