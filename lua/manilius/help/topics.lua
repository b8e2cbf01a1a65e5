--- Help topics: estimators, classes, functions, modules and methods, found by name or by value.
--
-- A topic is a table with name, kind ("estimator", "class", "function", "module", "method"), group, use and brief, and
-- where they apply params (a list), options, learned, properties, methods (by name), operations, objective, formula,
-- returns, notes, source, setup and example. It is built from the help tables next to the definitions.

local common = require "manilius.help.estimator".methods
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local names = require "manilius.help.names"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local MAX_LISTED = 30 -- parameters in a message

-- --- estimators of the core ---

--- Inputs an estimator supports: pairs of the key in `takes` of its description and the text shown.
M.takes_words = {
   { "weights", "weights" }, { "sparse", "sparse X" }, { "multitarget", "several targets" },
   { "missing", "missing values" }, { "factors", "factor columns" }, { "unlabelled", "missing labels" },
   { "class_weight", "class weights" },
   { "lengths", "sequences" }, { "square", "square X" }, { "records", "tables of named values" },
   { "no_columns", "X without columns (intercept only)" }, { "stateless", "use without fit" },
}

--- Inputs an estimator requires, in the same form.
M.required_words = {
   { "non_negative", "X >= 0" }, { "binary_only", "two classes" }, { "one_column", "X of one column" },
   { "only_records", "X of tables of named values" }, { "only_texts", "X of texts" },
}

--- The keys of a description's `takes`, with those of required_words.
function M.inputs_of(takes)
   local set = setmetatable({}, { __index = takes })
   local only_records = takes.texts and takes.records
   set.only_records, set.only_texts = only_records, takes.texts and not takes.records
   if only_records then set.records = false end
   return set
end

--- The entry points handle class_weight for all classifiers, so the class tables do not list it.
M.class_weight = { name = "class_weight", wanted = "balanced, a table or nil",
   brief = 'factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c '
      .. "is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all" }

-- How an operation is called: "apply(X)", "gains(X, y [, options])".
local function call_of(operation)
   local given = (operation.needs_x and "X" or "") .. (operation.needs_y and ", y" or "")
   if operation.modifies then return ("%s(%s)"):format(operation.name, operation.options[1].name) end
   if operation.takes_rows then return ("%s([X, y,] [options])"):format(operation.name) end
   local options = #operation.options > 0 and (given == "" and "[options]" or " [, options]") or ""
   return ("%s(%s%s)"):format(operation.name, given, options)
end

-- Can an estimator with these operations use the method? All have export_xgboost, which needs the operation trees.
local function is_usable(method, operations)
   if method ~= "export_xgboost" then return true end
   for _, o in ipairs(operations) do
      if o.name == "trees" then return true end
   end
   return false
end

