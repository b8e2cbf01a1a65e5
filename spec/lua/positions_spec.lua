-- The position of an error is the line of the user, not one of manilius.
local ml = require "manilius"

local iris = ml.read_csv "examples/data/iris.csv"
local X, y = iris:split "species"

local calls = {
   [ [[local f = ml.Frame { { "a", { 1, 2 } }, { "b", { 1 } } }]] ] = "Frame: column 'b' must have 2 values",
   [ [[local f = ml.Frame { a = { 1, 2 }, b = { 1 } }]] ] = "Frame: column 'b' must have 2 values",
   [ [[local f = ml.Frame { { a = 1 }, { a = {} } }]] ] = "Frame: column 'a': element 2 is a table",
   [ [[local f = ml.Frame { { "a", { 1 } }, { "a", { 1 } } }]] ] = "Frame: two columns are named 'a'",
   [ [[ml.help "Rigde"]] ] = "help: unknown name 'Rigde'; did you mean 'Ridge'%?",
   [ [[ml.help(3)]] ] = "help: expected .*, got number",
   [ [[ml.help "metrics.foo"]] ] = "metrics has no 'foo'",
   [ [[ml.StandardScaler {}:fit(X):transform { { 1 } }]] ] = "StandardScaler: X must have 4 columns",
   [ [[ml.StandardScaler {}:fit(X):transform(X:select { "sepal_width" })]] ] = "StandardScaler: X must have 4 columns",
   [ [[ml.OneHotEncoder {}:fit { { "a" } }:transform { { "b" } }]] ] = "OneHotEncoder: X must have categories",
   [ [[ml.Ridge {}:fit(X, y)]] ] = "Ridge: y must be numeric",
   [ [[ml.LogisticRegression {}:fit(X, y, { on_iter = 3 })]] ] = "LogisticRegression: on_iter must be a function",
   [ [[ml.Pipeline { ml.StandardScaler {}, ml.GaussianNB {} }:fit(X, y):predict { { 1 } }]] ] =
      "StandardScaler: X must have 4 columns",
   [ [[ml.ColumnTransformer { { ml.StandardScaler {}, { 1 } } }:fit(X):transform { sepal_length = "5" }]] ] =
      "ColumnTransformer: sepal_length must be a number, got string",
   [ [[ml.cross_validate(ml.GaussianNB {}, X, y, { scoring = "acuracy" })]] ] =
      "cross_validate: there is no score 'acuracy'; did you mean 'accuracy'%?",
   [ [[ml.cross_validate(ml.GaussianNB {}, X, y, { threads = -1 })]] ] =
      "cross_validate: threads must be a whole number >= 0, got %-1",
   [ [[ml.cross_validate(ml.GaussianNB {}, X, y, { cv = ml.KFold {}, groups = { 1, 2 } })]] ] =
      "cross_validate: groups must have as many rows as X, 150, got 2",
   [ [[ml.GridSearch { ml.GaussianNB {}, { var_smoothing = {} } }:fit(X, y)]] ] =
      "GridSearch: the values of var_smoothing must be a non%-empty list",
   [ [[iris:split "specis"]] ] = "split: there is no column 'specis'; did you mean 'species'%?",
   [ [[ml.read_csv "none.csv"]] ] = "none.csv: No such file",
   [ [[ml.KFold {}:split(math.maxinteger)]] ] =
      "KFold: the number of rows must be at most 2147483648, got 9223372036854775807",
   [ [[local c = ml.LDPCCode { H = { { 1, 1 } } }:decode "a"]] ] = "LDPCCode: ",
   [ [[local g = ml.FactorGraph { variables = { a = 2 }, factors = {} }:posterior "a"]] ] = "FactorGraph",
   [ [[local n = iris:value_counts()]] ] = "value_counts: the column must be given by name, got nil",
   [ [[local n = iris:corr(iris)]] ] = "corr: options must be a table, got Frame",
   [ [[local n = iris:crosstab("species", {})]] ] = "crosstab: there is no column of kind table",
   [ [[local n = ml.cut_tree(1, { height = 1 })]] ] = "cut_tree: merges: Matrix or table of rows expected, got number",
   [ [[local n = ml.GaussianNB {}:fit(X, y):score(X, y, { weights = { {} } })]] ] =
      "metrics.accuracy: weights must have",
   [ [[local n = ml.SMOTE {}:fit_resample(3, y)]] ] = "SMOTE: X must be a Matrix",
   [ [[ml.metrics.accuracy({ 1, 2 }, { 1 })]] ] = "metrics.accuracy: .* same length",
}

describe("the position of an error is the user's line:", function()
   for code, wanted in pairs(calls) do
      it(code, function()
         local env = setmetatable({ ml = ml, X = X, y = y, iris = iris }, { __index = _G })
         local ok, message = pcall(assert(load("\n" .. code .. "\n", "@user.lua", "t", env)))
         assert.is_false(ok)
         assert.matches("^user%.lua:2: " .. wanted, message)
      end)
   end
end)

-- Their errors are of other kinds, or they would change what later specs do.
local is_excluded = { Estimator = true, memory = true, progress = true, warnings = true }

local function public_functions()
   local topics, list = require "manilius.help.topics", {}
   local function add(name)
      local kind = topics.find(name).kind
      if not is_excluded[name:match "^%w+"] and (kind == "function" or kind == "estimator") then
         list[#list + 1] = name
      end
   end
   for _, name in ipairs(topics.all_names()) do
      add(name)
      local inner = topics.find(name)
      for _, member in ipairs(inner.kind == "module" and topics.members(inner) or {}) do add(name .. "." .. member) end
   end
   return list
end

describe("the position of an error", function()
   it("is the user's line for every public function and wrong arguments of all kinds", function()
      local failures, count, old = {}, 0, print
      finally(function() rawset(_G, "print", old) end)
      rawset(_G, "print", function() end)
      local wrong = { "", "1", "{}", "print", "'a'", "{ alpa = 1 }", "{ 1, 'a' }", "nil, 1", "X, 1", "X, y, 1",
         "X, y, { a = 1 }", "X, { 1 }, { 1 }", "ml.dist.normal {}", "y, y, y, y", "0.5, 2" }
      for _, name in ipairs(public_functions()) do
         for _, arguments in ipairs(wrong) do
            local code = ("\nlocal result = ml.%s(%s)\n"):format(name, arguments)
            local env = setmetatable({ ml = ml, X = X, y = y }, { __index = _G })
            local ok, message = pcall(assert(load(code, "@user.lua", "t", env)))
            count = count + 1
            if not ok and not tostring(message):find "^user%.lua:2: [^/]" then
               failures[#failures + 1] = ("ml.%s(%s): %s"):format(name, arguments, message)
            end
         end
      end
      assert.is_true(count > 4000)
      assert.same({}, failures)
   end)
end)

describe("transform of a Frame", function()
   it("is a Frame with the names of the outputs", function()
      local Z = ml.PCA { n_components = 2 }:fit(X):transform(X)
      assert.equal("Frame", getmetatable(Z) and getmetatable(Z) == getmetatable(X) and "Frame")
      assert.equal(2, #Z.names)
      assert.same(X.names, ml.StandardScaler {}:fit(X):transform(X).names)
   end)
end)
