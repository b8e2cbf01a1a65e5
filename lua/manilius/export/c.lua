--- A graph as one C99 file.

local file = require "manilius.export.file"
local printer = require "manilius.export.printer"
local syntax = require "manilius.export.syntax_c"

local M = { syntax = syntax }

-- --- texts ---

local MAX_LITERAL = 2000 -- bytes of a string literal; C99 guarantees 4095

local function escape(byte)
   return ("\\%03o"):format(byte:byte())
end

--- A string literal in which everything but letters, digits and a few safe characters is an octal escape.
local function literal(text)
   return '"' .. text:gsub("[^%w _.,]", escape) .. '"'
end

-- Long texts are written as separate byte arrays.
local function text_of(self, text)
   if #text <= MAX_LITERAL then return literal(text) end
   self.long = self.long or {}
   local name, bytes = ("%s_text_%d"):format(self.name, #self.long + 1), {}
   for i = 1, #text do bytes[i] = text:byte(i) .. "," end
   bytes[#bytes + 1] = "0"
   local out = { ("static const unsigned char %s[%d] = {"):format(name, #text + 1) }
   printer.wrap(bytes, "   ", out)
   out[#out + 1] = "};"
   self.long[#self.long + 1] = table.concat(out, "\n")
   return "(const char *)" .. name
end

local function label_text(label)
   if type(label) == "string" then return label end
   if math.type(label) == "float" then return ("%.17g"):format(label) end
   return tostring(label)
end

-- An initializer of struct NAME_label.
local function label_of(self, label)
   local kind, number, integer = "text", "0", "0"
   if type(label) == "boolean" then
      kind, integer = "boolean", label and "1" or "0"
      number = integer
   elseif math.type(label) == "integer" then
      kind = "integer"
      integer = label == math.mininteger and "-9223372036854775807LL - 1" or ("%dLL"):format(label)
      number = ("%a"):format(label)
   elseif type(label) == "number" then
      kind, number = "real", syntax.real(label)
   end
   local text = label_text(label)
   return ("{ %s_%s, %s, %d, %s, %s }"):format(self.name, kind, text_of(self, text), #text, integer, number)
end

-- --- functions ---

function M.table_name(self, id) return ("%s_table_%d"):format(self.name, id) end

local function head(self, id)
   return ("static int %s_step_%d(const double *x, double *out)"):format(self.name, id)
end

-- Input values must be finite unless the model accepts missing or infinite values.
local function check(node, lines)
   if not node.check or (node.missing and node.infinite and not node.non_negative) then return end
   local bad = {}
   if not node.infinite then
      bad[1] = node.missing and "isinf(x[i])" or "!(x[i] - x[i] == 0)"
   elseif not node.missing then
      bad[1] = "x[i] != x[i]"
   end
   if node.non_negative then bad[#bad + 1] = "x[i] < 0" end
   lines[#lines + 1] = ("   for (int i = 0; i < %d; i++)"):format(node.inputs)
   lines[#lines + 1] = ("      if (%s) return -1;"):format(table.concat(bad, " || "))
end

-- The function of a leaf; `first` is its prototype.
local function body(self, node, first, tables, name_of)
   local made = self:printer(node, tables, name_of)
   for _, one in ipairs(node.code) do made:statement(one) end
   local lines = { ("/* %s */"):format(printer.harmless(node.title)), first, "{" }
   check(node, lines)
   table.move(made.lines, 1, #made.lines, #lines + 1, lines)
   if #lines == 3 + #made.lines and not self:reads(node) then lines[#lines + 1] = "   (void)x;" end
   lines[#lines + 1] = "   return 0;"
   lines[#lines + 1] = "}"
   self:add(lines)
end

function M.leaf(self, node, id)
   local tables = self:tables_of(node)
   local shared, is_new = self:shared_with(node)
   if not shared then
      body(self, node, head(self, id), tables, function(one) return M.table_name(self, one.id) end)
      return
   end
   local parameters, arguments = { "const double *x", "double *out" }, { "x", "out" }
   for i, one in ipairs(tables) do
      parameters[i + 2] = ("%stable_%d"):format(syntax.types[one.kind], i)
      arguments[i + 2] = M.table_name(self, one.id)
   end
   if is_new then
      body(self, node, ("static int %s_do_%d(%s)"):format(self.name, shared, table.concat(parameters, ", ")), tables,
         function(_, i) return "table_" .. i end)
   end
   self:add { head(self, id), "{", ("   return %s_do_%d(%s);"):format(self.name, shared,
      table.concat(arguments, ", ")), "}" }
end

function M.pass(self, node, id)
   self:add { head(self, id), "{", ("   for (int i = 0; i < %d; i++) out[i] = x[i];"):format(node.inputs),
      "   return 0;", "}" }
end

function M.chain(self, node, id)
   local lines, from = { head(self, id), "{" }, "x"
   for i = 1, #node.parts - 1 do
      lines[#lines + 1] = ("   double row_%d[%d];"):format(i, math.max(node.parts[i].outputs, 1))
   end
   for i, part in ipairs(node.parts) do
      local to = i == #node.parts and "out" or "row_" .. i
      lines[#lines + 1] = ("   if (%s_step_%d(%s, %s) != 0) return -1;"):format(self.name, self.ids[part], from, to)
      from = to
   end
   lines[#lines + 1] = "   return 0;"
   lines[#lines + 1] = "}"
   self:add(lines)
end

function M.columns(self, node, id)
   local lines, first, widest = { head(self, id), "{" }, 0, 0
   for _, part in ipairs(node.parts) do widest = math.max(widest, part.columns and #part.columns or 0) end
   if widest > 0 then lines[3] = ("   double row[%d];"):format(widest) end
   for _, part in ipairs(node.parts) do
      if part.columns then
         local columns = M.table_name(self, self:table_of(part.columns, "ints"))
         lines[#lines + 1] = ("   for (int i = 0; i < %d; i++) row[i] = x[%s[i]];"):format(#part.columns, columns)
      end
      lines[#lines + 1] = ("   if (%s_step_%d(%s, out + %d) != 0) return -1;"):format(self.name, self.ids[part.node],
         part.columns and "row" or "x", first)
      first = first + part.node.outputs
   end
   lines[#lines + 1] = "   return 0;"
   lines[#lines + 1] = "}"
   self:add(lines)
end

-- --- public functions of the program ---

local function entries(self)
   local graph, list = self.graph, {}
   local entry = graph.entry
   local function add(prototype, comment, text) list[#list + 1] = { prototype, comment, text } end
   local function step(node) return ("%s_step_%d"):format(self.name, self.ids[node]) end
   local function number(action, node)
      add(("double %s_%s(const double *row)"):format(self.name, action), "NaN for a row that is refused",
         ("   double value[1];\n   return %s(row, value) != 0 ? (double)NAN : value[0];"):format(step(node)))
   end
   local function place(node, comment)
      add(("int %s_predict(const double *row)"):format(self.name), comment .. "; -1 for a row that is refused",
         ("   double place[1];\n   return %s(row, place) != 0 ? -1 : (int)place[0];"):format(step(node)))
   end
   local function plain(action, comment)
      if not entry[action] then return end
      add(("int %s_%s(const double *row, double *out)"):format(self.name, action),
         ("%s: %d values; 0, or -1 for a row that is refused"):format(comment, entry[action].outputs),
         ("   return %s(row, out);"):format(step(entry[action])))
   end
   if graph.classify then
      place(entry.predict, ("an index of %s_classes"):format(self.name))
   elseif graph.cluster then
      place(entry.predict, "a cluster from 0, -1 for noise")
   elseif entry.predict and graph.targets == 1 then
      number("predict", entry.predict)
   else
      plain("predict", "one for each target")
   end
   plain("decision_function", "scores")
   plain("predict_log_proba", "logarithms of probabilities")
   plain("predict_proba", graph.classify and ("a probability for each of %s_classes"):format(self.name)
      or "a probability for each component")
   plain("transform", "the row transformed")
   if entry.score_samples then number("score_samples", entry.score_samples) end
   return list
end

local function add_labels(self, out, name, labels)
   local items = {}
   for i, label in ipairs(labels) do items[i] = "   " .. label_of(self, label) .. "," end
   for _, one in ipairs(self.long or {}) do out[#out + 1] = one end
   self.long = nil
   out[#out + 1] = ("const struct %s_label %s[%d] = {"):format(self.name, name, #labels)
   table.move(items, 1, #items, #out + 1, out)
   out[#out + 1] = "};"
end

local function sorted_levels(graph)
   local list = {}
   for j in pairs(graph.levels) do list[#list + 1] = j end
   table.sort(list)
   return list
end

-- NAME_code: the code of a label of a factor column.
local function add_code(self, out, columns)
   local name = self.name
   out[#out + 1] = ("double %s_code(int column, const char *text)\n{"):format(name)
   for _, j in ipairs(columns) do
      out[#out + 1] = ("   if (column == %d)\n      for (int i = 0; i < %d; i++)\n"
         .. "         if (strcmp(%s_levels_%d[i].text, text) == 0) return i;"):format(j, #self.graph.levels[j], name, j)
   end
   out[#out + 1] = "   return -1;\n}"
end

local HEAD = [[
/* %s, written by manilius: one file of C99 that needs the C library only.
 *
 * A row is %d doubles in the order of the fit:
%s *
 * A missing value is NaN. Nothing here allocates, keeps state or prints, so any number of threads may call it.
 *
 * Results are the model's to the last bit where the compiler keeps to IEEE 754 doubles (not with -ffast-math, and not
 * on the x87); exp, log and their kin are those of your C library. */
#include <math.h>
#include <stddef.h>
#include <string.h>

/* a * b + c is rounded twice, as in the model. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
]]

local function row_text(graph)
   local lines = {}
   for j = 0, math.min(graph.inputs, 200) - 1 do
      local name = graph.names and graph.names[j + 1] or "x" .. j + 1
      local levels, note = graph.levels[j], graph.used[j] and "" or ", not read"
      if levels then note = (", a factor: a code from 0 to %d, or -1"):format(#levels - 1) end
      lines[#lines + 1] = (" *   row[%d]  %s%s\n"):format(j, printer.harmless(name), note)
   end
   if graph.inputs > 200 then lines[#lines + 1] = " *   and so on\n" end
   return table.concat(lines)
end

local function add_interface(self, out, list, columns)
   local name, graph = self.name, self.graph
   out[#out + 1] = "/* --- what to call: copy this into a header --- */\n"
   out[#out + 1] = ("enum { %s_features = %d };"):format(name, graph.inputs)
   if graph.names then out[#out + 1] = ("extern const char *const %s_feature_names[%d];"):format(name, graph.inputs) end
   if graph.classes or #columns > 0 then
      out[#out + 1] = ([[
/* A label as it was: its kind, its text and the size of that, and its value where it is a boolean or a number. */
enum NAME_kind { NAME_text, NAME_integer, NAME_real, NAME_boolean };
struct NAME_label {
   enum NAME_kind kind;
   const char *text;
   size_t size;
   long long integer;
   double real;
};]]):gsub("NAME", name)
   end
   if graph.classes then
      out[#out + 1] = ("extern const struct %s_label %s_classes[%d];"):format(name, name, #graph.classes)
   end
   for _, j in ipairs(columns) do
      out[#out + 1] = ("extern const struct %s_label %s_levels_%d[%d]; /* of row[%d] */"):format(name, name, j,
         #graph.levels[j], j)
   end
   if #columns > 0 then
      out[#out + 1] = ("/* The code of a label of factor column row[column]; -1 when fit did not see it. */\n"
         .. "double %s_code(int column, const char *text);"):format(name)
   end
   for _, one in ipairs(list) do out[#out + 1] = ("/* %s */\n%s;"):format(one[2], one[1]) end
   out[#out + 1] = "\n/* --- how it is done --- */\n"
end

-- A function of the library.
local function add_function(self, out, one)
   local made, parameters = printer.new(syntax), {}
   made.prefix, made.calls = self.name, {}
   for i, parameter in ipairs(one.parameters) do parameters[i] = syntax.types[parameter.kind] .. parameter.name end
   for _, node in ipairs(one.body) do made:statement(node) end
   out[#out + 1] = ("static %s%s_%s(%s)\n{\n%s\n}\n"):format(syntax.types[one.gives], self.name, one.name,
      table.concat(parameters, ", "), table.concat(made.lines, "\n"))
end

--- The file as a string.
function M.write(graph, name)
   local self, out = file.new(M, name, graph), {}
   self:nodes()
   local list, columns = entries(self), sorted_levels(graph)
   out[1] = HEAD:format(printer.harmless(graph.who), graph.inputs, row_text(graph))
   add_interface(self, out, list, columns)
   if graph.names then
      local names = {}
      for j, one in ipairs(graph.names) do names[j] = "   " .. text_of(self, one) .. "," end
      for _, one in ipairs(self.long or {}) do out[#out + 1] = one end
      self.long = nil
      out[#out + 1] = ("const char *const %s_feature_names[%d] = {\n%s\n};"):format(name, graph.inputs,
         table.concat(names, "\n"))
   end
   if graph.classes then add_labels(self, out, name .. "_classes", graph.classes) end
   for _, j in ipairs(columns) do add_labels(self, out, ("%s_levels_%d"):format(name, j), graph.levels[j]) end
   if #columns > 0 then add_code(self, out, columns) end
   for id, one in ipairs(self.tables) do
      out[#out + 1] = ("static const %s %s[%d] = {"):format(one.kind == "reals" and "double" or "int",
         M.table_name(self, id), math.max(#one.texts, 1))
      if #one.texts == 0 then one.texts[1] = "0," end
      printer.wrap(one.texts, "   ", out)
      out[#out + 1] = "};"
   end
   out[#out + 1] = ""
   for _, one in ipairs(printer.needed(self.calls, syntax)) do add_function(self, out, one) end
   for _, one in ipairs(self.functions) do out[#out + 1] = one .. "\n" end
   for _, one in ipairs(list) do out[#out + 1] = ("%s\n{\n%s\n}\n"):format(one[1], one[3]) end
   return table.concat(out, "\n")
end

return M
