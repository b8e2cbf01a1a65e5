--- The matrix that a formula makes of a Frame, column by column as R's model.matrix.
--
-- What the rows of the fit decide (levels of factors, the polynomials) is kept and used again for other rows.
-- @module manilius.formula.design

local basis = require "manilius.formula.basis"
local core = require "manilius.core"
local formula = require "manilius.formula"
local frames = require "manilius.frame"
local rows = require "manilius.rows"
local values = require "manilius.formula.values"

local M = {}

local fail, written = formula.fail, formula.written

-- --- variables: what fit learns of them, and the columns they make ---

-- The first argument of a call of several columns, else the variable itself.
local function variable_values(asker, node)
   local call = basis.calls[node.call]
   if not call then return values.values(asker, node) end
   if not node.args[1] then fail("%s: %s needs an argument", written(node), node.call) end
   return values.numbers(asker, node.args[1].named and node.args[1].value or node.args[1])
end

-- Levels that some row has, in their order: numbers and texts ascend, intervals as they lie.
local function levels_in_use(asker, node, factor)
   local list, used = {}, {}
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do used[level] = counts[i] > 0 end
   local all = factor.levels
   if node.call == "cut" then all = asker.kept[written(node)].labels end
   if type(factor.levels[1]) == "boolean" then return { false, true } end
   for _, level in ipairs(all) do
      if used[level] then list[#list + 1] = level end
   end
   return list
end

local levels_of

-- Those that factor(x, levels = c(...)) names: all are kept, also those that no row has.
local function declared(node, given, factor)
   local list, known = values.constants(given), {}
   for _, level in ipairs(list) do known[level] = true end
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do
      if counts[i] > 0 and not known[level] then
         fail("%s: there is the level '%s', too", written(node), basis.label_text(level))
      end
   end
   return list
end

local function releveled(asker, node, factor)
   local given = values.arguments(node, "x", "ref")
   if not given.ref then fail("%s: relevel needs ref, a level", written(node)) end
   local ref, found = values.constant(given.ref), nil
   local list = { false }
   for _, level in ipairs(levels_of(asker, given.x, factor)) do
      if level == ref or basis.label_text(level) == ref then found = level else list[#list + 1] = level end
   end
   if found == nil then fail("%s: there is no level %s", written(node), written(given.ref)) end
   list[1] = found
   return list
end

-- The levels of labels in the order in which they are coded, and the contrast where it is not by treatment.
function levels_of(asker, node, factor)
   if node.paren then return levels_of(asker, node.paren, factor) end
   if node.call == "relevel" then return releveled(asker, node, factor) end
   if node.call == "C" then
      local given = values.arguments(node, "object", "contr", "base")
      local base = given.base and values.constant(given.base) or nil
      return levels_of(asker, given.object, factor), basis.contrast_name(node, given.contr), base
   end
   if node.call == "factor" or node.call == "as.factor" or node.call == "ordered" then
      local given = values.arguments(node, "x", "levels")
      local list = given.levels and declared(node, given.levels, factor) or levels_of(asker, given.x, factor)
      return list, node.call == "ordered" and "poly" or nil
   end
   return levels_in_use(asker, node, factor)
end

local function learn_labels(asker, text, node, factor)
   values.need_all(factor, node)
   local levels, contrast, base = levels_of(asker, node, factor)
   if #levels < 2 then fail("%s has %d level; two are needed", text, #levels) end
   if base and not levels[base] or base and math.type(base) ~= "integer" then
      fail("%s: base must be a number from 1 to %d", text, #levels)
   end
   return { kind = "factor", levels = levels, contrast = contrast, base = base }
end

--- What the rows of a fit decide about a variable: { kind, levels or what a call of several columns learns }.
local function learn_variable(asker, text, node)
   local found = variable_values(asker, node)
   if rows.kind(found) == "Factor" then return learn_labels(asker, text, node, found) end
   values.need_all(found, node)
   local call = basis.calls[node.call]
   local learned = call and call.learn(found, node) or {}
   learned.kind = call and node.call or "number"
   return learned
end

local function need_known(factor, text, levels)
   local known = {}
   for _, level in ipairs(levels) do known[level] = true end
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do
      if counts[i] > 0 and not known[level] then
         fail("%s has the level '%s', which was not there in fit", text, basis.label_text(level))
      end
   end
end

-- A column for each level, or those of the contrast.
local function dummies(factor, text, learned, all)
   need_known(factor, text, learned.levels)
   local each, columns, names = {}, {}, {}
   for i, level in ipairs(learned.levels) do each[i] = factor:eq(level) end
   if all then
      for i, level in ipairs(learned.levels) do names[i] = text .. basis.label_text(level) end
      return each, names
   end
   local weights, suffixes = basis.contrast(learned.levels, learned.contrast, learned.base)
   for j, suffix in ipairs(suffixes) do
      names[j] = text .. suffix
      for i, weight in ipairs(weights) do
         local part = weight[j] ~= 0 and (weight[j] == 1 and each[i] or each[i] * weight[j])
         if part then columns[j] = columns[j] and columns[j] + part or part end
      end
   end
   return columns, names
end

-- The columns of one variable, and their names.
local function columns_of(asker, text, node, learned, all)
   local found = values.need_all(variable_values(asker, node), node)
   if (learned.kind == "factor") ~= (rows.kind(found) == "Factor") then
      fail("%s was %s in fit", text, learned.kind == "factor" and "labels" or "numbers")
   end
   if learned.kind == "factor" then return dummies(found, text, learned, all) end
   if learned.kind == "number" then return { found }, { text } end
   local columns, names = basis.calls[learned.kind].columns(found, learned), {}
   for d = 1, #columns do names[d] = #columns == 1 and text or text .. d end
   return columns, names
end

-- --- terms ---

-- Is there one among some terms that holds all these variables but one?
local function is_within(terms, variables, but)
   for _, term in ipairs(terms) do
      local left = {}
      for _, variable in ipairs(variables) do left[variable] = variable ~= but or nil end
      for _, variable in ipairs(term) do left[variable] = nil end
      if next(left) == nil then return true end
   end
   return false
end

--- Which factors of which terms have all levels: a list for each term.
--
-- A factor in a term has a column for all levels but the first where a term before it holds all else that it has (the
-- constant, where it has nothing else), and for all levels where not: R's rule. Without a constant the first factor of
-- the first term that has one keeps all.
function M.codings(design)
   local given, all, before = design.constant, {}, {}
   for t, variables in ipairs(design.terms) do
      all[t] = {}
      for i, variable in ipairs(variables) do
         if design.learned[variable].kind == "factor" then
            all[t][i] = not given or #variables > 1 and not is_within(before, variables, variable)
            given = true
         end
      end
      before[t] = variables
   end
   return all
end

-- Products of the columns of some variables; the first goes round fastest.
local function products(parts)
   local columns, names = parts[1].columns, parts[1].names
   for i = 2, #parts do
      local more, names_more = {}, {}
      for j, right in ipairs(parts[i].columns) do
         for k, left in ipairs(columns) do
            more[#more + 1] = left:mul(right)
            names_more[#names_more + 1] = names[k] .. ":" .. parts[i].names[j]
         end
      end
      columns, names = more, names_more
   end
   return columns, names
end

--- The node of a variable, from its text.
function M.node_of(variable)
   return formula.parse("~" .. variable).right
end

local function offset_of(asker, text)
   local node = M.node_of(text)
   if #node.args ~= 1 then fail("%s: offset takes one argument", text) end
   return values.need_all(values.numbers(asker, node.args[1]), node)
end

--- The left side of a formula in these rows: a Vector or a Factor; nil where it has none.
-- @param design what learn gave; nil before
-- @param learning true: what these rows decide about it is kept
function M.left(text, frame, design, learning)
   local left = formula.parse(text).left
   local asker = values.asker(frame, design and design.kept, learning)
   if not left or left.call ~= "cbind" then return left and values.values(asker, left) end
   local columns = {}
   for i, arg in ipairs(left.args) do columns[i] = values.numbers(asker, arg):as_column() end
   if #columns < 2 then fail("%s: cbind takes two columns or more", written(left)) end
   return core.hcat(table.unpack(columns))
end

--- What a formula makes of the rows of a fit: tables of texts and numbers only, so that it can be saved.
function M.learn(text, frame)
   local tree = formula.parse(text)
   local design = formula.terms(tree, frame.names)
   local learned, asker = {}, values.asker(frame, {}, true)
   for _, term in ipairs(design.terms) do
      for _, variable in ipairs(term) do
         learned[variable] = learned[variable] or learn_variable(asker, variable, design.variables[variable])
      end
   end
   if design.offset then offset_of(asker, design.offset) end
   if #design.terms == 0 and not design.constant then fail "it has no terms, and no constant" end
   return { constant = design.constant, terms = design.terms, learned = learned, offset = design.offset,
      kept = asker.kept }
end

--- The design of these rows: a Frame of numbers, a column for each coefficient, and the offset where there is one. Of
-- a constant alone it is a Matrix without columns.
function M.apply(design, frame)
   local columns, names = {}, {}
   local all, nodes = M.codings(design), {}
   local asker = values.asker(frame, design.kept)
   for variable in pairs(design.learned) do nodes[variable] = M.node_of(variable) end
   for t, variables in ipairs(design.terms) do
      local parts = {}
      for i, variable in ipairs(variables) do
         local made, called = columns_of(asker, variable, nodes[variable], design.learned[variable], all[t][i])
         parts[i] = { columns = made, names = called }
      end
      local made, called = products(parts)
      table.move(made, 1, #made, #columns + 1, columns)
      table.move(called, 1, #called, #names + 1, names)
   end
   if design.offset then columns[#columns + 1], names[#names + 1] = offset_of(asker, design.offset), design.offset end
   if #columns == 0 then return core.zeros(frame.rows, 0) end
   return frames.build(names, columns, "formula", 2)
end

return M
