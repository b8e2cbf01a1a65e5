-- Writes exported programs to files, compiles and runs them, and reads their predictions.
--
-- A program prints lines "case action row value value ..." with values as hexadecimal or 17-digit numbers, or
-- "refused"; labels are positions in classes.
local tools = require "manilius.check.tools"

local M = {}

local actions = { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
   "score_samples" }
M.actions = actions

function M.run(command)
   local pipe = assert(io.popen("(" .. command .. ") 2>&1", "r"))
   local text = pipe:read "a"
   local ok = pipe:close()
   assert(ok, command .. "\n" .. text:sub(1, 4000))
   return text
end

function M.write(path, text)
   local file = assert(io.open(path, "wb"))
   assert(file:write(text))
   file:close()
end

local function is_factor(column)
   return tools.kind(column) == "Factor"
end

--- The rows of a case as lists of numbers and labels; nil is missing.
function M.rows_of(rows)
   local list = {}
   for i = 1, rows.rows do
      list[i] = {}
      if type(rows) == "table" then -- a Frame
         for j, column in ipairs(rows.columns) do
            list[i][j] = column[i]
            if is_factor(column) and column[i] == nil then list[i][j] = false end
         end
      else
         list[i] = rows:row(i):totable()
      end
   end
   return list
end

local special = { nan = 0 / 0, ["-nan"] = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

--- Results by "case action row".
function M.read(text)
   local found = {}
   for line in text:gmatch "[^\n]+" do
      local key, rest = line:match "^(%S+ %S+ %d+) ?(.*)$" -- no values: no columns
      assert(key, "unexpected output: " .. line:sub(1, 300))
      found[key] = {}
      for word in rest:gmatch "%S+" do table.insert(found[key], tonumber(word) or special[word] or word) end
   end
   return found
end

-- --- C ---

-- Factor columns are passed as codes.
local function c_value(name, text, j, value)
   if type(value) == "string" and not text:find(name .. "_code(", 1, true) then return "NAN" end
   if type(value) == "string" then return ("%s_code(%d, \"%s\")"):format(name, j - 1, value) end
   if not value or value ~= value then return "NAN" end
   return ("%a"):format(value)
end

-- How to call an action of an exported program: the type of its value, or the width of the row that it fills.
local function signature(text, name, action)
   local value_type = text:match("\n(%a+) " .. name .. "_" .. action .. "%(const double %*row%)")
   if value_type then return { value_type = value_type } end
   if not text:find("int " .. name .. "_" .. action .. "(const double *row, double *out)", 1, true) then return nil end
   return { width = text:match(action .. ".-: (%d+) values[^\n]*\nint " .. name .. "_" .. action .. "%(") or
      text:match("(%d+) values[^\n]*\nint " .. name .. "_" .. action .. "%(") }
end

-- The rows of a case as a C array; constant if no value is a call.
local function c_rows(case, text)
   local lines, width, is_constant = {}, 0, true
   for i, row in ipairs(M.rows_of(case.rows)) do
      local values = {}
      for j, value in ipairs(row) do
         values[j] = c_value(case.name, text, j, value)
         is_constant = is_constant and not values[j]:find("(", 1, true)
      end
      width = #values
      lines[i] = "    { " .. table.concat(values, ", ") .. " },\n"
   end
   return ("  %sconst double rows[%d][%d] = {\n%s  };\n"):format(is_constant and "static " or "", #lines, width,
      table.concat(lines))
end

-- A C function that calls all actions for all rows.
local function c_calls(case, text)
   local name = case.name
   local out = { ("static void run_%s(void)\n{\n%s"):format(name, c_rows(case, text)),
      ("  for (int i = 0; i < %d; i++) {\n    for (int k = 0; k < 1000; k++) out[k] = NAN;"):format(case.rows.rows) }
   for _, action in ipairs(actions) do
      local found = signature(text, name, action)
      local head = ('    printf("%s %s %%d", i + 1);'):format(name, action)
      if found and found.value_type then
         out[#out + 1] = ('%s printf(" %%a\\n", (double)%s_%s(rows[i]));'):format(head, name, action)
      elseif found then
         out[#out + 1] = ('%s\n    if (%s_%s(rows[i], out)) printf(" refused\\n"); else show(%s, out);'):format(head,
            name, action, found.width)
      end
   end
   out[#out + 1] = "  }\n}\n"
   return table.concat(out, "\n")
end

--- Compile the programs of all cases as one file, and run them. Returns results, and the text of each label by
-- "case label place".
function M.run_c(directory, cases)
   local programs = { "#include <math.h>\n#include <stdio.h>\n#include <stddef.h>", [[
static double out[1000];
static void show(int n, const double *v) { for (int i = 0; i < n; i++) printf(" %a", v[i]); printf("\n"); }
]] }
   local main = { "int main(void)\n{" }
   for _, case in ipairs(cases) do
      local text = case.model:export_c { name = case.name }
      M.write(("%s/%s.c"):format(directory, case.name), text)
      programs[#programs + 1] = ('#include "%s.c"\n%s'):format(case.name, c_calls(case, text))
      main[#main + 1] = ("  run_%s();"):format(case.name)
      if text:find(case.name .. "_classes[", 1, true) then
         local k = text:match(case.name .. "_classes%[(%d+)%]")
         main[#main + 1] = ([[
  for (int i = 0; i < %s; i++) {
    printf("%s label %%d ", i);
    for (size_t b = 0; b < NAME[i].size; b++) printf("%%02x", (unsigned char)NAME[i].text[b]);
    printf(" %%d %%a %%lld\n", (int)NAME[i].kind, NAME[i].real, NAME[i].integer);
  }]]):format(k, case.name):gsub("NAME", case.name .. "_classes")
      end
   end
   main[#main + 1] = "  return 0;\n}"
   M.write(directory .. "/main.c", table.concat(programs, "\n") .. table.concat(main, "\n"))
   M.run(("%s -std=c99 -Wall -Wextra -pedantic -Werror %s -o %s/all %s/main.c -lm"):format(os.getenv "CC" or "cc",
      os.getenv "MANILIUS_EXHAUSTIVE" and "-O1" or "-O0", directory, directory))
   return M.read(M.run(directory .. "/all"))
end

-- --- Lua ---

local DRIVER = [[
local function show(v)
   local text = v ~= v and "nan" or v == math.huge and "inf" or v == -math.huge and "-inf" or ("%.17g"):format(v)
   return text == "-0" and "-0.0" or text
end
local function run(name, rows, labeled)
   local M = dofile(DIRECTORY .. "/" .. name .. ".lua")
   for _, action in ipairs { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
      "score_samples" } do
      for i = 1, M[action] and #rows or 0 do
         local ok, made = pcall(M[action], rows[i])
         local values = {}
         if action == "predict" and M.classes and ok then
            for c = 1, #M.classes do if M.classes[c] == made then values[1] = c - 1 end end
         elseif ok then
            for k, v in ipairs(type(made) == "table" and made or { made }) do values[k] = show(v) end
         else
            values[1] = "refused"
         end
         print(name .. " " .. action .. " " .. i .. " " .. table.concat(values, " "))
      end
   end
end
local nan = 0 / 0
]]

local function lua_value(value)
   if type(value) == "string" then return ("%q"):format(value) end
   if value == false then return "nil" end
   return value ~= value and "nan" or ("%.17g"):format(value)
end

--- Write the programs of all cases, whose texts they keep as `lua`, and one that calls them.
function M.write_lua(directory, cases)
   local driver = { ("local DIRECTORY = %q\n%s"):format(directory, DRIVER) }
   for _, case in ipairs(cases) do
      case.lua = case.model:export_lua { name = case.name }
      M.write(("%s/%s.lua"):format(directory, case.name), case.lua)
      local rows = {}
      for i, row in ipairs(M.rows_of(case.rows)) do
         local values = {}
         for j, value in ipairs(row) do values[j] = lua_value(value) end
         rows[i] = "{ " .. table.concat(values, ", ") .. " }"
      end
      driver[#driver + 1] = ("run(%q, { %s })"):format(case.name, table.concat(rows, ", "))
   end
   M.write(directory .. "/driver.lua", table.concat(driver, "\n"))
end

function M.run_lua(interpreter, directory)
   return M.read(M.run(interpreter .. " " .. directory .. "/driver.lua"))
end

return M
