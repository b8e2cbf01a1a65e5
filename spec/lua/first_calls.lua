--- Run by failing_host with POINTS: the first call of what loads modules and fills caches, with allocations failing.
-- The next call must give what it gives otherwise.
local core = require "manilius.core"
local fail_from_call = _G.fail_from_call -- of the host
local points = math.tointeger(os.getenv "POINTS") or 20

-- --- the state before anything was loaded ---

local tables, before = { core.model_methods, core.model_meta, core.frame.metatable, core.list_meta,
   getmetatable(core.Sparse), core }, {}
for i, t in ipairs(tables) do
   before[i] = {}
   for key, value in next, t do before[i][key] = value end
end

local function unload()
   for name in pairs(package.loaded) do
      if name:find "^manilius" and name ~= "manilius.core" then package.loaded[name] = nil end
   end
   for i, t in ipairs(tables) do
      for key in next, t do t[key] = before[i][key] end
      for key, value in next, before[i] do t[key] = value end
   end
   collectgarbage()
end

-- --- calls, each of which returns a text ---

local real_print = print

-- What the function prints.
local function printed(f)
   local lines = {}
   _G.print = function(...)
      for _, value in ipairs { ... } do lines[#lines + 1] = tostring(value) end
   end
   local ok, message = pcall(f)
   _G.print = real_print
   if not ok then error(message, 0) end
   return table.concat(lines, "\n")
end

local function refused(f)
   local _, message = pcall(f)
   if message:find "not enough memory" then error(message, 0) end
   return message
end

local function X() return { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 4, 3 } }, { 1, 2, 3, 5 } end

local calls = {
   find = function(ml) return printed(function() ml.find "sparse regression" end) end,
   ["help of a name"] = function(ml) return printed(function() ml.help "Ridge" end) end,
   ["help of a value"] = function(ml)
      return printed(function()
         ml.help(ml.metrics.f1)
         ml.help(ml.KFold)
      end)
   end,
   overview = function(ml) return printed(ml.help) end,
   ["an unknown name"] = function(ml) return refused(function() return ml.lasso_cv end) end,
   printing = function(ml)
      return tostring(ml.Ridge {}:fit(X())) .. tostring(ml.Pipeline { ml.PCA {}, ml.Ridge {} })
   end,
   Frame = function(ml)
      local frame = ml.Frame { a = { 1, 2, 3 }, b = { "x", "y", "x" } }
      return tostring(frame:sort "a") .. tostring(frame:group "b":size()) .. tostring(frame:describe())
   end,
   metrics = function(ml) return tostring(ml.metrics) .. ml.metrics.f1({ 1, 2, 1 }, { 1, 2, 2 }, { positive = 1 }) end,
   plot = function(ml)
      return tostring(ml.plot) .. ml.plot.line(ml.Vector { 1, 2, 3 }, ml.Vector { 2, 1, 3 }):text()
   end,
   dist = function(ml) return tostring(ml.dist.normal { mean = 1 }) .. ml.special.lgamma(5) end,
   kernel = function(ml)
      local k = ml.kernel.RBF { length = 2 } + 1
      return tostring(k) .. tostring(k:matrix { { 1 }, { 2 } }) .. tostring(ml.load(ml.dump(k)))
   end,
   formula = function(ml)
      local frame = ml.Frame { a = { 1, 2, 4 }, b = { 2, 1, 1 }, y = { 1, 2, 3 } }
      return tostring(ml.Ridge { formula = "y ~ a + b" }:fit(frame))
   end,
   validation = function(ml)
      local x, y = X()
      return tostring(ml.GridSearch { ml.Ridge {}, { alpha = { 1, 2 } }, cv = 2 }:fit(x, y).best_params.alpha)
   end,
   archive = function(ml)
      local x, y = X()
      return tostring(ml.load(ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }:fit(x, y):dump()))
   end,
   completion = function(ml)
      local complete = require "manilius.prompt.complete"
      local text = ""
      for _, line in ipairs { "ml.Rid", "ml.plot.co", "ml.Ridge { al", "ml.metrics.r" } do
         text = text .. table.concat(complete.candidates(line, { ml = ml }), " ") .. "\n"
      end
      return text
   end,
   ["hidden Markov model"] = function(ml)
      local model = ml.HMM { n_states = 2, max_iter = 5 }:fit { { 1 }, { 1.1 }, { 5 }, { 5.2 }, { 1 }, { 4.9 } }
      return tostring(model) .. tostring(model:predict { { 1 }, { 5 } })
   end,
   ["factor graph"] = function(ml)
      local net = ml.BayesNet { edges = "a -> b", levels = { "no", "yes" },
         cpts = { a = { 0.8, 0.2 }, b = { no = { 1, 0 }, yes = { 0.1, 0.9 } } } }
      return tostring(net) .. tostring(net:query("a", { b = "yes" }))
   end,
   tagging = function(ml)
      local crf = ml.CRF { c2 = 0.1, max_iter = 5 }:fit({ { "the" }, { "dog" }, { "barks" } }, { "D", "N", "V" })
      return tostring(crf:predict { { "the" }, { "dog" } })
   end,
   ["text of documents"] = function(ml)
      return tostring(ml.Pipeline { ml.TfidfVectorizer {}, ml.LinearSVC {} }:fit({ "a good day", "a bad night" },
         { "x", "y" }):predict { "good" })
   end,
   nonlinear = function(ml)
      local data = ml.Frame { x = { 1, 2, 3, 4 }, y = { 2.1, 3.9, 6.2, 7.8 } }
      return tostring(ml.NonlinearRegression { formula = "y ~ a * x", start = { a = 1 } }:fit(data))
   end,
   tests = function(ml) return tostring(ml.test.t({ 1, 2, 3 }, { 2, 3, 5 })) end,
   importance = function(ml)
      local x, y = X()
      return tostring(ml.permutation_importance(ml.Ridge {}:fit(x, y), x, y))
   end,
   constraints = function(ml) return tostring(ml.solve_sat { clauses = { { 1, 2 }, { -1 } } }) end,
   mixture = function(ml)
      local x = { { 1 }, { 1.2 }, { 5 }, { 5.1 }, { 0.9 }, { 5.3 } }
      return tostring(ml.select_mixture(ml.GaussianMixture {}, x, { components = { 1, 2 }, types = { "EEE" } }))
   end,
   process = function(ml)
      local x, y = X()
      return tostring(ml.GaussianProcessRegressor { kernel = ml.kernel.RBF {} }:fit(x, y))
   end,
   map = function(ml)
      local x = X()
      return tostring(ml.PCA { n_components = 1 }:fit_transform(x)) .. tostring(ml.ClassicalMDS {}:fit_transform(x))
   end,
   export = function(ml)
      local x, y = X()
      return ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }:fit(x, y):export_lua()
   end,
}

local names = {}
for name in pairs(calls) do names[#names + 1] = name end
table.sort(names)
local failures = 0
for _, name in ipairs(names) do
   local text
   local function work() text = calls[name](require "manilius") end
   work()
   local expected = text
   unload()
   local requests, message = fail_from_call(work, math.maxinteger)
   assert(not message, message)
   for i = 1, points do
      unload()
      text = nil
      local _, failed = fail_from_call(work, (i - 1) * requests // points)
      if failed then
         assert(tostring(failed):find "not enough memory", ("%s: %s"):format(name, failed))
         failures = failures + 1
      end
      local ok, later = pcall(work)
      assert(ok, ("%s, after a failed first call: %s"):format(name, later))
      assert(text == expected, name .. ": differs after a failed first call")
   end
   unload()
end
print(("first calls %d"):format(failures))
