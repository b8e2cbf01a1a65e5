--- Operations on one row as nodes { kind =, inputs =, outputs = } with the kinds
--
--    leaf      title; program (from core.program), code (parsed); missing, infinite, non_negative: allowed values of x;
--              levels: column -> labels, for factor columns
--    pass      the unchanged row
--    chain     parts: each is applied to the output of the previous one
--    columns   parts: { node =, columns = positions from 0, nil for all }; their outputs are concatenated
--
-- A node that is used several times is one table, and is written once.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local language = require "manilius.export.language"

local M = {}

--- Raise the error that this model cannot be exported.
function M.fail(model, why)
   error(("%s cannot be exported: %s"):format(estimator.name(model), why), 0)
end

-- Parsed statements by their text, which is the same for models of one class.
local function parser()
   local known = setmetatable({}, { __mode = "v" })
   return function(text)
      known[text] = known[text] or language.parse(text)
      return known[text]
   end
end

local parse = parser()

--- The node of an action of a core model, or nil when the core has no program for it.
function M.described(model, action)
   local program = core.program(model, action)
   if not program then return nil end
   local takes = estimator.describe(model).takes
   return { kind = "leaf", title = estimator.name(model) .. " " .. action, who = estimator.name(model),
      program = program, code = parse(program.code), inputs = model.n_features, outputs = program.outputs,
      levels = core.factor_levels(model), missing = takes.missing, infinite = takes.infinite,
      non_negative = takes.non_negative, check = true }
end

--- Statements of the row language as a node.
-- @param title a few words
-- @param code the text
-- @param data numbers = { name = value }, reals and ints = { name = list }, all optional
function M.code(title, inputs, outputs, code, data)
   data = data or {}
   local tables = {}
   for _, kind in ipairs { "reals", "ints" } do
      for name, values in pairs(data[kind] or {}) do
         tables[#tables + 1] = { name = name, kind = kind, values = values }
      end
   end
   table.sort(tables, function(a, b) return a.name < b.name end)
   return { kind = "leaf", title = title, who = title, levels = {}, inputs = inputs, outputs = outputs,
      program = { tables = tables, numbers = data.numbers or {}, code = code }, code = parse(code) }
end

-- A damaged archive may contain parts that were not fitted together.
local function need_fit(condition)
   if not condition then error("the model cannot be exported: its parts are inconsistent", 0) end
end

--- Nodes applied one after the other.
function M.chain(parts)
   local list = {}
   for _, part in ipairs(parts) do
      if part.kind ~= "pass" then list[#list + 1] = part end
   end
   for i = 2, #list do need_fit(list[i].inputs == list[i - 1].outputs) end
   if #list <= 1 then return list[1] or parts[1] end
   return { kind = "chain", parts = list, inputs = list[1].inputs, outputs = list[#list].outputs }
end

--- Nodes side by side: parts { node =, columns = }.
function M.parallel(parts, inputs)
   local outputs = 0
   for _, part in ipairs(parts) do
      need_fit(part.node.inputs == (part.columns and #part.columns or inputs))
      for _, at in ipairs(part.columns or {}) do need_fit(at >= 0 and at < inputs) end
      outputs = outputs + part.node.outputs
   end
   return { kind = "columns", parts = parts, inputs = inputs, outputs = outputs }
end

--- The unchanged row.
function M.pass(inputs)
   return { kind = "pass", inputs = inputs, outputs = inputs }
end

-- --- helper nodes ---

local LARGEST = "int best = 0 for c = 1 < features { best = x[c] > x[best] ? c : best } out[0] = best + 0.0"

--- The position (from 0) of the largest score, ties broken by the lowest; for a single score whether it is above 0.
function M.largest(inputs)
   return M.code("the largest", inputs, 1, inputs == 1 and "out[0] = x[0] > 0 ? 1.0 : 0.0" or LARGEST)
end

--- An expression in x[j] for each j.
function M.each(title, inputs, expression)
   return M.code(title, inputs, inputs, ("for j < features { out[j] = %s }"):format(expression))
end

function M.exp(inputs) return M.each("exp", inputs, "exp(x[j])") end
function M.log(inputs) return M.each("log", inputs, "log(x[j])") end

return M
