--- ColumnTransformer and TransformedTarget.

local composite = require "manilius.compose.composite"
local estimator = require "manilius.estimator"
local join = require "manilius.compose.join"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}
local WHO = "ColumnTransformer"
local words = { passthrough = true, drop = true }

-- --- reading the constructor's table ---

local function read_columns(value, name)
   if type(value) == "number" then return { value } end
   if value == "numeric" or value == "factor" or type(value) == "function" then return value end
   if type(value) == "string" then return { value } end
   if type(value) ~= "table" then
      error(("%s: columns of %s must be names, indices, \"numeric\", \"factor\" or a function, got %s"):format(WHO,
         name, type(value)), 0)
   end
   local list, kind = {}, type(value[1])
   for i, one in ipairs(value) do
      if type(one) ~= kind or (kind ~= "string" and math.type(one) ~= "integer") then
         error(("%s: columns of %s must be all names or all whole numbers, got %s at position %d"):format(WHO, name,
            estimator.value_text(one), i), 0)
      end
      list[i] = one
   end
   return list
end

-- Read { name, model, columns } or { model, columns }.
local function read_part(entry, i)
   if type(entry) ~= "table" or estimator.is(entry) then
      error(("%s: part %d must be { name, estimator, columns } or { estimator, columns }, got %s"):format(WHO, i,
         estimator.value_text(entry)), 0)
   end
   local name, model, columns = entry[1], entry[2], entry[3]
   if columns == nil then name, model, columns = nil, entry[1], entry[2] end
   if not composite.is_part(model, words) then
      error(("%s: part %d must have an estimator, \"passthrough\" or \"drop\", got %s"):format(WHO, i,
         estimator.value_text(model)), 0)
   end
   return name, model, read_columns(columns, name or estimator.name(model))
end

local reserved = { remainder = true, prefix = true, sparse_threshold = true, columns = true }

