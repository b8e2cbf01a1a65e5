--- Fits in the background: the same bits as fit, an unchanged model until the result is fetched, no leaks, no sharing.
local core = require "manilius.core"
local ml = require "manilius"
local host = require "spec.lua.host"
local refuses = require("spec.support").refuses

local memory = core.memory
local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"

local X = ml.normal(2000, 5, 1)
local labels = {}
for i = 1, X.rows do labels[i] = X:get(i, 1) > 0 and "above" or "below" end

-- A fit that does not end unless it is cancelled.
local function endless()
   return ml.KMeans { n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }
end

local function live()
   collectgarbage()
   collectgarbage()
   return memory.live()
end

describe("fit_async", function()
   it("gives the same bits as fit for every estimator", function()
      local check, data = require "manilius.check", require "manilius.check.data"
      for _, name in ipairs((core.class_names())) do
         local class, new = check.core_class(name)
         local problem = data.make(class, { rows = 60 })
         local fitted = new():fit(problem.X, problem.y)
         local model = new()
         local job = model:fit_async(problem.X, problem.y)
         assert.equal(model, job:wait(), name)
         assert.equal(fitted:dump(), model:dump(), name)
      end
   end)

   it("gives the same results for concurrent jobs", function()
      local jobs, wanted = {}, {}
      for seed = 1, 6 do
         local model = ml.KMeans { n_clusters = 12, seed = seed, max_iter = 20 }
         jobs[seed] = model:fit_async(X)
         wanted[seed] = model:clone():fit(X):dump()
      end
      for seed = 6, 1, -1 do assert.equal(wanted[seed], jobs[seed]:wait():dump()) end
   end)

   it("accepts Frames with factors, sparse rows, weights and class weights", function()
      local frame = ml.Frame { { "a", X:col(1):copy() }, { "kind", ml.Factor(labels) } }
      local encoder = ml.OneHotEncoder {}
      assert.equal(ml.OneHotEncoder {}:fit(frame):dump(), encoder:fit_async(frame):wait():dump())
      assert.same({ "a", "kind" }, encoder.feature_names)
      local weights = ml.Vector(X.rows) + 0.5
      local sparse = ml.Sparse(X)
      local function ridge() return ml.Ridge { alpha = 2 } end
      local y = X:col(2):copy()
      assert.equal(ridge():fit(sparse, y, { weights = weights }):dump(),
         ridge():fit_async(sparse, y, { weights = weights }):wait():dump())
      local function logistic() return ml.LogisticRegression { class_weight = { above = 2, below = 1 } } end
      assert.equal(logistic():fit(X, labels):dump(), logistic():fit_async(X, labels):wait():dump())
   end)

   it("works on copies: its arguments may be changed, closed and collected", function()
      local wanted = ml.KMeans { n_clusters = 8 }:fit(X):dump()
      local job
      do
         local Z <close> = X:copy()
         job = ml.KMeans { n_clusters = 8 }:fit_async(Z)
         Z[1] = 1e9
      end
      collectgarbage()
      assert.equal(wanted, job:wait():dump())
   end)

   it("leaves the model unchanged until done or wait fetches the result", function()
      local model = ml.KMeans { n_clusters = 2 }:fit(X)
      local old = model:dump()
      local job = model:fit_async(X, nil)
      model:predict(X)
      assert.equal(old, model:dump())
      while not job:done() do assert.equal(old, model:dump()) end
      assert.equal(model, job.model)
      assert.equal(model, job:wait())
      local other = model:clone():set_params { n_clusters = 3 }
      job = other:fit_async(X)
      while tostring(job):find "running" do collectgarbage "step" end
      assert.is_false(other.fitted)
      assert.matches("^Job: fit of KMeans, finished after .* not fetched$", tostring(job))
      assert.is_true(job:done())
      assert.is_true(other.fitted)
      assert.matches("^Job: fit of KMeans, done in ", tostring(job))
   end)

   it("raises the error of the fit in wait", function()
      local model = ml.LogisticRegression {}
      local job = model:fit_async({ { 1 }, { 2 } }, { 1, 1 })
      local ok, message = pcall(assert(load("return function(job)\nreturn job:wait() end", "@user.lua"))(), job)
      assert.is_false(ok)
      -- A tail call has no position, but the text is complete.
      assert.matches("LogisticRegression: y must have at least 2 classes, got 1 class %(1%)", message)
      assert.is_true(job:done())
      assert.matches("failed: LogisticRegression: y must have", tostring(job))
      assert.is_false(model.fitted)
      assert.is_true(model:fit({ { 1 }, { 2 } }, { 1, 2 }).fitted)
   end)

   it("warns about a fit that did not converge when it is fetched", function()
      local path = host.file [[
         local ml = require "manilius"
         local X, y = ml.normal(100, 2, 1), {}
         for i = 1, 100 do y[i] = i % 3 end
         local job = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression { max_iter = 1 } }:fit_async(X, y)
         print "begun"
         job:wait()
         ml.KMeans { max_iter = 1, tol = 0 }:fit_async(X):wait()
         print "over"]]
      local ok, text = host.run(("%s -W %s"):format(lua, path))
      os.remove(path)
      assert(ok, text)
      local first = "manilius: LogisticRegression: stopped after 1 iteration before it converged"
      assert.is_true(text:find(first, 1, true) ~= nil, text)
      assert.matches("manilius: KMeans: stopped after 1 iteration before it converged", text)
   end)

   it("checks its arguments before it starts", function()
      local model = ml.Ridge {}
      refuses("X must be a matrix", model.fit_async, model, ml.Vector { 1 }, { 1 })
      refuses("Ridge: options are weights, got 'weigths'; did you mean 'weights'%?",
         model.fit_async, model, X, labels, { weigths = 1 })
      refuses("Ridge: fit_async does not support on_iter; read job.progress instead", model.fit_async, model, X,
         labels, { on_iter = print })
      assert.is_true(model:fit({ { 1 }, { 2 } }, { 1, 2 }).fitted)
   end)

   it("prevents other fits of the model", function()
      local model = endless()
      local job <close> = model:fit_async(X)
      refuses("KMeans: cannot be fitted while its job runs; call wait%(%) or cancel%(%) on the job", model.fit, model,
         X)
      refuses("KMeans: cannot be fitted while its job runs", model.fit_async, model, X)
      refuses("KMeans: cannot be given other settings while its job runs", model.set_params, model, { n_init = 1 })
      assert.is_false(model:clone().fitted)
      job:cancel()
      assert.equal(1, model:set_params { n_init = 1, max_iter = 1 }.n_init)
      assert.is_true(model:fit(X).fitted)
   end)
