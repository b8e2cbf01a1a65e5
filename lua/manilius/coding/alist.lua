--- The alist format of parity-check matrices (MacKay): sizes, largest degrees, degrees of bits and checks, then for
-- each bit its checks and for each check its bits, from 1 and padded with 0.

local M = {}

local function fail(path, line, what, ...)
   error(("LDPCCode: %s:%d: " .. what):format(path, line, ...), 0)
end

-- A function that returns the whole numbers of the next line that has any.
local function reader(path, lines)
   local at = 0
   return function(what, count)
      local line
      repeat
         at = at + 1
         line = lines[at]
         if not line then fail(path, #lines, "the file ends before %s", what) end
      until line:find "%S"
      local numbers = {}
      for word in line:gmatch "%S+" do
         local number = math.tointeger(tonumber(word))
         if not number or number < 0 then
            fail(path, at, "%s must be whole numbers >= 0, got '%s'", what, word:sub(1, 20))
         end
         numbers[#numbers + 1] = number
      end
      if count and #numbers ~= count then fail(path, at, "%s must be %d numbers, got %d", what, count, #numbers) end
      return numbers, at
   end
end

-- The rest of a line of neighbors: `degree` numbers from 1 to `most`, then zeros.
local function neighbors(path, line, numbers, degree, most, what)
   local found = {}
   for i, number in ipairs(numbers) do
      if i <= degree and (number < 1 or number > most) then
         fail(path, line, "%s must be from 1 to %d, got %d", what, most, number)
      end
      if i > degree and number ~= 0 then fail(path, line, "a list of %d has another value, %d", degree, number) end
      if i <= degree then found[i] = number end
   end
   if #found < degree then fail(path, line, "a list of %d %s has %d values", degree, what, #found) end
   table.sort(found)
   for i = 2, #found do
      if found[i] == found[i - 1] then fail(path, line, "%s %d is listed twice", what, found[i]) end
   end
   return found
end

--- The number of bits and the bits of each check, read from the text of an alist file.
function M.parse(path, text)
   local lines = {}
   for line in (text .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = line end
   local next_line = reader(path, lines)
   local sizes, first = next_line("the numbers of bits and checks", 2)
   local n, m = sizes[1], sizes[2]
   if n < 1 or m < 1 or n > 10000000 or m > 10000000 then
      fail(path, first, "the numbers of bits and checks must be from 1 to 10000000, got %d and %d", n, m)
   end
   next_line("the largest degrees", 2)
   local bit_degree, check_degree = next_line("the degrees of the bits", n), next_line("the degrees of the checks", m)
   local bits = {}
   for i = 1, m do bits[i] = {} end
   for j = 1, n do
      local numbers, line = next_line("the checks of a bit")
      for _, i in ipairs(neighbors(path, line, numbers, bit_degree[j], m, "checks")) do
         bits[i][#bits[i] + 1] = j
      end
   end
   for i = 1, m do
      local numbers, line = next_line("the bits of a check")
      local found = neighbors(path, line, numbers, check_degree[i], n, "bits")
      for k = 1, math.max(#found, #bits[i]) do
         if found[k] ~= bits[i][k] then fail(path, line, "check %d and the lists of its bits do not agree", i) end
      end
   end
   return n, bits
end

local function padded(list, size)
   local all = table.move(list, 1, #list, 1, {})
   for i = #list + 1, size do all[i] = 0 end
   return table.concat(all, " ")
end

local function degrees(lists)
   local all, most = {}, 0
   for i, list in ipairs(lists) do
      all[i] = #list
      most = math.max(most, #list)
   end
   return all, most
end

--- The text of an alist file.
function M.text(n, bits)
   local checks = {}
   for j = 1, n do checks[j] = {} end
   for i, list in ipairs(bits) do
      for _, j in ipairs(list) do checks[j][#checks[j] + 1] = i end
   end
   local bit_degrees, most_checks = degrees(checks)
   local check_degrees, most_bits = degrees(bits)
   local lines = { ("%d %d"):format(n, #bits), ("%d %d"):format(most_checks, most_bits),
      table.concat(bit_degrees, " "), table.concat(check_degrees, " ") }
   for _, list in ipairs(checks) do lines[#lines + 1] = padded(list, most_checks) end
   for _, list in ipairs(bits) do lines[#lines + 1] = padded(list, most_bits) end
   return table.concat(lines, "\n") .. "\n"
end

return M
