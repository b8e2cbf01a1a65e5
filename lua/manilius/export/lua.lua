--- A graph as one Lua file, for Lua 5.1 to 5.5 and LuaJIT.

local file = require "manilius.export.file"
local printer = require "manilius.export.printer"
local syntax = require "manilius.export.syntax_lua"

local M = { syntax = syntax }

-- Numbers in one constructor: a function can have 2^18 constants in Lua 5.1, and 2^16 in LuaJIT.
local CHUNK = 4000

-- --- texts ---

local function escape(byte)
   return ("\\%03d"):format(byte:byte())
end

--- A string literal in which everything but letters, digits and a few safe characters is a decimal escape.
local function literal(text)
   return '"' .. text:gsub("[^%w _.,]", escape) .. '"'
end

local function label_of(label)
   if type(label) == "string" then return literal(label) end
   if math.type(label) == "float" then return syntax.real(label) end
   if label == math.mininteger then return "-9223372036854775807 - 1" end
   return tostring(label)
end

local function list_of(values, format)
   local texts = {}
   for i, value in ipairs(values) do texts[i] = format(value) .. "," end
   local out = {}
   printer.wrap(texts, "   ", out)
   return "{\n" .. table.concat(out, "\n") .. "\n}"
end

-- --- tables and functions ---

function M.table_name(_, id) return "t" .. id end

