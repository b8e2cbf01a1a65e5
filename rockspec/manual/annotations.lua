--- Annotations for the Lua language server, generated from the help tables.
--
--    lua5.4 rockspec/manual/annotations.lua rockspec/annotations
--
-- The files are never run. They are committed, so that editors find them in a checkout and in an installed copy; a test
-- fails if they are out of date.
-- @module manual.annotations

require "manilius" -- completes the methods of core estimators
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local help = require "manilius.help"
local names = require "manilius.help.names"
local results = require "manual.results"
local text = require "manilius.text"
local topics = require "manilius.help.topics"
local types = require "manual.types"
local writer = require "manual.annotation_writer"

local M = {}

local sorted_keys = text.sorted_keys

-- --- common arguments ---

local X = { name = "X", type = "manilius.X" }
local y = { name = "y", type = "manilius.Y" }
local maybe_y = { name = "y", type = "manilius.Y", optional = true }
local fit_options = { name = "options", type = "manilius.FitOptions", optional = true }
local maybe_path = { name = "path", type = "string", optional = true }
local export_options = { name = "options", type = "{ name?: string }", optional = true }

-- --- methods of all estimators ---

-- Arguments and results of methods whose types do not depend on the class.
local class_independent = {
   predict_proba = { { X }, { "manilius.Matrix" } }, predict_log_proba = { { X }, { "manilius.Matrix" } },
   decision_function = { { X }, { "manilius.Vector|manilius.Matrix" } },
   transform = { { X }, { "manilius.Columns" } }, inverse_transform = { { X }, { "manilius.Columns" } },
   fit_transform = { { X, maybe_y, fit_options }, { "manilius.Columns" } },
   fit_resample = { { X, maybe_y, fit_options }, { "manilius.Columns", "manilius.Factor|manilius.Vector",
      "manilius.Vector?" } },
   score_samples = { { X }, { "manilius.Vector" } },
   score = { { X, maybe_y, { name = "options", type = "{ weights?: manilius.Numbers, scoring?: string|function|table }",
      optional = true } }, { "number" } },
   get_params = { {}, { "table<string, any>" } },
   can = { { { name = "name", type = "string" } }, { "boolean" } }, output_names = { {}, { "string[]" } },
   dump = { {}, { "string" } }, fit_async = { { X, maybe_y, fit_options }, { "manilius.Job" } },
   export_c = { { maybe_path, export_options }, { "string|manilius.Model" } },
   export_lua = { { maybe_path, export_options }, { "string|manilius.Model" } },
   export_xgboost = { { maybe_path }, { "string|manilius.Model" } },
}

local function predicted(does)
   if not does then return "manilius.Factor|manilius.Vector|manilius.Matrix" end
   if does.classify then return "manilius.Factor|manilius.Vector" end
   return does.regress and "manilius.Vector|manilius.Matrix" or "manilius.Vector"
end

-- The arguments and results of an estimator method, for the class `own` with the given `does` table.
local function estimator_method(name, own, does)
   if class_independent[name] then return table.unpack(class_independent[name]) end
   local needs_y = does and (does.classify or does.regress)
   if name == "fit" or name == "partial_fit" then return { X, needs_y and y or maybe_y, fit_options }, { own } end
   if name == "predict" then return { X }, { predicted(does) } end
   if name == "fit_predict" then return { X, needs_y and y or maybe_y, fit_options }, { predicted(does) } end
   if name == "set_params" then -- compositions have parameters of their parts, such as ridge__alpha
      return { { name = "values", type = own .. (does and ".Params" or ".Params|table<string, any>") } }, { own }
   end
   if name == "save" then return { { name = "path", type = "string" } }, { own } end
   return {}, { name == "clone" and own or "any" }
end

-- Methods that return the object. They are annotated in each class, because editors do not resolve `self` in a base
-- class to the derived class.
local returns_self = { fit = true, partial_fit = true, set_params = true, save = true, clone = true }

local function kind_of(does)
   return does.classify and "Classifier" or does.regress and "Regressor" or "Model"
end

