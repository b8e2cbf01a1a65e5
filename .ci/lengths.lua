--- Checks lengths: files of at most 500 lines, C functions of at most 40.
--
--    lua5.4 .ci/lengths.lua FILE ...     print what is too long, exit 1 if anything is

local FILE_LINES, FUNCTION_LINES = 500, 40

--- Functions that are longer, and why.
local exceptions = {
}

local wrong = {}

local function complain(...) wrong[#wrong + 1] = string.format(...) end

--- Functions begin and end with a brace in the first column (clang-format sees to it); the name stands above.
local function check_functions(path, lines)
   local first, name
   for i, line in ipairs(lines) do
      name = line:match "^[%a][^;=]-([%w_]+)%(" or name
      if line == "{" then first = i end
      if line == "}" and first then
         local length = i - first - 1
         if length > FUNCTION_LINES and not exceptions[name] then
            complain("%s:%d: %s has %d lines, %d at most", path, first, name, length, FUNCTION_LINES)
         end
         first = nil
      end
   end
end

for _, path in ipairs(arg) do
   local lines = {}
   for line in io.lines(path) do lines[#lines + 1] = line end
   if #lines > FILE_LINES then complain("%s: %d lines, %d at most", path, #lines, FILE_LINES) end
   if path:find "%.c$" then check_functions(path, lines) end
end

for _, text in ipairs(wrong) do print(text) end
os.exit(#wrong == 0)
