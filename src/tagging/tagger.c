#include "tagger.h"
#include <stdio.h>

const char *mn_attribute_name(const mn_tagger *m, size_t a, char buffer[MN_ATTRIBUTE_NAME])
{
  const mn_names *names = m->source == MN_FROM_COLUMNS ? &m->base.feature_names : &m->vocabulary.terms;
  if (a < names->size) return names->at[a];
  if (m->fit_intercept && a + 1 == mn_attributes(m)) return "(intercept)";
  snprintf(buffer, MN_ATTRIBUTE_NAME, "x%zu", a + 1);
  return buffer;
}

/* The attributes without the intercept: names, or columns. */
static size_t given_attributes(const mn_tagger *m)
{
  return m->source == MN_FROM_COLUMNS ? m->base.n_features : m->vocabulary.terms.size;
}

static bool are_pairs_valid(const mn_tagger *m)
{
  const mn_indexes *f = &m->first;
  if (f->size != given_attributes(m) + m->fit_intercept + 1 || f->at[0] != 0) return false;
  for (size_t a = 0; a + 1 < f->size; a++)
    if (f->at[a + 1] < f->at[a]) return false;
  return (size_t)f->at[f->size - 1] == m->label.size && m->label.size == m->coef.size;
}

/* The pairs of an attribute have tags, or transitions, in ascending order. */
static bool are_labels_valid(const mn_tagger *m)
{
  const size_t k = mn_levels_size(m->base.classes), limit = m->transitions.rows > 0 ? k + k * k : k;
  for (size_t a = 0; a < mn_attributes(m); a++)
    for (int32_t f = m->first.at[a]; f < m->first.at[a + 1]; f++) {
      const int32_t l = m->label.at[f], before = f > m->first.at[a] ? m->label.at[f - 1] : -1;
      if (l <= before || (size_t)l >= limit || (before >= 0 && ((size_t)before < k) != ((size_t)l < k))) return false;
    }
  return true;
}

mn_status mn_tagger_check(mn_context *ctx, const void *self)
{
  const mn_tagger *m = self;
  const bool strings = m->source == MN_FROM_RECORDS || m->source == MN_FROM_TEMPLATE;
  if (!strings && m->source != MN_FROM_COLUMNS)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the kind of features is invalid", m->base.class->name);
  if (strings != mn_vocabulary_is_valid(&m->vocabulary))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the features are invalid", m->base.class->name);
  if (m->transitions.rows != m->transitions.cols || !are_pairs_valid(m) || !are_labels_valid(m))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the coefficients do not match the features", m->base.class->name);
  return MN_OK;
}

mn_status mn_tagger_derive(mn_context *ctx, void *self)
{
  mn_tagger *m = self;
  return m->vocabulary.terms.size > 0 ? mn_vocabulary_derive(ctx, &m->vocabulary) : MN_OK;
}
