#ifndef MN_TEXT_STOP_WORDS_H
#define MN_TEXT_STOP_WORDS_H
#include <stddef.h>

/* English function words, in lower case. */
extern const char *const mn_english_stop_words[];
extern const size_t mn_english_stop_word_count;

#endif
