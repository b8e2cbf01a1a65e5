--- Demands on construction, settings, fit, learned fields and saving.

local core = require "manilius.core"
local data = require "manilius.check.data"
local estimator = require "manilius.estimator"
local load_model = require "manilius.save".load
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, fitted, dump = tools.need, use.fitted, use.dump

local function always() return true end
local function of_core(class) return class.core end
local function full_contract(class) return class.full_contract end
local function ours(class) return class.ours end
local function iterates(class) return class.core and class.does.iterate end

local function same_settings(what, a, b)
   local same, where = tools.equal(tools.settings(a), tools.settings(b))
   need(same, "%s: %s", what, where)
end

local demands, demand = tools.new_demands()

-- --- descriptor and construction ---

demand("the descriptor is complete and its names are unique", of_core, function(_, class)
   for _, key in ipairs { "name", "family", "brief", "source", "example" } do
      need(type(class[key]) == "string" and class[key] ~= "", "the descriptor has no %s", key)
   end
   need(utf8.len(class.brief) <= 80, "brief has %d characters, more than 80", utf8.len(class.brief))
   local seen = {}
   local function once(name, what)
      need(not seen[name], "%s '%s' has the same name as a %s", what, name, seen[name])
      need(name:match "^%a[%w_]*$" and not name:match "_$", "%s '%s' is not a valid name", what, name)
      seen[name] = what
   end
   for method in pairs(core.model_methods) do seen[method] = "method" end
   for _, p in ipairs(class.params) do
      once(p.name, "parameter")
      need(p.brief and p.wanted, "parameter %s has no brief", p.name)
   end
   for _, f in ipairs(class.fields) do
      once(f.name, "field")
      need(f.brief and f.shape, "field %s has no brief or no shape", f.name)
   end
   for _, o in ipairs(class.operations) do
      once(o.name, "operation")
      need(o.brief and o.returns, "operation %s has no brief or no description of its result", o.name)
   end
end)

demand("the descriptor is consistent", of_core, function(_, class)
   local does, takes, can = class.does, class.takes, class.can
   local param = function(name) return data.has_param(class, name) ~= nil end
   need(can.fit or takes.stateless, "it has no fit")
   need(not does.classify or can.predict, "it classifies, but has no predict")
   need(not does.regress or can.predict, "it regresses, but has no predict")
   need(not does.transform or can.transform, "it transforms, but has no transform")
   need(not can.transform or does.transform, "it has transform, but does not declare it")
   need(not does.density or can.score_samples, "it is a density, but has no score_samples")
   need(not does.random == not param "seed", "it must have a seed if and only if it is random")
   need(not does.iterate or data.rounds(class), "it iterates, but has no max_iter")
   need(not takes.class_weight or does.classify, "it takes class_weight, but is no classifier")
   need(not does.regress or not (can.decision_function or can.predict_proba), "a regressor has no probabilities")
end)

demand("it can be constructed without settings and has the documented defaults", of_core, function(_, class)
   local model = core.constructors[class.name]()
   local params = model:get_params()
   for _, p in ipairs(class.params) do
      need(params[p.name] == p.default, "%s is %s, not %s", p.name, params[p.name], p.default)
      need(model[p.name] == p.default, "model.%s is %s, not %s", p.name, model[p.name], p.default)
      params[p.name] = nil
   end
   local rest = next(params)
   need(rest == nil or rest == "class_weight", "get_params returns %s, which is not a parameter", rest)
end)

demand("set_params returns the model, and get_params returns what was set", full_contract, function(new)
   local model, other = new(), new()
   local params = model:get_params()
   need(model:set_params(params) == model, "set_params does not return the model")
   same_settings("settings after set_params(get_params())", model, other)
end)

demand("nested settings are named after their estimator", full_contract, function(new)
   local params = new():get_params()
   for name in pairs(params) do
      local inner = name:match "^(.-)__"
      need(not inner or estimator.is(params[inner]), "there is a parameter %s, but no estimator %s", name, inner)
   end
end)

