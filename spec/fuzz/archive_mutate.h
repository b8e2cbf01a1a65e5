/* Damage to archives that keeps to their grammar: a record goes, comes twice, or gets another value of its kind. What
 * is damaged without a plan seldom reaches further than the index of the records. */
#ifndef ARCHIVE_MUTATE_H
#define ARCHIVE_MUTATE_H
#include <stddef.h>
#include <stdint.h>

/* Make magic, version, length of the body and checksum right. size: 24 at least. */
void archive_seal(unsigned char *bytes, size_t size);

/* The form that libFuzzer asks for. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
