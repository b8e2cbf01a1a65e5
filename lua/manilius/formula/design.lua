--- The design matrix of a formula for a Frame; its columns are those of R's model.matrix.
--
-- What fit learns from its rows (factor levels, polynomials, knots) is stored and applied to other rows.

local basis = require "manilius.formula.basis"
local core = require "manilius.core"
local formula = require "manilius.formula"
local frames = require "manilius.frame"
local rows = require "manilius.rows"
local values = require "manilius.formula.values"

local M = {}

local fail, to_text = formula.fail, formula.to_text

-- --- variables ---

-- The first argument of poly, bs or ns, otherwise the variable itself.
local function variable_values(context, node)
   local call = basis.calls[node.call]
   if not call then return values.values(context, node) end
   if not node.args[1] then fail("%s: %s needs an argument", to_text(node), node.call) end
   return values.numbers(context, node.args[1].named and node.args[1].value or node.args[1])
end

-- The levels that occur, in ascending order; those of cut in the order of the intervals.
local function used_levels(context, node, factor)
   local list, used = {}, {}
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do used[level] = counts[i] > 0 end
   local all = factor.levels
   if node.call == "cut" then all = context.calls[to_text(node)].labels end
   if type(factor.levels[1]) == "boolean" then return { false, true } end
   for _, level in ipairs(all) do
      if used[level] then list[#list + 1] = level end
   end
   return list
end

local levels_of

-- The levels in factor(x, levels = c(...)), including those that do not occur.
local function declared_levels(node, given, factor)
   local list, known = values.constants(given), {}
   for _, level in ipairs(list) do known[level] = true end
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do
      if counts[i] > 0 and not known[level] then
         fail("%s: levels must include all labels, but '%s' is missing", to_text(node), basis.label_text(level))
      end
   end
   return list
end

local function reordered_levels(context, node, factor)
   local given = values.arguments(node, "x", "ref")
   if not given.ref then fail("%s: ref must be given: the level that comes first", to_text(node)) end
   local ref, found = values.constant(given.ref), nil
   local list = { false }
   for _, level in ipairs(levels_of(context, given.x, factor)) do
      if level == ref or basis.label_text(level) == ref then found = level else list[#list + 1] = level end
   end
   if found == nil then fail("%s: there is no level %s", to_text(node), to_text(given.ref)) end
   list[1] = found
   return list
end

-- The levels in coding order, and the contrast and base level unless they are the default.
function levels_of(context, node, factor)
   if node.paren then return levels_of(context, node.paren, factor) end
   if node.call == "relevel" then return reordered_levels(context, node, factor) end
   if node.call == "C" then
      local given = values.arguments(node, "object", "contr", "base")
      local base = given.base and values.constant(given.base) or nil
      return levels_of(context, given.object, factor), basis.contrast_name(node, given.contr), base
   end
   if node.call == "factor" or node.call == "as.factor" or node.call == "ordered" then
      local given = values.arguments(node, "x", "levels")
      local list = given.levels and declared_levels(node, given.levels, factor) or levels_of(context, given.x, factor)
      return list, node.call == "ordered" and "poly" or nil
   end
   return used_levels(context, node, factor)
end

local function learn_factor(context, text, node, factor)
   values.need_complete(factor, node)
   local levels, contrast, base = levels_of(context, node, factor)
   if #levels < 2 then fail("%s must have at least 2 levels, got %d", text, #levels) end
   if base and not levels[base] or base and math.type(base) ~= "integer" then
      fail("%s: base must be a whole number from 1 to %d", text, #levels)
   end
   return { kind = "factor", levels = levels, contrast = contrast, base = base }
end

--- What fit learns about a variable: { kind =, levels or constants }.
local function learn_variable(context, text, node)
   local found = variable_values(context, node)
   if rows.kind(found) == "Factor" then return learn_factor(context, text, node, found) end
   values.need_complete(found, node)
   local call = basis.calls[node.call]
   local learned = call and call.learn(found, node) or {}
   learned.kind = call and node.call or "number"
   return learned
end

local function check_levels(factor, text, levels)
   local known = {}
   for _, level in ipairs(levels) do known[level] = true end
   local counts = factor:counts()
   for i, level in ipairs(factor.levels) do
      if counts[i] > 0 and not known[level] then
         fail("%s has the level '%s', which did not occur in fit", text, basis.label_text(level))
      end
   end
end

-- A column for each level (all = true), or the columns of the contrast.
local function indicator_columns(factor, text, learned, all)
   check_levels(factor, text, learned.levels)
   local each, columns, names = {}, {}, {}
   for i, level in ipairs(learned.levels) do each[i] = factor:eq(level) end
   if all then
      for i, level in ipairs(learned.levels) do names[i] = text .. basis.label_text(level) end
      return each, names
   end
   local contrast, suffixes = basis.contrast(learned.levels, learned.contrast, learned.base)
   for j, suffix in ipairs(suffixes) do
      names[j] = text .. suffix
      for i, row in ipairs(contrast) do
         local part = row[j] ~= 0 and (row[j] == 1 and each[i] or each[i] * row[j])
         if part then columns[j] = columns[j] and columns[j] + part or part end
      end
   end
   return columns, names
end

-- The columns of one variable, and their names.
local function variable_columns(context, text, node, learned, all)
   local found = values.need_complete(variable_values(context, node), node)
   if (learned.kind == "factor") ~= (rows.kind(found) == "Factor") then
      fail("%s must be %s, as in fit", text, learned.kind == "factor" and "labels" or "numbers")
   end
   if learned.kind == "factor" then return indicator_columns(found, text, learned, all) end
   if learned.kind == "number" then return { found }, { text } end
   local columns, names = basis.calls[learned.kind].columns(found, learned), {}
   for d = 1, #columns do names[d] = #columns == 1 and text or text .. d end
   return columns, names
end

-- --- terms ---

-- Is there a term with all these variables except one?
local function has_all_but(terms, variables, excluded)
   for _, term in ipairs(terms) do
      local left = {}
      for _, variable in ipairs(variables) do left[variable] = variable ~= excluded or nil end
      for _, variable in ipairs(term) do left[variable] = nil end
      if next(left) == nil then return true end
   end
   return false
end

--- Which factors of each term are coded with a column for every level: a list of booleans for each term.
--
-- R's rule: a factor is coded by its contrast if an earlier term has all other variables of its term (the intercept, if
-- there are none), otherwise with all levels. Without an intercept the first factor has all levels.
function M.codings(design)
   local has_constant, all, before = design.constant, {}, {}
   for t, variables in ipairs(design.terms) do
      all[t] = {}
      for i, variable in ipairs(variables) do
         if design.learned[variable].kind == "factor" then
            all[t][i] = not has_constant or #variables > 1 and not has_all_but(before, variables, variable)
            has_constant = true
         end
      end
      before[t] = variables
   end
   return all
end

-- Products of the columns of several variables; the columns of the first vary fastest.
local function column_products(parts)
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

local function evaluate_offset(context, text)
   local node = M.node_of(text)
   if #node.args ~= 1 then fail("%s: offset requires one argument", text) end
   return values.need_complete(values.numbers(context, node.args[1]), node)
end

--- The left side of a formula for these rows: a Vector, Factor or Matrix (cbind); nil if there is none.
-- design: the result of M.learn, or nil
-- learning: true to store what is learned from these rows
function M.left(text, frame, design, learning)
   local left = formula.parse(text).left
   local context = values.context(frame, design and design.kept, learning)
   if not left or left.call ~= "cbind" then return left and values.values(context, left) end
   local columns = {}
   for i, arg in ipairs(left.args) do columns[i] = values.numbers(context, arg):as_column() end
   if #columns < 2 then fail("%s: cbind requires at least two columns", to_text(left)) end
   return core.hcat(table.unpack(columns))
end

--- What fit learns about a formula: tables of strings and numbers, so that an archive can store them.
function M.learn(text, frame)
   local tree = formula.parse(text)
   local design = formula.terms(tree, frame.names)
   local learned, context = {}, values.context(frame, {}, true)
   for _, term in ipairs(design.terms) do
      for _, variable in ipairs(term) do
         learned[variable] = learned[variable] or learn_variable(context, variable, design.variables[variable])
      end
   end
   if design.offset then evaluate_offset(context, design.offset) end
   if #design.terms == 0 and not design.constant then fail "there must be at least one term or an intercept" end
   return { constant = design.constant, terms = design.terms, learned = learned, offset = design.offset,
      kept = context.calls }
end

--- The design of these rows: a Frame with a column for each coefficient and the offset, if any. Without terms it is a
-- Matrix without columns. Also the number of the term of each column, without the offset.
function M.apply(design, frame)
   local columns, names, term_of = {}, {}, {}
   local all, nodes = M.codings(design), {}
   local context = values.context(frame, design.kept)
   for variable in pairs(design.learned) do nodes[variable] = M.node_of(variable) end
   for t, variables in ipairs(design.terms) do
      local parts = {}
      for i, variable in ipairs(variables) do
         local learned = design.learned[variable]
         local made, made_names = variable_columns(context, variable, nodes[variable], learned, all[t][i])
         parts[i] = { columns = made, names = made_names }
      end
      local made, made_names = column_products(parts)
      table.move(made, 1, #made, #columns + 1, columns)
      table.move(made_names, 1, #made_names, #names + 1, names)
      for _ = 1, #made do term_of[#term_of + 1] = t end
   end
   if design.offset then
      columns[#columns + 1], names[#names + 1] = evaluate_offset(context, design.offset), design.offset
   end
   if #columns == 0 then return core.zeros(frame.rows, 0), term_of end
   return frames.build(names, columns, "formula", 2), term_of
end

return M