end)

describe("a job", function()
   it("reports its progress and waits no longer than requested", function()
      local job <close> = endless():fit_async(X)
      assert.is_false(job:done())
      assert.is_nil(job:wait(0))
      assert.is_nil(job:wait(0.05))
      local progress
      repeat progress = job.progress until progress.total
      assert.equal(1e12, progress.total)
      assert.is_true(progress.done >= 1 and progress.elapsed > 0.04)
      assert.is_number(progress.objective)
      assert.matches("^Job: fit of KMeans, running for %d+%.%d s, %d+ of 1000000000000$", tostring(job))
      refuses("wait: seconds must be a number >= 0, got %-1", job.wait, job, -1)
      refuses("wait: seconds must be a number >= 0, got nan", job.wait, job, 0 / 0)
      refuses("Job has no 'cancle'; did you mean 'cancel'%?", function() return job.cancle end)
   end)

   it("is stopped by cancel immediately, and the model is unchanged", function()
      local model = endless()
      local job = model:fit_async(X)
      local begin = core.seconds()
      assert.is_true(job:cancel())
      assert.is_true(core.seconds() - begin < (os.getenv "MANILIUS_SANITIZER" and 1 or 0.1))
      assert.is_false(job:cancel())
      assert.is_true(job:done())
      refuses("KMeans: the job was cancelled", job.wait, job)
      assert.equal("Job: fit of KMeans, cancelled", tostring(job))
      assert.is_false(model.fitted)
   end)

   it("is cancelled without leaks when it is closed or collected", function()
      local before, blocks = live(), memory.blocks()
      do
         local job <close> = endless():fit_async(X)
         assert.is_false(job:done())
         assert.is_true(memory.live() > before + X.rows * X.cols * 8)
      end
      assert.is_true(live() <= before + 1000)
      local model = endless()
      model:fit_async(X)
      collectgarbage()
      collectgarbage()
      assert.is_true(model:set_params { n_init = 1, max_iter = 1 }:fit(X).fitted)
      model = nil
      assert.is_true(live() <= before + 1000 and memory.blocks() <= blocks + 3)
      assert.is_nil(model)
   end)

   it("counts toward the memory limit", function()
      local model, before = ml.KMeans { n_clusters = 2 }, live()
      memory.limit(before + 100000)
      local ok, message = pcall(model.fit_async, model, ml.Matrix(X))
      memory.limit(0)
      assert.is_false(ok)
      assert.matches("not enough memory", message)
      assert.is_true(model:fit(X).fitted)
   end)

   it("leaks nothing when any single allocation fails", function()
      local small, y = ml.normal(30, 2, 1), {}
      for i = 1, 30 do y[i] = i % 2 == 0 and "even" or "odd" end
      local model = ml.GaussianNB {}
      local wanted = ml.GaussianNB {}:fit(small, y):dump()
      local before, n, ok = live(), 0, false
      while not ok do
         memory.fail_after(n)
         local message
         ok, message = pcall(function() return model:fit_async(small, y):wait() end)
         memory.fail_after(-1)
         if not ok then
            assert.matches("not enough memory", message)
            assert.is_false(model.fitted)
         end
         assert.is_true(live() <= before + 20000)
         n = n + 1
      end
      assert.is_true(n > 10)
      assert.equal(wanted, model:dump())
   end)

   it("reports that its model was closed meanwhile", function()
      local job
      do
         local model <close> = ml.KMeans { n_clusters = 2 }
         job = model:fit_async(X)
      end
      refuses("the model was closed", job.wait, job)
   end)

   it("can be waited for in a coroutine, and in the callback of another fit", function()
      local job = ml.KMeans { n_clusters = 3 }:fit_async(X)
      assert.is_true(coroutine.wrap(function() return job:wait().fitted end)())
      local inner
      ml.KMeans { n_clusters = 2, max_iter = 3 }:fit(X, nil, { on_iter = function()
         inner = ml.KMeans { n_clusters = 3 }:fit_async(X):wait()
      end })
      assert.equal(job.model:dump(), inner:dump())
   end)

   it("cannot be started in a finalizer", function()
      local message
      setmetatable({}, { __gc = function()
         message = select(2, pcall(endless().fit_async, endless(), X))
      end })
      collectgarbage()
      assert.matches("KMeans: fit_async cannot be called in a finalizer", message)
   end)

   it("that is running does not prevent a Lua state from closing", function()
      local path = host.file [[
         ml = require "manilius"
         X = ml.normal(3000, 5, 1)
         jobs = {}
         for i = 1, 3 do
            jobs[i] = ml.KMeans{ n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }:fit_async(X)
         end
         print(jobs[1]:wait(0.05))
         os.exit(true, true)]]
      local ok, text = host.run(("timeout 60 %s %s"):format(lua, path))
      os.remove(path)
      assert(ok, text)
      assert.equal("nil\n", text)
   end)

   -- Another thread may hold the lock of the sanitizer's allocator during the fork; the child would wait forever.
   local skip_in_sanitizer = os.getenv "MANILIUS_SANITIZER" and pending or it

   skip_in_sanitizer("is lost in a forked process, which reports it and does not wait", function()
      local program = host.compile("fork_host", host.lua_flags())
      local path = host.file [[
         ml = require "manilius"
         ml.threads(2)
         X = ml.normal(3000, 5, 1)
         model = ml.KMeans{ n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }
         job = model:fit_async(X)
         pipeline = ml.Pipeline{ ml.StandardScaler{}, model:clone() }
         other = pipeline:fit_async(X)
         job:wait(0.05)
         if fork() == 0 then
            print("done", job:done(), select(2, pcall(job.wait, job)))
            print(job, job:cancel(), job.progress.done)
            print("again", model:set_params{ n_init = 1, max_iter = 2 }:fit_async(X):wait().fitted)
            print("pipeline", select(2, pcall(other.wait, other)))
            pipeline:set_params{ kmeans__n_init = 1, kmeans__max_iter = 2 }:fit(X)
            print(ml.cross_validate(ml.Ridge{}, X, X:col(1):copy()).folds)
         else
            join()
            print("parent", job:done(), job:cancel())
         end]]
      local ok, text = host.run(("timeout 60 %s %s"):format(program, path))
      os.remove(program)
      os.remove(path)
      assert(ok, text)
      assert.matches("done\ttrue\t[^\n]*KMeans: the job is lost: its fit runs in the process that began it, not in "
         .. "this forked one\n", text)
      assert.matches("Job: fit of KMeans, lost in a forked process\tfalse", text)
      assert.matches("again\ttrue\n", text)
      assert.matches("pipeline\t[^\n]*Pipeline: the job is lost", text)
      assert.matches("\n5\nparent\tfalse\ttrue\n", text)
   end)
end)