demand("clone copies the settings but nothing learned", always, function(new, class)
   local model, problem = fitted(new, class)
   if type(model) == "table" and type(model.clone) ~= "function" then return end
   local clone = model:clone()
   need(clone ~= model, "clone returns the model itself")
   if class.full_contract then
      same_settings("the model and its clone", model, clone)
      need(not clone.fitted, "the clone is fitted")
   end
   local before = use.outputs(model, class, problem.X)
   clone:fit(problem.X:slice(1, 40), data.take(problem.y, core.range(40):totable()))
   local difference = use.difference(before, use.outputs(model, class, problem.X), tools.equal)
   need(not difference, "fitting the clone changes the model: %s", difference)
end)

demand("learned fields require fit", full_contract, function(new, class)
   local model = new()
   need(model.fitted == false, "an unfitted model has fitted = true")
   for _, field in ipairs(class.fields) do
      tools.refuses(class, field.name, { class.name, "call fit" }, function() return model[field.name] end)
   end
   for _, name in ipairs(class.ours and { "n_features", "feature_names" } or {}) do
      tools.refuses(class, name, { class.name, "call fit" }, function() return model[name] end)
   end
end)

demand("every method called too early says to call fit first", function(class) return not class.takes.stateless end,
   function(new, class)
      local problem = data.make(class)
      for _, action in ipairs { "inverse_transform", table.unpack(use.actions) } do
         if class.can[action] then
            local model = new()
            tools.refuses(class, action, { "^.-" .. class.name .. ": call fit before " .. action .. "$" },
               function() return model[action](model, problem.X) end)
         end
      end
      if class.full_contract and class.can.predict and data.target_kind(class) then
         local model = new()
         tools.refuses(class, "score", { class.name .. ": call fit before " }, model.score, model, problem.X, problem.y)
      end
      for _, operation in ipairs(class.operations) do
         if not operation.works_unfitted then
            tools.refuses(class, operation.name, { class.name .. ": call fit before " .. operation.name },
               use.operate, new(), operation, problem)
         end
      end
   end)

demand("a stateless transformer works without fit", function(class) return class.takes.stateless end,
   function(new, class)
      local problem = data.make(class)
      need(tools.rows(new():transform(problem.X)) == problem.X.rows,
         "transform without fit returns a different number of rows")
   end)

demand("unsupported methods are errors that name the method", of_core, function(new, class)
   local model = fitted(new, class)
   for _, action in ipairs { "partial_fit", "inverse_transform", table.unpack(use.actions) } do
      need(model:can(action) == class.can[action], "can('%s') differs from the descriptor", action)
      if not class.can[action] then
         tools.refuses(class, action, { class.name .. " has no '" .. action .. "'" },
            function() return model[action] end)
      end
   end
   tools.refuses(class, "fti", { "has no 'fti'; did you mean 'fit'" }, function() return model.fti end)
   tools.refuses(class, "assignment", { "use set_params" }, function() model.coef = 1 end)
end)

-- --- fit ---

demand("fit returns the model", always, function(new, class)
   local problem = data.make(class)
   local model = new()
   need(model:fit(problem.X, problem.y) == model, "fit does not return the model")
   if class.can.partial_fit then
      model = new()
      need(model:partial_fit(problem.X, problem.y) == model, "partial_fit does not return the model")
   end
end)

demand("fit does not change settings", full_contract, function(new, class)
   same_settings("settings before and after", new(), (fitted(new, class)))
end)

demand("fitted is true after fit", full_contract, function(new, class)
   local model = fitted(new, class)
   need(model.fitted == true, "fitted is %s", model.fitted)
end)

demand("a fitted model has n_features and classes", ours, function(new, class)
   local model, problem = fitted(new, class)
   need(model.n_features == problem.X.cols, "n_features is %s, not %d", model.n_features, problem.X.cols)
   need(model.class == class.name, "class is %s", model.class)
   need(data.target_kind(class) ~= "labels" or #model.classes == 3 or class.takes.binary_only,
      "classes does not have 3 elements")
end)