-- Kind -> the set of methods that all core estimators of this kind have. They are annotated once, in a base class.
-- Every estimator is also of the kind Model.
local shared = {}
do
   local common = require "manilius.help.estimator".methods
   for _, name in ipairs((core.class_names())) do
      local has, kind = topics.named(name).methods, kind_of(core.describe(name).does)
      for _, one in ipairs(kind == "Model" and { "Model" } or { "Model", kind }) do
         local before, left = shared[one] or common, {}
         for method in pairs(before) do
            left[method] = has[method] == common[method] and not returns_self[method] or nil
         end
         shared[one] = left
      end
   end
   for _, kind in ipairs { "Classifier", "Regressor" } do
      for method in pairs(shared.Model) do shared[kind][method] = nil end
   end
end

-- The base class for a class with these methods: its kind, or Model; nil if it lacks methods of Model.
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
      local optional = f.brief:find "%f[%w]nil%f[%W]" ~= nil
      out:field(f.name, types.of_field(f), "learned: " .. f.brief .. (shape ~= "" and ", " .. shape or ""), optional)
   end
   if class.does.iterate then
      out:field("n_iter", "integer", "learned: number of iterations")
      out:field("converged", "boolean", "learned: true if fit converged before max_iter")
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
   if o.takes_rows then -- (X, y, options) or (options)
      args = { { name = "X", type = "manilius.X|" .. option_fields(o.options), optional = true }, maybe_y }
   end
   if o.modifies then -- the first option without its name, or options
      args[1] = { name = o.options[1].name, type = types.of_param(o.options[1]) .. "|" .. option_fields(o.options),
         optional = true }
   elseif #o.options > 0 then
      args[#args + 1] = { name = "options", type = option_fields(o.options), optional = true }
   end
   local kind = types.of_returns(o.returns)
   if o.modifies then kind = "manilius." .. class.name end
   out:call(class.name .. ":" .. o.name, args, { kind == "any" and "table<string, any>" or kind },
      o.brief .. ". Returns " .. o.returns)
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

-- The annotation of a constructor.
local function maker(out, topic)
   if topic.functions then
      out:add("---@class manilius.%s.Maker", topic.name)
      out:add("---@overload fun(from: any): manilius.%s", topic.name)
      out:add("local %sMaker = {}\n", topic.name)
      for _, name in ipairs(sorted_keys(topic.functions)) do
         local about = topic.functions[name]
         out:call(topic.name .. "Maker." .. name, types.arguments((about.use:gsub("^%u%w*%.", ""))),
            results.of_function[topic.name .. "Maker." .. name] or { "any" }, about.brief)
      end
      out:add("ml.%s = %sMaker\n", topic.name, topic.name)
      return
   end
   local is_value = topic.setup and not topic.params
   local args = is_value and { { name = "from", type = "any" }, { name = "...", type = "any" } }
      or { { name = "params", type = ("manilius.%s.Params"):format(topic.name), optional = true } }
   out:call("ml." .. topic.name, args, { "manilius." .. topic.name }, topic.brief)
end

-- Begin the class of a module; editors merge its parts from all files.
local function begin_module(out, class, name, fields)
   out:add("---@class %s", class)
   for _, field in ipairs(fields or {}) do out:field(table.unpack(field)) end
   out:add("local %s = {}\n", name)
end

-- One file per class, with its constructor.
local function class_file(files, topic, describe)
   local out = writer(("ml.%s: parameters, fields, methods."):format(topic.name))
   files[topic.name] = out
   describe(out)
   begin_module(out, "manilius", "ml")
   maker(out, topic)
end

local function estimators(files)
   local all = writer "Base classes of estimators."
   base_class(all, "Model", nil, "Base class of estimators.", {
      { "fitted", "boolean", "true after fit" }, { "class", "string", "the name of the estimator" },
      { "n_features", "integer", "learned: number of columns of X" },
      { "feature_names", "string[]", "learned: names of the columns of X", true } })
   base_class(all, "Classifier", "Model", "Base class of classifiers.",
      { { "classes", "manilius.Label[]", "learned: the labels, ascending" } }, { classify = true })
   base_class(all, "Regressor", "Model", "Base class of regressors.", {}, { regress = true })
   files.model = all
   for _, name in ipairs((core.class_names())) do
      class_file(files, topics.named(name), function(out) core_estimator(out, name) end)
   end
end

-- --- other classes ---

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
   out:add "---@field [integer] any\n"
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
      local words = topic.learned[key]
      out:field(key, results.of_learned(key, words) or types.of_returns(words), "learned: " .. words)
   end
   for _, key in ipairs(sorted_keys(topic.properties or {})) do
      out:field(key, property_types[key] or "any", topic.properties[key])
   end
   local element = elements[name] or is_estimator and { "integer", "any" }
   if element then out:add("---@field [%s] %s", element[1], element[2]) end
   out:add("local %s = {}\n", name)
   add_estimator_methods(out, name, topic.methods or {}, base)
   add_methods(out, topic)
end

-- Is the topic a class with a type and a constructor?
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
   local out = writer "Types of arguments."
   for _, alias in ipairs(types.aliases) do
      out:describe(alias[3])
      out:add("---@alias %s %s\n", alias[1], alias[2])
   end
   out:add "---@class manilius.FitOptions"
   out:field("weights", "manilius.Numbers", "sample weights >= 0, one per row", true)
   out:field("lengths", "manilius.Numbers", "number of rows of each query or sequence", true)
   out:field("target", "manilius.X", "a second X", true)
   out:field("init_score", "manilius.Numbers|manilius.Matrix", "initial raw predictions of boosting", true)
   out:field("classes", "manilius.Label[]", "partial_fit: all labels that can occur", true)
   out:field("eval", "table", "evaluation set for early stopping: { X, y }, with weights = w if it has weights", true)
   out:field("on_iter", "manilius.OnIter", "called after each iteration", true)
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

-- The result type of a function. Metrics without a description of the result return a number; those with the option
-- average can return one value per class.
local function result_of(home, about)
   if home == "plot" then return "manilius.Figure" end
   if home == "dist" then return "manilius.Distribution" end
   if home == "kernel" and about.returns:find "^a kernel" then return "manilius.Kernel" end
   if home == "test" then return "manilius.TestResult" end
   if about.returns or home ~= "metrics" then return types.of_returns(about.returns) end
   return about.options and about.options.average and "number|manilius.Vector" or "number"
end

local function function_of(out, home, name, about)
   local args, path = {}, home .. "." .. name
   for i, arg in ipairs(about.args) do
      local bare = arg:gsub("[%[%]]", "")
      args[i] = { name = bare, optional = bare ~= arg, type = types.of_arg(bare) }
   end
   local words = about.brief
   if about.returns then words = words .. "\n\nReturns: " .. about.returns end
   if about.options and next(about.options) then
      args[#args + 1] = { name = "options", type = options_type(about.options), optional = true }
      words = words .. "\n\n" .. options_text(about.options)
   end
   out:call(path, args, results.of_function[path] or { result_of(home, about) }, words)
end

local function modules(files)
   for _, module in ipairs(sorted_keys(names.modules)) do
      local out = writer(("Functions of ml.%s."):format(module))
      files[module] = out
      out:describe(names.modules[module])
      begin_module(out, "manilius." .. module, module)
      local of = require("manilius." .. module).help
      for _, name in ipairs(types.names_in(of)) do function_of(out, module, name, of[name]) end
   end
end

local function module()
   local out = writer "The module: local ml = require \"manilius\"."
   local fields = {}
   for i, name in ipairs(sorted_keys(names.modules)) do
      fields[i] = { name, "manilius." .. name, names.modules[name] }
   end
   begin_module(out, "manilius", "ml", fields)
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

-- Classes of results, such as that of ml.cross_validate.
local function result_classes()
   local out = writer "Classes of results."
   for _, class in ipairs(results.classes) do
      out:describe(class.brief)
      class_line(out, class.name)
      for _, field in ipairs(class.fields) do
         local name, optional = field[1]:gsub("%?$", "")
         out:field(name, field[2], field[3], optional > 0)
      end
      out:add("local %s = {}\n", class.name)
      for _, method in ipairs(class.methods or {}) do
         out:call(class.name .. ":" .. method[1], method[2], method[3], method[4])
      end
   end
   return out
end

--- The annotation files: name -> text. One per class and module, and those for base classes and arguments. A module
-- with many functions continues in further files, such as plot_2.lua.
function M.files()
   local files = { manilius = module() }
   estimators(files)
   classes(files)
   modules(files)
   files.results = result_classes()
   local texts = {}
   for name, out in pairs(files) do
      for i, words in ipairs(out:texts()) do texts[name .. (i > 1 and "_" .. i or "") .. ".lua"] = words end
   end
   return texts
end

if arg and arg[0] and arg[0]:find "annotations%.lua$" then
   for name, words in pairs(M.files()) do
      local folder = assert(arg[1], "annotations.lua: the output folder must be given")
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      assert(file:write(words))
      assert(file:close())
   end
end

return M