local function words_of(set, words)
   local list = {}
   for _, word in ipairs(words) do
      if set[word[1]] then list[#list + 1] = word[2] end
   end
   return list
end

-- Whether a method that every estimator inherits works, given the actions of this one.
local function follows_from(method, actions, clusters)
   if method == "fit_transform" or method == "output_names" then return actions.transform end
   if method == "fit_predict" then return actions.predict or clusters end
   if method == "score" then return actions.predict or actions.score_samples end
   return true
end

local function of_estimator(name)
   local topic = { kind = "estimator", methods = {} }
   for key, value in pairs(core.describe(name)) do topic[key] = value end
   topic.group, topic.use = topic.family, name .. " { ... }"
   if topic.takes.class_weight then
      topic.params = table.move(topic.params, 1, #topic.params, 1, {})
      topic.params[#topic.params + 1] = M.class_weight
   end
   local inputs = M.inputs_of(topic.takes)
   topic.takes_text, topic.required_text = words_of(inputs, M.takes_words), words_of(inputs, M.required_words)
   for method, about in pairs(common) do
      local is_generic = core.model_methods[method] and not estimator.is_action(method)
      if topic.can[method] or (is_generic and follows_from(method, topic.can, topic.does.cluster)
         and (method ~= "fit_resample" or topic.resamples_rows) and is_usable(method, topic.operations)) then
         topic.methods[method] = about
      end
   end
   for _, o in ipairs(topic.operations) do
      topic.methods[o.name] = { use = call_of(o), brief = o.brief .. ". Returns " .. o.returns, params = o.options }
   end
   return topic
end

-- --- classes in Lua ---

local function params_of(class)
   local list = {}
   for _, name in ipairs(class.param_names) do
      local brief = class.help.params and class.help.params[name]
      if brief then list[#list + 1] = { name = name, brief = brief, default = class.params[name], in_lua = true } end
   end
   return list
end

-- The topic of a class made by estimator.class.
local function of_class(name, class)
   local help = class.help or {}
   class.help = help
   local topic = { kind = "class", params = params_of(class), learned = class.learned, methods = {} }
   for key, value in pairs(help) do
      if key ~= "params" and key ~= "methods" then topic[key] = value end
   end
   topic.use, topic.brief = topic.use or name .. " { ... }", topic.brief or "An estimator class written in Lua."
   for method, about in pairs(common) do
      if class.methods[method] and follows_from(method, class.methods, class.does == "cluster")
         and is_usable(method, {}) then
         topic.methods[method] = about
      end
   end
   for method, about in pairs(class.help and class.help.methods or {}) do topic.methods[method] = about end
   return topic
end

local function of_table(help)
   local topic = { kind = help.args and "function" or "class" }
   for key, value in pairs(help) do topic[key] = value end
   return topic
end

-- --- by name ---

local groups_by_name

local function group_of(name)
   if not groups_by_name then
      local groups = {}
      for _, group in ipairs(names.groups) do
         for _, one in ipairs(group.names) do groups[one] = group end
      end
      groups_by_name = groups
   end
   return groups_by_name[name]
end

local function of_name(name)
   if core.constructors[name] then return of_estimator(name) end
   if names.modules[name] then
      local help = require("manilius." .. name).help
      return { kind = "module", group = "modules", brief = names.modules[name], help = help }
   end
   local group = group_of(name)
   local made
   if group then
      local found = require("manilius." .. (group.help or group.home))
      found = found.topics or found.help
      local class = group.home and estimator.class_named(name)
      if not (found and found[name]) and group.home then
         require("manilius." .. group.home)
         class = estimator.class_named(name)
      end
      made = found and found[name] and of_table(found[name]) or class and of_class(name, class)
   else
      local class = estimator.class_named(name)
      made = class and of_class(name, class)
   end
   if made and made.kind == "function" then made.args = made.args or {} end
   if made then made.group = group and group.title or "user-defined" end
   return made
end

local topics = {}

--- The topic of a name without a dot, or nil. User-defined classes are found too.
function M.named(name)
   if topics[name] then return topics[name] end
   local topic = of_name(name)
   if not topic then return nil end
   topic.name = name
   if group_of(name) or core.constructors[name] then topics[name] = topic end
   return topic
end

local function function_of_module(topic, name)
   local about = topic.help[name]
   if not about then return nil end
   local made = of_table(about)
   made.kind, made.group, made.name = "function", topic.name, topic.name .. "." .. name
   if topic.name == "metrics" then made.example = made.example or require "manilius.metrics.examples"(about) end
   return made
end

local function method_of(topic, name)
   local about = topic.methods and topic.methods[name]
   local is_function = topic.functions and topic.functions[name]
   if not about and not is_function then return nil end
   local made = of_table(about or is_function)
   made.kind, made.group = is_function and "function" or "method", topic.name
   made.setup = about and topic.setup
   made.name, made.class = topic.name .. "." .. name, topic.name
   return made
end

-- A parameter, field or property.
local function setting_of(topic, name)
   local function made(brief, of, what)
      return { kind = "setting", name = topic.name .. "." .. name, group = topic.name, brief = brief, of = of,
         what = what }
   end
   for _, one in ipairs(topic.params or {}) do
      if one.name == name then return made(one.brief, one, "setting") end
   end
   for _, one in ipairs(topic.fields or {}) do
      if one.name == name then return made(one.brief, one, "learned") end
   end
   for _, kind in ipairs { "learned", "properties" } do
      local brief = topic[kind] and topic[kind][name]
      if brief then return made(brief, {}, kind) end
   end
end

-- A member of a class or module: a method, function, parameter or learned field.
local function member_of(topic, name)
   if topic.kind == "module" then return function_of_module(topic, name) end
   return method_of(topic, name) or setting_of(topic, name)
end

--- The names of all members of a topic.
function M.members(topic)
   local out = {}
   local function add(list)
      for key, value in pairs(list or {}) do out[#out + 1] = type(key) == "string" and key or value.name end
   end
   if topic.kind == "module" then add(topic.help) end
   for _, kind in ipairs { "methods", "functions", "params", "fields", "learned", "properties" } do add(topic[kind]) end
   table.sort(out)
   return out
end

--- All names that have a topic, sorted.
function M.all_names()
   local list = {}
   for name in pairs(core.constructors) do list[#list + 1] = name end
   for name in pairs(names.modules) do list[#list + 1] = name end
   for _, group in ipairs(names.groups) do table.move(group.names, 1, #group.names, #list + 1, list) end
   table.sort(list)
   return list
end

--- What a parameter of another library is called here, or nil.
function M.translated(name)
   if core.nearest(name, M.all_names()) == name then return nil end
   local seen = { seed = true, threads = true, weights = true, k = true, test = true, train = true, delimiter = true }
   for _, class in ipairs((core.class_names())) do
      for _, p in ipairs(core.describe(class).params) do seen[p.name] = true end
   end
   local near = core.foreign_name(name, text.sorted_keys(seen))
   return near
end

local function hint(name, list)
   local absent = require "manilius.help.absent".hint(name)
   if absent then return absent end
   local near = core.nearest(name, list)
   local translated = M.translated(name)
   if translated then return ("; here it is '%s': ml.find \"%s\""):format(translated, translated) end
   local _, note = core.foreign_name(name, {})
   if note then return "; " .. note end
   return near and ("; did you mean '%s'?"):format(near) or '; ml.find "..." searches, ml.help() lists all names'
end

-- "kfold" -> "KFold"
local function ignoring_case(name)
   for _, one in ipairs(M.all_names()) do
      if one:lower() == name:lower() then return one end
   end
   return ""
end

-- The nearest member, else the parameters.
local function hint_for_member(topic, member)
   local near, params = text.near(member, M.members(topic)), {}
   for i, p in ipairs(topic.params or {}) do params[i] = p.name end
   if near ~= "" or #params == 0 or #params > MAX_LISTED then return near end
   return "; its parameters are " .. table.concat(params, ", ")
end

--- The topic of "Ridge", "Frame.join", "Frame:join", "metrics.f1" or "ml.KFold"; an unknown name raises an error that
-- suggests the nearest one.
function M.find(name)
   local asked = name
   name = name:gsub("^%s*ml%.", ""):gsub("%s", ""):gsub("[(){}]+$", "")
   local head, member = name:match "^([%w_]+)[.:]([%w_]+)$"
   local topic = M.named(head or name) or M.named(ignoring_case(head or name))
   if topic and not member then return topic end
   if topic then
      local found = member_of(topic, member)
      if found then return found end
      error(("%s has no '%s'%s"):format(head, member, hint_for_member(topic, member)), 0)
   end
   if common[name] then return member_of({ kind = "class", name = "Estimator", methods = common }, name) end
   for module in pairs(names.modules) do
      local about = require("manilius." .. module).help[name]
      if about then return member_of(M.named(module), name) end
   end
   error(("help: unknown name '%s'%s"):format(asked, hint(head or name, M.all_names())), 0)
end

-- --- by value ---

local by_type = { CrossValidation = "cross_validate", Splits = "KFold", Split = "KFold", Report = "metrics.report",
   Groups = "Frame.group" }

local function function_in(t, prefix, value)
   for name, one in next, t do
      if one == value and type(name) == "string" then return prefix .. name end
   end
end

-- The public name of a function of the library.
local function name_of_function(value)
   local ml = require "manilius"
   for name, one in pairs(ml) do
      if one == value then return name end
   end
   for module in pairs(names.modules) do
      local found = function_in(ml[module], module .. ".", value)
      if found then return found end
   end
   for _, kind in ipairs { "Matrix", "Vector", "Factor" } do
      local sample = kind == "Factor" and ml.Factor {} or kind == "Vector" and ml.Vector {} or ml.zeros(0, 0)
      for name, what in pairs(core.member_names(kind)) do
         if what == "method" and sample[name] == value then return kind .. "." .. name end
      end
   end
   return function_in(require "manilius.frame".methods(), "Frame.", value)
      or function_in(core.model_methods, "Estimator.", value)
end

--- The name of the topic of a manilius value, or nil.
function M.name_of(value)
   local kind = rows.kind(value)
   if kind == "Model" then return value.class end
   if core.member_names and (kind == "Matrix" or kind == "Vector" or kind == "Factor" or kind == "Sparse") then
      return kind
   end
   if kind == "Frame" then return "Frame" end
   if value == core.unset then return "unset" end
   local class = estimator.class_of(value)
   if class then return class.name end
   if kind == "function" then return name_of_function(value) end
   if type(value) ~= "table" then return nil end
   local meta = getmetatable(value)
   local name = type(meta) == "table" and meta.__name
   if name and (by_type[name] or group_of(name)) then return by_type[name] or name end
   return name_of_function(value)
end

return M
