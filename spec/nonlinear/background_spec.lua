--- NonlinearRegression:fit_async.
local ml = require "manilius"
local refuses = require "spec.support".refuses

local sets = {}
for _, set in ipairs(dofile "spec/fixtures/nonlinear/nist.lua") do sets[set.name] = set end

local function problem(name, from)
   local set, start = sets[name], {}
   for i, value in ipairs(set[from or "start2"]) do start["b" .. i] = value end
   return ml.NonlinearRegression { formula = set.formula, start = start }, ml.Frame { { "y", set.y }, { "x", set.x } }
end

describe("NonlinearRegression:fit_async", function()
   it("gives the same as fit", function()
      for _, name in ipairs { "Misra1a", "Thurber", "MGH09" } do
         local model, data = problem(name)
         local weights = data.x:abs() + 1
         local plain = model:clone():fit(data, nil, { weights = weights })
         local job = model:fit_async(data, nil, { weights = weights })
         assert.equal(model, job:wait())
         assert.matches("^Job: fit of NonlinearRegression, done in", tostring(job))
         assert.equal(tostring(plain:summary()), tostring(model:summary()))
         assert.equal(plain:predict(data), model:predict(data))
         assert.equal(model, model:fit(data)) -- the job is over
      end
   end)

   it("takes values of x and y as they are at the call", function()
      local model, data = problem "Misra1a"
      local X, y = ml.hcat(data.x), ml.Vector(data.y)
      local plain = model:clone():fit(X, y)
      local job = model:fit_async(X, y)
      for i = 1, #y do X[i][1], y[i] = 0, 0 end
      assert.equal(plain.rss, job:wait().rss)
   end)

   it("leaves the model unchanged until the job is done, or after it was cancelled", function()
      local model, data = problem "Misra1a"
      local job = model:fit_async(data)
      refuses("NonlinearRegression: cannot be fitted while its job runs", model.fit, model, data)
      refuses("NonlinearRegression: cannot be fitted while its job runs", model.fit_async, model, data)
      assert.is_true(job:cancel())
      assert.is_false(model.fitted)
      refuses("NonlinearRegression: the job was cancelled", job.wait, job)
      assert.is_true(model:fit(data).fitted)
   end)

   it("warns and fails as fit does", function()
      local model, data = problem("Misra1a", "start1")
      model:set_params { max_iter = 1 }
      local warnings, before = {}, ml.warnings()
      ml.warnings(function(text) warnings[#warnings + 1] = text end)
      model:fit_async(data):wait()
      ml.warnings(before)
      assert.equal(1, #warnings)
      assert.matches("^NonlinearRegression: not converged after 1 iteration", warnings[1])
      local bad = ml.NonlinearRegression { formula = "y ~ log(a - x)", start = { a = 1 } }
      refuses("NonlinearRegression: the model must be finite at the starting values", function()
         bad:fit_async(data):wait()
      end)
      local steep = ml.NonlinearRegression { formula = "y ~ sqrt(a) * x", start = { a = 0 } }
      refuses("NonlinearRegression: the derivative of the model with respect to 'a'", function()
         steep:fit_async(data):wait()
      end)
   end)

   it("says what cannot run in the background", function()
      local data = select(2, problem "Misra1a")
      local model = ml.NonlinearRegression { model = function(p, X) return X:col "x" * p.a end, start = { a = 1 } }
      refuses("a model given as a Lua function cannot run in the background", model.fit_async, model, data, data.y)
      local formula = problem "Misra1a"
      refuses("fit_async does not support on_iter; read job.progress instead", formula.fit_async, formula, data, nil,
         { on_iter = print })
      refuses("call fit_async with a colon", formula.fit_async, ml.Pipeline { ml.Ridge {} }, data)
   end)
end)
