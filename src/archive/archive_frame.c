#include "archive_frame.h"
#include <zlib.h>

const unsigned char mn_archive_magic[MN_MAGIC_SIZE] = { 0x89, 'M', 'N', 'L', 0x0d, 0x0a, 0x1a, 0x0a };

uint32_t mn_archive_crc_add(uint32_t before, const unsigned char *bytes, size_t size)
{
  uLong crc = before;
  while (size > 0) { /* zlib takes an unsigned int */
    const uInt part = size > 1u << 30 ? 1u << 30 : (uInt)size;
    crc = crc32(crc, bytes, part);
    bytes += part;
    size -= part;
  }
  return (uint32_t)crc;
}

uint32_t mn_archive_crc(const unsigned char *bytes, size_t size)
{
  return mn_archive_crc_add(0, bytes, size);
}
