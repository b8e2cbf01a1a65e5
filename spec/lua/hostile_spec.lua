--- Hostile calls: recursive lists, lists with an infinite length, methods without their object, closed objects,
-- parameters assigned with rawset, extreme numbers. Each raises a clear error quickly.
local core = require "manilius.core"
local ml = require "manilius"
local refuses = require "spec.support".refuses

local X, y = ml.Matrix { { 1, 2 }, { 3, 5 }, { 4, 4 }, { 7, 1 } }, { 1, 2, 3, 5 }

local function recursive_list()
   local list = { 1 }
   list[2], list.x = list, list
   return list
end

-- A list with an element at every index.
local function endless(element)
   return setmetatable({}, { __len = function() return math.maxinteger end, __index = function() return element end })
end

describe("hostile lists", function()
   it("are printed only once when they contain themselves", function()
      refuses("partial_dependence: .*got { 1, { 1, { 1, {...} } } }", function()
         ml.partial_dependence(recursive_list(), X, "a")
      end)
      refuses("alpha must be a number >= 0, got table", function() ml.Ridge { alpha = recursive_list() } end)
   end)

   it("with metamethods for length and index are read raw", function()
      local model = ml.Ridge {}:fit(X, y)
      refuses("Ridge: y must have as many rows as X, 4, got 0", function() model:score(X, endless(1)) end)
      refuses("relevance", function() ml.metrics.ndcg(endless { 1, 2 }, { 1, 2 }) end)
      assert.equal(0, #ml.Frame { { "a", endless(1) } })
   end)

   it("with an invalid size n are refused before they are read", function()
      for _, first in ipairs { 1, "a" } do
         refuses("Frame: column 'a': not enough memory", function() ml.Frame { { "a", { first, n = 10 ^ 15 } } } end)
         refuses("Frame: column 'a': a size must be a whole number from 0, got %-1", function()
            ml.Frame { { "a", { first, n = -1 } } }
         end)
      end
      assert.equal(3, #ml.Frame { { "a", { "x", n = 3 } } })
   end)

   it("are refused with the name of the call and of the argument", function()
      local model = ml.Ridge {}:fit(X, y)
      refuses("Ridge: y: row 2 has 2 values, row 1 has 1", function() model:score(X, { { 1 }, { 2, 3 } }) end)
      refuses("Frame.from: row 1 is a number, not a table", function() ml.Frame.from { 1 } end)
      refuses("Frame.from: names must be a list of strings, got number", function() ml.Frame.from({ { 1 } }, 5) end)
      refuses("Frame: rows must be given in a table, .*, got nil", function() ml.Frame.from_rows() end)
      refuses("Frame: row 1 is a number, not a table", function() ml.Frame.from_rows({ 1 }, { "a" }) end)
      refuses("Frame: names must be a list of strings, got number", function() ml.Frame.from_rows({ { a = 1 } }, 5) end)
      refuses("plot.surface: z must have rows and columns, got an empty Matrix", function()
         ml.plot.surface {}
      end)
   end)

   it("are not accepted as cursors", function()
      refuses("from_cursor: cursor must have the methods fetch and getcolnames, got nil", function()
         ml.from_cursor()
      end)
      local cursor = { getcolnames = function() return 5 end, fetch = function() return 5 end }
      refuses("from_cursor: cursor:getcolnames must return a table, got number", function() ml.from_cursor(cursor) end)
      cursor.getcolnames = function() return { "a" } end
      refuses("from_cursor: cursor:fetch must return a table or nil, got number", function() ml.from_cursor(cursor) end)
   end)
end)

describe("methods without their object", function()
   local models = { ml.StandardScaler {}, ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} } }

   it("report the missing colon", function()
      for _, model in ipairs(models) do
         for _, method in ipairs { "fit_transform", "fit_predict", "score", "save", "get_params" } do
            for _, self in ipairs { X, { 1 }, "abc", print } do
               refuses(method .. ": call it with a colon, as in model:" .. method, function()
                  model[method](self, X)
               end)
            end
         end
      end
      refuses("clone: call it with a colon", function() models[2].clone() end)
   end)
end)

describe("a parameter assigned with rawset", function()
   it("is checked by fit", function()
      local model = ml.Ridge { formula = "y ~ a" }
      rawset(model, "formula", X)
      refuses("FormulaModel: formula must be a string",
         function() model:fit(ml.Frame { a = { 1, 2 }, y = { 1, 2 } }) end)
      assert.is_string(tostring(model))
   end)
end)

describe("a closed model", function()
   it("is reported as closed", function()
      local closed = ml.Ridge {}:fit(X, y)
      do local _ <close> = closed end
      refuses("StackingRegressor: parameters must be a table, got closed model", function()
         ml.StackingRegressor(closed)
      end)
      refuses("the model was closed", function() closed:predict(X) end)
      refuses("the model was closed", function() ml.Pipeline { closed }:fit(X, y) end)
   end)
end)

describe("an infinite file", function()
   local there = io.open "/dev/zero" ~= nil and it or pending

   there("is not an archive", function()
      refuses("/dev/zero: not a manilius archive", function() ml.load "/dev/zero" end)
   end)
end)

describe("tiny and huge weights", function()
   local names = { "HistGradientBoostingRegressor", "HistGradientBoostingRanker", "GradientBoostingRegressor" }

   it("give finite predictions when all are equal", function()
      local rows = ml.normal(60, 2, 1)
      local y_rows = (rows:col(1) * 2):round():abs()
      for _, weight in ipairs { 5e-324, 1e-310, 1e-300, 1e300 } do
         for _, name in ipairs(names) do
            local model = ml[name] { min_samples_leaf = 5 }
            model:fit(rows, y_rows, { weights = core.Vector(60, weight) })
            assert.is_true(model:predict(rows):isfinite():min() == 1, name)
         end
      end
   end)
end)

describe("an argument of the wrong type", function()
   it("is refused with its name", function()
      local model = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }
      for _, bad in ipairs { "abc", 5, print } do
         refuses("Pipeline: parameters must be a table, got " .. type(bad), function() model:set_params(bad) end)
         refuses("GroupKFold: groups must be a Factor, a Vector or a list, got " .. type(bad), function()
            ml.GroupKFold { k = 2 }:split(X, nil, bad)
         end)
      end
      refuses("KFold: X must be data or the number of rows, got Ridge", function() ml.KFold {}:split(ml.Ridge {}) end)
      assert.is_false(ml.Ridge { formula = "y ~ a" }:can(X))
      refuses("dist.normal: parameters must be a table { mean = ..., sd = ... }, got Frame", function()
         ml.dist.normal(ml.Frame { a = y })
      end)
      refuses("^spec/lua/hostile_spec.lua:%d+: Ridge has no 'transform'", function()
         ml.Ridge {}:fit_transform(X, y)
      end)
   end)
end)
