/* Log-linear models of tags: of single tokens (LogLinear) and of sequences (MEMM, CRF, StructuredPerceptron).
 *
 *     score(x, y) = sum_t sum_a x_ta coef[a, y_t] + sum_t transitions[y_{t-1}, y_t]
 *
 * x_ta are the values of the attributes of token t: words, suffixes, columns. A pair (a, l) has a coefficient if the
 * tag l occurs with the attribute a in fit, or, by a parameter, always. */
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
  mn_indexes label;         /* pairs: tags                                       */
  mn_vector coef;           /* pairs                                             */
  mn_matrix transitions;    /* classes x classes; empty without transitions      */
} mn_tagger;

#define MN_TAGGER_TEMPLATE                                                                                             \
  MN_STRING(mn_tagger, template,                                                                                       \
            "features of a token from columns of X, one a line, as U01:%x[-1,0]; nil means column=text")

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

#define MN_TAGGER_FIELDS                                                                                               \
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
      MN_INDEXES(mn_tagger, label, "pairs? < classes", "the tag of each coefficient"),                                 \
      MN_VECTOR(mn_tagger, coef, "pairs?", "coefficients of the pairs of a feature and a tag, by feature, then tag"),  \
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

/* The name of attribute a: that of fit, or xj. Returns it or `buffer`. */
enum { MN_ATTRIBUTE_NAME = 32 };
const char *mn_attribute_name(const mn_tagger *m, size_t a, char buffer[MN_ATTRIBUTE_NAME]);

#endif
