--- Cases of finalizer_spec.lua, which runs each in a Lua process of its own: with a small heap, an aggressive collector
-- calls finalizers at almost every allocation.
local ml = require "manilius"

local M = {}

local function equal(wanted, got)
   assert(wanted == got, ("wanted %s, got %s"):format(wanted, got))
end

local function matches(pattern, text)
   assert(tostring(text):find(pattern), ("wanted %s, got %s"):format(pattern, text))
end

local function named(n)
   local a, b = {}, {}
   for i = 1, n do a[i], b[i] = i, (i * i) % 17 end
   return ml.Frame { { "a", a }, { "b", b } }
end

local X, y, labels = named(40), {}, {}
for i = 1, 40 do y[i], labels[i] = 3 * i + (i % 5), i % 3 == 0 and "no" or "yes" end
local other = ml.Frame { { "alpha", { 5, 6, 8 } }, { "beta", { 1, 0, 2 } }, { "gamma", { 0, 0, 1 } } }

-- Run `call` repeatedly, `times` or until `act` has run, with an aggressive collector, and `act` in finalizers.
local function interleave(act, call, times)
   local on, runs = true, 0
   local function arm()
      setmetatable({}, { __gc = function()
         if not on then return end
         runs = runs + 1
         act(runs)
         arm()
      end })
   end
   local mode = collectgarbage("incremental", 1, 1000)
   arm()
   local ok, message
   local i, max_calls = 0, 100 * (times or 60) -- a larger heap needs more calls until a collection
   while i < (times or 60) or runs == 0 and i < max_calls do
      i = i + 1
      ok, message = pcall(call, i)
      if not ok and not tostring(message):find "changed by other code" and not tostring(message):find "was closed" then
         break
      end
      ok = true
   end
   on = false
   collectgarbage("incremental", 200, 100)
   collectgarbage(mode)
   collectgarbage()
   assert(ok, message)
   assert(runs > 0, "no finalizer ran")
end

M["fits the model does not affect a prediction of named rows"] = function()
   local model = ml.Ridge {}:fit(X, y)
   local expected, replaced = model:predict { { a = 3, b = 9 } }[1], model:clone():fit(other, { 1, 2, 3 })
   interleave(function(i)
      if i % 2 == 0 then model:fit(other, { 1, 2, 3 }) else model:fit(X, y) end
      collectgarbage()
   end, function()
      local rows = {}
      for i = 1, 50 do rows[i] = { a = 3, b = 9 } end
      local ok, predicted = pcall(model.predict, model, rows)
      if ok then
         equal(50, #predicted)
         equal(expected, predicted[50])
      else
         matches("X had no column '[ab]' in fit", predicted)
      end
   end)
   assert(replaced.fitted)
end

M["fits the model makes the interrupted fit raise an error"] = function()
   local model, changed = ml.Ridge {}, 0
   interleave(function() pcall(model.fit, model, other, { 1, 2, 3 }) end, function()
      local rows = {}
      for i = 1, 200 do rows[i] = { i, i * i } end
      local ok, message = pcall(model.fit, model, rows, rows)
      if not ok then
         changed = changed + 1
         error(message, 0)
      end
      equal(2, model.n_targets)
   end)
   assert(changed > 0)
end

M["sets parameters and fits leaves learned values consistent"] = function()
   local model = ml.PCA {}:fit(X)
   interleave(function(i) model:set_params { n_components = i % 2 + 1 }:fit(X) end, function()
      for _ = 1, 5 do
         equal(2, model.components.cols)
         assert(#model.feature_names == 2)
         assert(model:get_params())
         for _, value in pairs(model) do assert(value ~= nil) end
         assert(model:dump())
         assert(model:clone():can "transform")
      end
   end)
end

M["closes the model lets the running call finish"] = function()
   local model
   interleave(function()
      local gone <close> = model
      assert(gone)
   end, function()
      model = ml.Ridge {}:fit(X, y)
      local rows = {}
      for i = 1, 50 do rows[i] = { a = i, b = 2 } end
      equal(50, #model:predict(rows))
   end)
end

M["closes matrices in use leaves them to the collector"] = function()
   local A, b, f, s
   local function close(value)
      local gone <close> = value
      assert(gone or not value)
   end
   interleave(function()
      for _, value in ipairs { A, b, f, s } do close(value) end
   end, function()
      A, b, f = ml.normal(300, 4, 1), ml.normal(300, 1, 2):col(1):copy(), ml.Factor(labels)
      s = ml.Sparse(ml.eye(40))
      local sum = A:copy():sum()
      equal(sum, (A + 0):sum())
      equal(300, #ml.Ridge {}:fit(A, b):predict(A))
      equal(40, #(ml.Ridge {}:fit(s, y):predict(s)))
      equal(4, A:t().rows)
      equal(40, #ml.GaussianNB {}:fit(X, f):predict(X))
   end)
end

M["runs a fit in a coroutine does not affect the interrupted fit"] = function()
   local inner = ml.normal(100, 3, 1)
   local seen = 0
   interleave(function()
      coroutine.wrap(function() ml.KMeans { n_clusters = 2 }:fit(inner, nil, { on_iter = function() end }) end)()
   end, function()
      local rows = {}
      for i = 1, 100 do rows[i] = { i % 7, i % 11 } end
      ml.KMeans { n_clusters = 3 }:fit(rows, nil, { on_iter = function() seen = seen + 1 end })
   end, 20)
   assert(seen >= 20)
end

M["replaces the strings being read does not corrupt labels"] = function()
   local now
   interleave(function()
      if not now then return end
      for i = 1, #now do now[i] = "other" .. i end
      collectgarbage()
   end, function(round)
      local texts = {}
      for i = 1, 300 do texts[i] = ("label %d of round %d"):format(i % 5, round) end
      now = texts
      local f = ml.OneHotEncoder {}
      local rows = {}
      for i = 1, 300 do rows[i] = { texts[i], i } end
      f:fit(rows)
      local ok, nb = pcall(function() return ml.GaussianNB {}:fit(ml.normal(300, 2, 1), texts) end)
      now = nil
      if ok then
         for _, class in ipairs(nb.classes) do matches("^[lo]", class) end
      end
   end, 20)
end

M["extends a table of class weights does not overflow a buffer"] = function()
   local weights
   interleave(function(i)
      if weights then weights["more" .. i] = 1 end
   end, function()
      weights = { yes = 1, no = 2 }
      for i = 1, 300 do weights["label " .. i] = i end
      pcall(ml.LogisticRegression, { class_weight = weights })
   end)
end

return M
