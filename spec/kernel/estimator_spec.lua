-- Kernel values as parameters of estimators, shown with KernelRidge.
local ml = require "manilius"
local support = require "spec.support"

local kernel, refuses = ml.kernel, support.refuses
local X, y = ml.random(60, 3, 1), ml.random(60, nil, 2)
local k = 2 * kernel.RBF { length = { 1, 2, 3 } } + kernel.Linear { columns = { 2 } }

local function predict(model)
   return model:predict(X)
end

describe("An estimator with a kernel", function()
   it("takes names and values", function()
      local named = ml.KernelRidge { kernel = "rbf", gamma = 0.5 }:fit(X, y)
      local value = ml.KernelRidge { kernel = kernel.RBF { length = 1 } }:fit(X, y)
      support.near_all(predict(named), predict(value), 1e-10)
      assert.equal("rbf", named.kernel)
      assert(value.kernel == kernel.RBF {} and named.fitted_kernel == kernel.RBF {})
   end)

   it("prints, copies and saves it", function()
      local model = ml.KernelRidge { kernel = k }
      assert(tostring(model):gsub("%s+", " "):find("kernel = " .. tostring(k), 1, true))
      assert(model:clone().kernel == k and model:get_params().kernel == k)
      model:fit(X, y)
      local loaded = ml.load(model:dump())
      assert(loaded.kernel == k and loaded.fitted_kernel == k)
      assert.equal(ml.dump(predict(model)), ml.dump(predict(loaded)))
      model:set_params { kernel = kernel.Cosine {} }
      assert(model.kernel == kernel.Cosine {})
   end)

   it("finds columns by name when it is fitted", function()
      local frame = ml.Frame { a = X:col(1), b = X:col(2), c = X:col(3) }
      local by_name = ml.KernelRidge { kernel = kernel.RBF { columns = { "c", "a" } } }:fit(frame, y)
      local by_number = ml.KernelRidge { kernel = kernel.RBF { columns = { 3, 1 } } }:fit(X, y)
      support.near_all(by_number:predict(X), by_name:predict(frame), 1e-12)
      assert.same({ 3, 1 }, { table.unpack(by_name.fitted_kernel.columns) })
      assert.same({ "c", "a" }, { table.unpack(by_name.kernel.columns) })
      refuses("KernelRidge: a kernel uses column 'z', which X does not have", function()
         ml.KernelRidge { kernel = kernel.RBF { columns = "z" } }:fit(frame, y)
      end)
      refuses("but X has no column names", function() by_name:clone():fit(X, y) end)
      refuses("KernelRidge: kernel RBF has 2 lengths, but X has 3 columns", function()
         ml.KernelRidge { kernel = kernel.RBF { length = { 1, 2 } } }:fit(X, y)
      end)
   end)

   it("is searched", function()
      local search = ml.GridSearch { ml.KernelRidge {}, { kernel = { "rbf", kernel.Matern {}, k } }, cv = 3 }:fit(X, y)
      assert(search.best_params.kernel ~= nil)
   end)

   it("takes a precomputed matrix", function()
      local K = k:matrix(X)
      local wanted = predict(ml.KernelRidge { kernel = k }:fit(X, y))
      for _, given in ipairs { "precomputed", kernel.Precomputed {} } do
         support.near_all(wanted, ml.KernelRidge { kernel = given }:fit(K, y):predict(K), 1e-10)
         refuses("must be a square matrix, a row and a column for each sample, got 60 x 3", function()
            ml.KernelRidge { kernel = given }:fit(X, y)
         end)
      end
   end)

   it("refuses a precomputed matrix that is not symmetric, and accepts rounding", function()
      local K = { { 2, 1, 0 }, { 1, 2, 1 }, { 0.5, 1, 2 } }
      for _, name in ipairs { "KernelRidge", "SVR", "OneClassSVM", "KernelPCA" } do
         refuses(name .. ": kernel must be symmetric, but its value is 0 for rows 1 and 3, and 0.5 for rows 3 and 1",
            function() ml[name] { kernel = "precomputed" }:fit(K, { 1, 2, 3 }) end)
      end
      K[3][1] = 1e-9
      ml.KernelRidge { kernel = "precomputed" }:fit(K, { 1, 2, 3 })
   end)

   it("checks a precomputed matrix without the rows of weight 0", function()
      local K = { { 2, 1, 0 }, { 9, 2, 1 }, { 0, 1, 2 } }
      ml.KernelRidge { kernel = "precomputed" }:fit(K, { 1, 2, 3 }, { weights = { 1, 0, 1 } })
      refuses("its value is 1 for rows 1 and 2, and 9 for rows 2 and 1", function()
         ml.KernelRidge { kernel = "precomputed" }:fit(K, { 1, 2, 3 }, { weights = { 1, 1, 0 } })
      end)
      K = { { 0, 7, 7 }, { 8, 2, 1 }, { 8, 3, 2 } }
      refuses("its value is 1 for rows 2 and 3, and 3 for rows 3 and 2", function()
         ml.KernelRidge { kernel = "precomputed" }:fit(K, { 1, 2, 3 }, { weights = { 0, 1, 1 } })
      end)
   end)

   -- Ten years of airline passengers: what a kernel says about trend and season decides how well it extrapolates.
   it("predicts two years of airline passengers", function()
      local data = ml.read_csv "examples/data/airpassengers.csv"
      local years, logs = ml.range(0, 143):div(12):reshape(144, 1), data.passengers:log()
      local function error_of(one)
         local model = ml.KernelRidge { kernel = one, alpha = 0.01 }
         model:fit(years:slice(1, 120), logs:slice(1, 120):add(-5))
         return (model:predict(years:slice(121, 144)):add(5) - logs:slice(121, 144)):abs():mean()
      end
      local trend, season = kernel.Linear {} + 1, kernel.Periodic { length = 0.5 } * kernel.RBF { length = 10 }
      assert(error_of(trend + season) < 0.05)
      assert(error_of(trend) > 0.1)
      assert(error_of(kernel.RBF {}) > 0.3)
   end)

   it("refuses other values", function()
      refuses("got 'rfb'; did you mean 'rbf'", ml.KernelRidge, { kernel = "rfb" })
      refuses("kernel must be a kernel, or one of .*, got function", ml.KernelRidge, { kernel = kernel.RBF })
      refuses("kernel must be a kernel, or one of .*, got table", ml.KernelRidge, { kernel = {} })
   end)
end)

