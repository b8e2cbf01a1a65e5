local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses_exactly

local frame = ml.Frame { names = { "age", "city", "fare" },
   columns = { ml.Vector { 10, 20, 30, 40 }, ml.Factor { "Oslo", "Rome", "Rome", "Oslo" }, ml.Vector { 1, 3, 1, 3 } } }

-- A transformer in Lua that encodes the levels of Factors as 0, 1, ...
local Codes = ml.Estimator {
   name = "SpecCodes", does = "transform", params = {},
   fit = function(self, X)
      self.levels = {}
      for j, column in ipairs(X.columns) do self.levels[j] = column.levels end
      return self
   end,
   transform = function(self, X)
      local columns = {}
      for j, column in ipairs(X.columns) do
         local place, values = {}, {}
         for c, level in ipairs(self.levels[j]) do place[level] = c - 1.0 end
         for i = 1, #column do values[i] = place[column[i]] end
         columns[j] = ml.Vector(values)
      end
      return core.hcat(table.unpack(columns))
   end,
}

describe("ColumnTransformer", function()
   it("selects the columns of each part by name, position, kind or function", function()
      for _, columns in ipairs { { "age", "fare" }, { 1, 3 }, "numeric", function() return { "age", "fare" } end } do
         local ct = ml.ColumnTransformer { { "num", ml.StandardScaler {}, columns }, { "cat", Codes {}, "factor" } }
         local out = ct:fit(frame):transform(frame)
         assert.same({ "num__age", "num__fare", "cat__cat1" }, out.names)
         assert.same({ -1, 1, -1, 1 }, out.num__fare:totable())
         assert.same({ 0, 1, 1, 0 }, out.cat__cat1:totable())
         assert.same(out.names, ct:output_names())
      end
   end)

   it("passes through or drops the remaining columns, and keeps factors that it passes through", function()
      local ct = ml.ColumnTransformer { { ml.StandardScaler {}, "fare" }, remainder = "passthrough" }:fit(frame)
      local out = ct:transform(frame)
      assert.same({ "standardscaler__fare", "remainder__age", "remainder__city" }, out.names)
      assert.equal(frame.city, out.remainder__city)
      assert.same({ "standardscaler__fare" },
         ml.ColumnTransformer { { ml.StandardScaler {}, "fare" } }:fit(frame):transform(frame).names)
      local short = ml.ColumnTransformer { { ml.StandardScaler {}, "fare" }, { "passthrough", { "age" } },
         prefix = false }
      assert.same({ "fare", "age" }, short:fit_transform(frame).names)
   end)

   it("finds columns by name in any order", function()
      local ct = ml.ColumnTransformer { { ml.StandardScaler {}, { "age", "fare" } } }:fit(frame)
      local moved = ml.Frame { names = { "fare", "more", "age" },
         columns = { frame.fare, frame.fare, frame.age } }
      assert.equal(ct:transform(frame), ct:transform(moved))
      refuses("ColumnTransformer: X must have the columns of fit; missing: age",
         ct.transform, ct, ml.Frame { names = { "fare" }, columns = { frame.fare } })
   end)

   it("accepts named rows", function()
      local ct = ml.ColumnTransformer { { ml.StandardScaler {}, "numeric" }, { Codes {}, "factor" } }:fit(frame)
      assert.equal(ct:transform(frame:slice(2, 2)), ct:transform { fare = 3, city = "Rome", age = 20 })
      refuses("ColumnTransformer: X had no column 'town' in fit", ct.transform, ct, { town = "Rome" })
   end)

   it("accepts matrices", function()
      local M = ml.Matrix { { 1, 10, 5 }, { 3, 20, 6 } }
      local ct = ml.ColumnTransformer { { ml.StandardScaler {}, { 2 } }, remainder = "passthrough" }:fit(M)
      assert.equal(ml.Matrix { { -1, 1, 5 }, { 1, 3, 6 } }, ct:transform(M))
      refuses("ColumnTransformer: X must have 3 columns, as in fit, got 2", ct.transform, ct, { { 1, 2 } })
   end)

   it("joins sparse and dense parts of a Frame, in either order, with zeros and missing values", function()
      local names, numbers = {}, ml.Matrix(5000, 2)
      for i = 1, 5000 do
         names[i] = "level " .. i % 7
         numbers:set(i, 1, i % 3)
         numbers:set(i, 2, i % 11 == 0 and 0 / 0 or 1)
      end
      local named = ml.Frame { { "name", ml.Factor(names) }, { "a", numbers:col(1) }, { "b", numbers:col(2) } }
      local parts = { { ml.OneHotEncoder { sparse_output = true }, { "name" } },
         { ml.MinMaxScaler {}, { "a" } }, { "passthrough", { "b" } } }
      for _, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 } } do
         local list = { sparse_threshold = 1 }
         for i, k in ipairs(order) do list[i] = parts[k] end
         local ct = ml.ColumnTransformer(list)
         local out = ct:fit_transform(named)
         assert.equal("Sparse 5000 x 9", tostring(out):match "^Sparse %d+ x %d+")
         assert.equal(tostring(out), tostring(ct:transform(named)))
         list.sparse_threshold = 0
         local dense = ml.ColumnTransformer(list):fit_transform(named):matrix()
         local zeros = 0
         for i = 1, 5000 do
            for j = 1, 9 do
               local want, got = dense:get(i, j), out:get(i, j)
               assert.is_true(want == got or want ~= want and got ~= got)
               if want == 0 then zeros = zeros + 1 end
            end
         end
         assert.equal(5000 * 9 - zeros, out.nnz)
      end
   end)

   it("returns a sparse matrix if the density is below the threshold", function()
      local S = ml.Sparse(ml.Matrix { { 0, 0, 0, 2, 0 }, { 1, 0, 0, 0, 0 } })
      local ct = ml.ColumnTransformer { { "passthrough", { 4, 1 } }, remainder = "passthrough" }:fit(S)
      local out = ct:transform(S)
      assert.equal(ml.Matrix { { 2, 0, 0, 0, 0 }, { 0, 1, 0, 0, 0 } }, out:todense())
      assert.equal(ml.Matrix { { 2, 0, 0, 0, 0 }, { 0, 1, 0, 0, 0 } },
         ct:clone():set_params { sparse_threshold = 0.1 }:fit(S):transform(S))
   end)

   it("says how parts are listed if they are given by name", function()
      support.refuses_exactly("ColumnTransformer: must have at least one part, got none; parts are listed as { name, "
         .. "estimator, columns }: write { \"cat\", ... } instead of cat = ...", ml.ColumnTransformer,
         { cat = { ml.StandardScaler {}, "fare" } })
   end)

   it("reports invalid arguments", function()
      refuses("ColumnTransformer: X has no column 'agee' (part standardscaler); did you mean 'age'?",
         function() ml.ColumnTransformer { { ml.StandardScaler {}, "agee" } }:fit(frame) end)
      refuses("ColumnTransformer: columns of standardscaler must be from 1 to 3, got 4",
         function() ml.ColumnTransformer { { ml.StandardScaler {}, { 4 } } }:fit(frame) end)
      refuses("ColumnTransformer: part standardscaler selects column 1 twice",
         function() ml.ColumnTransformer { { ml.StandardScaler {}, { 1, 1 } } }:fit(frame) end)
      refuses("ColumnTransformer: remainder must be \"drop\", \"passthrough\" or an estimator, got \"keep\"",
         ml.ColumnTransformer, { { ml.StandardScaler {}, { 1 } }, remainder = "keep" })
      refuses("ColumnTransformer: has no option weights; to pass it to a part, give its name, as in "
         .. "standardscaler__weights",
         function() ml.ColumnTransformer { { ml.StandardScaler {}, { 1 } } }:fit(frame, nil, { weights = {} }) end)
      refuses("StandardScaler: X must be numeric, got a factor in column 1 ('city'); encode it with OneHotEncoder or "
         .. "OrdinalEncoder",
         function() ml.ColumnTransformer { { ml.StandardScaler {}, "city" } }:fit(frame) end)
   end)
end)
