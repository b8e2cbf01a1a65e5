--- The editor annotations are up to date, complete and well-formed.

local annotations = require "manual.annotations"
local core = require "manilius.core"
local documents = require "manual.documents"
local names = require "manilius.help.names"

local files = annotations.files()
local all = ""
for _, text in pairs(files) do all = all .. text end

local known = { string = true, number = true, integer = true, boolean = true, table = true, any = true, ["nil"] = true,
   ["function"] = true, fun = true, userdata = true }

--- All definitions, and all lines with types: { file =, type = }.
local function read()
   local defined, used = {}, {}
   for name, text in pairs(files) do
      local function use(kind) used[#used + 1] = { file = name, type = kind } end
      for line in text:gmatch "[^\n]+" do
         local tag, rest = line:match "^%-%-%-@(%w+) (.*)$"
         rest = rest and rest:gsub("%s#.*$", "")
         if tag == "class" then
            local class, base = rest:match "^([^:]+):? ?(.*)$"
            defined[class] = true
            use(base)
         end
         if tag == "alias" then
            defined[rest:match "^%S+"] = true
            use(rest:match "^%S+ (.*)$")
         elseif tag == "field" then
            use(rest:match "^%S+ (.*)$")
         elseif tag == "param" then
            use(rest:match "^%S+ (.*)$")
         elseif tag == "return" or tag == "type" or tag == "overload" then
            use(rest)
         elseif tag == "operator" then
            use(rest:match ": (.*)$")
         elseif tag ~= "class" and tag ~= "meta" and tag then
            error(name .. ": what is @" .. tag .. "?")
         end
      end
   end
   return defined, used
end

describe("annotations for editors", function()
   it("are those that the tables give (make annotations)", function()
      for name, text in pairs(files) do
         assert(text == documents.read("rockspec/annotations/" .. name), name .. " is stale: make annotations")
      end
   end)

   it("are Lua", function()
      for name, text in pairs(files) do assert(load(text, "=" .. name, "t")) end
   end)

   it("define every type that they use", function()
      local defined, used = read()
      assert.is_true(#used > 1000)
      for _, one in ipairs(used) do
         local bare = one.type:gsub('"[^"]*"', ""):gsub("[%a_][%w_]*%??:", "")
         for word in bare:gmatch "[%a_][%w_.]*" do
            assert(known[word] or defined[word], ("%s: %s is not defined, in %s"):format(one.file, word, one.type))
         end
      end
   end)

   it("name the parameters that their functions have", function()
      for name, text in pairs(files) do
         local params = {}
         for line in text:gmatch "[^\n]+" do
            local param = line:match "^%-%-%-@param (%S-)%??%s"
            local list = line:match "^function [%w_.:]+%((.*)%) end"
            if param then params[#params + 1] = param end
            if list then
               assert.equal(table.concat(params, ", "), list, name .. ": " .. line)
               params = {}
            end
         end
      end
   end)

   it("know every name of the module", function()
      local text = files["manilius.lua"]
      local function has(name)
         assert(all:find("\nfunction ml." .. name .. "(", 1, true) or all:find("\nml." .. name .. " =", 1, true),
            "ml." .. name)
      end
      for name in pairs(core.constructors) do has(name) end
      for _, group in ipairs(names.groups) do
         for _, name in ipairs(group.names) do has(name) end
      end
      for name in pairs(names.modules) do
         assert(text:find("\n---@field " .. name .. " manilius." .. name .. " ", 1, true), "ml." .. name)
      end
   end)

   it("tell settings with their types, defaults and ranges", function()
      local function has(line) assert(all:find(line, 1, true), line) end
      has '---@field penalty? "l2"|"none"|"l1"|"elasticnet" # '
      has "---@field alpha? number # penalty on the squared L2 norm of the coefficients; default 1; a number >= 0\n"
      has "---@field n_clusters? integer # number of clusters; default 8; a whole number from 1 to 2147483647\n"
      has "---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features\n"
      has "---@field class_weight? \"balanced\"|table<manilius.Label, number>"
      has "function KNeighborsClassifier:kneighbors(X, options) end"
      assert.is_nil(all:find("function Ridge:predict_proba", 1, true))
      assert.is_nil(all:find("function StandardScaler:predict(", 1, true))
   end)

   it("name only methods that there are", function()
      local ml = require "manilius"
      local samples = { Matrix = ml.zeros(1, 1), Vector = ml.Vector { 1 }, Factor = ml.Factor { "a" },
         Sparse = ml.Sparse.from { { 1 } }, Frame = ml.Frame { { "a", { 1 } } } }
      local groups = samples.Frame:group "a"
      local count = 0
      for class, name in all:gmatch "\nfunction (%w+):([%w_]+)%(" do
         local object = samples[class] or core.constructors[class] and core.constructors[class] {}
         if object then
            local ok, has = pcall(function() return object[name] end)
            if not ok and class == "Frame" then has = groups[name] end
            assert.equal("function", type(has), class .. ":" .. name)
            count = count + 1
         end
      end
      assert.is_true(count > 300)
   end)

   it("name the methods of compositions, and no fields with any name", function()
      local ml, count = require "manilius", 0
      for name, make in pairs(require "spec.fixtures.golden.composed") do
         local text = files[name .. ".lua"]
         if text then
            local object = make()
            for method in text:gmatch("\nfunction " .. name .. ":([%w_]+)%(") do
               assert(object:can(method) or type(object[method]) == "function" or not pcall(function()
                  return object[method] end), name .. ":" .. method)
               count = count + 1
            end
         end
      end
      assert.is_true(count > 100)
      assert.is_nil(all:find("---@field [any]", 1, true))
      assert.is_truthy(ml)
   end)

   it("type functions, arguments and parameters that have results of their own", function()
      local function has(line) assert(all:find(line, 1, true), line) end
      has '---@alias manilius.OnIter fun(state: manilius.Progress): nil|"stop"|"cancel"\n'
      has "---@field on_iter? manilius.OnIter # called after each iteration"
      has "---@return string|manilius.Model\nfunction Model:export_c(path, options) end"
      has "---@return string|manilius.Model\nfunction Model:export_lua(path, options) end"
      has "---@return manilius.Job\nfunction Model:fit_async(X, y, options) end"
      has "---@return manilius.CrossValidation\nfunction ml.cross_validate(model, X, y, options) end"
      has "---@return manilius.Figure\nfunction plot.scatter("
      has "---@return manilius.Split[]\nfunction KFold:split("
      has "---@param values manilius.Pipeline.Params|table<string, any>\n"
      assert.is_nil(files["model.lua"]:find("export_xgboost", 1, true))
      assert.is_nil(all:find("---@return any\n", 1, true), "a function whose result has no type")
   end)

   it("say once what all of a kind have", function()
      local ml = require "manilius"
      assert.is_truthy(all:find("---@class manilius.Ridge: manilius.Regressor\n", 1, true))
      assert.is_truthy(all:find("---@class manilius.GaussianNB: manilius.Classifier\n", 1, true))
      assert.is_truthy(all:find("---@class manilius.Pipeline: manilius.Model\n", 1, true))
      assert.is_nil(all:find("function Ridge:predict(", 1, true))
      for kind, class in pairs { Model = "StandardScaler", Classifier = "GaussianNB", Regressor = "Ridge" } do
         for name in files["model.lua"]:gmatch("\nfunction " .. kind .. ":([%w_]+)%(") do
            assert.equal("function", type(ml[class] {}[name]), class .. ":" .. name)
         end
      end
   end)

   it("tell what methods give, as their examples show", function()
      local function gives(kind, head)
         local at = assert(all:find("\nfunction " .. head .. "(", 1, true), head)
         assert.equal("---@return " .. kind, all:sub(1, at - 1):match "([^\n]*)$")
      end
      gives("manilius.Matrix", "Matrix:t")
      gives("number|manilius.Vector", "Matrix:mean")
      gives("manilius.Vector", "Factor:codes")
      gives("manilius.Frame", "Frame:sort")
      gives("boolean", "Vector:any")
      gives("manilius.Pipeline", "Pipeline:fit")
   end)
end)

-- Real objects of the classes of results.
local function samples()
   local ml = require "manilius"
   local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
   local model = ml.GaussianNB {}
   local fitted = model:clone():fit(X, y)
   local predicted = fitted:predict(X)
   local progress
   ml.KMeans { n_clusters = 2, seed = 1 }:fit(X, nil, { on_iter = function(state) progress = state end })
   local job = ml.Ridge {}:fit_async({ { 1 }, { 2 } }, { 1, 2 })
   job:wait()
   return {
      Progress = progress, Job = job,
      CrossValidation = ml.cross_validate(model, X, y, { cv = 3, return_models = true, return_train = true }),
      Comparison = ml.compare({ a = model, b = ml.DecisionTreeClassifier {} }, X, y, { cv = 3 }),
      Report = ml.report(model, X, y, { cv = 3, pictures = false }),
      ClassificationReport = ml.metrics.report(y, predicted),
      ConfusionMatrix = ml.metrics.confusion_matrix(y, predicted),
      Bootstrap632 = ml.bootstrap_632(model, X, y, { n = 5 }),
      PermutationTest = ml.permutation_test_score(model, X, y, { n = 3 }),
      ChoiceOfK = ml.choose_k(ml.KMeans {}, X, { k = { 2, 3 } }),
      ChoiceOfComponents = ml.choose_components(X, { references = 3 }),
      Consensus = ml.consensus(ml.KMeans {}, X, { n = 3 }),
      PermutationImportance = ml.permutation_importance(fitted, X, y),
      PartialDependence = ml.partial_dependence(fitted, X, "petal_length", { target = "setosa" }),
      ShapleyValues = ml.shap(fitted, X, { target = "setosa", max_background = 5, n_permutations = 2 }),
      Counterfactuals = ml.counterfactuals(fitted, X, 1, { target = "virginica" }),
      Surrogate = ml.surrogate(fitted, X),
      MixtureSelection = ml.select_mixture(ml.GaussianMixture {}, X, { components = { 1 }, types = { "EEE" } }),
      StateSelection = ml.select_hmm(ml.HMM {}, X, { states = { 1 } }),
      FriedmanH = ml.friedman_h(fitted, X, { target = "setosa", max_rows = 10 }),
      AccumulatedEffects = ml.accumulated_effects(fitted, X, "petal_length", { target = "setosa" }),
      TestResult = ml.test.t({ 1, 2, 3.5, 4 }, { 2, 2.5, 3.7, 1 }),
      CheckReport = ml.check(ml.Binarizer {}), Split = ml.KFold {}:split(10)[1],
      Figure = ml.plot.scatter({ 1, 2 }, { 2, 3 }), About = ml.about(), Distribution = ml.dist.normal {},
      Kernel = ml.kernel.RBF {},
   }
end

local rows = require "manilius.rows"
local scalars = { string = "string", number = "number", integer = "number", boolean = "boolean" }

-- Does a value have a type of the annotations? Elements of lists and tables are not checked.
local has_type
function has_type(value, kind)
   if kind == "any" then return value ~= nil end
   local class = kind:match "^manilius%.(%u%w+)$"
   if scalars[kind] then
      return type(value) == scalars[kind] and (kind ~= "integer" or math.tointeger(value) ~= nil)
   end
   if class == "Vector" or class == "Matrix" or class == "Frame" or class == "Model" then
      return rows.kind(value) == class
   end
   if kind:find "^[^(]*|" then
      for part in kind:gmatch "[^|]+" do
         if part:find '^"' and type(value) == "string" or has_type(value, part) then return true end
      end
      return false
   end
   return type(value) == "table" or rows.kind(value) == "Vector"
end

describe("annotations of results", function()
   local objects, results = samples(), require "manual.results"

   it("have the fields and methods that the objects have", function()
      for _, class in ipairs(results.classes) do
         local object = assert(objects[class.name], class.name)
         for _, field in ipairs(class.fields) do
            local name, optional = field[1]:gsub("%?$", "")
            local is_absent = optional == 1 and type(object) == "table" and rawget(object, name) == nil
            if name:find "^[%a_]" and not is_absent then
               local value = object[name]
               local label = ("%s.%s: %s, got %s"):format(class.name, name, field[2], tostring(value))
               assert(has_type(value, field[2]), label)
            end
         end
         for _, method in ipairs(class.methods or {}) do
            assert.equal("function", type(object[method[1]]), class.name .. ":" .. method[1])
         end
      end
   end)

   it("name every field of the objects", function()
      for _, class in ipairs(results.classes) do
         local object, declared = objects[class.name], {}
         for _, field in ipairs(class.fields) do declared[field[1]:gsub("%?$", "")] = true end
         if type(object) == "table" and class.name ~= "Figure" and class.name ~= "Distribution" then
            for key in next, object do
               local is_known = type(key) ~= "string" or key:find "^_" or declared[key]
               assert(is_known, class.name .. " has the field " .. tostring(key))
            end
         end
      end
   end)

   it("type the learned fields of compositions", function()
      local ml, topics = require "manilius", require "manilius.help.topics"
      local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
      local count = 0
      for _, model in ipairs { ml.Pipeline { ml.StandardScaler {}, ml.GaussianNB {} },
         ml.GridSearch { ml.DecisionTreeClassifier {}, { max_depth = { 2, 3 } }, cv = 3 },
         ml.VotingClassifier { ml.GaussianNB {}, ml.DecisionTreeClassifier {} },
         ml.StackingClassifier { ml.GaussianNB {}, ml.DecisionTreeClassifier {} },
         ml.BaggingClassifier { ml.DecisionTreeClassifier {}, n_estimators = 5, seed = 1 },
         ml.AdaBoostClassifier { n_estimators = 3 }, ml.OneVsRestClassifier { ml.LogisticRegression {} } } do
         model:fit(X, y)
         local name = tostring(model):match "^%w+"
         for key, words in pairs(topics.named(name).learned or {}) do
            local kind, value = results.of_learned(key, words), model[key]
            if kind and value ~= nil then
               count = count + 1
               assert(has_type(value, (kind:gsub("%?$", ""))), ("%s.%s: %s, got %s"):format(name, key, kind, value))
            end
         end
      end
      assert.is_true(count > 20)
   end)
end)

-- Is a value of one of the types of a union?
local function is_one_of(value, union)
   for kind in (union .. "|"):gmatch "([^|]+)|" do
      local class = kind:match "^manilius%.(%u%w+)$"
      if kind == "any" or (scalars[kind] and has_type(value, kind)) or (class and rows.kind(value) == class)
         or kind == ('"%s"'):format(tostring(value)) or (kind == "manilius.Numbers" and rows.kind(value) == "Vector")
         or (type(value) == "table" and (kind:find "%[%]" or kind:find "^table")) then
         return true
      end
   end
   return false
end

local function fitted(name)
   local ml, does = require "manilius", core.describe(name).does
   local X, labels, y = ml.random(60, core.describe(name).takes.one_column and 1 or 3, 1), {}, {}
   for i = 1, 60 do
      y[i] = 1 + X:get(i, 1) + X:get(i, 1) ^ 2
      labels[i] = X:get(i, 1) > 0.5 and "a" or "b"
   end
   if core.describe(name).takes.records then
      X = {}
      for i = 1, 60 do X[i] = { kind = labels[i], size = y[i] } end
   elseif core.describe(name).takes.texts then
      X = labels
      for i, label in ipairs(labels) do X[i] = "word " .. label .. i end
   end
   if core.describe(name).takes.one_column and core.describe(name).takes.factors then X = core.Factor(labels) end
   if does.rank then return core.constructors[name] {}:fit(X, y, { lengths = { 30, 30 } }) end
   local needs_labels = does.classify or core.describe(name).takes.y_labels and not does.regress
   local target = needs_labels and labels or (does.regress or core.describe(name).takes.y_reals) and y or nil
   return core.constructors[name] {}:fit(X, target)
end

describe("annotations of estimators", function()
   local ml = require "manilius"

   it("have fields of the declared types", function()
      local count = 0
      for _, name in ipairs((core.class_names())) do
         local model = fitted(name)
         local fields = files[name .. ".lua"]:match("%-%-%-@class manilius." .. name .. "[:\n].-\nlocal ")
         for field, optional, kind in fields:gmatch "%-%-%-@field ([%w_]+)(%??) ([^#]+) #" do
            local value = model[field]
            local ok = value == nil and optional == "?" or is_one_of(value, kind)
            assert(ok, ("%s.%s: %s, got %s"):format(name, field, kind, tostring(value)))
            count = count + 1
         end
      end
      assert.is_true(count > 1000)
   end)

   it("declare only functions that there are", function()
      local count = 0
      for module, name in all:gmatch "\nfunction (%l+)%.([%w_]+)%(" do
         local value = module == "ml" and ml[name] or ml[module][name]
         assert(value ~= nil, module .. "." .. name)
         count = count + 1
      end
      assert.is_true(count > 300)
   end)
end)
