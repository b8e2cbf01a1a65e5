--- Bayesian networks in files of the Bayesian network interchange format, BIF 0.15.

local core = require "manilius.core"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"
local tables = require "manilius.bayes_net.tables"
local text = require "manilius.text"

local M = {}

-- --- words ---

local function bad(reader, what, ...)
   error(("%s:%d: "):format(reader.path, reader.line) .. what:format(...), 0)
end

-- A word as errors show it.
local function shown(word)
   return word and "'" .. text.cut(word:gsub("[^\32-\126\128-\255]", "?"), 40) .. "'" or "the end"
end

-- Skip spaces and comments.
local function skip(reader)
   local source = reader.source
   while true do
      local from, to = source:find("^%s+", reader.at)
      if not from then from, to = source:find("^//[^\n]*", reader.at) end
      if not from and source:find("^/%*", reader.at) then
         from, to = source:find("/%*.-%*/", reader.at)
         if not from then bad(reader, "a comment is not closed") end
      end
      if not from then return end
      for _ in source:sub(from, to):gmatch "\n" do reader.line = reader.line + 1 end
      reader.at = to + 1
   end
end

-- The next word: a name, a text in quotes (its content), or a sign. nil at the end.
local function next_word(reader)
   skip(reader)
   local source, at = reader.source, reader.at
   if at > #source then return nil end
   local quoted = source:match('^"([^"\n]*)"', at)
   if quoted then
      reader.at = at + #quoted + 2
      return quoted, true
   end
   local word = source:match("^[^%s%[%]{}(),;|\"]+", at) or source:sub(at, at)
   reader.at = at + #word
   return word
end

local function peek(reader)
   local at, line = reader.at, reader.line
   local word = next_word(reader)
   reader.at, reader.line = at, line
   return word
end

local function expect(reader, wanted)
   local word = next_word(reader)
   if word ~= wanted then bad(reader, "expected '%s', got %s", wanted, shown(word)) end
end

local SIGNS = { ["["] = true, ["]"] = true, ["{"] = true, ["}"] = true, ["("] = true, [")"] = true, [","] = true,
   [";"] = true, ["|"] = true }

local function name_of(reader, what)
   local word, quoted = next_word(reader)
   if not word or word == "" or SIGNS[word] and not quoted then
      bad(reader, "expected %s, got %s", what, shown(word))
   end
   return word
end

local function number_of(reader)
   local word = next_word(reader)
   local value = word and tonumber(word)
   if not value or value ~= value then
      bad(reader, "expected a probability, got %s", shown(word))
   end
   if not (value >= 0 and value <= 1) then bad(reader, "probabilities must be from 0 to 1, got %s", word) end
   return value + 0.0
end

