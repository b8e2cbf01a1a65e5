--- Annotations for the Lua language server, made from the tables that ml.help is made from.
--
--    lua5.4 rockspec/manual/annotations.lua rockspec/annotations
--
-- The files are never run. They are committed, so that editors find them in a checkout and in an installed copy; a spec
-- complains when they are stale.
-- @module manual.annotations

require "manilius" -- gives the estimators of the core what all have
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local help = require "manilius.help"
local names = require "manilius.help.names"
local text = require "manilius.text"
local topics = require "manilius.help.topics"
local types = require "manual.types"

local M = {}

local sorted_keys = text.sorted_keys

-- --- writing ---

local Writer = {}
Writer.__index = Writer

local function writer(title)
   return setmetatable({ "---@meta _", "-- luacheck: ignore", "-- " .. title,
      "-- Made by `make annotations` from the tables of the library. Not for editing, not for running.", "" }, Writer)
end

function Writer:add(form, ...)
   self[#self + 1] = select("#", ...) > 0 and form:format(...) or form
end

-- Text as comment lines, each beginning with `---`.
function Writer:describe(words)
   for line in (words .. "\n"):gmatch "(.-)\n" do
      while #line > 112 do
         local cut = line:sub(1, 112):find "%s%S*$" or 112
         self[#self + 1] = "---" .. line:sub(1, cut - 1)
         line = line:sub(cut + 1)
      end
      self[#self + 1] = "---" .. line
   end
end

local function one_line(words)
   return (words:gsub("%s+", " "))
end

-- A field or setting: ---@field name? type  words
function Writer:field(name, kind, words, optional)
   self[#self + 1] = ("---@field %s%s %s # %s"):format(name, optional and "?" or "", kind, one_line(words))
end

-- A function or method without a body.
function Writer:call(head, args, returns, words)
   if words then self:describe(words) end
   local list = {}
   for i, arg in ipairs(args) do
      list[i] = arg.name
      local name = arg.name == "..." and "..." or arg.name .. (arg.optional and "?" or "")
      self[#self + 1] = ("---@param %s %s"):format(name, arg.type)
   end
   for _, kind in ipairs(returns) do self[#self + 1] = "---@return " .. kind end
   self[#self + 1] = ("function %s(%s) end\n"):format(head, table.concat(list, ", "))
end

-- --- arguments that many have ---

local X = { name = "X", type = "manilius.X" }
local y = { name = "y", type = "manilius.Y" }
local maybe_y = { name = "y", type = "manilius.Y", optional = true }
local fit_options = { name = "options", type = "manilius.FitOptions", optional = true }

-- --- what estimators share ---

-- Methods whose types do not hang on the class: arguments and results.
local plain = {
   predict_proba = { { X }, { "manilius.Matrix" } }, predict_log_proba = { { X }, { "manilius.Matrix" } },
   decision_function = { { X }, { "manilius.Vector|manilius.Matrix" } },
   transform = { { X }, { "manilius.Columns" } }, inverse_transform = { { X }, { "manilius.Columns" } },
   fit_transform = { { X, maybe_y, fit_options }, { "manilius.Columns" } },
   score_samples = { { X }, { "manilius.Vector" } },
   score = { { X, maybe_y, { name = "options", type = "{ weights?: manilius.Numbers, scoring?: string|function|table }",
      optional = true } }, { "number" } },
   get_params = { {}, { "table<string, any>" } },
   can = { { { name = "name", type = "string" } }, { "boolean" } }, output_names = { {}, { "string[]" } },
   dump = { {}, { "string" } },
}

local function predicted(does)
   if not does then return "manilius.Factor|manilius.Vector|manilius.Matrix" end
   if does.classify then return "manilius.Factor" end
   return does.regress and "manilius.Vector|manilius.Matrix" or "manilius.Vector"
end

-- The arguments and results of a method of estimators, for a class that is called `own` and does what `does` says.
local function estimator_method(name, own, does)
   if plain[name] then return plain[name][1], plain[name][2] end
   local needs_y = does and (does.classify or does.regress)
   if name == "fit" or name == "partial_fit" then return { X, needs_y and y or maybe_y, fit_options }, { own } end
   if name == "predict" then return { X }, { predicted(does) } end
   if name == "fit_predict" then return { X, needs_y and y or maybe_y, fit_options }, { predicted(does) } end
   if name == "set_params" then return { { name = "values", type = own .. ".Params" } }, { own } end
   if name == "save" then return { { name = "path", type = "string" } }, { own } end
   return {}, { name == "clone" and own or "any" }
end

-- Methods that give the object itself: an editor that reads `self` in a base class does not know the heir, so each
-- class has its own.
local gives_itself = { fit = true, partial_fit = true, set_params = true, save = true, clone = true }

local function kind_of(does)
   return does.classify and "Classifier" or does.regress and "Regressor" or "Model"
end

-- Kind -> the names of the methods that all estimators of this kind in the core have: they are described once, in a
-- class that all of them inherit from. All are a Model.
local shared = {}
do
   local common = require "manilius.help.estimator".methods
   for _, name in ipairs((core.class_names())) do
      local has, kind = topics.named(name).methods, kind_of(core.describe(name).does)
      for _, one in ipairs(kind == "Model" and { "Model" } or { "Model", kind }) do
         local before, left = shared[one] or common, {}
         for method in pairs(before) do
            left[method] = has[method] == common[method] and not gives_itself[method] or nil
         end
         shared[one] = left
      end
   end
   for _, kind in ipairs { "Classifier", "Regressor" } do
      for method in pairs(shared.Model) do shared[kind][method] = nil end
   end
end

-- The class that one with these methods inherits from: a kind if it is known, else Model, where it has all of that.
local function base_of(methods, kind)
   for method in pairs(shared.Model) do
      if not methods[method] then return nil end
   end
   return kind or "Model"
end

local function class_line(out, name, base)
   out:add("---@class manilius.%s%s", name, base and ": manilius." .. base or "")
end

local function add_estimator_methods(out, class, methods, base, does)
   local common = require "manilius.help.estimator".methods
   for _, name in ipairs(sorted_keys(methods)) do
      local inherited = base and (shared.Model[name] or shared[base][name])
      if common[name] == methods[name] and not inherited then
         local args, returns = estimator_method(name, "manilius." .. class, does)
         out:call(class .. ":" .. name, args, returns, methods[name].brief)
      end
   end
end

local function base_class(out, name, base, words, fields, does)
   local common = require "manilius.help.estimator".methods
   out:describe(words)
   class_line(out, name, base)
   for _, field in ipairs(fields) do out:field(table.unpack(field)) end
   out:add("local %s = {}\n", name)
   local own = {}
   for method in pairs(shared[name]) do own[method] = common[method] end
   add_estimator_methods(out, name, own, nil, does)
end

-- --- estimators of the core ---

local function params_class(out, class)
   out:add("---@class manilius.%s.Params", class.name)
   for _, p in ipairs(class.params) do
      out:field(p.name, types.of_param(p), ("%s; default %s; %s"):format(p.brief, help.default_text(p), p.wanted), true)
   end
   if class.takes.class_weight then
      out:field("class_weight", '"balanced"|table<manilius.Label, number>', topics.class_weight.brief, true)
   end
   out:add ""
end

local function learned_fields(out, class)
   for _, p in ipairs(class.params) do out:field(p.name, types.of_param(p), p.brief, p.default == nil) end
   for _, f in ipairs(class.fields) do
      local shape = (f.shape or ""):gsub("[?]", "")
      out:field(f.name, types.of_field(f), "learned: " .. f.brief .. (shape ~= "" and ", " .. shape or ""))
   end
   if class.does.iterate then
      out:field("n_iter", "integer", "learned: rounds")
      out:field("converged", "boolean", "learned: did it end before max_iter?")
   end
end

local function option_fields(params)
   local parts = {}
   for i, p in ipairs(params) do parts[i] = ("%s?: %s"):format(p.name, types.of_param(p)) end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

local function operation(out, class, o)
   local args = {}
   if o.needs_x then args[#args + 1] = X end
   if o.needs_y then args[#args + 1] = y end
   if #o.options > 0 then args[#args + 1] = { name = "options", type = option_fields(o.options), optional = true } end
   local kind = types.of_returns(o.returns)
   out:call(class.name .. ":" .. o.name, args, { kind == "any" and "table<string, any>" or kind },
      o.brief .. ". Gives " .. o.returns)
end

local function core_estimator(out, name)
   local class, topic = core.describe(name), topics.named(name)
   params_class(out, class)
   out:describe(class.brief .. (class.objective and "\n\n" .. class.objective or "")
      .. (class.notes and "\n\n" .. class.notes or ""))
   local base = base_of(topic.methods, kind_of(class.does))
   class_line(out, name, base)
   learned_fields(out, class)
   out:add("local %s = {}\n", name)
   add_estimator_methods(out, name, topic.methods, base, class.does)
   for _, o in ipairs(class.operations) do operation(out, class, o) end
end

local function maker(out, topic)
   if topic.functions then
      out:add("---@class manilius.%s.Maker", topic.name)
      out:add("---@overload fun(from: any): manilius.%s", topic.name)
      out:add("local %sMaker = {}\n", topic.name)
      for _, name in ipairs(sorted_keys(topic.functions)) do
         local about = topic.functions[name]
         out:call(topic.name .. "Maker." .. name, types.arguments((about.use:gsub("^%u%w*%.", ""))), { "any" },
            about.brief)
      end
      out:add("ml.%s = %sMaker\n", topic.name, topic.name)
      return
   end
   local is_value = topic.setup and not topic.params
   local args = is_value and { { name = "from", type = "any" }, { name = "...", type = "any" } }
      or { { name = "params", type = ("manilius.%s.Params"):format(topic.name), optional = true } }
   out:call("ml." .. topic.name, args, { "manilius." .. topic.name }, topic.brief)
end

-- Editors put the parts of the class of the module together, whatever file they are in.
local function begin_module(out)
   out:add "---@class manilius"
   out:add "local ml = {}\n"
end

-- A file for each class, with what makes it.
local function class_file(files, topic, describe)
   local out = writer(("ml.%s: settings, values, methods."):format(topic.name))
   files[topic.name] = out
   describe(out)
   begin_module(out)
   maker(out, topic)
end

local function estimators(files)
   local all = writer "What estimators have in common."
   base_class(all, "Model", nil, "What every estimator has.", {
      { "fitted", "boolean", "has fit learned anything?" }, { "class", "string", "the name of the estimator" },
      { "n_features", "integer", "learned: columns of X" },
      { "feature_names", "string[]", "learned: names of the columns of X", true } })
   base_class(all, "Classifier", "Model", "What every classifier has.",
      { { "classes", "manilius.Label[]", "learned: the labels, ascending" } }, { classify = true })
   base_class(all, "Regressor", "Model", "What every regressor has.", {}, { regress = true })
   files.model = all
   for _, name in ipairs((core.class_names())) do
      class_file(files, topics.named(name), function(out) core_estimator(out, name) end)
   end
end

-- --- classes in Lua and of the core ---

local operators = {
   Matrix = { "add", "sub", "mul", "div", "pow", "unm" }, Vector = { "add", "sub", "mul", "div", "pow", "unm" },
   Sparse = { "mul" },
}
local elements = { Matrix = { "integer", "manilius.Vector" }, Vector = { "integer", "number" },
   Factor = { "integer", "manilius.Label" }, Frame = { "string", "any" } }
local property_types = { rows = "integer", cols = "integer", size = "integer", nnz = "integer", whole = "boolean",
   names = "string[]", columns = "(manilius.Vector|manilius.Factor)[]", levels = "manilius.Label[]" }

local function add_operators(out, name)
   local own = "manilius." .. name
   for _, op in ipairs(operators[name] or {}) do
      if op == "unm" then
         out:add("---@operator unm: %s", own)
      else
         out:add("---@operator %s(any): %s", op, (name == "Sparse" or op == "mul") and "any" or own)
      end
   end
end

local function class_params(out, topic)
   out:add("---@class manilius.%s.Params", topic.name)
   for _, p in ipairs(topic.params) do
      out:field(p.name, types.of_default(p), ("%s; default %s"):format(p.brief, help.default_text(p)), true)
   end
   out:add("---@field [%s] any\n", #topic.params > 0 and "integer" or "any")
end

local function add_methods(out, topic)
   local common = require "manilius.help.estimator".methods
   for _, name in ipairs(sorted_keys(topic.methods or {})) do
      local about = topic.methods[name]
      if about ~= common[name] then
         out:call(topic.name .. ":" .. name, types.arguments(about.use),
            types.of_method(topic.name, name, about, topic.setup) or { "any" }, about.brief)
      end
   end
end

local function class_of(out, topic)
   local name, is_estimator = topic.name, estimator.class_named(topic.name) ~= nil
   if topic.params then class_params(out, topic) end
   out:describe(topic.brief .. (topic.notes and "\n\n" .. topic.notes or ""))
   local base = is_estimator and base_of(topic.methods or {}) or nil
   class_line(out, name, base)
   add_operators(out, name)
   for _, p in ipairs(topic.params or {}) do out:field(p.name, types.of_default(p), p.brief, true) end
   for _, key in ipairs(sorted_keys(topic.learned or {})) do
      out:field(key, key == "best" and "any" or types.of_returns(topic.learned[key]), "learned: " .. topic.learned[key])
   end
   for _, key in ipairs(sorted_keys(topic.properties or {})) do
      out:field(key, property_types[key] or "any", topic.properties[key])
   end
   local element = elements[name] or is_estimator and { "any", "any" }
   if element then out:add("---@field [%s] %s", element[1], element[2]) end
   out:add("local %s = {}\n", name)
   add_estimator_methods(out, name, topic.methods or {}, base)
   add_methods(out, topic)
end

-- Names of the module that are classes: each has a type, and a function that makes it.
local function is_class(topic)
   return topic.kind == "class" and (topic.methods ~= nil or topic.params ~= nil)
end

local function grouped_topics()
   local list = {}
   for _, group in ipairs(names.groups) do
      for _, name in ipairs(group.names) do list[#list + 1] = topics.named(name) end
   end
   return list
end

local function arguments_file()
   local out = writer "What data and options are given as."
   for _, alias in ipairs(types.aliases) do
      out:describe(alias[3])
      out:add("---@alias %s %s\n", alias[1], alias[2])
   end
   out:add "---@class manilius.FitOptions"
   out:field("weights", "manilius.Numbers", "a weight >= 0 for each row: it counts as that many equal rows", true)
   out:field("lengths", "manilius.Numbers", "rows of each sequence", true)
   out:field("target", "manilius.X", "a second X", true)
   out:field("init_score", "manilius.Numbers|manilius.Matrix", "raw predictions that boosting begins with", true)
   out:field("classes", "manilius.Label[]", "of partial_fit: all labels that will ever come", true)
   out:field("on_iter", "fun(done: integer, total: integer, objective: number): nil|\"stop\"|\"cancel\"",
      "called after each round", true)
   out:add "---@field [string] any\n"
   return out
end

local function classes(files)
   files.arguments = arguments_file()
   for _, topic in ipairs(grouped_topics()) do
      if is_class(topic) then class_file(files, topic, function(out) class_of(out, topic) end) end
   end
end

-- --- functions ---

local function options_type(options)
   local parts = {}
   for i, name in ipairs(sorted_keys(options)) do
      parts[i] = ("%s?: %s"):format(name, types.of_option(name, options[name]))
   end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

local function options_text(options)
   local lines = {}
   for i, name in ipairs(sorted_keys(options)) do lines[i] = ("- %s: %s"):format(name, options[name]) end
   return table.concat(lines, "\n")
end

-- A metric is a number where its help does not say otherwise; several of them where there is an average to leave out.
local function result_of(home, about)
   if about.returns or home ~= "metrics" then return types.of_returns(about.returns) end
   return about.options and about.options.average and "number|manilius.Vector" or "number"
end

local function function_of(out, home, name, about)
   local args = {}
   for i, arg in ipairs(about.args) do
      local bare = arg:gsub("[%[%]]", "")
      args[i] = { name = bare, optional = bare ~= arg, type = types.of_arg(bare) }
   end
   local words = about.brief
   if about.returns then words = words .. "\n\nGives: " .. about.returns end
   if about.options and next(about.options) then
      args[#args + 1] = { name = "options", type = options_type(about.options), optional = true }
      words = words .. "\n\n" .. options_text(about.options)
   end
   out:call(home .. "." .. name, args, { result_of(home, about) }, words)
end

local function modules(files)
   for _, module in ipairs(sorted_keys(names.modules)) do
      local out = writer(("Functions of ml.%s."):format(module))
      files[module] = out
      out:describe(names.modules[module])
      out:add("---@class manilius.%s", module)
      out:add("local %s = {}\n", module)
      local of = require("manilius." .. module).help
      for _, name in ipairs(types.names_in(of)) do function_of(out, module, name, of[name]) end
   end
end

local function module()
   local out = writer "The module: local ml = require \"manilius\"."
   out:add "---@class manilius"
   for _, name in ipairs(sorted_keys(names.modules)) do
      out:field(name, "manilius." .. name, names.modules[name])
   end
   out:add "local ml = {}\n"
   for _, topic in ipairs(grouped_topics()) do
      if topic.kind == "function" then
         function_of(out, "ml", topic.name, topic)
      elseif not is_class(topic) then
         out:describe(topic.brief)
         out:add("---@type any\nml.%s = nil\n", topic.name)
      end
   end
   return out
end

--- The files of annotations: name -> text. One for each class, one for each module, and what all share.
function M.files()
   local files = { manilius = module() }
   estimators(files)
   classes(files)
   modules(files)
   local texts = {}
   for name, lines in pairs(files) do texts[name .. ".lua"] = table.concat(lines, "\n"):gsub("\n+$", "\n") end
   return texts
end

if arg and arg[0] and arg[0]:find "annotations%.lua$" then
   for name, words in pairs(M.files()) do
      local file = assert(io.open(assert(arg[1], "annotations: a folder is needed") .. "/" .. name, "wb"))
      assert(file:write(words))
      assert(file:close())
   end
end

return M