local function construct(values)
   local given, models, columns, settings = {}, {}, {}, {}
   for i, entry in ipairs(values) do given[i], models[i], columns[i] = read_part(entry, i) end
   if #models == 0 then
      local advice = composite.list_advice(values, "estimator, columns")
      error(WHO .. ": must have at least one part, got none" .. advice, 0)
   end
   local names = composite.auto_names(models)
   for i in ipairs(models) do names[i] = given[i] ~= nil and given[i] or names[i] end
   composite.check_names(WHO, names, reserved)
   for key, value in pairs(values) do
      if type(key) ~= "number" then
         if not reserved[key] or key == "columns" then
            local known = { "prefix", "remainder", "sparse_threshold" }
            error(("%s has no parameter '%s'%s"):format(WHO, tostring(key), text.hint(tostring(key), known)), 0)
         end
         settings[key] = value
      end
   end
   local remainder = settings.remainder == nil and "drop" or settings.remainder
   if not composite.is_part(remainder, words) then
      error(("%s: remainder must be \"drop\", \"passthrough\" or an estimator, got %s"):format(WHO,
         estimator.value_text(remainder)), 0)
   end
   names[#names + 1], models[#models + 1], columns[#columns + 1] = "remainder", remainder, "rest"
   settings.remainder = nil
   settings.names, settings.models, settings.columns = names, models, columns
   return settings
end

-- --- which columns ---

local function column_index(X, name, part)
   for j, one in ipairs(rows.is_frame(X) and X.names or {}) do
      if one == name then return j end
   end
   error(("%s: X has no column '%s' (part %s)%s"):format(WHO, name, part,
      rows.is_frame(X) and estimator.hint(name, X.names) or "; only a Frame has names"), 0)
end

-- The indices of the numeric or of the factor columns.
local function by_kind(X, kind)
   local indices = {}
   for j = 1, rows.width(X) do
      local factor = rows.is_frame(X) and rows.kind(X.columns[j]) == "Factor"
      if factor == (kind == "factor") then indices[#indices + 1] = j end
   end
   return indices
end

local function resolve(X, columns, part, seen)
   if columns == "numeric" or columns == "factor" then return by_kind(X, columns) end
   if type(columns) == "function" then columns = read_columns(columns(X), part) end
   if type(columns) == "string" then return resolve(X, columns, part, seen) end
   local indices, width = {}, rows.width(X)
   for i, one in ipairs(columns) do
      local j = type(one) == "string" and column_index(X, one, part) or one
      if j < 1 or j > width then
         error(("%s: columns of %s must be from 1 to %d, got %d"):format(WHO, part, width, j), 0)
      end
      indices[i] = j
   end
   return indices
end

-- The column indices of each part.
local function choose(self, X)
   local chosen, seen = {}, {}
   for i, columns in ipairs(self.columns) do
      local indices = {}
      if columns == "rest" then
         for j = 1, rows.width(X) do
            if not seen[j] then indices[#indices + 1] = j end
         end
      else
         indices = resolve(X, columns, self.names[i], seen)
      end
      local twice = {}
      for _, j in ipairs(indices) do
         if twice[j] then error(("%s: part %s selects column %d twice"):format(WHO, self.names[i], j), 0) end
         twice[j], seen[j] = true, true
      end
      chosen[i] = indices
   end
   return chosen
end

local function is_dropped(self, i)
   return self.models[i] == "drop" or #self.chosen[i] == 0
end

-- --- the class ---

local function input_names(X, indices)
   if not rows.is_frame(X) then
      local names = {}
      for k, j in ipairs(indices) do names[k] = "x" .. j end
      return names
   end
   local names = {}
   for k, j in ipairs(indices) do names[k] = X.names[j] end
   return names
end

local definition = {
   name = WHO,
   own_rows = true,
   does = "transform",
   words = words,
   params = { columns = estimator.NONE, prefix = true, sparse_threshold = 0.3 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame" },
   private = { chosen = true, factors = true, sparse = true, outputs = true },
   help = {
      use = "ColumnTransformer { { transformer, columns }, { name, transformer, columns }, ..., remainder = }",
      brief = "Applies a transformer to each group of columns and concatenates the results.",
      params = {
         prefix = "put the name of the part and \"__\" before its output column names",
         sparse_threshold = "return a Sparse if some part does and the fraction of nonzero values is below this",
      },
      notes = "columns are names, indices, \"numeric\", \"factor\", or a function of X that returns one of these. A "
         .. "part may be \"passthrough\" or \"drop\". remainder (default \"drop\") is the transformer for columns "
         .. "that no part selects. Parts are named like the steps of a Pipeline.",
      example = [[
local people = ml.Frame { age = { 31, 45, 23 }, city = { "Oslo", "Rome", "Oslo" } }
local parts = ml.ColumnTransformer { { ml.StandardScaler {}, "numeric" }, { ml.OneHotEncoder {}, "factor" } }
print(parts:fit_transform(people))]],
   },
   construct = construct,
   check = function(self)
      for i, model in ipairs(self.models) do
         composite.check_side_by_side(WHO, self.names[i], model)
      end
   end,
   show_columns = function(self, i)
      local columns = self.columns[i]
      if type(columns) == "function" then return "(function)" end
      return type(columns) == "string" and columns or table.concat(columns, ", ")
   end,
}

local function learn(self, X)
   self.n_features = rows.width(X)
   self.chosen = choose(self, X)
   if not rows.is_frame(X) then return end
   self.feature_names, self.factors = rows.named_columns(X)
end

-- Returns X and its transforms by the parts.
function definition.fit(self, X, y, options)
   local nested, own = composite.split_options(self, options)
   join.refuse_options(self, own)
   X = rows.x(WHO, X)
   learn(self, X)
   local transformed, sparse = {}, false
   for i, model in ipairs(self.models) do
      if not is_dropped(self, i) then
         local fit_transform = sparse and composite.fit_transform_nameless or composite.fit_transform
         transformed[i] = fit_transform(model, rows.columns(X, self.chosen[i]), y, nested[self.names[i]])
         sparse = sparse or rows.kind(transformed[i]) == "Sparse"
      end
   end
   self.sparse = join.wants_sparse(self, transformed)
   self.outputs = join.output_names(self, transformed, function(i) return input_names(X, self.chosen[i]) end)
   return X, transformed
end

function definition.fit_copy_transform(self, X, y, options)
   return join.join(self, definition.fit(self, X, y, options))
end

local function transform(self, X)
   X = rows.x(WHO, rows.from_named(WHO, X, self.feature_names, self.factors))
   local by_name = self.feature_names and rows.is_frame(X)
   if not by_name and rows.width(X) ~= self.n_features then
      error(("%s: X must have %d columns, as in fit, got %d"):format(WHO, self.n_features, rows.width(X)), 0)
   end
   local transformed, apply = {}, self.sparse and composite.transform_nameless or composite.transform
   for i, model in ipairs(self.models) do
      if not is_dropped(self, i) then
         local indices = rows.match_columns(WHO, X, self.feature_names, self.chosen[i])
         transformed[i] = apply(model, rows.columns(X, indices))
      end
   end
   return join.join(self, X, transformed)
end

function definition.transform(self, X)
   return (rows.rethrow(2, pcall(transform, self, X)))
end

--- Names of the columns returned by transform.
function definition.output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   return table.move(self.outputs, 1, #self.outputs, 1, {})
end

M.ColumnTransformer, M.columns = composite.class(definition)

-- --- TransformedTarget ---

local inverse_of = { log = "exp", log1p = "expm1", sqrt = "square" }

local function apply(func, y)
   if type(func) == "function" then return func(y) end
   return y[func](y)
end

local function as_column(y)
   return rows.kind(y) == "Vector" and y:as_column() or y
end

local target = {
   name = "TransformedTarget",
   inner = "regressor",
   ours = true,
   does = "regress",
   params = { regressor = estimator.NONE, transformer = estimator.NONE, func = estimator.NONE,
      inverse = estimator.NONE },
   private = { vector = true },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame" },
   index = function(self, key)
      if not rawget(self, "fitted") or (key ~= "n_features" and key ~= "feature_names") then return nil end
      return estimator.learned(rawget(self, "regressor"), key)
   end,
   construct = function(values)
      if values[1] == nil then return values end
      local settings = {}
      for name, value in pairs(values) do settings[name] = value end
      settings.regressor, settings[1] = settings[1], nil
      return settings
   end,
   help = {
      use = "TransformedTarget { regressor, func =, inverse =, transformer = }",
      brief = "Fits a regressor to a transformed y and transforms its predictions back.",
      params = {
         regressor = "the regressor of the transformed y; may be given first, without a name",
         func = "\"log\", \"log1p\", \"sqrt\", or a function from a Vector to a Vector; without func and "
            .. "transformer, y is not changed",
         inverse = "the inverse function, required if func is a function",
         transformer = "alternative to func: a transformer with inverse_transform, such as PowerTransformer",
      },
      example = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 } }, ml.Vector { 2.7, 7.4, 20, 55 }
print(ml.TransformedTarget { regressor = ml.LinearRegression {}, func = "log" }:fit(X, y):predict { { 5 } })]],
   },
   check = function(self)
      if not estimator.is(self.regressor) then
         error("TransformedTarget: regressor must be an estimator, got " .. estimator.value_text(self.regressor), 0)
      end
      if self.transformer ~= nil and self.func ~= nil then
         error("TransformedTarget: transformer and func must not both be given", 0)
      end
      local func = self.func
      if func == nil and self.inverse ~= nil then
         error("TransformedTarget: inverse requires func", 0)
      end
      if type(func) == "string" and not inverse_of[func] then
         error(("TransformedTarget: func must be log, log1p, sqrt or a function, got '%s'%s"):format(func,
            text.near(func, { "log", "log1p", "sqrt" })), 0)
      end
      if type(func) == "function" and type(self.inverse) ~= "function" then
         error("TransformedTarget: inverse must be a function, got " .. type(self.inverse), 0)
      end
      if self.transformer ~= nil and not estimator.can(self.transformer, "inverse_transform") then
         error(("TransformedTarget: transformer must have inverse_transform; %s does not"):format(
            estimator.name(self.transformer)), 0)
      end
   end,
   can = function(_, name) return name == "predict" or not estimator.is_action(name) end,
}

-- Raise an error with the original y where func is undefined; the regressor rejects a y that is not finite itself.
local function need_domain(func, y, changed)
   if rows.kind(changed) ~= rows.kind(y) then return end
   y, changed = as_column(y), as_column(changed)
   if changed.rows ~= y.rows or changed.cols ~= y.cols then return end
   local bad = (y:isfinite() - changed:isfinite()):flatten()
   if bad:max() <= 0 then return end
   local at = bad:argmax()
   error(("TransformedTarget: y must be where func%s gives a finite number, got %g in row %d"):format(
      type(func) == "string" and " = \"" .. func .. "\"" or "", y:flatten():get(at), (at - 1) // y.cols + 1), 0)
end

function target.fit(self, X, y, options)
   y = rows.y("TransformedTarget", (estimator.find_target(self, X, y)))
   if y == nil then error("TransformedTarget: y must be given, fit(X, y), got nil", 0) end
   if rows.kind(y) == "Matrix" and y.cols == 1 then y = y:flatten() end
   self.vector = rows.kind(y) == "Vector"
   local changed
   if self.transformer then
      changed = self.transformer:fit(as_column(y)):transform(as_column(y))
      if self.vector then changed = changed:flatten() end
   elseif self.func ~= nil then
      changed = apply(self.func, y)
      need_domain(self.func, y, changed)
   else
      changed = y
   end
   self.regressor:fit(X, changed, options)
   return self
end

local function predict(self, X, options)
   local predicted = self.regressor:predict(X, options)
   if not self.transformer and self.func == nil then return predicted end
   if not self.transformer then
      return apply(type(self.func) == "string" and inverse_of[self.func] or self.inverse, predicted)
   end
   local back = self.transformer:inverse_transform(as_column(predicted))
   return self.vector and back:flatten() or back
end

function target.predict(self, X, options)
   return (rows.rethrow(2, pcall(predict, self, X, options)))
end

M.TransformedTarget = estimator.class(target)

return M