local function dimensions(value, shape)
   local kind, sizes, words = tools.kind(value), {}, {}
   if kind == "Matrix" or kind == "Sparse" then sizes = { value.rows, value.cols } end
   if kind == "Vector" or kind == "table" then sizes = { #value } end
   for word in (shape:gsub("%s*<.*", "")):gmatch "[^x ]%S*" do words[#words + 1] = word end
   return sizes, words
end

demand("every learned field can be read and has the documented shape", of_core, function(new, class)
   local model, problem = fitted(new, class)
   local known = { features = problem.X.cols }
   for _, field in ipairs(class.fields) do
      local value = model[field.name]
      local sizes, words = dimensions(value, field.shape)
      if words[1] == "targets" then table.remove(words, 1) end -- omitted for a single target given as a Vector
      need(#sizes == #words or #sizes == 0, "%s has %d dimensions, not %s", field.name, #sizes, field.shape)
      for i, size in ipairs(sizes) do
         local word = words[i]:gsub("%?$", "")
         if known[word] == nil and not tonumber(word) then known[word] = size end
         local wanted = tonumber(word) or known[word]
         local absent = size == 0 and words[i]:find "%?$"
         need(size == wanted or absent, "%s: %s is %d, not %d", field.name, word, size, wanted)
      end
   end
end)

demand("learned indices start at 1", of_core, function(new, class)
   local model = fitted(new, class)
   for _, field in ipairs(class.fields) do
      if field.shape:find "<" then
         for i, value in ipairs(model[field.name]:totable()) do
            need(value >= 1 or value == -1, "%s is %s at position %d", field.name, value, i)
         end
      end
   end
end)

demand("pairs visits settings and learned fields", of_core, function(new, class)
   local model, seen = fitted(new, class), {}
   for name in pairs(model) do seen[name] = true end
   for _, field in ipairs(class.fields) do
      need(seen[field.name] or model[field.name] == nil, "%s is not visited", field.name)
   end
   for _, p in ipairs(class.params) do need(seen[p.name] or model[p.name] == nil, "%s is not visited", p.name) end
end)

demand("printing shows the name and the settings that differ from their defaults", full_contract, function(new, class)
   need(tostring(new()):find(class.name, 1, true), "the name is not shown: %s", new())
   need(tostring(fitted(new, class)):find(class.name, 1, true), "the name is not shown when fitted")
   for _, p in ipairs(class.params) do
      local shown = not p.penalty or p.default == 0 or tostring(new()):find(p.name, 1, true)
      need(shown, "the penalty %s is not shown: %s", p.name, new())
      for _, value in ipairs(data.other_values(p)) do
         local text = tostring(new { [p.name] = value })
         need(text:find(p.name, 1, true), "%s = %s is not shown: %s", p.name, value, text)
      end
   end
end)

demand("refitting gives the same result and forgets the earlier fit", always, function(new, class)
   local model, problem = fitted(new, class)
   local once = class.ours and dump(model)
   local first = use.outputs(model, class, problem.new)
   local other = data.make(class, { rows = 45, cols = 3, seed = 7, classes = 2 })
   local function same_as_once(what)
      model:fit(problem.X, problem.y)
      local difference = use.difference(first, use.outputs(model, class, problem.new), tools.equal)
      need(not difference, "%s: %s", what, difference)
      need(not once or dump(model) == once, "%s: the saved bytes differ", what)
   end
   same_as_once "a second fit"
   model:fit(other.X, other.y)
   same_as_once "after a fit to other data"
end)

demand("the same seed gives bit-identical results", always, function(new, class)
   local problem = data.make(class, { plain = true })
   local one, two = new():fit(problem.X, problem.y), new():fit(problem.X, problem.y)
   use.same_outputs("two fits", class, one, two, problem.new)
end)

-- Settings by parameter with which results are drawn at random.
local random_settings = {
   max_features = { max_features = 1 }, -- fewer columns
   sigma = { sigma = 0.5 }, -- noise
   probability = { probability = true }, -- by folds
   n_restarts = { n_restarts = 30, max_iter = 1 }, -- short of the optimum
}

-- Settings to try in turn: those above, the default, every choice.
local function variants(class)
   local list, choices = {}, { {} }
   for _, p in ipairs(class.params) do
      list[#list + 1] = random_settings[p.name]
      for _, choice in ipairs(p.choices or {}) do choices[#choices + 1] = { [p.name] = choice } end
      if p.name == "n_components" then choices[#choices + 1] = { n_components = 30 } end -- beyond the rank
   end
   return table.move(choices, 1, #choices, #list + 1, list)
end

demand("different seeds can give different results", function(class) return class.core and class.does.random end,
   function(new, class)
      local problem = data.make(class, { plain = true, rows = 100 })
      local options = class.takes.lengths and { lengths = core.Vector(10, 10) } or nil -- the order of sequences
      for _, settings in ipairs(variants(class)) do
         local first
         for seed = 1, 3 do
            settings.seed = seed
            local ok, model = pcall(function() return new(settings):fit(problem.X, problem.y, options) end)
            local given = ok and { use.learned(model, class), use.outputs(model, class, problem.new),
               class.cross_fitted and model:fit_transform(problem.X, problem.y),
               class.resamples_rows and table.pack(model:fit_resample(problem.X, problem.y)) }
            if first and ok and not tools.equal(first, given) then return end
            first = first or given
         end
      end
      tools.fail("three seeds give the same results for all settings")
   end)

demand("fit does not modify X and y", always, function(new, class)
   local problem = data.make(class)
   local X, y = problem.X:copy(), data.take(problem.y, core.range(problem.X.rows):totable())
   local model = new():fit(problem.X, problem.y)
   use.outputs(model, class, problem.X)
   need(tools.equal(X, problem.X), "X has changed")
   need(tools.equal(y, problem.y), "y has changed")
   if class.can.partial_fit then
      new():partial_fit(problem.X, problem.y)
      need(tools.equal(X, problem.X) and tools.equal(y, problem.y), "partial_fit has changed X or y")
   end
   if not class.can.inverse_transform then return end
   local Z = model:transform(problem.X)
   local values = tools.values(Z)
   pcall(model.inverse_transform, model, Z)
   need(tools.equal(values, tools.values(Z)), "inverse_transform has modified its argument")
end)

demand("fit and prediction do not modify a sparse X", function(class) return class.takes.sparse end,
   function(new, class)
      local problem = data.make(class)
      local sparse = core.Sparse.from(problem.X)
      use.outputs(new(data.sparse_settings(class)):fit(sparse, problem.y), class, sparse)
      need(tools.equal(sparse:todense(), problem.X), "X has changed")
   end)

-- --- iteration ---

demand("n_iter, converged, objective and trace describe the iterations", iterates, function(new, class)
   local model = fitted(new, class)
   need(math.type(model.n_iter) == "integer" and model.n_iter >= 1, "n_iter is %s", model.n_iter)
   need(type(model.converged) == "boolean", "converged is %s", model.converged)
   need(type(model.objective) == "number" and model.objective == model.objective, "objective is %s", model.objective)
   need(#model.trace >= 1, "the trace is empty")
   local rounds = data.rounds(class)
   local short = fitted(new, class, { plain = true, settings = { [rounds] = 1 } })
   need(short.n_iter == 1, "%s = 1 runs %d iterations", rounds, short.n_iter)
end)

demand("the objective never increases", function(class) return iterates(class) and not class.does.noisy end,
   function(new, class)
      for _, plain in ipairs { false, true } do
         local trace = fitted(new, class, { plain = plain }).trace:totable()
         for i = 2, #trace do
            local slack = 1e-9 * math.max(math.abs(trace[i]), math.abs(trace[i - 1]), 1e-12)
            local falls = trace[i] <= trace[i - 1] + slack
            need(falls, "it increases from %.17g to %.17g in iteration %d", trace[i - 1], trace[i], i)
         end
      end
   end)

-- --- prediction and saving ---

demand("prediction does not change the model", full_contract, function(new, class)
   local model, problem = fitted(new, class)
   local before = dump(model)
   use.outputs(model, class, problem.X)
   use.outputs(model, class, problem.new)
   use.learned(model, class)
   for _, operation in ipairs(class.operations) do pcall(use.operate, model, operation, problem) end
   need(dump(model) == before, "the saved bytes differ")
end)

demand("a saved and loaded model is bit-identical", full_contract, function(new, class)
   for _, frame in ipairs { false, class.ours or nil } do
      local problem = data.make(class)
      local X = frame and data.frame(problem.X) or problem.X
      local model = new():fit(X, problem.y)
      local loaded = load_model(dump(model))
      need(dump(loaded) == dump(model), "the bytes differ after loading")
      same_settings("after loading", model, loaded)
      need(tools.equal(use.learned(loaded, class), use.learned(model, class)), "learned values differ after loading")
      if class.ours then
         need(tools.equal(loaded.feature_names, model.feature_names), "feature names differ after loading")
      end
      use.same_outputs("after loading", class, model, loaded, problem.new)
   end
end)

demand("an unfitted model can be saved", full_contract, function(new, class)
   local loaded = load_model(dump(new()))
   need(not loaded.fitted, "it is fitted after loading")
   same_settings("after loading", new(), loaded)
   need(dump(loaded) == dump(new()), "the bytes differ after loading")
   need(estimator.name(loaded) == class.name, "its class is %s after loading", estimator.name(loaded))
end)

-- --- generic methods ---

local function add_composed(first, second, action)
   demand(first .. " equals fit, then " .. action,
      function(class)
         return class.full_contract and class.can[action] and not (class.cross_fitted and action == "transform")
      end,
      function(new, class)
         local problem = data.make(class)
         local together = new()
         local result = together[first](together, problem.X, problem.y)
         local apart = new():fit(problem.X, problem.y)
         need(tools.equal(result, apart[second](apart, problem.X)), "the results differ")
      end)
end

add_composed("fit_transform", "transform", "transform")

demand("fit_transform fits as fit does, and gives each row features", function(class) return class.cross_fitted end,
   function(new, class)
      local problem = data.make(class)
      local together = new()
      local result = together:fit_transform(problem.X, problem.y)
      local apart = new():fit(problem.X, problem.y)
      use.same_outputs("after fit_transform", class, together, apart, problem.new)
      need(tools.rows(result) == problem.X.rows, "X has %d rows, the result %d", problem.X.rows, tools.rows(result))
   end)

add_composed("fit_predict", "predict", "predict")

demand("score returns a number", function(class)
   return class.full_contract and class.can.predict and data.target_kind(class) ~= nil
end, function(new, class)
   local model, problem = fitted(new, class)
   local score = model:score(problem.X, problem.y)
   local least = class.does.ignores_x and -1 or 0.5
   need(type(score) == "number" and score <= 1 and score > least, "score is %s", score)
end)

demand("a Pipeline of it alone gives the same results", full_contract, function(new, class)
   local model, problem = fitted(new, class)
   local pipe = require("manilius").Pipeline { new() }:fit(problem.X, problem.y)
   for _, action in ipairs(use.actions) do
      if class.can[action] then
         local same, where = tools.equal(model[action](model, problem.new), pipe[action](pipe, problem.new))
         need(same, "%s gives %s", action, where)
      end
   end
   if class.can.predict and data.target_kind(class) then
      local one, other = model:score(problem.X, problem.y), pipe:score(problem.X, problem.y)
      need(one == other, "the scores are %.17g and %.17g", one, other)
   end
end)

demand("a Frame is transformed to a Frame", function(class)
   return class.ours and class.can.transform and not class.takes.square
end, function(new, class)
   local problem = data.make(class)
   local model = new():fit(data.frame(problem.X), problem.y)
   local plain, named = model:transform(problem.new), model:transform(data.frame(problem.new))
   if tools.kind(plain) ~= "Matrix" then return end
   need(tools.kind(named) == "Frame", "transform returns a %s", tools.kind(named))
   need(tools.equal(named.names, model:output_names()), "its names differ from output_names")
   for j = 1, plain.cols do need(tools.equal(plain:col(j), named.columns[j]), "column %d differs", j) end
end)

demand("operations run or raise a clear error", of_core, function(new, class)
   local model, problem = fitted(new, class)
   for _, operation in ipairs(class.operations) do
      tools.succeeds_or_explains(operation.name, use.operate, model, operation, problem)
      tools.refuses(class, operation.name, { "has no parameter 'no_such_option'" }, function()
         local arguments = {}
         if operation.needs_x then arguments[#arguments + 1] = problem.X end
         if operation.needs_y then arguments[#arguments + 1] = problem.y end
         arguments[#arguments + 1] = { no_such_option = 1 }
         return model[operation.name](model, table.unpack(arguments))
      end)
   end
end)

demand("the help example runs", of_core, function(_, class)
   local ml = require "manilius"
   local environment = setmetatable({ ml = ml, print = function(...) return select("#", ...) end }, { __index = _G })
   local chunk, problem = load(class.example, "=example", "t", environment)
   need(chunk, "%s", problem)
   local ok, message = pcall(chunk)
   need(ok, "%s", message)
end)

return demands
