-- The exact error messages of the entry points. conformance_spec checks that every estimator has them.
local ml = require "manilius"

local function says(message, call, ...)
   local ok, text = pcall(call, ...)
   assert.is_false(ok)
   assert.equal(message, (tostring(text):gsub("^[^:]*%.lua:%d+: ", "")))
end

local function fit(model, ...) return function(...) return model:fit(...) end, ... end

local X, y = { { 1, 5 }, { 2, 3 }, { 4, 4 }, { 3, 9 } }, { 1, 2, 4, 3 }
local nan = 0 / 0

describe("the entry points", function()
   it("describe what X must be", function()
      says("Ridge: X must have at least 1 row, got 0", fit(ml.Ridge {}, {}, {}))
      says("Ridge: X must have at least 1 column, got 0", fit(ml.Ridge {}, { {}, {} }, { 1, 2 }))
      says("Ridge: X must be finite, got nan in row 2, column 1; " ..
         "impute missing values (SimpleImputer) or drop them", fit(ml.Ridge {}, { { 1 }, { nan } }, { 1, 2 }))
      says("Ridge: X must be finite, got -inf in row 1, column 2", fit(ml.Ridge {}, { { 1, -math.huge } }, { 1 }))
      says("KernelDensity: X must be dense, got a sparse matrix; convert it with X:todense()",
         fit(ml.KernelDensity {}, ml.Sparse.from(ml.eye(3))))
      says("Ridge: X must be a table of rows, got a flat table; one row is { {...} }",
         fit(ml.Ridge {}, { 1, 2 }, { 1, 2 }))
      says("Ridge: X must have rows of equal length: row 2 has 1 value, row 1 has 2",
         fit(ml.Ridge {}, { { 1, 2 }, { 3 } }, { 1, 2 }))
      says("DecisionTreeRegressor: X must have rows of equal length: row 2 has 3 values, row 1 has 2",
         fit(ml.DecisionTreeRegressor {}, { { 1, "a" }, { 3, "b", 4 } }, { 1, 2 }))
      says("Ridge: X: row 2, column 1 is a string, not a number",
         fit(ml.Ridge {}, { { 1 }, { "2" } }, { 1, 2 }))
      says("Ridge: X must be a matrix, got a Vector; one row is { {...} }, one column X:reshape(#X, 1)",
         fit(ml.Ridge {}, ml.Vector { 1, 2 }, { 1, 2 }))
      local ridge = ml.Ridge {}:fit(X, y)
      for _, action in ipairs { "predict", "score" } do
         says("Ridge: X must be a Matrix, Frame, Sparse or table of rows, got string", ridge[action], ridge, "hello", y)
         says("Ridge: X must be a Matrix, Frame, Sparse or table of rows, got nil", ridge[action], ridge, nil, y)
      end
      says("Ridge: X must be a table of rows, got a flat table; one row is { {...} }", ridge.predict, ridge, { 1, 2 })
      says("Ridge: X must be a Matrix, Frame, Sparse or table of rows, got Factor", ridge.predict, ridge,
         ml.Factor { "a" })
      local tree = ml.DecisionTreeRegressor {}:fit(X, y)
      says("DecisionTreeRegressor: X must be a Matrix, Frame, Sparse or table of rows, got boolean", tree.apply, tree,
         true)
   end)

   it("report errors at the position of the call", function()
      local place = "^[^:]*entry_spec.lua:%d+: "
      for message, call in pairs {
         ["Ridge: X must have rows of equal length"] = function() ml.Ridge {}:fit({ { 1 }, {} }, { 1, 2 }) end,
         ["Ridge: y must be a Vector, Matrix"] = function() ml.Ridge {}:fit(X, "y") end,
         ["Ridge: X had no column 'c' in fit"] = function()
            ml.Ridge {}:fit(ml.Frame { { "a", { 1, 2 } } }, { 1, 2 }):predict { c = 1 }
         end,
      } do
         local _, text = pcall(call)
         assert.matches(place .. message, text)
      end
   end)

   it("find values that are not finite in large data, with any number of threads", function()
      local threads = require("manilius.core").memory.threads
      local before = threads()
      local large = ml.zeros(30000, 10)
      large:set(29999, 7, math.huge)
      large:set(30000, 1, nan)
      for _, n in ipairs { 1, 3 } do
         threads(n)
         says("StandardScaler: X must be finite, got inf in row 29999, column 7", fit(ml.StandardScaler {}, large))
      end
      threads(before)
   end)

   it("name the column of a Frame", function()
      says("Ridge: X must be finite, got nan in row 2, column 1 ('age'); " ..
         "impute missing values (SimpleImputer) or drop them",
         fit(ml.Ridge {}, ml.Frame { { "age", { 30, nan } } }, { 1, 2 }))
      says("Ridge: X must be numeric, got a factor in column 1 ('city'); " ..
         "encode it with OneHotEncoder or OrdinalEncoder",
         fit(ml.Ridge {}, ml.Frame { { "city", { "Oslo", "Bergen" } } }, { 1, 2 }))
   end)

   it("describe what y must be", function()
      says("Ridge: y must be given as in fit(X, y), got nil", fit(ml.Ridge {}, X))
      says("Ridge: y must have as many rows as X, 4, got 3", fit(ml.Ridge {}, X, { 1, 2, 3 }))
      says("Ridge: y must be finite, got nan in row 2; drop rows with a missing target",
         fit(ml.Ridge {}, X, { 1, nan, 3, 4 }))
      says("Ridge: y must be numeric, got labels; for labels use a classifier",
         fit(ml.Ridge {}, X, { "a", "b", "a", "b" }))
      says("GaussianNB: y must be class labels (text, whole numbers or booleans), got 0.5 in row 3; " ..
         "for real numbers use a regressor",
         fit(ml.GaussianNB {}, X, { 0, 1, 0.5, 1 }))
      says("GaussianNB: y must have at least 2 classes, got 1 class (a)",
         fit(ml.GaussianNB {}, X, { "a", "a", "a", "a" }))
      says("GaussianNB: y must have 1 column, got 2", fit(ml.GaussianNB {}, X, X))
      says("GaussianNB: y must not have missing labels, got one in row 2",
         fit(ml.GaussianNB {}, X, ml.Factor { "a", nil, "b", "a", n = 4 }))
      says("GaussianNB: y at position 2 is nan, not a label",
         fit(ml.GaussianNB {}, X, { "a", nan, "b", "a" }))
      says("GaussianNB: y at position 1 is a function, not a number or a label",
         fit(ml.GaussianNB {}, X, { print, "b", "b", "a" }))
      says("KMeans: y must be a list, got a table with the key 'weights'; " ..
         "options are the third argument: (X, y, options)",
         fit(ml.KMeans {}, X, { weights = y }))
      says("Ridge: y must be a Vector, Matrix, Factor, Frame or list, got string", fit(ml.Ridge {}, X, "y"))
      says("Ridge: y must be a Vector, Matrix, Factor, Frame or list, got Sparse",
         fit(ml.Ridge {}, X, ml.Sparse.from(ml.eye(4))))
      says("Ridge: y must have rows of equal length: row 2 has 1 value, row 1 has 2",
         fit(ml.Ridge {}, { { 1 }, { 2 } }, { { 1, 2 }, { 3 } }))
   end)

   it("describe what options must be", function()
      says("KMeans: options must be a table, got number", fit(ml.KMeans {}, X, nil, 3))
      says("KMeans: options are weights, on_iter, got 'weigths'; did you mean 'weights'?",
         fit(ml.KMeans {}, X, nil, { weigths = y }))
      says("KMeans: options are weights, on_iter, got '1'",
         fit(ml.KMeans {}, X, nil, { y }))
      says("KMeans does not support the option 'lengths'", fit(ml.KMeans {}, X, nil, { lengths = { 4 } }))
      says("KMeans: lengths: element 1 is a string, not a number", fit(ml.KMeans {}, X, nil, { lengths = { "4" } }))
      says("KMeans does not support the option 'target'", fit(ml.KMeans {}, X, nil, { target = X }))
      says("KMeans: weights must have as many rows as X, 4, got 1", fit(ml.KMeans {}, X, nil, { weights = { 1 } }))
      says("KMeans: weights must be finite and >= 0, got -1 in row 2",
         fit(ml.KMeans {}, X, nil, { weights = { 1, -1, 1, 1 } }))
      says("KMeans: weights must have at least one value > 0, got only 0",
         fit(ml.KMeans {}, X, nil, { weights = { 0, 0, 0, 0 } }))
      says("KMeans: weights: element 2 is a string, not a number",
         fit(ml.KMeans {}, X, nil, { weights = { 1, "1", 1, 1 } }))
      local bayes = ml.GaussianNB {}
      says("GaussianNB: classes: Factor or table of labels expected, got number",
         function() bayes:partial_fit(X, { 1, 2, 1, 2 }, { classes = 3 }) end)
      local model = ml.KMeans { n_clusters = 2 }:fit(X)
      says("KMeans takes no options here, got 'weights'", function() model:predict(X, { weights = y }) end)
   end)

   it("require the columns of fit, matched by name if both have names", function()
      local model = ml.Ridge {}:fit(ml.Frame { { "a", { 1, 2, 4 } }, { "b", { 3, 1, 2 } } }, { 1, 2, 3 })
      local wanted = model:predict({ { 4, 7 } })[1]
      assert.equal(wanted, model:predict(ml.Frame { { "b", { 7 } }, { "a", { 4 } } })[1])
      assert.equal(wanted, model:predict(ml.Frame { { "b", { 7 } }, { "c", { 9 } }, { "a", { 4 } } })[1])
      assert.equal(wanted, model:predict({ a = 4, b = 7 })[1])
      assert.equal(wanted, model:predict({ { a = 4, b = 7 }, { b = 0, a = 0 } })[1])
      says("Ridge: X must have 2 columns, as in fit, got 1; missing: b",
         function() model:predict(ml.Frame { { "a", { 4 } } }) end)
      says("Ridge: X must have the columns of fit; missing: b",
         function() model:predict(ml.Frame { { "a", { 4 } }, { "z", { 4 } } }) end)
      says("Ridge: X must have 2 columns, as in fit, got 3", function() model:predict { { 1, 2, 3 } } end)
      says("Ridge: X had no column 'c' in fit", function() model:predict { a = 1, c = 2 } end)
      says("Ridge: a must be a number, got string", function() model:predict { a = "4", b = 1 } end)
      says("Ridge: X must be finite, got nan in row 1, column 2 ('b'); " ..
         "impute missing values (SimpleImputer) or drop them", function() model:predict { a = 1 } end)
   end)

   it("require fit before anything else", function()
      says("Ridge: call fit before predict", function() ml.Ridge {}:predict(X) end)
      says("LinearRegression: call fit before summary", function() ml.LinearRegression {}:summary() end)
      says("Ridge: 'coef' is learned by fit; call fit first", function() return ml.Ridge {}.coef end)
      says("LogisticRegression: 'classes' is learned by fit; call fit first",
         function() return ml.LogisticRegression {}.classes end)
      says("Ridge has no 'classes'", function() return ml.Ridge {}:fit(X, y).classes end)
      says("Ridge has no 'predcit'; did you mean 'predict'?", function() return ml.Ridge {}.predcit end)
      says("Ridge: 'alpha' cannot be assigned; use set_params{ ... }", function() ml.Ridge {}.alpha = 2 end)
      says("PCA: X must have 2 columns, as transform returns, got 1",
         function() ml.PCA {}:fit(X):inverse_transform { { 1 } } end)
   end)

   it("keep the classes of the first batch", function()
      local model = ml.GaussianNB {}:partial_fit(X, { "a", "b", "a", "b" }, { classes = { "c", "b", "a" } })
      assert.same({ "a", "b", "c" }, model.classes)
      says("GaussianNB: y must be one of the 3 classes known to the model, got d in row 2",
         function() model:partial_fit(X, { "a", "d", "a", "b" }) end)
      says("GaussianNB: X must have 2 columns, as in fit, got 1", function() model:partial_fit({ { 1 } }, { "a" }) end)
      says("GaussianNB: classes must list at least 2 labels, got 1",
         function() ml.GaussianNB {}:partial_fit(X, { "a", "a", "a", "a" }, { classes = { "a" } }) end)
   end)

   it("return labels of the type that was given", function()
      for _, labels in ipairs { { "x", "y" }, { 1, 2 }, { 1.0, 2.0 }, { false, true }, { 0, 2 ^ 53 | 0 } } do
         local model = ml.GaussianNB {}:fit(X, { labels[1], labels[1], labels[2], labels[2] })
         assert.same(labels, model.classes)
         for i, label in ipairs(labels) do assert.equal(math.type(label), math.type(model.classes[i])) end
         assert.equal(labels[1], model:predict(X)[1])
         assert.equal(math.type(labels[1]), math.type(model:predict(X)[1]))
      end
   end)

   it("return one target in the form that was given", function()
      local one = ml.Ridge {}:fit(X, y)
      assert.equal("Vector", getmetatable(one:predict(X)))
      assert.equal("Vector", getmetatable(ml.Ridge {}:fit(X, ml.Matrix(ml.Vector(y))):predict(X)))
      local two = ml.Ridge {}:fit(X, { { 1, 2 }, { 2, 1 }, { 4, 0 }, { 3, 3 } })
      assert.equal(2, two:predict(X).cols)
      assert.equal(2, two.n_targets)
      assert.equal(2, two.coef.rows)
      assert.equal("number", type(one.intercept))
   end)

   it("warn once if a fit has not converged", function()
      local script = os.tmpname()
      local file = assert(io.open(script, "w"))
      file:write [[
         warn "@on"
         local ml = require "manilius"
         ml.KMeans { n_clusters = 5, max_iter = 1, seed = 2 }:fit(ml.normal(200, 3, 1))
      ]]
      file:close()
      local pipe = io.popen("lua5.4 " .. script .. " 2>&1")
      local text = pipe:read "a"
      pipe:close()
      os.remove(script)
      assert.matches("KMeans: stopped after 1 iteration before it converged %(last change [%d.]+%); increase max_iter",
         text)
      assert.equal(1, select(2, text:gsub("stopped", "")))
   end)

   it("name the operation that was given rows instead of options", function()
      local tree = ml.DecisionTreeClassifier {}:fit({ { 1 }, { 2 } }, { "a", "b" })
      for kind, value in pairs { Frame = ml.Frame { { "a", { 1, 2 } } }, Matrix = ml.zeros(2, 1), number = 3 } do
         local ok, message = pcall(tree.cost_complexity_path, tree, value)
         assert.is_false(ok)
         assert.matches("DecisionTreeClassifier:cost_complexity_path: options must be a table, got " .. kind, message)
      end
   end)
end)
