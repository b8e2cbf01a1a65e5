--- Base of compositions of named estimators: names, nested parameters, cloning.
--
-- A composition keeps its estimators in two parallel lists, `names` and `models`. Fitting replaces the models by fitted
-- clones.

local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

-- Words that a class accepts in place of an estimator by default.
local default_words = { passthrough = true }

--- Is this an estimator or one of the words allowed in its place?
function M.is_part(value, words)
   if type(value) == "string" then return words[value] == true end
   return estimator.is(value)
end

-- "an estimator, { name, estimator } or \"passthrough\""
local function wanted(words)
   local list = { "an estimator", "{ name, estimator }" }
   for _, word in ipairs(text.sorted_keys(words)) do list[#list + 1] = ("%q"):format(word) end
   return table.concat(list, ", ", 1, #list - 1) .. " or " .. list[#list]
end

--- Names from classes in lower case; those that occur more than once are numbered: pca-1, pca-2.
function M.auto_names(models)
   local names, count, next = {}, {}, {}
   for i, model in ipairs(models) do
      names[i] = estimator.name(model):lower()
      count[names[i]] = (count[names[i]] or 0) + 1
   end
   for i, name in ipairs(names) do
      if count[name] > 1 then
         next[name] = (next[name] or 0) + 1
         names[i] = ("%s-%d"):format(name, next[name])
      end
   end
   return names
end

--- Check that names are distinct and can precede "__".
function M.check_names(who, names, reserved)
   local seen = {}
   for i, name in ipairs(names) do
      if type(name) ~= "string" or name == "" or name:find("__", 1, true) then
         error(("%s: the name of part %d must be a string without '__', got %s"):format(who, i,
            type(name) == "string" and "'" .. name .. "'" or type(name)), 0)
      end
      if seen[name] then error(("%s: parts %d and %d are both named '%s'"):format(who, seen[name], i, name), 0) end
      if reserved and reserved[name] then
         error(("%s: a part cannot be named '%s', which is a parameter"):format(who, name), 0)
      end
      seen[name] = i
   end
end

--- The advice on the form of a list of parts if `list` maps names to parts instead; otherwise "".
-- @param form the fields of a part after its name
function M.list_advice(list, form)
   for name in pairs(list) do
      if type(name) == "string" then
         return ('; parts are listed as { name, %s }: write { "%s", ... } instead of %s = ...'):format(form, name,
            name)
      end
   end
   return ""
end

--- Split a list of estimators and { name, estimator } pairs into names and models.
-- @param words set of words allowed in place of an estimator; default "passthrough"
function M.read_parts(who, list, words)
   words = words or default_words
   local models, given = {}, {}
   for i, entry in ipairs(list) do
      if type(entry) == "table" and not estimator.is(entry) then
         given[i], models[i] = entry[1], entry[2]
      else
         models[i] = entry
      end
      if not M.is_part(models[i], words) then
         error(("%s: part %d must be %s, got %s"):format(who, i, wanted(words), estimator.got(models[i])), 0)
      end
   end
   if #models == 0 then
      error(who .. ": must have at least one part, got none" .. M.list_advice(list, "estimator"), 0)
   end
   local names = M.auto_names(models)
   for i in pairs(models) do names[i] = given[i] ~= nil and given[i] or names[i] end
   return names, models
end

function M.position(self, name)
   for i, one in ipairs(self.names) do
      if one == name then return i end
   end
end

local function copy_models(models)
   local copy = {}
   for i, model in ipairs(models) do copy[i] = estimator.clone(model) end
   return copy
end

local function all_params(self, class)
   local params = {}
   for _, name in ipairs(class.param_names) do
      if name ~= "names" and name ~= "models" then params[name] = rawget(self, name) end
   end
   return params
end

local function get_params(self)
   local params = all_params(self, estimator.need_class(self, "get_params", 2))
   for i, name in ipairs(self.names) do
      local model = self.models[i]
      params[name] = model
      if type(model) ~= "string" then
         for inner, value in pairs(estimator.get_params(model)) do params[name .. "__" .. inner] = value end
      end
   end
   return require "manilius.options".printable(params)
end

local function raise_unknown(self, class, name, level)
   local known = {}
   for _, one in ipairs(class.param_names) do
      if one ~= "names" and one ~= "models" then known[#known + 1] = one end
   end
   for _, one in ipairs(self.names) do known[#known + 1] = one end
   table.sort(known)
   local near = estimator.nested_hint(self, name, known)
   error(("%s has no parameter '%s'%s"):format(class.name, name,
      near ~= "" and near or "; there are " .. table.concat(known, ", ")), level + 1)
end

-- Replace whole parts first, then set parameters of parts, on copies.
local function set_parts(self, class, own, nested, models, level)
   for name, value in pairs(own) do
      local i = M.position(self, name)
      if i then
         if not M.is_part(value, class.words) then
            error(("%s: %s must be an estimator, got %s"):format(class.name, name, estimator.value_text(value)),
               level + 1)
         end
         models[i] = value
      end
   end
   for name, values in pairs(nested) do
      local i = M.position(self, name)
      if not i or type(models[i]) == "string" then raise_unknown(self, class, name, level + 1) end
      models[i] = estimator.clone(models[i])
      estimator.set_params(models[i], values, level + 1)
   end
end

-- Check the new parameters together.
local function check_new_params(self, class, scalars, models)
   if not class.check then return end
   local changed = setmetatable({}, class.meta)
   for name, value in pairs(all_params(self, class)) do rawset(changed, name, value) end
   for name, value in pairs(scalars) do rawset(changed, name, estimator.unset_to_nil(value)) end
   rawset(changed, "names", self.names)
   rawset(changed, "columns", rawget(self, "columns"))
   rawset(changed, "models", models)
   class.check(changed)
end

local function set_params(self, values)
   local class = estimator.need_class(self, "set_params", 2)
   estimator.need_table(class.name, "parameters", values)
   estimator.need_no_job(self, "given other settings", 2)
   local own, nested = estimator.by_step(values)
   local models = table.move(self.models, 1, #self.models, 1, {})
   local scalars = {}
   for name, value in pairs(own) do
      if not M.position(self, name) then
         local is_param = name ~= "names" and name ~= "models" and class.params[name] ~= nil
         if not is_param then raise_unknown(self, class, name, 2) end
         scalars[name] = value
      end
   end
   set_parts(self, class, own, nested, models, 2)
   rows.rethrow(2, pcall(check_new_params, self, class, scalars, models))
   for name, value in pairs(scalars) do rawset(self, name, estimator.unset_to_nil(value)) end
   rawset(self, "models", models)
   return self
end

local function clone(self)
   local class = estimator.need_class(self, "clone", 2)
   local copy = setmetatable({}, class.meta)
   for name, value in pairs(all_params(self, class)) do rawset(copy, name, value) end
   rawset(copy, "names", table.move(self.names, 1, #self.names, 1, {}))
   rawset(copy, "models", copy_models(self.models))
   return copy
end

local function index(self, key)
   local names, models = rawget(self, "names"), rawget(self, "models")
   if not names then return nil end
   if type(key) == "number" then return models[key] end
   local i = M.position(self, key)
   if i then return models[i] end
   if key ~= "steps" then return nil end
   local steps = {}
   for at, name in ipairs(names) do steps[name] = models[at] end
   return steps
end

local function more_names(self)
   local names = { "steps" }
   for _, name in ipairs(rawget(self, "names") or {}) do names[#names + 1] = name end
   return names
end

local function is_composite(model)
   return type(model) == "table" and rawget(model, "names") ~= nil and estimator.class_of(model) ~= nil
end

-- One line per part; the parts of a nested composition follow, indented.
local function lines_of(self, indent, lines)
   local class, width = estimator.class_of(self), 0
   for _, name in ipairs(self.names) do width = math.max(width, #name) end
   for i, name in ipairs(self.names) do
      local model = self.models[i]
      local columns = class.show_columns and class.show_columns(self, i)
      local inside = is_composite(model)
      local what = inside and estimator.name(model) or estimator.one_line(model)
      local is_rest_dropped = model == "drop" and name == "remainder"
      if not is_rest_dropped then
         local seen = columns and columns .. "  " or ""
         lines[#lines + 1] = text.wrap_line(("%s%-" .. width .. "s  %s%s"):format(indent, name, seen, what))
      end
      if inside then lines_of(model, indent .. "  ", lines) end
   end
   return lines
end

-- ", fitted: 4 features, 3 classes", as far as known.
local function status(self)
   local parts, features, classes = {}, estimator.learned(self, "n_features"), estimator.learned(self, "classes")
   if features then parts[1] = text.plural(features, "feature") end
   if classes then parts[#parts + 1] = text.plural(#classes, "class", "classes") end
   return ", fitted" .. (#parts > 0 and ": " .. table.concat(parts, ", ") or "")
end

local function show(self)
   local head = estimator.class_of(self).name .. (rawget(self, "fitted") and status(self) or ", not fitted")
   return table.concat(lines_of(self, "  ", { head }), "\n")
end

local function one_line(self)
   local parts = {}
   for i, model in ipairs(self.models) do parts[i] = estimator.one_line(model) end
   return ("%s { %s }"):format(estimator.class_of(self).name, table.concat(parts, ", "))
end

local all_words = { passthrough = true, drop = true }

-- Check the fields read from an archive, which is untrusted.
local function restored(fields)
   local names, models = fields.names, fields.models
   local fit = type(names) == "table" and type(models) == "table" and #names == #models and #names > 0
   for i, name in ipairs(fit and names or {}) do
      fit = fit and type(name) == "string" and M.is_part(models[i], all_words)
   end
   if not fit then error("a composition with inconsistent names and parts", 0) end
   return fields
end

--- Make a class of compositions; see estimator.class. `show_columns(self, i)` returns a string printed before part i;
-- `words` is the set of words allowed in place of an estimator.
function M.class(definition)
   local show_columns, allowed = definition.show_columns, definition.words or default_words
   definition.show_columns, definition.words = nil, nil
   definition.params = definition.params or {}
   definition.params.names, definition.params.models = estimator.NONE, estimator.NONE
   definition.get_params, definition.set_params, definition.clone = get_params, set_params, clone
   definition.index, definition.tostring, definition.one_line = index, show, one_line
   definition.restored, definition.ours, definition.more_names = restored, true, more_names
   definition.private = definition.private or {}
   definition.private.names, definition.private.models = true, true
   definition.private.columns = true
   local constructor, class = estimator.class(definition)
   class.show_columns, class.words = show_columns, allowed
   return constructor, class
end

--- The resampler whose rows a part would lose: the part itself, or the last step of a pipeline. nil: none.
function M.final_resampler(model)
   if type(model) == "string" then return nil end
   if estimator.resamples(model) then return model end
   if estimator.name(model) ~= "Pipeline" then return nil end
   local steps = model.models
   for i = #steps, 1, -1 do
      if type(steps[i]) ~= "string" then return (M.final_resampler(steps[i])) end
   end
end

--- Raise an error unless the result of a part can stand beside those of other parts: one row for each row of X.
function M.check_side_by_side(who, part, model)
   if type(model) == "string" then return end
   if not estimator.can(model, "transform") then
      error(("%s: all parts must have transform; part %s, %s, does not"):format(who, part, estimator.name(model)), 0)
   end
   local resampler = M.final_resampler(model)
   if resampler then
      error(("%s: part %s, %s, changes the rows; make it a step of the Pipeline around the %s"):format(who, part,
         estimator.name(resampler), who), 0)
   end
end

--- Fit a model and transform X by its fit_transform, which may be cross-fitted; by transform if it has none.
function M.fit_transform(model, X, y, options)
   if type(model) == "string" then return X end
   if estimator.can(model, "fit_transform") then return model:fit_transform(X, y, options) end
   model:fit(X, y, options)
   return model:transform(X)
end

function M.transform(model, X, options)
   if type(model) == "string" then return X end
   return model:transform(X, options)
end

-- A Frame of numbers as a Matrix, for a built-in model that then returns a Matrix; anything else as it is.
local function without_names(model, X)
   if rows.kind(model) ~= "Model" or rows.kind(X) ~= "Frame" then return X end
   return #X.columns > 0 and rows.is_numeric(X) and rows.plain(X) or X
end

--- Like fit_transform, for a result that is joined to a Sparse: a Frame would be made of a Matrix only to become one.
function M.fit_transform_nameless(model, X, y, options)
   local plain = without_names(model, X)
   if plain == X or options or estimator.describe(model).cross_fitted then
      return M.fit_transform(model, X, y, options)
   end
   model:fit(X, y)
   return model:transform(plain)
end

function M.transform_nameless(model, X)
   return M.transform(model, without_names(model, X))
end

--- Output column names of a fitted part, given its input names (or nil) and its number of output columns.
function M.output_names(model, inputs, width, name)
   if type(model) ~= "string" and estimator.can(model, "output_names") then return model:output_names() end
   local names = {}
   for j = 1, width do
      names[j] = model == "passthrough" and (inputs and inputs[j] or "x" .. j) or name .. j
   end
   return names
end

--- Split options into those for parts ("part__name") and the others. Unknown parts are an error.
function M.split_options(self, options)
   local own, nested = estimator.by_step(options or {})
   for name in pairs(nested) do
      if not M.position(self, name) then
         error(("%s has no part '%s'%s"):format(estimator.name(self), name, estimator.hint(name, self.names)), 0)
      end
   end
   return nested, own
end

return M