describe("An estimator with a Lua function as kernel", function()
   local model = ml.KernelRidge { kernel = kernel.Function(function(a, b) return a:dot(b) end) }
   local linear = ml.KernelRidge { kernel = "linear" }

   it("is fitted and validated on the thread of Lua", function()
      support.near_all(predict(linear:clone():fit(X, y)), predict(model:clone():fit(X, y)), 1e-10)
      local before = ml.threads()
      ml.threads(2)
      for _, wrap in ipairs { function(m) return m end,
         function(m) return ml.Pipeline { ml.StandardScaler {}, m } end } do
         local wanted = ml.cross_validate(wrap(linear), X, y, { cv = 3 })
         local got = ml.cross_validate(wrap(model), X, y, { cv = 3 })
         support.near_all(wanted.scores:col "r2", got.scores:col "r2", 1e-8)
      end
      ml.threads(before)
   end)

   it("is fitted pair by pair of classes", function()
      local iris, species = ml.read_csv("examples/data/iris.csv"):split "species"
      local wanted = ml.SVC { kernel = "linear" }:fit(iris, species)
      local by_function = kernel.Function { matrices = function(A, B) return A * B:t() end }
      local got = ml.SVC { kernel = by_function }:fit(iris, species)
      assert.same(wanted.support:totable(), got.support:totable())
      support.near_all(wanted.intercept, got.intercept, 1e-3) -- the tolerance of the fit
   end)

   it("keeps what it was when the function raises an error", function()
      local fails = false
      local one = ml.KernelRidge { kernel = kernel.Function(function(a, b)
         if fails then error "no kernel today" end
         return a:dot(b)
      end) }:fit(X, y)
      local before = ml.dump(predict(one))
      fails = true
      refuses("^KernelRidge: .*no kernel today", one.fit, one, X, y:mul(2))
      refuses("no kernel today", one.predict, one, X)
      fails = false
      assert.equal(before, ml.dump(predict(one)))
   end)

   it("names the estimator when the function returns something else, or is not a kernel", function()
      local text = kernel.Function(function() return "x" end)
      refuses("^SVR: kernel Function: the function must return a number, got string$",
         function() ml.SVR { kernel = text }:fit(X, y) end)
      refuses("got function; pass ml.kernel.Function%(f%)$", ml.SVR, { kernel = function() return 1 end })
   end)

   it("must be symmetric", function()
      local lopsided = ml.kernel.Function { rows = function(a, b) return a:dot(b) + 0.1 * a[1] end }
      refuses("KernelRidge: kernel must be symmetric, but its value is 2.1 for rows 1 and 2, and 2.2 for rows 2 and 1",
         function() ml.KernelRidge { kernel = lopsided }:fit({ { 1 }, { 2 } }, { 1, 2 }) end)
      refuses("SVC: kernel must be symmetric",
         function() ml.SVC { kernel = lopsided * 2 }:fit({ { 1 }, { 2 } }, { "a", "b" }) end)
   end)

   it("is neither saved nor fitted in the background", function()
      local fitted = model:clone():fit(X, y)
      refuses("a kernel that is a Lua function cannot be saved", ml.dump, fitted)
      refuses("a kernel that is a Lua function cannot be saved", ml.dump, model)
      refuses("KernelRidge: a kernel that is a Lua function cannot be used in the background", function()
         model:clone():fit_async(X, y)
      end)
      refuses("cannot be used in the background", function()
         ml.Pipeline { ml.StandardScaler {}, model:clone() }:fit_async(X, y)
      end)
   end)
end)
