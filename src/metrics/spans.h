/* Spans that tags mark, as in B-LOC I-LOC O, by the rules of conlleval (Tjong Kim Sang & Buchholz, 2000), also for tags
 * that do not fit together: a span begins at B, at S, behind O, E or S, and where the type changes; it ends at E, at S,
 * before B, S or O, and where the type changes. */
#ifndef MN_METRICS_SPANS_H
#define MN_METRICS_SPANS_H
#include "../core/levels.h"

typedef struct mn_span_tag {
  char letter; /* B, I, O, E or S; L, U and M are read as E, S and I */
  int32_t kind;
} mn_span_tag;

/* The letter of a tag, and the text of its type, empty for O and letters without one. False if it is not a tag. */
bool mn_span_parse(mn_label label, char *letter, const char **kind, size_t *size);

typedef struct mn_span_counts {
  double hits, y, predicted;
} mn_span_counts;

/* Add the spans of each type to counts. Codes are indexes of tag; lengths: rows of the sequences, NULL: one. */
void mn_count_spans(size_t n, const int32_t *y, const int32_t *predicted, const mn_span_tag *tag, const size_t *lengths,
                    mn_span_counts *counts);

/* The share of equal codes in each of s sequences. */
void mn_accuracy_by_sequence(const int32_t *y, const int32_t *predicted, size_t s, const size_t *lengths, double *out);

#endif
