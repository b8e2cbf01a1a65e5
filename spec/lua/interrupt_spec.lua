-- Ctrl-C at a pseudoterminal: the fit ends quickly, the session continues, and old models are unchanged.
local ml = require "manilius"
local host = require "spec.lua.host"
local support = require "spec.support"

-- Sanitized builds are slower.
local sanitized = os.getenv "MANILIUS_SANITIZER" ~= nil
local max_delay = sanitized and 1000 or 100

-- Setup; `watch` shows that a fit is running. Numbers of rows are `large` or `huge`.
local large, huge = support.exhaustive and 1000000 or 200000, support.exhaustive and 30000000 or 6000000
local start = ("large, huge = %d, %d"):format(large, huge) .. [[

ml = require "manilius"
old = ml.Ridge{}:fit({ {1}, {2}, {4} }, { 1, 2, 4 }); before = old:dump()
X = ml.normal(20000, 20, 1); y = {}; for i = 1, X.rows do y[i] = "class" .. i % 10 end
function watch(d) if not told then told = true; io.write("run", "ning\n"); io.flush() end end
]]

local endless = {
   ["k-means"] = [[ml.KMeans{ n_clusters = 200, max_iter = 1000000, n_init = 1000000, tol = 0 }:fit(X, nil,]] ..
      [[ { on_iter = watch })]],
   ["logistic regression"] = [[for i = 1, 1000000 do ml.LogisticRegression{ C = 1e9, tol = 0 }:fit(X, y,]] ..
      [[ { on_iter = watch }) end]],
   ["a fit that refits"] = [[for i = 1, 1000000 do ml.KMeans{ n_clusters = 50 }:fit(X, nil, { on_iter = watch }) end]],
   ["a coroutine"] = [[coroutine.wrap(function() ml.KMeans{ n_clusters = 200, max_iter = 1000000, n_init = 1000000,]] ..
      [[ tol = 0 }:fit(X, nil, { on_iter = watch }) end)()]],
   ["many short calls in a coroutine"] = [[coroutine.wrap(function() m = ml.Ridge{}:fit(X, X) watch() while ]] ..
      [[true do m:predict(X) end end)()]],
   ["a pipeline"] = [[for i = 1, 1000000 do ml.Pipeline { ml.StandardScaler{}, ml.KMeans{ n_clusters = 200, ]] ..
      [[max_iter = 1000000, n_init = 1000000, tol = 0 } }:fit(X, nil, { on_iter = watch }) end]],
   ["a search"] = [[watch() ml.GridSearch{ ml.KMeans{ n_clusters = 200, max_iter = 1000000, n_init = 100000, ]] ..
      [[tol = 0 }, { seed = { 1, 2 } }, scoring = { fn = print, needs = "x" }, cv = 2 }:fit(X)]],
   -- One thread finishes immediately and waits for the other.
   ["a search that waits for its last fit"] = [[watch() ml.threads(2) ml.GridSearch{ ml.KMeans{ n_clusters = 200, ]] ..
      [[max_iter = 1000000, tol = 0 }, { n_init = { 1000000, 1 }, max_iter = { 1000000, 1 } }, ]] ..
      [[scoring = { fn = print, needs = "x" }, cv = 2 }:fit(X)]],
   ["waiting for a job"] = [[watch() ml.KMeans{ n_clusters = 200, max_iter = 1000000, n_init = 1000000, tol = 0 }]] ..
      [[:fit_async(X):wait()]],
   ["one long prediction"] = [[m = ml.KNeighborsClassifier{ n_neighbors = 50 }:fit(X, y) Z = ml.normal(large, 20, ]] ..
      [[1) watch() m:predict(Z)]],
   ["a metric over all pairs"] = [[Z = ml.normal(large // 3, 20, 1) y = ml.KMeans{ n_clusters = 20, max_iter = 1 }]] ..
      [[:fit_predict(Z) watch() ml.metrics.silhouette(Z, y)]],
   ["Shapley values of deep trees"] = [[m = ml.ExtraTreesRegressor{ n_estimators = large // 50000 }]] ..
      [[:fit(X, X:col(1)) watch() m:shap(X)]],
   ["eigenvectors"] = [[Z = ml.normal(1500, 1500, 1) watch() while true do ml.PCA{}:fit(Z) end]],
   ["singular values"] = [[Z = ml.normal(1600, 1200, 1) watch() while true do ml.RidgeCV{}:fit(Z, Z:col(1)) end]],
   ["an inverse"] = [[Z = ml.normal(1800, 1800, 1) watch() while true do Z:inverse() end]],
   ["a system of equations"] = [[Z = ml.normal(2200, 2200, 1) watch() while true do Z:solve(Z:col(1)) end]],
   ["cophenetic distances"] = [[Z = ml.linkage(ml.normal(4000, 2, 1)) watch() while true do ml.cophenetic(Z) end]],
   ["distances of all pairs"] = [[Z = ml.normal(6000, 20, 1) watch() while true do ml.pairwise_distances(Z) end]],
   ["a kernel matrix"] = [[Z = ml.normal(6000, 5, 1) watch() while true do ml.kernel.RBF {}:matrix(Z) end]],
   ["samples of many columns"] = [[Z = ml.dist.multivariate_normal { mean = ml.zeros(2000, 1):col(1), ]] ..
      [[covariance = ml.eye(2000) } watch() while true do Z:sample(2000) end]],
   ["a table of numbers"] = [[Z = ml.normal(huge, 1, 1):col(1):copy() watch() while true do Z:totable() end]],
   ["duplicate rows"] = [[Z = ml.Frame.from(ml.normal(huge // 3, 2, 1)) watch() while true do ]] ..
      [[Z:drop_duplicates() end]],
   ["a special function of a Vector"] = [[Z = ml.random(huge, nil, 1) watch() ml.special.gamma_quantile(Z, 2, 1)]],
   ["quantiles"] = [[Z = ml.random(huge, nil, 1) watch() ml.dist.gamma { shape = 2 }:quantile(Z)]],
   ["samples"] = [[watch() ml.dist.binomial { n = 10^9, p = 0.3 }:sample(100000000)]],
   ["a large confusion matrix"] = [[Z = {} for i = 1, 15000 do Z[i] = i end Z = ml.Factor(Z) watch() ]] ..
      [[while true do ml.metrics.confusion_matrix(Z, Z) end]],
   ["reading a long text"] = [[T = ("1.5,abc,3\n"):rep(huge // 6) watch() while true do ml.parse_csv(T) end]],
   ["reading a stream without end"] = [[watch() ml.read_csv "/dev/zero"]],
   ["reading lines without end"] = [[watch() ml.read_jsonl "/dev/zero"]],
   ["reading a piece without end"] = [[watch() for p in ml.csv_chunks "/dev/zero" do print(p) end]],
   ["cross-validation"] = [[watch() while true do ml.cross_validate(ml.LogisticRegression{}, X, y, { cv = 3 }) end]],
   ["predictions"] = [[m = ml.KNeighborsClassifier{}:fit(X, y); watch(); for i = 1, 1000 do m:predict(X) end]],
}

local core = require "manilius.core"

describe("Ctrl-C", function()
   local terminal

   setup(function() terminal = host.compile("terminal", "-lutil") end)

   teardown(function() os.remove(terminal) end)

   -- The milliseconds of each wait, and the output.
   local function session(first, then_)
      local steps = host.file(table.concat(first, "\n") .. "\n" .. table.concat(then_, "\n") .. "\n")
      local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"
      local _, text = host.run(("TERM=dumb %s 80 %s -i < %s"):format(terminal, lua, steps))
      os.remove(steps)
      local waits = {}
      for ms in text:gmatch "waited (%-?%d+)\n" do waits[#waits + 1] = tonumber(ms) end
      return waits, text
   end

   -- Minimum of three attempts, because the machine may be busy with something else.
   local function check_delay(try)
      local took, who
      for _ = 1, 3 do
         took, who = try()
         if took <= max_delay then return end
      end
      error(("it took %d ms%s"):format(took, who and ": " .. who or ""))
   end

   for name, call in pairs(endless) do
      it("ends " .. name .. " quickly, and the session continues", function()
         local lines = {}
         for line in start:gmatch "[^\n]+" do lines[#lines + 1] = "send " .. line end
         check_delay(function()
            local waits, text = session(lines, {
               "send " .. call,
               "wait 30000 running",
               "sleep 200",
               "key c",
               "wait 30000 interrupted!",
               'send print("same", old:dump() == before, old:predict{ {3} }[1] > 2, ml.KMeans{}:fit(X).fitted)',
               "wait 30000 same\ttrue\ttrue\ttrue",
               "key d",
            })
            assert(#waits == 3 and waits[1] >= 0, "it does not run:\n" .. text)
            assert(waits[2] >= 0, "it is not interrupted:\n" .. text)
            assert(waits[3] >= 0, "the session is not usable:\n" .. text)
            return waits[2]
         end)
      end)
   end

   -- Each estimator fits the same data repeatedly. A sample of 20, all of them with MANILIUS_EXHAUSTIVE=1.
   it("ends the fit of every estimator quickly", function()
      local all, names, then_ = core.class_names(), {}, {}
      for k, i in ipairs(support.sample("interrupt", #all, support.exhaustive and #all or 20)) do names[k] = all[i] end
      for _, name in ipairs(names) do
         for _, line in ipairs {
            ('send class, new = check.core_class "%s"'):format(name),
            "send p = data.make(class, { rows = 6000, cols = 30, plain = true })",
            'send io.write("run", "ning\\n") io.flush() while true do new():fit(p.X, p.y) end',
            "wait 30000 running",
            "sleep 70",
            "key c",
            "wait 20000 interrupted!",
         } do then_[#then_ + 1] = line end
      end
      then_[#then_ + 1] = "key d"
      check_delay(function()
         local waits, text = session({
            'send ml = require "manilius"',
            'send check, data = require "manilius.check", require "manilius.check.data"',
         }, then_)
         local slowest, who = 0, nil
         for i, name in ipairs(names) do
            assert(waits[2 * i - 1] and waits[2 * i - 1] >= 0, name .. " does not run:\n" .. text)
            assert(waits[2 * i] >= 0, name .. " is not interrupted:\n" .. text)
            if waits[2 * i] > slowest then slowest, who = waits[2 * i], name end
         end
         return slowest, who
      end)
   end)
end)

describe("on_iter", function()
   local X = ml.normal(400, 5, 1)

   it("is called in every iteration, with the objective", function()
      local calls, objectives = {}, {}
      local model = ml.KMeans { n_clusters = 8 }:fit(X, nil, { on_iter = function(state)
         calls[#calls + 1], objectives[#objectives + 1] = state.done, state.objective
         assert.equal(300, state.total)
      end })
      assert.equal(model.n_iter, #calls)
      for i, done in ipairs(calls) do assert.equal(i, done) end
      assert.same(model.trace:totable(), objectives)
   end)

   it("counts across restarts", function()
      local last = 0
      ml.KMeans { n_clusters = 8, n_init = 3, max_iter = 5, tol = 0 }:fit(X, nil, { on_iter = function(state)
         assert.is_true(state.done > last and state.done <= state.total)
         assert.equal(15, state.total)
         last = state.done
      end })
      assert.is_true(last > 10)
   end)

   it("keeps the result of the iteration that returns 'stop'", function()
      local model = ml.KMeans { n_clusters = 8, tol = 0 }:fit(X, nil, { on_iter = function(state)
         return state.done == 3 and "stop" or nil
      end })
      assert.equal(3, model.n_iter)
      assert.is_false(model.converged)
      assert.equal(X.rows, #model:predict(X))
   end)

   it("discards the fit at 'cancel'", function()
      local model = ml.KMeans { n_clusters = 8 }
      local ok, message = pcall(model.fit, model, X, nil, { on_iter = function() return "cancel" end })
      assert.is_false(ok)
      assert.matches("cancelled by the progress function", message)
      assert.is_false(model.fitted)
   end)

   it("may fit, predict, raise and collect garbage", function()
      local inner
      local model = ml.KMeans { n_clusters = 8 }:fit(X, nil, { on_iter = function()
         collectgarbage()
         inner = ml.KMeans { n_clusters = 2 }:fit(X, nil, { on_iter = function() collectgarbage() end })
         inner:predict(X)
         pcall(inner.predict, inner, { { 1 } })
      end })
      assert.is_true(model.fitted and inner.fitted)
      assert.equal(model:dump(), ml.KMeans { n_clusters = 8 }:fit(X):dump())
   end)
end)