-- Names up to a closing sign, with or without commas.
local function names_until(reader, sign, what)
   local out = {}
   while peek(reader) ~= sign do
      out[#out + 1] = name_of(reader, what)
      if peek(reader) == "," then next_word(reader) end
   end
   next_word(reader)
   return out
end

local function skip_statement(reader)
   repeat
      local word = next_word(reader)
      if not word then bad(reader, "expected ';', got the end") end
   until word == ";"
end

-- --- blocks ---

local function read_type(reader, name)
   local kind = name_of(reader, "the type of the variable")
   if kind ~= "discrete" then
      bad(reader, "variable '%s': only discrete variables are supported, got '%s'", name, kind)
   end
   expect(reader, "[")
   local count = math.tointeger(tonumber(name_of(reader, "the number of values")))
   if not count or count < 1 then bad(reader, "variable '%s' must have at least 1 value", name) end
   expect(reader, "]")
   expect(reader, "{")
   local levels, seen = names_until(reader, "}", "a value"), {}
   expect(reader, ";")
   if #levels ~= count then bad(reader, "variable '%s' must have %d values, got %d", name, count, #levels) end
   for _, level in ipairs(levels) do
      if seen[level] then bad(reader, "variable '%s' has the value '%s' twice", name, level) end
      seen[level] = true
   end
   return levels
end

local function read_variable(reader, net)
   local name = name_of(reader, "the name of a variable")
   if net.levels[name] then bad(reader, "variable '%s' is declared twice", name) end
   expect(reader, "{")
   local levels
   while peek(reader) ~= "}" do
      if name_of(reader, "type, property or '}'") == "type" then
         levels = read_type(reader, name)
      else
         skip_statement(reader)
      end
   end
   next_word(reader)
   if not levels then bad(reader, "variable '%s' has no type", name) end
   net.names[#net.names + 1], net.levels[name] = name, levels
   net.codes[name] = {}
   for i, level in ipairs(levels) do net.codes[name][level] = i end
end

-- n probabilities up to ';', which add up to 1.
local function read_row(reader, n)
   local out = {}
   while peek(reader) ~= ";" do
      out[#out + 1] = number_of(reader)
      if peek(reader) == "," then next_word(reader) end
   end
   if #out ~= n then bad(reader, "expected %d probabilities, got %d", n, #out) end
   local sum = 0
   for i = 1, n do sum = sum + out[i] end
   if math.abs(sum - 1) > 0.01 then bad(reader, "probabilities must add up to 1, got %.10g", sum) end
   for i = 1, n do out[i] = tables.rescaled(out[i], sum) end
   next_word(reader)
   return out
end

-- The row of the table for values of the parents, from 1.
local function row_index(reader, net, parents, values)
   local row = 0
   if #values ~= #parents then bad(reader, "expected %d values of parents, got %d", #parents, #values) end
   for k, parent in ipairs(parents) do
      local code = net.codes[parent][values[k]]
      if not code then bad(reader, "variable '%s' has no value '%s'", parent, values[k]) end
      row = row * #net.levels[parent] + code - 1
   end
   return row + 1
end

-- `table` p1, p2, ...: the values of the variable change slowest.
local function read_whole_table(reader, configs, card)
   local flat, out = {}, {}
   while peek(reader) ~= ";" do
      flat[#flat + 1] = number_of(reader)
      if peek(reader) == "," then next_word(reader) end
   end
   next_word(reader)
   if #flat ~= configs * card then
      bad(reader, "expected %d probabilities, got %d", configs * card, #flat)
   end
   for c = 1, configs do
      local sum = 0
      out[c] = {}
      for y = 1, card do
         out[c][y] = flat[(y - 1) * configs + c]
         sum = sum + out[c][y]
      end
      if math.abs(sum - 1) > 0.01 then bad(reader, "probabilities must add up to 1, got %.10g", sum) end
      for y = 1, card do out[c][y] = tables.rescaled(out[c][y], sum) end
   end
   return out
end

local function read_body(reader, net, child, parents, configs)
   local card, filled, default = #net.levels[child], {}, nil
   while peek(reader) ~= "}" do
      local word = next_word(reader)
      if word == "table" then
         filled = read_whole_table(reader, configs, card)
      elseif word == "default" then
         default = read_row(reader, card)
      elseif word == "property" then
         skip_statement(reader)
      elseif word == "(" then
         local row = row_index(reader, net, parents, names_until(reader, ")", "a value"))
         if filled[row] then bad(reader, "the row is given twice") end
         filled[row] = read_row(reader, card)
      else
         bad(reader, "expected table, default, '(' or '}', got %s", shown(word))
      end
   end
   next_word(reader)
   for c = 1, configs do
      filled[c] = filled[c] or default
      if not filled[c] then
         bad(reader, "the table of '%s' has no row for configuration %d of %d of its parents", child, c, configs)
      end
   end
   return core.Matrix(filled)
end

local function read_probability(reader, net)
   expect(reader, "(")
   local child = name_of(reader, "the name of a variable")
   if not net.levels[child] then bad(reader, "variable '%s' is not declared", child) end
   if net.cpts[child] then bad(reader, "variable '%s' has two tables", child) end
   local parents, seen, configs = {}, { [child] = true }, 1
   if peek(reader) == "|" then
      next_word(reader)
      parents = names_until(reader, ")", "the name of a parent")
   else
      expect(reader, ")")
   end
   for _, parent in ipairs(parents) do
      if not net.levels[parent] then bad(reader, "variable '%s' is not declared", parent) end
      if seen[parent] then bad(reader, "variable '%s' is named twice", parent) end
      seen[parent], configs = true, configs * #net.levels[parent]
   end
   if configs * #net.levels[child] > 2 ^ 26 then bad(reader, "the table of '%s' is too large", child) end
   expect(reader, "{")
   net.parents[child] = parents
   net.cpts[child] = read_body(reader, net, child, parents, configs)
end

local function read_network(reader, net)
   while peek(reader) ~= "{" do name_of(reader, "the name of the network or '{'") end
   next_word(reader)
   while peek(reader) ~= "}" do skip_statement(reader) end
   next_word(reader)
   net.seen = true
end

--- The settings of a BayesNet from the text of a file.
function M.parse(source, path)
   local reader = { source = source, path = path, at = 1, line = 1 }
   local net = { names = {}, levels = {}, codes = {}, parents = {}, cpts = {} }
   while true do
      local word = next_word(reader)
      if word == nil then break end
      if word == "network" then
         read_network(reader, net)
      elseif word == "variable" then
         read_variable(reader, net)
      elseif word == "probability" then
         read_probability(reader, net)
      else
         bad(reader, "expected network, variable or probability, got %s", shown(word))
      end
   end
   if #net.names == 0 then bad(reader, "the file has no variables") end
   for _, name in ipairs(net.names) do
      if not net.cpts[name] then bad(reader, "variable '%s' has no table", name) end
   end
   return { nodes = net.names, levels = net.levels, parents = net.parents, cpts = net.cpts }
end

-- --- writing ---

local function word(value)
   value = tostring(value)
   if value:find '["\n]' then structure.fail("'%s' cannot be written to a BIF file", value) end
   if value == "" or value:find "[%s%[%]{}(),;|/]" then return '"' .. value .. '"' end
   return value
end

local function words(list)
   local out = {}
   for i, value in ipairs(list) do out[i] = word(value) end
   return table.concat(out, ", ")
end

local function numbers(net, at, card)
   local out = {}
   for y = 1, card do
      local value = net.table[at + y - 1]
      local short = ("%.15g"):format(value)
      out[y] = tonumber(short) == value and short or ("%.17g"):format(value)
   end
   return table.concat(out, ", ")
end

local function probability_text(net, v)
   local discrete, _, configs, card = tables.shape(net, v)
   local at, lines, names = tables.places(net)[v], {}, {}
   for k, u in ipairs(discrete) do names[k] = net.names[u] end
   local head = #names > 0 and ("%s | %s"):format(word(net.names[v]), words(names)) or word(net.names[v])
   lines[1] = ("probability ( %s ) {"):format(head)
   for c = 1, configs do
      local row = numbers(net, at + (c - 1) * card, card)
      local labels = tables.configuration(net, v, c - 1)
      lines[#lines + 1] = #names > 0 and ("  (%s) %s;"):format(words(labels), row) or ("  table %s;"):format(row)
   end
   lines[#lines + 1] = "}"
   return table.concat(lines, "\n")
end

--- The network as the text of a BIF file.
function M.source(net)
   local out = { "network unknown {\n}" }
   for v, name in ipairs(net.names) do
      if not net.levels[v] then
         structure.fail("BIF files hold labels only, but '%s' is a number; use save(path)", name)
      end
      out[#out + 1] = ("variable %s {\n  type discrete [ %d ] { %s };\n}"):format(word(name), #net.levels[v],
         words(net.levels[v]))
   end
   for v in ipairs(net.names) do out[#out + 1] = probability_text(net, v) end
   return table.concat(out, "\n") .. "\n"
end

--- Write the network to a BIF file.
function M.write(net, path)
   if type(path) ~= "string" then structure.fail("path must be a string, got %s", rows.kind(path)) end
   core.write_bytes(path, M.source(net))
end

-- --- ml.read_bif ---

M.help = {
   read_bif = { args = { "path" }, brief = "Read a Bayesian network from a BIF file.",
      notes = "Errors name the file and the line. net:write_bif(path) writes one. Probabilities of a row that add up "
         .. "to 1 within 0.01 are rescaled.", returns = "a BayesNet",
      example = "print(ml.read_bif 'examples/data/asia.bif')" },
}

local function read(path)
   if type(path) ~= "string" then error("read_bif: path must be a string, got " .. rows.kind(path), 0) end
   if not io or not io.open then error("read_bif needs the io library, which is not available", 0) end
   local file, reason = io.open(path, "rb")
   if not file then error("read_bif: " .. reason, 0) end
   local source, failed = file:read "a"
   file:close()
   if not source then error(("read_bif: %s: %s"):format(path, failed or "cannot be read"), 0) end
   if source:sub(1, 2) == "\31\139" then
      error(("read_bif: %s is compressed; decompress it first, for instance with gunzip"):format(path), 0)
   end
   local settings = M.parse(source, path)
   local ok, made = rows.try(require "manilius.bayes_net.model".BayesNet, settings)
   if not ok then error(("%s: %s"):format(path, (tostring(made):gsub("^[^\n:]*:%d+: ", "", 1))), 0) end
   return made
end

--- Read a network from a file.
function M.read_bif(path)
   local ok, made = pcall(read, path) -- the message begins with path and line, which rethrow would take for Lua's
   if not ok then error(made, 2) end
   return made
end

return M