local function long_table(out, id, texts)
   out[#out + 1] = ("T[%d] = {}"):format(id)
   for first = 1, #texts, CHUNK do
      out[#out + 1] = ("(function() put(T[%d], {"):format(id)
      printer.wrap(table.move(texts, first, math.min(first + CHUNK - 1, #texts), 1, {}), "   ", out)
      out[#out + 1] = "}) end)();" -- the semicolon prevents that the next line is parsed as a call
   end
end

-- Write the tables; short tables are grouped in functions of about CHUNK numbers.
local function add_tables(out, tables)
   local held, first = 0, #out + 1
   local function close()
      table.insert(out, first, "(function()")
      out[#out + 1] = "end)();"
      held, first = 0, #out + 1
   end
   for id, one in ipairs(tables) do
      if held + #one.texts > CHUNK and held > 0 then close() end
      if #one.texts > CHUNK then
         long_table(out, id, one.texts)
         first = #out + 1
      else
         out[#out + 1] = ("T[%d] = {"):format(id)
         printer.wrap(one.texts, "   ", out)
         out[#out + 1] = "}"
         held = held + #one.texts + 1
      end
   end
   if held > 0 and #tables > 20 then close() end
end

local function check(node, lines)
   if not node.check or (node.missing and node.infinite and not node.non_negative) then return end
   local bad = {}
   if not node.infinite then bad[1] = "x[i] == huge or x[i] == -huge" end
   if not node.missing then bad[#bad + 1] = "x[i] ~= x[i]" end
   if node.non_negative then bad[#bad + 1] = "x[i] < 0" end
   lines[#lines + 1] = ("   for i = 1, %d do"):format(node.inputs)
   lines[#lines + 1] = ("      if %s then error(\"%s: column \" .. i .. \" must be finite%s\", 0) end"):format(
      table.concat(bad, " or "), node.who, node.non_negative and " and >= 0" or "")
   lines[#lines + 1] = "   end"
end

-- The function of a leaf; `first` is its first line.
local function body(self, node, first, tables, name_of)
   local made = self:printer(node, tables, name_of)
   for _, one in ipairs(node.code) do made:statement(one) end
   local lines = { "-- " .. printer.harmless(node.title), first }
   check(node, lines)
   table.move(made.lines, 1, #made.lines, #lines + 1, lines)
   lines[#lines + 1] = "   return out\nend"
   self:add(lines)
end

function M.leaf(self, node, id)
   local tables = self:tables_of(node)
   local shared, is_new = self:shared_with(node)
   local first = ("S[%d] = function(x, out)"):format(id)
   local locals, parameters, arguments = {}, {}, {}
   for i, one in ipairs(tables) do
      locals[i] = ("\n   local t%d = T[%d]"):format(one.id, one.id)
      parameters[i], arguments[i] = (", t%d"):format(i), (", T[%d]"):format(one.id)
   end
   if not shared then
      body(self, node, first .. table.concat(locals), tables, function(one) return M.table_name(self, one.id) end)
      return
   end
   if is_new then
      body(self, node, ("S.do_%d = function(x, out%s)"):format(shared, table.concat(parameters)), tables,
         function(_, i) return "t" .. i end)
   end
   self:add { first, ("   return S.do_%d(x, out%s)\nend"):format(shared, table.concat(arguments)) }
end

function M.pass(self, node, id)
   self:add { ("S[%d] = function(x, out)\n   for i = 1, %d do out[i] = x[i] end\n   return out\nend"):format(id,
      node.inputs) }
end

function M.chain(self, node, id)
   local calls, last = "x", #node.parts
   for i, part in ipairs(node.parts) do
      calls = ("S[%d](%s, %s)"):format(self.ids[part], calls, i == last and "out" or "{}")
   end
   self:add { ("S[%d] = function(x, out)\n   return %s\nend"):format(id, calls) }
end

function M.columns(self, node, id)
   local lines, first = { ("S[%d] = function(x, out)\n   local made"):format(id) }, 0
   for _, part in ipairs(node.parts) do
      local row = part.columns and ("pick(x, T[%d])"):format(self:table_of(part.columns, "ints")) or "x"
      lines[#lines + 1] = ("   made = S[%d](%s, {})"):format(self.ids[part.node], row)
      lines[#lines + 1] = part.node.outputs == 1 and ("   out[%d] = made[1]"):format(first + 1)
         or ("   for i = 1, %d do out[%d + i] = made[i] end"):format(part.node.outputs, first)
      first = first + part.node.outputs
   end
   lines[#lines + 1] = "   return out\nend"
   self:add(lines)
end

-- --- public functions of the program ---

local HEAD = [[
-- %s, written by manilius: one file for Lua 5.1 to 5.5 and LuaJIT that needs nothing else.
--
--    local %s = require "%s"      a row is a list of %d values in the order of the fit (%s.feature_names)
--
-- A missing value is nan or nil; a factor column holds its label. A row that the model would refuse is an error.
-- Results are the model's to the last bit, but for log1p, expm1, erfc and powers, and for exp and log between the parts
-- of a composition: those are within 4 units in the last place, which differences of near numbers can enlarge.
local M = { features = %d }
local abs, exp, floor, huge, log, sqrt = math.abs, math.exp, math.floor, math.huge, math.log, math.sqrt
local nan, nz = 0 / 0, -1 / huge
local T, F, S = {}, {}, {} -- tables of numbers, functions, steps]]

-- Functions missing in math. The quotients (Kahan) correct for the rounding of 1 + x and exp(x).
local missing = {
   log1p = [[
local function log1p(x)
   local u = 1 + x
   if u == 1 or u == huge then return x end
   return log(u) + (x - (u - 1)) / u
end]],
   expm1 = [[
local function expm1(x)
   if abs(x) < 0.3 then -- Taylor: 15 terms reach the last place
      local sum, term = 0.0, x
      for k = 2, 16 do
         sum = sum + term * x / k
         term = term * x / k
      end
      return x + sum
   end
   local u = exp(x)
   if u == huge or u - 1 == -1 then return u - 1 end
   return (u - 1) * x / log(u)
end]],
}

local USED = [[
local function put(t, values)
   local n = #t
   for i = 1, #values do t[n + i] = values[i] end
end
local function pick(x, columns)
   local out = {}
   for i = 1, #columns do out[i] = x[columns[i] + 1] end
   return out
end]]

-- The row as floats: labels of factor columns become codes.
local READ = [==[
local used = %s
local codes = {}
for j, labels in pairs(M.levels) do
   codes[j] = {}
   for i = 1, #labels do codes[j][labels[i]] = i - 1.0 end
end
local function read(row)
   if type(row) ~= "table" then error("%s: a row must be a table, got " .. type(row), 3) end
   local x = {}
   for j = 1, %d do
      local value = row[j]
      if not used[j] then
         x[j] = nan
      elseif value == nil or value ~= value then
         x[j] = nan
      elseif codes[j] then
         x[j] = codes[j][value] or -1.0
      elseif type(value) == "number" then
         x[j] = value + 0.0
      else
         error("%s: value " .. j .. " of the row must be a number, got " .. type(value), 3)
      end
   end
   return x
end]==]

local function add_entries(self, out)
   local graph, entry = self.graph, self.graph.entry
   local function step(node) return ("S[%d](read(row), {})"):format(self.ids[node]) end
   local function add(action, text) out[#out + 1] = ("function M.%s(row)\n%s\nend\n"):format(action, text) end
   if graph.classify then
      add("predict", ("   return M.classes[floor(%s[1]) + 1]"):format(step(entry.predict)))
   elseif graph.cluster then
      local code = ("   local code = floor(%s[1])\n"):format(step(entry.predict))
      add("predict", code .. "   return code < 0 and -1 or code + 1")
   elseif entry.predict then
      add("predict", ("   return %s%s"):format(step(entry.predict), graph.targets == 1 and "[1]" or ""))
   end
   for _, action in ipairs { "decision_function", "predict_log_proba", "predict_proba", "transform" } do
      if entry[action] then add(action, ("   local made = %s\n   return made"):format(step(entry[action]))) end
   end
   if entry.score_samples then add("score_samples", ("   return %s[1]"):format(step(entry.score_samples))) end
end

local function add_function(out, one)
   local made, parameters = printer.new(syntax), {}
   made.depth, made.calls = 1, {}
   for i, parameter in ipairs(one.parameters) do parameters[i] = parameter.name end
   for _, node in ipairs(one.body) do made:statement(node) end
   out[#out + 1] = ("function F.%s(%s)\n%s\nend"):format(one.name, table.concat(parameters, ", "),
      table.concat(made.lines, "\n"))
end

local function add_row(self, out)
   local graph, used, levels = self.graph, {}, {}
   for j = 0, graph.inputs - 1 do used[j + 1] = graph.used[j] and "true" or "false" end
   for j = 0, graph.inputs - 1 do
      if graph.levels[j] then
         levels[#levels + 1] = ("[%d] = %s,"):format(j + 1, list_of(graph.levels[j], label_of))
      end
   end
   out[#out + 1] = ("M.levels = {%s}"):format(table.concat(levels, "\n"))
   if graph.names then out[#out + 1] = "M.feature_names = " .. list_of(graph.names, literal) end
   if graph.classes then out[#out + 1] = "M.classes = " .. list_of(graph.classes, label_of) end
   out[#out + 1] = READ:format(list_of(used, tostring), self.name, graph.inputs, self.name)
end

--- The file as a string.
function M.write(graph, name)
   local self, out = file.new(M, name, graph), {}
   self:nodes()
   out[1] = HEAD:format(printer.harmless(graph.who), name, name, graph.inputs, name, graph.inputs)
   out[2] = USED
   add_row(self, out)
   add_tables(out, self.tables)
   for _, one in ipairs { "log1p", "expm1" } do
      if self.calls[one] then out[#out + 1] = missing[one] end
   end
   for _, one in ipairs(printer.needed(self.calls, syntax)) do add_function(out, one) end
   for _, one in ipairs(self.functions) do out[#out + 1] = one end
   out[#out + 1] = ""
   add_entries(self, out)
   out[#out + 1] = "return M\n"
   return table.concat(out, "\n")
end

return M
