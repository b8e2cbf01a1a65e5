#include "tag_scheme.h"

/* A tag: its letter (B, I, O, E or S) and the type of its span. */
struct span_tag {
  char letter;
  const char *type;
  size_t size;
};

static bool parse(mn_label label, enum mn_tag_scheme scheme, struct span_tag *out)
{
  const char *bytes = label.as.text.bytes;
  const size_t size = label.kind == MN_LABEL_TEXT ? label.as.text.size : 0;
  if (size == 0 || (size > 1 && bytes[1] != '-' && bytes[1] != '_')) return false;
  out->letter = bytes[0] == 'L' ? 'E' : bytes[0] == 'U' ? 'S' : bytes[0];
  out->type = size > 2 ? bytes + 2 : bytes;
  out->size = size > 2 ? size - 2 : 0;
  if (out->letter == 'O') return size == 1;
  return out->letter == 'B' || out->letter == 'I' ||
         (scheme == MN_SCHEME_IOBES && (out->letter == 'E' || out->letter == 'S'));
}

static bool same_type(const struct span_tag *a, const struct span_tag *b)
{
  return a->size == b->size && memcmp(a->type, b->type, a->size) == 0;
}

/* Whether a span is open behind the tag, and must be continued. */
static bool is_open(const struct span_tag *tag)
{
  return tag->letter == 'B' || tag->letter == 'I';
}

static bool continues(const struct span_tag *tag)
{
  return tag->letter == 'I' || tag->letter == 'E';
}

static bool may_follow(enum mn_tag_scheme scheme, const struct span_tag *from, const struct span_tag *to)
{
  if (continues(to)) return is_open(from) && same_type(from, to);
  return scheme != MN_SCHEME_IOBES || !is_open(from);
}

mn_status mn_scheme_constraints(mn_context *ctx, const mn_tagger *m, enum mn_tag_scheme scheme, mn_constraints *out)
{
  const size_t k = mn_levels_size(m->base.classes);
  struct span_tag *tag = MN_RAW(ctx, struct span_tag, k, 1);
  bool *follow = MN_RAW(ctx, bool, k, k), *starts = MN_RAW(ctx, bool, k, 1), *ends = MN_RAW(ctx, bool, k, 1);
  if (!tag || !follow || !starts || !ends) return MN_NO_MEMORY;
  for (size_t i = 0; i < k; i++) {
    const mn_label label = mn_levels_at(m->base.classes, i);
    char text[64];
    if (!parse(label, scheme, &tag[i]))
      return mn_fail(ctx, MN_BAD_DATA, "%s: the scheme needs tags as %s, got the class %s", m->base.class->name,
                     scheme == MN_SCHEME_IOB2 ? "B-LOC, I-LOC and O" : "B-LOC, I-LOC, E-LOC, S-LOC and O",
                     mn_format_label(text, sizeof text, label));
  }
  for (size_t i = 0; i < k; i++) {
    starts[i] = !continues(&tag[i]);
    ends[i] = scheme != MN_SCHEME_IOBES || !is_open(&tag[i]);
    for (size_t j = 0; j < k; j++) follow[i * k + j] = may_follow(scheme, &tag[i], &tag[j]);
  }
  out->may_follow = follow;
  out->starts = starts;
  out->ends = ends;
  return MN_OK;
}
