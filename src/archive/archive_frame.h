/* Header and checksum of archives. */
#ifndef MN_ARCHIVE_ARCHIVE_FRAME_H
#define MN_ARCHIVE_ARCHIVE_FRAME_H
#include <stddef.h>
#include <stdint.h>

enum { MN_MAGIC_SIZE = 8, MN_HEADER_SIZE = MN_MAGIC_SIZE + 4 + 8 };

extern const unsigned char mn_archive_magic[MN_MAGIC_SIZE];

/* The CRC-32 of zlib. */
uint32_t mn_archive_crc(const unsigned char *bytes, size_t size);
uint32_t mn_archive_crc_add(uint32_t before, const unsigned char *bytes, size_t size); /* of more bytes */

#endif
