--- os.exit in the middle of an operation: a callback may close the state, which frees all data while other threads
-- still work on them.
local exhaustive = require "spec.support".exhaustive
local run = require "spec.lua.child"

-- The first object is finalized last, when all data are freed: other threads would meet what it writes there.
local HEAD = [[
setmetatable({}, { __gc = function()
   local start, strings = os.clock(), {}
   while os.clock() - start < 0.1 do strings[#strings % 1000 + 1] = ("\255"):rep(#strings * 100) end
end })
local ml = require "manilius"
require "manilius.core".memory.threads(4)
local X = ml.normal(20000, 10, 1)
local y = X:col(1) + X:col(2)
local labels = ml.Factor((y:gt(0)):totable())
]]

-- Whether the code, whose callback is `leave`, ends the process without an error. `before` runs in the main thread.
local function leaves(code, before)
   for round = 1, exhaustive and 20 or 1 do
      local text = run(HEAD .. (before or "") .. ([[
         local calls = 0
         local function leave()
            calls = calls + 1
            if calls < %d then return end
            local start = os.clock()
            while os.clock() - start < 0.02 do end -- the other threads begin
            print "left"
            os.exit(0, true)
         end
         %s]]):format(round % 3 + 1, code))
      assert.equal("left\n", text)
   end
end

describe("os.exit(0, true)", function()
   for _, call in ipairs {
      "ml.RandomForestRegressor { n_estimators = 200 }:fit(X, y, { on_iter = leave })",
      "ml.RandomForestClassifier { n_estimators = 200 }:fit(X, labels, { on_iter = leave })",
      "ml.HistGradientBoostingRegressor {}:fit(X, y, { on_iter = leave })",
      "ml.KMeans { n_clusters = 5, n_init = 50 }:fit(X, nil, { on_iter = leave })",
      "ml.BaggingRegressor { n_estimators = 100 }:fit(X, y, { on_iter = leave })",
      "ml.GridSearch { ml.RandomForestRegressor { n_estimators = 20 }, { max_depth = { 1, 2, 3, 4 } } }"
         .. ":fit(X, y, { on_iter = leave })",
      "ml.cross_validate(ml.Ridge {}, X, y, { cv = 5, scoring = function() leave(); leave(); leave() return 1 end })",
      "for _ = 1, 3 do ml.Vector { 1, 2 }:map(function() leave() return 1 end) end",
   } do
      it("in " .. call:match "^[^{]*", function() leaves(call) end)
   end

   local fit = "ml.RandomForestRegressor { n_estimators = 200 }:fit(X, y, { on_iter = leave })"

   it("in a coroutine, in a fit within a fit, and in an error handler", function()
      leaves("coroutine.wrap(function() " .. fit .. " end)()")
      leaves(("ml.KMeans {}:fit(X, nil, { on_iter = function() %s end })"):format(fit))
      leaves((fit:gsub("leave }", "function() xpcall(error, leave) end }")))
      leaves((fit:gsub("leave }", "function() pcall(coroutine.wrap(leave)) end }")))
   end)

   it("collects what the main thread closes afterwards", function()
      for _, call in ipairs { fit, "coroutine.wrap(function() " .. fit .. " end)()" } do
         leaves(call, [[
            local guard <close> = setmetatable({}, { __close = function()
               for _ = 1, 3 do collectgarbage() end
               ml.RandomForestRegressor {}:fit(ml.normal(100, 2, 1), ml.normal(100, 1, 2):col(1))
            end, __gc = function() collectgarbage() end })
            X, y = X:slice(1, 60), y:slice(1, 60)
         ]])
      end
   end)
end)
