--- interaction_cst as lists of columns, and as a table of 0 and 1: the same trees.
local ml = require "manilius"
local support = require "spec.support"

describe("interaction_cst", function()
   local X, y = ml.normal(200, 4, 7), {}
   for i = 1, 200 do y[i] = X:get(i, 1) * X:get(i, 2) + X:get(i, 3) * X:get(i, 4) end
   local small = { HistGradientBoostingRegressor = { max_iter = 5 }, DecisionTreeRegressor = {},
      RandomForestRegressor = { n_estimators = 4 } }

   local function make(name, groups)
      local settings = { interaction_cst = groups }
      for key, value in pairs(small[name]) do settings[key] = value end
      return ml[name](settings)
   end

   it("is lists of columns of any length, or a table with a row for each group", function()
      for name in pairs(small) do
         local lists = make(name, { { 2, 1 }, { 3 } }):fit(X, y)
         for _, groups in ipairs { { { 1, 1, 0, 0 }, { 0, 0, 1, 0 } }, ml.Matrix { { 1, 1, 0, 0 }, { 0, 0, 1, 0 } } } do
            local told = make(name, groups):fit(X, y):predict(X):totable()
            assert.same(told, lists:predict(X):totable(), name)
         end
         local free = make(name, { { 1, 1, 1, 1 } }):fit(X, y)
         assert.same(make(name, nil):fit(X, y):predict(X):totable(), free:predict(X):totable())
      end
   end)

   it("is given back as it was given, also by a copy and by a file", function()
      local groups = { { 2, 1 }, { 3 } }
      for name in pairs(small) do
         local model = make(name, groups):fit(X, y)
         local function given(one)
            local out = {}
            for g, list in ipairs(one.interaction_cst) do out[g] = table.move(list, 1, #list, 1, {}) end
            return out
         end
         assert.same(groups, given(model))
         assert.same(groups, given(model:clone()))
         assert.same(groups, given(ml.load(model:dump())))
         assert.same(groups, given(make(name, nil):set_params { interaction_cst = model:get_params().interaction_cst }))
         assert.matches("interaction_cst = { { 2, 1 }, { 3 } }", tostring(model):gsub("%s+", " "), 1, true)
         model:set_params { interaction_cst = ml.Matrix { { 1, 1, 0, 0 } } }
         assert.equal(4, model.interaction_cst.cols)
      end
   end)

   it("names the group and the column that are wrong", function()
      local function refuses(text, groups, fits)
         support.refuses("DecisionTreeRegressor: interaction_cst" .. text:gsub("%p", "%%%0"), function()
            local model = make("DecisionTreeRegressor", groups)
            if fits then model:fit(X, y) end
         end)
      end
      refuses(": group 2 has column 5, but X has 4 columns", { { 1, 2 }, { 3, 5 } }, true)
      refuses(": group 1 has column 2 twice", { { 2, 3, 2 }, { 1 } })
      refuses(": group 2 must hold columns, got none", { { 1, 2 }, {} })
      refuses(": group 1 must hold numbers of columns, from 1, got 'wt'", { { 1, "wt" } })
      refuses(": group 1 must hold numbers of columns, from 1, got '-1'", { { -1, 2 } })
      refuses(" must be from 0 to 1, got 2 at row 1, column 4", { { 0, 1, 0, 2 } })
      refuses(" must be from 0 to 1, got -1 at row 1, column 1", ml.Matrix { { -1, 0, 0, 1 } })
      refuses(" must have 4 columns, as X, got 2", { { 1, 1 } }, true)
   end)
end)
