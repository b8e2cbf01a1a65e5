-- Archives taken apart and put together again, so that damage can be done behind a right checksum. The format is
-- described in src/archive/archive.h.
local M = {}

local HEADER = 20

-- crc_after[k][byte]: the CRC of this byte and k bytes of zero.
local crc_after = {}
for k = 0, 7 do
   crc_after[k] = {}
   for byte = 0, 255 do
      local crc = k == 0 and byte or crc_after[k - 1][byte]
      for _ = 1, 8 do crc = crc & 1 == 1 and crc >> 1 ~ 0xEDB88320 or crc >> 1 end
      crc_after[k][byte] = crc
   end
end

--- The CRC-32 of zlib, eight bytes at a time.
function M.crc(bytes)
   local t0, t1, t2, t3 = crc_after[0], crc_after[1], crc_after[2], crc_after[3]
   local t4, t5, t6, t7 = crc_after[4], crc_after[5], crc_after[6], crc_after[7]
   local crc, unpack, last = 0xFFFFFFFF, string.unpack, #bytes - #bytes % 8
   for i = 1, last, 8 do
      local x = unpack("<i8", bytes, i) ~ crc
      crc = t7[x & 0xFF] ~ t6[x >> 8 & 0xFF] ~ t5[x >> 16 & 0xFF] ~ t4[x >> 24 & 0xFF] ~ t3[x >> 32 & 0xFF]
         ~ t2[x >> 40 & 0xFF] ~ t1[x >> 48 & 0xFF] ~ t0[x >> 56]
   end
   for i = last + 1, #bytes do crc = crc >> 8 ~ t0[(crc ~ bytes:byte(i)) & 0xFF] end
   return crc ~ 0xFFFFFFFF
end

