/* Normalize the text of a document: a space, then valid UTF-8 without zero bytes, in lower case and without accents if
 * the analyzer is set so. */
#ifndef MN_TEXT_NORMALIZE_H
#define MN_TEXT_NORMALIZE_H
#include "analysis.h"

mn_status mn_normalize(mn_context *ctx, const mn_analyzer *analyzer, const char *text, size_t size, mn_analysis *out);

#endif
