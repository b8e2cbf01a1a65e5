/* Mutations of archives that keep their grammar: a record is removed, duplicated, or gets another value of its kind.
 * Random damage rarely gets past the index of the records. */
#ifndef ARCHIVE_MUTATE_H
#define ARCHIVE_MUTATE_H
#include <stddef.h>
#include <stdint.h>

/* Set magic, version, length of the body and checksum. size >= 24. */
void archive_seal(unsigned char *bytes, size_t size);

/* The custom mutator of libFuzzer. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
