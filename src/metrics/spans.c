#include "spans.h"
#include <string.h>

bool mn_span_parse(mn_label label, char *letter, const char **kind, size_t *size)
{
  static const char letters[] = "BIOESLUM", read_as[] = "BIOESESI";
  if (label.kind != MN_LABEL_TEXT || label.as.text.size == 0) return false;
  const char *text = label.as.text.bytes, *found = memchr(letters, text[0], sizeof letters - 1);
  if (!found) return false;
  *letter = read_as[found - letters];
  *kind = text;
  *size = 0;
  if (label.as.text.size == 1) return true;
  if (*letter == 'O' || label.as.text.size == 2 || (text[1] != '-' && text[1] != '_')) return false;
  *kind = text + 2;
  *size = label.as.text.size - 2;
  return true;
}

/* The tags of one side, read from the first row to the last. */
struct scan {
  mn_span_tag before;
  bool is_open;
  size_t first;
};

static const mn_span_tag outside = { .letter = 'O' };

static bool closes(mn_span_tag tag)
{
  return tag.letter == 'E' || tag.letter == 'S';
}

static bool opens(mn_span_tag tag)
{
  return tag.letter == 'B' || tag.letter == 'S';
}

static bool ends_before(mn_span_tag before, mn_span_tag tag)
{
  if (before.letter == 'O') return false;
  return closes(before) || opens(tag) || tag.letter == 'O' || before.kind != tag.kind;
}

static bool begins_at(mn_span_tag before, mn_span_tag tag)
{
  if (tag.letter == 'O') return false;
  return opens(tag) || before.letter == 'O' || closes(before) || before.kind != tag.kind;
}

/* Whether the span that is open ends before the next tag. */
static bool ends(const struct scan *s, mn_span_tag next)
{
  return s->is_open && ends_before(s->before, next);
}

static void move(struct scan *s, mn_span_tag tag, size_t row)
{
  if (ends_before(s->before, tag)) s->is_open = false;
  if (begins_at(s->before, tag)) {
    s->is_open = true;
    s->first = row;
  }
  s->before = tag;
}

/* Count the spans that end before the next tags. */
static void count_ends(const struct scan *y, const struct scan *predicted, mn_span_tag next_y,
                       mn_span_tag next_predicted, mn_span_counts *counts)
{
  const bool y_ends = ends(y, next_y), predicted_ends = ends(predicted, next_predicted);
  if (y_ends) counts[y->before.kind].y++;
  if (predicted_ends) counts[predicted->before.kind].predicted++;
  if (y_ends && predicted_ends && y->first == predicted->first && y->before.kind == predicted->before.kind)
    counts[y->before.kind].hits++;
}

void mn_count_spans(size_t n, const int32_t *y, const int32_t *predicted, const mn_span_tag *tag, const size_t *lengths,
                    mn_span_counts *counts)
{
  struct scan a = { .before = outside }, b = { .before = outside };
  size_t end = n > 0 && lengths ? *lengths : n;
  for (size_t i = 0; i < n; i++) {
    if (i == end) {
      count_ends(&a, &b, outside, outside, counts);
      a = b = (struct scan){ .before = outside };
      end += *++lengths;
    }
    count_ends(&a, &b, tag[y[i]], tag[predicted[i]], counts);
    move(&a, tag[y[i]], i);
    move(&b, tag[predicted[i]], i);
  }
  count_ends(&a, &b, outside, outside, counts);
}

void mn_accuracy_by_sequence(const int32_t *y, const int32_t *predicted, size_t s, const size_t *lengths, double *out)
{
  for (size_t i = 0, at = 0; i < s; at += lengths[i++]) {
    size_t right = 0;
    for (size_t t = at; t < at + lengths[i]; t++) right += y[t] == predicted[t];
    out[i] = (double)right / (double)lengths[i];
  }
}
