--- Printing of built-in models: settings that differ from their defaults, penalties, and learned fields. Fields with a
-- value per feature are printed as a table by feature name.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local text = require "manilius.text"

local MAX_FEATURES, MAX_COLUMNS, MAX_LINES, DIGITS = 10, 8, 30, 5

local function status(model, class)
   local parts = { text.plural(model.n_features, "feature") }
   if class.does.classify then parts[#parts + 1] = text.plural(#model.classes, "class", "classes") end
   if class.does.regress and model.n_targets > 1 then parts[#parts + 1] = model.n_targets .. " targets" end
   if class.does.iterate then parts[#parts + 1] = estimator.iteration_text(model) end
   return table.concat(parts, ", ")
end

-- --- tables by feature ---

local function feature_labels(model)
   local names, labels = model.feature_names, {}
   for j = 1, math.min(model.n_features, MAX_FEATURES) do labels[j] = text.cut(names and names[j] or "x" .. j, 24) end
   return labels
end

-- Titles of the rows of a matrix: the labels for the shape "classes x features", otherwise "component 1", ..., or
-- "row 1", ... for a number of rows without a name.
local function row_titles(model, field, count)
   local heads, of = {}, field.shape:match "^(%a+)" or "rows"
   local classes = (of == "classes" or of == "decisions") and model.classes
   for i = 1, count do
      if classes and (#classes == count or count == 1) then
         heads[i] = tostring(classes[count == 1 and #classes or i])
      else
         heads[i] = ("%s %d"):format(of:gsub("s$", ""), i)
      end
   end
   return heads
end

-- Whether the field belongs to the decision for the second of two classes.
local function is_of_second_class(model, field)
   return field.shape:find "^decisions" ~= nil and #model.classes == 2
end

-- The columns { title, function of feature j, intercept } of a field with one value, or one matrix column, per feature;
-- nil for other fields.
local function columns_of(model, field, value, intercept)
   local kind, n = rows.kind(value), model.n_features
   if not field.shape:find "features[?]?$" or field.shape:find "<" then return nil end
   if kind == "Vector" and #value == n then
      local head = is_of_second_class(model, field) and tostring(model.classes[2]) or field.name
      return { { head, function(j) return value[j] end, intercept } }
   end
   if kind ~= "Matrix" or value.cols ~= n or value.rows < 1 or value.rows > MAX_COLUMNS then return nil end
   local columns = {}
   for i, head in ipairs(row_titles(model, field, value.rows)) do
      columns[i] = { head, function(j) return value:get(i, j) end, intercept and intercept[i] }
   end
   return columns
end

-- A table of such columns; nil if it does not fit the screen or has too many lines.
local function features_table(model, corner, columns, max_lines)
   local labels = feature_labels(model)
   if #labels + 2 > max_lines then return nil end
   local lines = { { corner } }
   if columns[1][3] ~= nil then lines[2] = { "(intercept)" } end
   for _, label in ipairs(labels) do lines[#lines + 1] = { label } end
   for _, column in ipairs(columns) do
      local values = { column[3] }
      for j = 1, #labels do values[#values + 1] = column[2](j) end
      table.insert(lines[1], text.cut(column[1], 24))
      for i, shown in ipairs(text.numbers(values, DIGITS, "nan")) do table.insert(lines[i + 1], shown) end
   end
   local shown = text.aligned(lines, nil, math.huge)
   for line in shown:gmatch "[^\n]+" do
      if text.width_of(line) + 2 > core.screen() then return nil end
   end
   local more = model.n_features - #labels
   return shown .. (more > 0 and "\n... " .. text.plural(more, "more feature") or "")
end

-- --- other fields ---

-- "Vector of 150: 2 2 7 ... 3", at most `width` wide.
local function vector_line(v, width)
   local line, n = ("Vector of %d:"):format(#v), #v
   local ending = " ... " .. text.number(v[n], DIGITS)
   for i = 1, n do
      local word = " " .. text.number(v[i], DIGITS)
      if #line + #word + (i < n and #ending or 0) > width then return line .. ending end
      line = line .. word
   end
   return line
end

-- "8713 strings: 00 000 ... zyada", at most `width` wide.
local function strings_line(list, width)
   local line, ending = text.plural(#list, "string") .. ":", " ... " .. list[#list]
   for i, word in ipairs(list) do
      local longer = line .. " " .. word
      if text.width_of(longer) + (i < #list and #ending or 0) > width then return text.cut(line .. ending, width) end
      line = longer
   end
   return line
end

local function one_line(value, width)
   if type(value) == "table" and type(value[1]) == "string" then return strings_line(value, width) end
   if type(value) == "table" then return text.plural(#value, "list") .. " of labels" end
   if rows.kind(value) == "Vector" then return vector_line(value, width) end
   return estimator.value_text(value):match "^[^\n]*"
end

local function class_list(classes)
   local out = {}
   for i = 1, math.min(#classes, 20) do out[i] = tostring(classes[i]) end
   if #classes > 20 then out[21] = "..." end
   return table.concat(out, ", ")
end

local function intercept_matches(intercept, coef)
   local kind = rows.kind(coef)
   if kind == "Vector" then return type(intercept) == "number" end
   return kind == "Matrix" and rows.kind(intercept) == "Vector" and #intercept == coef.rows
end

-- The intercept, if it can be shown in the table of the coefficients.
local function intercept_of(values)
   return values.coef ~= nil and intercept_matches(values.intercept, values.coef) and values.intercept or nil
end

-- Tables of the fields by feature (one for all Vectors), and the set of these fields.
local function tables_of(model, class, values)
   local tables, done, vectors, names, max_lines = {}, {}, {}, {}, MAX_LINES
   for _, f in ipairs(class.fields) do
      local intercept = f.name == "coef" and intercept_of(values) or nil
      local columns = values[f.name] ~= nil and columns_of(model, f, values[f.name], intercept)
      if columns and rows.kind(values[f.name]) == "Vector" and not intercept then
         table.move(columns, 1, #columns, #vectors + 1, vectors)
         names[#names + 1] = f.name
      elseif columns then
         local shown = features_table(model, (rows.kind(values[f.name]) == "Matrix"
            or is_of_second_class(model, f)) and f.name or "", columns, max_lines)
         tables[#tables + 1] = shown
         max_lines = shown and max_lines - #feature_labels(model) - 2 or max_lines
         done[f.name] = shown ~= nil
         if done[f.name] and intercept then done.intercept = true end
      end
   end
   local shown = #vectors > 0 and features_table(model, "", vectors, max_lines)
   if shown then
      table.insert(tables, 1, shown)
      for _, name in ipairs(names) do done[name] = true end
   end
   return tables, done
end

-- Lists of { name, value } for single lines, and of tables by feature.
local function learned(model, class)
   local plain, values = {}, {}
   if class.does.classify then plain[1] = { "classes", class_list(model.classes) } end
   for _, f in ipairs(class.fields) do
      if not f.derived then values[f.name] = model[f.name] end
   end
   local tables, done = tables_of(model, class, values)
   for _, f in ipairs(class.fields) do
      local value = values[f.name]
      local kind = rows.kind(value)
      local empty = kind == "Vector" and #value == 0 or (kind == "Matrix" or kind == "Sparse") and value.rows == 0
      if value ~= nil and not empty and not done[f.name] then plain[#plain + 1] = { f.name, value } end
   end
   return plain, tables
end

local function indented(block)
   return "  " .. block:gsub("\n", "\n  ")
end

local M = {}

--- A model as text: one line, followed by the learned fields if it is fitted.
-- @param head the model and its settings, default estimator.one_line(model)
function M.model(model, head)
   local class = estimator.describe(model)
   head = head or estimator.one_line(model)
   if not model.fitted then return text.wrap(head .. ", not fitted", 2) end
   local out = { text.wrap(("%s, fitted: %s"):format(head, status(model, class)), 2) }
   local plain, tables = learned(model, class)
   local width = 0
   for _, line in ipairs(plain) do width = math.max(width, #line[1]) end
   for _, line in ipairs(plain) do
      local value = line[1] == "classes" and line[2] or one_line(line[2], core.screen() - width - 4)
      out[#out + 1] = text.cut(("  %-" .. width .. "s  %s"):format(line[1], value), core.screen(), "...")
   end
   for _, block in ipairs(tables) do out[#out + 1] = indented(block) end
   return table.concat(out, "\n")
end

--- The metamethod __pairs of models: settings and learned fields, then methods, each sorted.
function M.pairs(model)
   local class, names = estimator.describe(model), {}
   local function add(name)
      local ok, value = rows.try(function() return model[name] end)
      if ok and value ~= nil then names[#names + 1] = name end
   end
   for _, p in ipairs(class.params) do add(p.name) end
   if class.takes.class_weight then add "class_weight" end
   for _, f in ipairs(class.fields) do add(f.name) end
   for _, name in ipairs { "class", "classes", "converged", "feature_names", "fitted", "n_features", "n_iter",
      "n_targets", "objective" } do
      add(name)
   end
   table.sort(names)
   local methods = text.sorted_keys(core.model_methods)
   for _, o in ipairs(class.operations) do methods[#methods + 1] = o.name end
   table.sort(methods)
   for _, name in ipairs(methods) do
      if estimator.can(model, name) then add(name) end
   end
   local i = 0
   return function()
      i = i + 1
      if names[i] ~= nil then return names[i], model[names[i]] end
   end
end

return M
