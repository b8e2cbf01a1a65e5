--- ml.help and ml.find: everything that is public has help, and every example runs.
local core = require "manilius.core"
local ml = require "manilius"
local frame = require "manilius.frame"
local names = require "manilius.help.names"
local topics = require "manilius.help.topics"
local support = require "spec.support"

--- What a call prints, and what it gives.
local function printed(call, ...)
   local lines, old = {}, print
   _G.print = function(...)
      local parts = {}
      for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
      lines[#lines + 1] = table.concat(parts, "\t")
   end
   local result = table.pack(pcall(call, ...))
   _G.print = old
   assert(result[1], result[2])
   return table.concat(lines, "\n"), result[2]
end

local refuses = support.refuses_exactly

local function check_example(name, topic)
   local code = (topic.setup and topic.kind == "method" and topic.setup .. "\n" or "") .. topic.example
   local env = setmetatable({ ml = ml, nan = 0 / 0, print = function(...)
      for i = 1, select("#", ...) do tostring((select(i, ...))) end
   end }, { __index = _G })
   local chunk, problem = load(code, "=" .. name, "t", env)
   assert(chunk, problem)
   local ok, message = pcall(printed, chunk)
   assert(ok, ("the example of %s: %s"):format(name, message))
end

before_each(function() core.screen(80) end)
after_each(function() core.screen(0) end)

describe("search", function()
   it("finds parameters by their whole names", function()
      for name, owner in pairs { early_stopping = "HistGradientBoostingClassifier",
         max_features = "RandomForestClassifier",
         n_estimators = "RandomForestClassifier", oob = "BaggingClassifier" } do
         local _, found = printed(ml.find, name)
         local seen = {}
         for _, one in ipairs(found) do seen[one.name] = true end
         assert(seen[owner], ("'%s' does not find %s"):format(name, owner))
      end
   end)

   it("prints one list of the overview", function()
      local manifold = printed(ml.help, "manifold")
      assert.matches("^manifold\n  ClassicalMDS  .*\n  UMAP  [^\n]*$", manifold)
      assert.is_nil(manifold:find("Ridge", 1, true))
      assert.matches("^ml%.kernel: ", printed(ml.help, "kernel")) -- a module has precedence
      assert.is_truthy(printed(ml.help):find(manifold, 1, true))
   end)
end)

describe("help", function()
   it("is there for every name of the module, with an example that runs", function()
      local count = 0
      for name in pairs(ml) do
         if name ~= "_VERSION" then
            local topic = topics.named(name)
            assert(topic and topic.brief, "no help for ml." .. name)
            assert(topic.kind == "module" or topic.example, "no example for ml." .. name)
            if topic.example then check_example(name, topic) end
            assert.is_true(#printed(ml.help, name) > 0)
            count = count + 1
         end
      end
      assert.is_true(count > 80)
   end)

   it("is there for every method of the values, with an example that runs", function()
      for _, kind in ipairs { "Matrix", "Vector", "Factor", "Sparse" } do
         local topic = topics.named(kind)
         for name, what in pairs(core.member_names(kind)) do
            local about = what == "method" and topic.methods[name] or topic.properties[name]
            assert(about, ("no help for %s.%s"):format(kind, name))
            if what == "method" then check_example(kind .. ":" .. name, topics.find(kind .. "." .. name)) end
         end
         for name in pairs(topic.methods) do
            assert.equal("method", core.member_names(kind)[name], ("%s has no method %s"):format(kind, name))
         end
      end
   end)

   it("is there for every method of frames, estimators and splitters", function()
      local of_groups = { aggregate = true, size = true }
      local topic = topics.named "Frame"
      for name in pairs(frame.methods()) do assert(topic.methods[name], "no help for Frame." .. name) end
      for name in pairs(topic.methods) do
         assert(of_groups[name] or frame.methods()[name], "Frame has no method " .. name)
         check_example("Frame:" .. name, topics.find("Frame." .. name))
      end
      local methods = require "manilius.help.estimator".methods
      for name in pairs(core.model_methods) do assert(methods[name], "no help for the method " .. name) end
      for name, about in pairs(methods) do
         if about.example then check_example(name, about) end
         assert.is_true(#printed(ml.help, name) > 0)
      end
      for _, name in ipairs { "KFold", "StratifiedKFold", "GroupKFold", "TimeSeriesSplit" } do
         check_example(name .. ":split", topics.find(name .. ".split"))
      end
   end)

   it("is there for every function of the modules", function()
      for module in pairs(names.modules) do
         for name, value in pairs(ml[module]) do
            if type(value) == "function" then
               local topic = topics.find(module .. "." .. name)
               assert(topic.brief, ("no help for %s.%s"):format(module, name))
               assert(topic.example, ("no example for %s.%s"):format(module, name))
               check_example(module .. "." .. name, topic)
            end
         end
         assert.is_true(#printed(ml.help, module) > 0)
      end
   end)

   it("names the options that the functions of the core take, and no others", function()
      local calls = {
         parse_csv = function(options) ml.parse_csv("a\n1\n", options) end,
         read_csv = function(options) ml.read_csv("examples/data/iris.csv", options) end,
         read_tsv = function(options) ml.read_tsv("examples/data/iris.csv", options) end,
         csv_chunks = function(options) ml.csv_chunks("examples/data/iris.csv", options) end,
         parse_svmlight = function(options) ml.parse_svmlight("1 1:1\n", options) end,
         read_svmlight = function(options) ml.read_svmlight("none", options) end,
         format_svmlight = function(options) ml.format_svmlight(ml.Sparse.from { { 1 } }, { 1 }, options) end,
         from_cursor = function(options) ml.from_cursor({}, options) end,
         train_test_split = function(options) ml.train_test_split({ { 1 }, { 2 } }, { 1, 2 }, options) end,
         cross_validate = function(options) ml.cross_validate(ml.Ridge {}, { { 1 } }, { 1 }, options) end,
      }
      for name, call in pairs(calls) do
         local ok, message = pcall(call, { ["!"] = 1 })
         assert.is_false(ok)
         local listed, told = {}, {}
         local known = message:match "there are (.*)$":gsub(" and ", ", ")
         for option in known:gmatch "[%w_]+" do listed[#listed + 1] = option end
         for option in pairs(topics.named(name).options) do told[#told + 1] = option end
         table.sort(listed)
         table.sort(told)
         assert.same(listed, told, name)
      end
   end)

   it("names the settings of every class in Lua, and no others", function()
      for _, name in ipairs { "FeatureUnion", "ColumnTransformer", "TransformedTarget", "GridSearch", "RandomSearch",
         "HalvingGridSearch" } do
         local topic, class = topics.named(name), require "manilius.estimator".class_named(name)
         local told = {}
         for _, p in ipairs(topic.params) do told[p.name] = true end
         for _, param in ipairs(class.param_names) do
            assert(told[param] or class.private[param], ("%s.%s is not told of"):format(name, param))
         end
         for param in pairs(class.help.params) do assert.is_true(class.is_param[param], name .. "." .. param) end
      end
   end)

   it("lists families and all else, one entry each", function()
      local text = printed(ml.help)
      for _, title in ipairs { "linear", "values", "composition", "splitters", "validation and search" } do
         assert.matches("\n" .. title .. "\n", "\n" .. text)
      end
      for name in pairs(ml) do
         if name ~= "_VERSION" then assert(("\n" .. text):find("\n  " .. name .. "[ \n]"), name .. " is not listed") end
      end
   end)

   it("tells of one estimator: formula, settings with ranges, what it learns, source, example", function()
      assert.equal([[
Ridge (linear)
  Linear least squares with an L2 penalty.

Objective
  sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2

Parameters
  alpha          penalty on the squared L2 norm of the coefficients (default 1;
                 a number >= 0)
  fit_intercept  fit an intercept, which is not penalized (default true; true
                 or false)

Supports
  weights, sparse X, several targets

Learned by fit
  coef       coefficients (Matrix targets x features; one target: Vector)
  intercept  intercept term (Vector targets; one target: number)

Additional methods
  summary([options])  coefficients, how many are nonzero, and why there are no
                      standard errors. Returns coefficients (Frame: term,
                      estimate), nonzero; prints as a table
]], (printed(ml.help, "Ridge"):gsub("\nCommon methods.*", "")))
   end)

   it("writes defaults of Lua classes as they are written, for 1.0 is all rows and 1 is one", function()
      local bag = printed(ml.help, "BaggingClassifier")
      assert.matches("%(default%s+1%.0%)", bag)
      assert.matches("%(default 10%)", bag)
   end)

   it("says how an operation is called, and what options it has", function()
      assert.equal([[
RandomForestRegressor:predict_quantiles(X [, options])
  quantiles of y for each sample; requires quantiles = true at fit. Returns
  Matrix (rows x levels)

Options
  levels  quantile levels in ascending order; nil: 0.1, 0.5, 0.9 (numbers from
          0 to 1 or nil)
]], (printed(ml.help, "RandomForestRegressor.predict_quantiles"):gsub("\n*$", "\n")))
      assert.matches("^HistGradientBoostingClassifier:importances%(%[options%]%)",
         printed(ml.help, "HistGradientBoostingClassifier.importances"))
      assert.matches("^ID3Classifier:gains%(X, y %[, options%]%)", printed(ml.help, "ID3Classifier.gains"))
   end)

   it("tells of class_weight where a classifier takes it", function()
      local text = printed(ml.help, "LogisticRegression")
      assert.truthy(text:find("  class_weight   factor per class for the sample weights", 1, true))
      assert.truthy(text:find("\nSupports\n  weights, sparse X, class weights\n", 1, true))
      assert.truthy(printed(ml.help, "LogisticRegression.class_weight"):find("default nil; balanced, a table or nil"))
      assert.is_nil(printed(ml.help, "LinearDiscriminantAnalysis"):find "class_weight")
   end)

   it("separates what an estimator supports from what it requires", function()
      local function has(name, lines) assert.truthy(printed(ml.help, name):find(lines, 1, true), name) end
      has("VennAbersCalibration", "\nSupports\n  weights\n\nRequires\n  two classes, X of one column\n")
      has("CountVectorizer", "\nRequires\n  X of texts\n")
      has("DictVectorizer", "\nRequires\n  X of tables of named values\n")
   end)

   it("lists export_xgboost only for the estimators that have trees to export", function()
      local refused, exported = 0, 0
      for _, name in ipairs((core.class_names())) do
         local ok, message = pcall(function() core.constructors[name] {}:export_xgboost() end)
         local works = not ok and message:find "call fit before export_xgboost" ~= nil
         assert.equal(works, topics.named(name).methods.export_xgboost ~= nil, name)
         if works then exported = exported + 1 else refused = refused + 1 end
      end
      assert.is_true(exported > 8 and refused > 60)
      assert.is_nil(topics.named("Pipeline").methods.export_xgboost)
      assert.is_false(ml.Pipeline { ml.Ridge {} }:can "export_xgboost")
   end)

   it("lists score for models that predict or score rows, not for other transformers", function()
      assert.is_nil(topics.named("StandardScaler").methods.score)
      assert.is_not_nil(topics.named("Ridge").methods.score)
      assert.is_not_nil(topics.named("KMeans").methods.score)
   end)

   it("has a different brief for each estimator", function()
      local seen = {}
      for _, name in ipairs((core.class_names())) do
         local brief = core.describe(name).brief
         assert.is_nil(seen[brief], name)
         seen[brief] = true
      end
   end)

   it("describes a splitter", function()
      assert.equal([=[
ml.KFold { k = 5, shuffle = false, seed = nil }
  k-fold cross-validation: each fold is the test set once.

Parameters
  k        number of folds (default 5; an integer >= 2)
  shuffle  shuffle the rows, with seed 0 by default (default false)
  seed     shuffle with this seed; nil: keep the order (an integer >= 0)

Methods
  split(X or number of rows [, y [, groups]])
                                  List of { train = Vector, test = Vector } of
                                  row numbers.

Example
  print(ml.KFold { seed = 1 }:split(10)[1])]=], printed(ml.help, "KFold"))
   end)

   it("takes values in place of names", function()
      local iris = ml.Frame { a = { 1, 2 } }
      for _, pair in ipairs { { ml.Ridge {}, "Ridge" }, { iris, "Frame" }, { ml.read_csv, "read_csv" },
         { ml.Ridge, "Ridge" }, { ml.eye(2), "Matrix" }, { iris.a, "Vector" }, { ml.Factor { "a" }, "Factor" },
         { iris.join, "Frame.join" }, { ml.eye(2).t, "Matrix.t" }, { ml.KFold {}, "KFold" }, { ml.KFold, "KFold" },
         { ml.Pipeline { ml.Ridge {} }, "Pipeline" }, { ml.metrics, "metrics" }, { ml.metrics.f1, "metrics.f1" },
         { ml.special.gamma, "special.gamma" }, { ml.unset, "unset" }, { ml.Frame, "Frame" }, { ml },
         { ml.cross_validate, "cross_validate" }, { ml.GridSearch { ml.Ridge {}, { alpha = { 1 } } }, "GridSearch" },
      } do
         local text = printed(ml.help, pair[1])
         assert.equal(printed(ml.help, pair[2]), text)
      end
      assert.equal(printed(ml.help, "Frame.join"), printed(ml.help, "Frame:join"))
      assert.equal(printed(ml.help, "KFold"), printed(ml.help, "ml.KFold"))
      assert.matches("penalty on the squared L2 norm", printed(ml.help, "Ridge.alpha"))
   end)

   it("knows classes of one's own", function()
      local Own = ml.Estimator { name = "SpecHelped", does = "regress", params = { gain = 2 },
         help = { brief = "Gains.", params = { gain = "how much" } },
         fit = function(self) return self end, predict = function(_, X) return ml.Vector(#X) end }
      local text = printed(ml.help, Own {})
      assert.matches("Gains%.", text)
      assert.matches("gain  how much %(default 2%)", text)
   end)

   it("finds methods by their usual names", function()
      local named = {
         ["parallel analysis"] = "choose_components",
         varimax = "FactorAnalysis",
         biplot = "plot.pca",
         ["independent component analysis"] = "FastICA",
         lle = "LocallyLinearEmbedding",
         ["fit-sne"] = "TSNE",
         ["u-matrix"] = "plot.u_matrix",
         kohonen = "SOM",
         ["Laplacian eigenmaps"] = "SpectralEmbedding",
         ibp = "IndianBuffetProcess",
         ["Shepard diagram"] = "plot.shepard",
         ["incremental PCA"] = "PCA",
         ["partial least squares"] = "PLSRegression",
      }
      for phrase, name in pairs(named) do
         local text = printed(ml.help, phrase)
         assert.matches("^'" .. phrase:gsub("%p", "%%%0") .. "' is not a name of the library%. Best matches:\n\n", text)
         assert.matches(('For details: ml.help "%s".'):format(name):gsub("%.", "%%."), text)
      end
   end)

   it("answers what is not there with the nearest", function()
      refuses("help: unknown name 'Rigde'; did you mean 'Ridge'?", ml.help, "Rigde")
      refuses("Frame has no 'jion'; did you mean 'join'?", ml.help, "Frame.jion")
      refuses("Ridge has no 'alhpa'; did you mean 'alpha'?", ml.help, "Ridge.alhpa")
      refuses("Ridge has no 'alfa'; its parameters are alpha, fit_intercept", ml.help, "Ridge.alfa")
      refuses("metrics has no 'acuracy'; did you mean 'accuracy'?", ml.help, "metrics.acuracy")
      refuses("help: expected a name or a manilius value, got number", ml.help, 3)
   end)

   it("fits narrow screens", function()
      core.screen(40)
      for _, name in ipairs { "Ridge", "KFold", "cross_validate", "metrics.f1" } do
         for line in (printed(ml.help, name):gsub("\nExample.*", "")):gmatch "[^\n]+" do
            assert.is_true(#line <= 40, line)
         end
      end
   end)
end)

describe("find", function()
   local function first(words)
      local _, found = printed(ml.find, words)
      return found[1] and found[1].name
   end

   it("lists every method that a composition supports", function()
      local composed, estimator = require "spec.fixtures.golden.composed", require "manilius.estimator"
      local follows, seen = { fit_transform = "transform", output_names = "transform", fit_predict = "predict",
         score = "predict" }, 0
      for name, make in pairs(composed) do
         local class = estimator.class_of((make()))
         for method, what in pairs(class and class.ours and class.methods or {}) do
            if type(what) == "function" and method ~= "export_xgboost" then -- compositions have no trees
               local about, action = topics.named(name).methods[method], follows[method]
               local is_usable = not action or class.methods[action] ~= nil or class.does == "cluster"
               seen = seen + 1
               assert.equal(is_usable and "table" or "nil", type(about), name .. ":" .. method)
            end
         end
      end
      assert.is_true(seen > 200)
   end)

   it("knows what things are called elsewhere", function()
      for words, wanted in pairs { logit = "LogisticRegression", standardize = "StandardScaler",
         ["one hot"] = "OneHotEncoder", knn = "KNeighborsClassifier", ["dummy variables"] = "OneHotEncoder",
         t_test = "test.t", HAC = "LinearRegression", concomitant = "HuberRegressor",
         ["k-means"] = "KMeans", ["principal components"] = "PCA", ["missing values"] = "SimpleImputer",
         ["polynomial regression"] = "PolynomialRegression", ["class weights"] = "LogisticRegression",
         imbalanced = "LogisticRegression", ["monotone constraints"] = "HistGradientBoostingRegressor",
         ["data frame"] = "Frame", ["group by"] = "Frame.group", ["cross validation"] = "cross_validate",
         pickle = "save", ["least squares"] = "LinearRegression", auc = "metrics.roc_auc", gridsearchcv = "GridSearch",
         ["one-vs-rest"] = "OneVsRestClassifier", ovr = "OneVsRestClassifier", multi_class = "LogisticRegression",
      } do
         assert.equal(wanted, first(words), words)
      end
   end)

   it("names what is nearest where the thing itself is not there", function()
      for _, words in ipairs { "lasso", "oob", "sparse regression" } do assert.is_string(first(words), words) end
   end)

   it("looks into names, descriptions and settings", function()
      assert.equal("PolynomialFeatures", first "products of features")
      assert.equal("KFold", first "KFold")
      assert.equal("read_csv", first "csv")
      assert.equal("Frame.dropna", first "dropna")
      assert.equal("StandardScaler", first "standard deviation of each column")
   end)

   it("prints a short table and gives the list, best first", function()
      local text, found = printed(ml.find, "ridge")
      assert.matches("^Ridge +Linear least squares with an L2 penalty", text)
      assert.equal("Ridge", found[1].name)
      assert.matches("^%d+ found: Ridge, ", tostring(found))
      for i = 2, #found do assert.is_true(found[i - 1].score >= found[i].score) end
      local _, lines = text:gsub("\n", "")
      assert.is_true(lines <= 40)
   end)

   it("says when there is nothing", function()
      local text, found = printed(ml.find, "Rigde")
      assert.equal("nothing found for 'Rigde'; did you mean 'Ridge'?", text)
      assert.equal(0, #found)
      refuses("find: words must be a string, got number", ml.find, 3)
   end)
end)