describe("fit_async of a Pipeline", function()
   local function pipeline()
      return ml.Pipeline { ml.StandardScaler {}, ml.Pipeline { "passthrough", ml.PCA { n_components = 3 } },
         ml.LogisticRegression {} }
   end

   it("gives the same result as fit", function()
      local model = pipeline()
      local job = model:fit_async(X, labels)
      assert.is_false(model.fitted)
      assert.equal(model, job:wait())
      local wanted = pipeline():fit(X, labels)
      assert.equal(wanted:dump(), model:dump())
      assert.same(wanted.classes, model.classes)
      assert.is_true(model[2].fitted)
      assert.equal(wanted:score(X, labels), model:score(X, labels))
   end)

   it("prevents other fits and changes of its parameters", function()
      local model = ml.Pipeline { ml.StandardScaler {}, endless() }
      local job = model:fit_async(X)
      refuses("Pipeline: cannot be fitted while its job runs; call wait%(%) or cancel%(%) on the job", model.fit, model,
         X)
      refuses("Pipeline: cannot be fitted while its job runs", model.fit_async, model, X)
      refuses("Pipeline: cannot be given other settings while its job runs", model.set_params, model,
         { kmeans__n_init = 1 })
      assert.is_true(job:cancel())
      refuses("Pipeline: the job was cancelled", job.wait, job)
      assert.is_true(model:set_params { kmeans__n_init = 1, kmeans__max_iter = 1 }:fit(X).fitted)
   end)

   it("refuses compositions that run Lua code", function()
      local model = ml.Pipeline { ml.ColumnTransformer { { ml.StandardScaler {}, { 1 } } }, ml.KMeans {} }
      refuses("Pipeline: fit_async requires steps that are built%-in estimators or pipelines of them; step 1, "
         .. "ColumnTransformer, is neither", model.fit_async, model, X)
      local search = ml.GridSearch { ml.Ridge {}, { alpha = { 1 } } }
      refuses("GridSearch: fit_async is only supported by built%-in estimators and Pipelines of them", search.fit_async,
         search, X)
   end)
end)
