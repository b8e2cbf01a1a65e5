/* English function words: pronouns, auxiliaries, articles, prepositions, conjunctions, and what contractions leave when
 * the apostrophe separates words ("don't" is don and t). Compiled for this project by word class; Snowball's list (BSD
 * licence) has much the same words. Content words, and negations that can carry a meaning of their own such as never,
 * are not in it. */
#include "stop_words.h"

const char *const mn_english_stop_words[] = {
  /* pronouns and possessives */
  "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself",
  "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself", "they", "them",
  "their", "theirs", "themselves", "one", "oneself",
  /* demonstratives, relatives, interrogatives */
  "this", "that", "these", "those", "who", "whom", "whose", "which", "what", "whatever", "whichever", "when", "where",
  "why", "how", "whenever", "wherever",
  /* articles and quantifiers */
  "a", "an", "the", "all", "any", "both", "each", "every", "either", "neither", "few", "more", "most", "much", "many",
  "other", "another", "others", "some", "such", "no", "own", "same", "several",
  /* auxiliaries */
  "be", "am", "is", "are", "was", "were", "been", "being", "have", "has", "had", "having", "do", "does", "did", "doing",
  "done", "will", "would", "shall", "should", "can", "cannot", "could", "may", "might", "must", "ought",
  /* prepositions */
  "of", "at", "by", "for", "with", "without", "within", "about", "against", "among", "between", "into", "onto", "upon",
  "through", "throughout", "during", "before", "after", "above", "below", "to", "from", "up", "down", "in", "out", "on",
  "off", "over", "under", "toward", "towards", "per", "via",
  /* conjunctions */
  "and", "but", "if", "or", "nor", "because", "as", "until", "till", "while", "than", "though", "although", "unless",
  "since", "whether", "so",
  /* adverbs */
  "again", "further", "then", "once", "here", "there", "not", "only", "too", "very", "also", "just", "ever", "even",
  "yet", "however", "thus", "hence", "therefore",
  /* contractions, whole and as they are left */
  "i'm", "i've", "i'd", "i'll", "you're", "you've", "you'd", "you'll", "he's", "he'd", "he'll", "she's", "she'd",
  "she'll", "it's", "it'd", "it'll", "we're", "we've", "we'd", "we'll", "they're", "they've", "they'd", "they'll",
  "that's", "that'll", "there's", "here's", "what's", "who's", "where's", "when's", "why's", "how's", "let's", "isn't",
  "aren't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "doesn't", "don't", "didn't", "won't", "wouldn't",
  "shan't", "shouldn't", "can't", "couldn't", "mustn't", "mightn't", "needn't", "s", "t", "d", "m", "ll", "re", "ve",
  "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "doesn", "don", "didn", "wouldn", "shan", "shouldn",
  "couldn", "mustn", "mightn", "needn"
};
const size_t mn_english_stop_word_count = sizeof mn_english_stop_words / sizeof *mn_english_stop_words;