--- An archive of this body, with length and checksum right.
function M.seal(body, version)
   local whole = "\x89MNL\r\n\x1a\n" .. ("<I4I8"):pack(version or 1, #body) .. body
   return whole .. ("<I4"):pack(M.crc(whole))
end

function M.body(archive)
   return archive:sub(HEADER + 1, -5)
end

M.kinds = { "real", "count", "flag", "vector", "matrix", "indexes", "csr", "levels", "text", "group", "close" }

local function end_of_label(body, at)
   local kind = body:byte(at)
   if kind == 0 then return at + 2 end
   if kind == 3 then return at + 9 + ("<I8"):unpack(body, at + 1) end
   return at + 9
end

-- Where the value that begins at `at` ends.
local value_end = {
   real = function(_, at) return at + 8 end,
   count = function(_, at) return at + 8 end,
   flag = function(_, at) return at + 1 end,
   vector = function(body, at) return at + 8 + 8 * ("<I8"):unpack(body, at) end,
   matrix = function(body, at)
      local rows, cols = ("<I8I8"):unpack(body, at)
      return at + 16 + 8 * rows * cols
   end,
   indexes = function(body, at) return at + 8 + 4 * ("<I8"):unpack(body, at) end,
   csr = function(body, at)
      local rows, _, nonzeros = ("<I8I8I8"):unpack(body, at)
      return at + 24 + 8 * (rows + 1) + 12 * nonzeros
   end,
   levels = function(body, at)
      local n
      n, at = ("<I8"):unpack(body, at)
      for _ = 1, n do at = end_of_label(body, at) end
      return at
   end,
   text = function(body, at) return at + 8 + ("<I8"):unpack(body, at) end,
   group = function(_, at) return at end,
   close = function(_, at) return at end,
}

--- The records of an archive, in order: { kind, name, value = bytes }.
function M.records(archive)
   local body, at, list = M.body(archive), 1, {}
   while at <= #body do
      local kind, name, start = ("<Bs2"):unpack(body, at)
      local stop = value_end[M.kinds[kind]](body, start)
      list[#list + 1] = { kind = M.kinds[kind], name = name, value = body:sub(start, stop - 1) }
      at = stop
   end
   return list
end

local number_of_kind = {}
for number, kind in ipairs(M.kinds) do number_of_kind[kind] = number end

--- An archive of these records.
function M.archive(records)
   local parts = {}
   for i, r in ipairs(records) do
      parts[2 * i - 1], parts[2 * i] = ("<Bs2"):pack(number_of_kind[r.kind], r.name), r.value
   end
   return M.seal(table.concat(parts))
end

--- The same records, with that at `position` replaced by those in `with`.
function M.replaced(records, position, with)
   local list = table.move(records, 1, position - 1, 1, {})
   table.move(with, 1, #with, position, list)
   return table.move(records, position + 1, #records, #list + 1, list)
end

local function real(value) return ("<d"):pack(value) end
local function whole(value) return ("<i8"):pack(value) end

local function spoiled_array(format, odd)
   local width = ("<" .. format):packsize()
   return function(value)
      local out, data = {}, value:sub(9)
      local n = #data // width
      local function add(other)
         out[#out + 1] = ("<I8"):pack(#other // width) .. other
      end
      for _, one in ipairs(odd) do
         local bytes = ("<" .. format):pack(one)
         if n > 0 then
            add(bytes .. data:sub(width + 1))
            add(data:sub(1, -width - 1) .. bytes)
         end
      end
      add(data .. (n > 0 and data:sub(1, width) or ("<" .. format):pack(odd[1])))
      add(data:sub(1, -width - 1))
      add ""
      return out
   end
end

local inf, nan = math.huge, 0 / 0

local function reversed(value)
   return value:sub(1, 8) .. value:sub(9):reverse():gsub("........", string.reverse)
end

-- Other values that a hostile hand may write in the place of one of this kind.
M.spoil = {
   real = function() return { real(nan), real(inf), real(-1e308), real(0.0), real(-1.0), real(0.5) } end,
   count = function()
      local out = {}
      for _, value in ipairs { 0, 1, -1, 2, 3, 5, 1000, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 53, math.maxinteger,
         math.mininteger } do
         out[#out + 1] = whole(value)
      end
      return out
   end,
   flag = function(value) return { value == "\0" and "\1" or "\0" } end,
   vector = function(value)
      local out = spoiled_array("d", { nan, inf, -1e308, 0.0, -1.0, 1e15 })(value)
      out[#out + 1] = reversed(value)
      return out
   end,
   matrix = function(value)
      local rows, cols = ("<I8I8"):unpack(value)
      local cells, out = value:sub(17), {}
      for _, one in ipairs { nan, inf, 0.0, -1.0, 1e300 } do
         if #cells >= 8 then out[#out + 1] = ("<I8I8"):pack(rows, cols) .. real(one) .. cells:sub(9) end
      end
      out[#out + 1] = ("<I8I8"):pack(cols, rows) .. cells
      out[#out + 1] = ("<I8I8"):pack(rows * cols, 1) .. cells
      out[#out + 1] = ("<I8I8"):pack(0, cols)
      out[#out + 1] = ("<I8I8"):pack(rows, 0)
      out[#out + 1] = ("<I8I8"):pack(rows + 1, cols) .. cells .. cells:sub(1, 8 * cols)
      return out
   end,
   indexes = spoiled_array("i4", { -1, -2, 0, 1, 2, 7, 1000000, 2147483647, -2147483648 }),
   csr = function() return { ("<I8I8I8I8"):pack(0, 0, 0, 0) } end,
   levels = function()
      return { ("<I8"):pack(0), ("<I8Bd"):pack(1, 2, 1.0), ("<I8BdBd"):pack(2, 2, 1.0, 2, 1.0),
         ("<I8BBBB"):pack(2, 0, 1, 0, 0), ("<I8Bs8Bs8Bs8Bs8"):pack(4, 3, "a", 3, "b", 3, "c", 3, "d") }
   end,
   text = function() return { ("<s8"):pack "", ("<s8"):pack "no such text", ("<s8"):pack(("x"):rep(300)) } end,
   group = function() return {} end,
   close = function() return {} end,
}

return M
