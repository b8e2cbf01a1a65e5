--- Types for the editor annotations: of parameters, of arguments by their names, and of results by running examples.
-- @module manual.types

local results_of = require "manual.results".of_method
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

--- Aliases for arguments that may have several types; arguments.lua of the annotations defines them.
M.aliases = {
   { "manilius.X", "manilius.Matrix|manilius.Frame|manilius.Sparse|number[][]|table<string, any>",
      "Rows by columns: a Matrix, a Frame, a sparse matrix, a table of rows, or one row by names." },
   { "manilius.Y", "manilius.Vector|manilius.Factor|manilius.Matrix|manilius.Frame|any[]",
      "Targets: numbers or labels, one per row." },
   { "manilius.Numbers", "manilius.Vector|number[]", "A list of numbers." },
   { "manilius.Label", "string|number|boolean", "One label." },
   { "manilius.Columns", "manilius.Matrix|manilius.Frame|manilius.Sparse", "The result of a transformer." },
   { "manilius.OnIter", 'fun(state: manilius.Progress): nil|"stop"|"cancel"',
      "Called after each iteration or fit; stop keeps the result so far, cancel raises an error." },
   { "manilius.Estimator", "table|userdata", "Anything with fit, and predict or transform." },
}

--- The sorted names in the help table of a module.
function M.names_in(of)
   local list = {}
   for name in pairs(of) do list[#list + 1] = name end
   table.sort(list)
   return list
end

local kinds = { number = "number", integer = "integer", boolean = "boolean", string = "string",
   Vector = "manilius.Vector", Matrix = "manilius.Matrix", Sparse = "manilius.Sparse", labels = "manilius.Label[][]",
   names = "string[]", column = "integer|string", kernel = "manilius.Kernel" }

local given_as = { Vector = "manilius.Numbers", Matrix = "manilius.Matrix|number[][]", labels = "manilius.Label[]",
   groups = "(integer|string)[][]|manilius.Matrix|number[][]", columns = "manilius.Numbers|string[]",
   ["column values"] = "manilius.Numbers|table<string, number>" }

local function choices(list)
   local out, has = {}, {}
   for i, name in ipairs(list) do
      out[i] = ('"%s"'):format(name)
      has[name] = true
   end
   if has.yes and has.no then out[#out + 1] = "boolean" end
   return table.concat(out, "|")
end

--- The type of a parameter of a core estimator, as an argument.
function M.of_param(p)
   if p.kind == "kernel" then return "manilius.Kernel|" .. choices(p.choices) end
   if p.name == "metric" and text.contains(p.choices or {}, "precomputed") then
      return choices(p.choices) .. "|fun(a: manilius.Vector, b: manilius.Vector): number"
   end
   if p.kind == "strings" then return p.choices and choices(p.choices) .. "|string[]" or "string|string[]" end
   if p.choices then return choices(p.choices) end
   if p.or_number then return "number|" .. given_as[p.kind] end
   return given_as[p.kind] or kinds[p.kind] or "any"
end

--- The type of a learned field of a core estimator.
function M.of_field(f)
   local shape = f.shape or ""
   local may_be_one = shape:find "targets" or shape:find "decisions" or shape:find "^problems" -- or a single one
   if may_be_one and f.kind == "Matrix" then return "manilius.Matrix|manilius.Vector" end
   if may_be_one and f.kind == "Vector" then return "manilius.Vector|number" end
   return kinds[f.kind] or "any"
end

--- The type of a parameter of a class in Lua, from its name and its default.
function M.of_default(p)
   local by_name = M.of_option(p.name, p.brief or "")
   if by_name ~= "any" then return by_name end
   if p.least then return "integer" end
   local kind = type(p.default)
   return (kind == "number" or kind == "boolean") and kind or "any"
end

local by_name = {
   other = "number|manilius.Vector|manilius.Matrix", X = "manilius.X", Y = "manilius.X", y = "manilius.Y",
   predicted = "manilius.Y", n = "integer", i = "integer", j = "integer", k = "integer", first = "integer",
   last = "integer", path = "string", text = "string", bytes = "string", map = "table<any, any>",
   axis = '"rows"|"cols"', ddof = "number", order = '"ascending"|"descending"', label = "manilius.Label",
   row = "integer", col = "integer", last_row = "integer", last_col = "integer", p = "number", q = "number|number[]",
   rows = "integer|manilius.Numbers", cols = "integer|manilius.Numbers", places = "manilius.Numbers",
   name = "string|string[]", f = "fun(x: number): number", groups = "manilius.Y", frame = "manilius.Frame",
   names = "string[]", options = "table", low = "number?", high = "number?",
   seed = "integer", model = "manilius.Estimator", strings = "string[]", others = "string[]",
}

--- The type of an argument, from its name.
function M.of_arg(name)
   return by_name[name] or "any"
end

local options = {
   weights = "manilius.Numbers", seed = "integer", threads = "integer", positive = "manilius.Label",
   labels = "manilius.Label[]", cv = "integer|table", scoring = "string|function|table", on_iter = "manilius.OnIter",
   groups = "manilius.Y", bins = "integer", level = "number", param = "string",
}

--- The type of an option, from its name and its help text, in which the possible strings are quoted.
function M.of_option(name, words)
   if options[name] then return options[name] end
   if words:find "{" then return "any" end -- quoted words are elements of the table
   local found, seen = {}, {}
   for _, word in words:gmatch "([\"'])([%w_-]+)%1" do
      if not seen[word] then
         seen[word] = true
         found[#found + 1] = ('"%s"'):format(word)
      end
   end
   local is_flag = words:find "%f[%w]true%f[%W]" or words:find "%f[%w]false%f[%W]"
   if is_flag and #found == 0 and not words:find " or " then return "boolean" end
   if #found < 2 then return "any" end
   if is_flag then found[#found + 1] = "boolean" end
   for _, other in ipairs { "list", "function", "number", "Vector", "table", "name of", "..." } do
      if words:find(other, 1, true) then return table.concat(found, "|") .. "|any" end
   end
   return table.concat(found, "|")
end

local leading = {
   { "^Frame", "manilius.Frame" }, { "^Matrix; a Vector", "manilius.Matrix|manilius.Vector" },
   { "^Matrix", "manilius.Matrix" }, { "^Vector", "manilius.Vector" }, { "^a Vector", "manilius.Vector" },
   { "^a Frame", "manilius.Frame" }, { "^a Matrix", "manilius.Matrix" }, { "^Factor", "manilius.Factor" },
   { "^a BayesNet", "manilius.BayesNet" },
   { "^Sparse", "manilius.Sparse" }, { "^text", "string" }, { "^a number, or a Vector", "number|manilius.Vector" },
   { "^an iterator over Frames", "fun(): manilius.Frame" }, { "^the number", "integer" }, { "^table", "table" },
}

--- The type named at the beginning of the description of a result.
function M.of_returns(words)
   for _, one in ipairs(leading) do
      if (words or ""):find(one[1]) then return one[2] end
   end
   return "any"
end

local ours = { Matrix = true, Vector = true, Factor = true, Sparse = true, Frame = true }

local function of_value(value)
   local kind = rows.kind(value)
   if ours[kind] then return "manilius." .. kind end
   if kind == "number" or kind == "string" or kind == "boolean" or kind == "table" then return kind end
   return "any"
end

-- Results of methods whose example shows only one of several types.
local overrides = { ["Frame:col"] = { "manilius.Vector|manilius.Factor" },
   ["Frame:split"] = { "manilius.Frame", "manilius.Vector|manilius.Factor|manilius.Frame" },
   ["Matrix:quantile"] = { "number|manilius.Vector" }, ["Vector:quantile"] = { "number|manilius.Vector" },
   ["FactorGraph:save"] = { "nil" }, ["MarkovRandomField:save"] = { "nil" },
   ["LDPCCode:save"] = { "nil" }, ["LDPCCode:write_alist"] = { "nil" },
   ["LDPCCode:decode"] = { "table<string, manilius.Matrix|manilius.Vector>" } }

-- The call of the method `name` at the end of an example: "print(f:row(2).city)" -> "f:row(2)".
local function call_in(example, name)
   local call = example and example:match "^print%(#?(.*)%)$"
   if not call or call:find "\n" then return nil end
   local from, at = nil, 1
   while true do
      local first, last = call:find(":" .. name .. "%f[^%w_]", at)
      if not first then break end
      from, at = last + 1, last + 1
   end
   if not from then return nil end
   local args = call:match('^%s?%b()', from) or call:match('^%s?%b{}', from) or call:match('^%s?%b""', from)
   return args and call:sub(1, from + #args - 1), call:sub(1, from - 1) .. "()"
end

local function results(setup, call)
   local chunk = load(setup .. "\nreturn " .. call, "=example", "t",
      setmetatable({ ml = require "manilius" }, { __index = _G }))
   local found = chunk and table.pack(pcall(chunk)) or { false }
   if not found[1] then return {} end
   local types = {}
   for i = 2, found.n do types[i - 1] = of_value(found[i]) end
   return types
end

local function merged(a, b)
   local out = {}
   for i = 1, math.max(#a, #b) do
      out[i] = a[i] or b[i]
      if a[i] and b[i] and a[i] ~= b[i] then out[i] = b[i] .. "|" .. a[i] end
   end
   return out
end

--- The types of the results of a method, found by running its example and, if all arguments are optional, a call
-- without arguments.
-- @treturn table list of types; nil if the example does not show them
function M.of_method(class, name, about, setup)
   if results_of[class .. ":" .. name] then return results_of[class .. ":" .. name] end
   if name == "split" and class ~= "Frame" then return { "manilius.Split[]" } end
   if overrides[class .. ":" .. name] then return overrides[class .. ":" .. name] end
   local call, bare = call_in(about.example, name)
   if not call then return nil end
   local types = results(setup or "", call)
   if about.use:find("^" .. name .. "%(%[") then types = merged(types, results(setup or "", bare)) end
   return #types > 0 and types or nil
end

--- The arguments of a use text such as "slice([first [, last]])": a list of { name =, optional =, type = }.
function M.arguments(use)
   local inside = use:match "^[%w_]+%((.*)%)$"
   if not inside then
      local braces = use:match "^[%w_]+ (%b{})"
      return braces and { { name = "values", type = "table" } } or {}
   end
   local list, depth = {}, 0
   inside = inside:gsub("%b{}", "options")
   for token in inside:gmatch "[%[%]]?%s*[%w_.]*[^,%[%]]*" do
      if token:find "^%[" then depth = depth + 1 end
      local name = token:match "([%a_][%w_]*)"
      if token:find "%.%.%." then name = "..." end
      if name then list[#list + 1] = { name = name, optional = depth > 0, type = M.of_arg(name) } end
   end
   return list
end

return M
