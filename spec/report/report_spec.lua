--- Reports: scores, warnings, plots and the HTML page.
local ml = require "manilius"
local html = require "manilius.report.html"
local support = require "spec.support"

local near, refuses = support.near, support.refuses_exactly

local function has(text, wanted) assert(text:find(wanted, 1, true), "not in the page: " .. wanted) end
local function lacks(text, unwanted) assert(not text:find(unwanted, 1, true), "in the page: " .. unwanted) end

local titanic = ml.read_csv "examples/data/titanic.csv"
local Xt, yt = titanic:select { "survived", "pclass", "sex", "age", "sibsp", "parch", "fare" }:split "survived"

local function classifier()
   return ml.Pipeline {
      ml.ColumnTransformer {
         { "numbers", ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }, "numeric" },
         { "labels", ml.OneHotEncoder {}, "factor" },
      },
      ml.LogisticRegression { C = 0.5 },
   }
end

-- Options without pictures, which page_spec.lua tests.
local function plain(options)
   local out = { pictures = false, date = "today" }
   for name, value in pairs(options or {}) do out[name] = value end
   return out
end

local function by_name(report)
   local out = {}
   for _, score in ipairs(report.scores) do out[score.name] = score end
   return out
end

describe("a report's scores", function()
   it("come from cross-validation on shuffled folds", function()
      local report = ml.report(classifier(), Xt, yt, plain { seed = 4, importance = false })
      local folds = ml.StratifiedKFold { k = 5, seed = 4 }
      local names = { "accuracy", "balanced_accuracy", "f1", "roc_auc", "average_precision", "log_loss", "brier" }
      local cv = ml.cross_validate(classifier(), Xt, yt, { cv = folds, scoring = names, interval = "corrected" })
      assert.equal(#names, #report.scores)
      for i, name in ipairs(names) do
         assert.equal(name, report.scores[i].name)
         assert.equal(cv.mean[name], report.scores[i].mean)
         assert.equal(cv.sd[name], report.scores[i].sd)
         assert.equal(cv.interval[name][1], report.scores[i].low)
         assert.equal(cv.interval[name][2], report.scores[i].high)
      end
      assert.equal("folds", report.judged_by)
      has(report.html, ("<strong>%.3f</strong>"):format(cv.mean.accuracy))
      has(report.html, ("%.3f to %.3f"):format(cv.interval.accuracy[1], cv.interval.accuracy[2]))
      has(report.html, "and scored on its test rows; each row is tested once.")
      has(report.html, "StratifiedKFold { k = 5, seed = 4 }")
      local guess = ml.cross_val_predict(classifier(), Xt, yt, { cv = folds })
      local by_class = ml.metrics.report(yt, guess).classes[1]
      has(report.html, ("%.3f</td>"):format(by_class.precision))
      has(report.html, ("%.3f</td>"):format(by_class.recall))
      has(report.html, "always predicting &#39;0&#39; is right for 61.8% of the test rows")
   end)

   it("are computed on rows that the model was not fitted on", function()
      local X, y = ml.normal(200, 3, 1), {}
      local coin = ml.normal(200, 1, 2)
      for i = 1, 200 do y[i] = coin:get(i, 1) > 0 and "heads" or "tails" end
      local model = ml.KNeighborsClassifier { n_neighbors = 1 }:fit(X, y)
      assert.equal(1, model:score(X, y))
      local score = ml.report(model, X, y, plain { importance = false, scoring = "accuracy" }).scores[1]
      assert.is_true(score.mean > 0.35 and score.mean < 0.65, score.mean)
   end)

   it("can be computed on held-out rows", function()
      local X, X_test, y, y_test = ml.train_test_split(Xt, yt, { test = 0.25, stratify = true, seed = 1 })
      local model = classifier():fit(X, y)
      local report = ml.report(model, X, y, plain { test = { X_test, y_test }, importance = false })
      local scores = by_name(report)
      assert.equal("test", report.judged_by)
      near(model:score(X_test, y_test), scores.accuracy.mean, 1e-12)
      near(ml.metrics.roc_auc(y_test, model:predict_proba(X_test):col(2)), scores.roc_auc.mean, 1e-12)
      for _, score in ipairs(report.scores) do
         assert.is_true(score.low < score.mean and score.mean < score.high, score.name)
      end
      -- the bootstrap interval of a proportion is near its normal interval
      local p, n = scores.accuracy.mean, #y_test
      local half = 1.96 * math.sqrt(p * (1 - p) / n)
      assert.near(p - half, scores.accuracy.low, 0.25 * half)
      assert.near(p + half, scores.accuracy.high, 0.25 * half)
      has(report.html, ("Scored on %d held-out rows; the model was fitted on %d other rows."):format(n, #y))
   end)

   it("follow the options scoring and cv", function()
      local X, y = support.data("diabetes", "progression")
      local cv = ml.RepeatedKFold { k = 3, repeats = 2, seed = 1 }
      local report = ml.report(ml.Ridge {}, X, y, plain { cv = cv, scoring = { "mae", "r2" }, importance = false })
      assert.equal(2, #report.scores)
      assert.equal(ml.cross_validate(ml.Ridge {}, X, y, { cv = cv, scoring = "mae" }).mean.mae, report.scores[1].mean)
      has(report.html, "each row is tested up to 2 times")
      report = ml.report(ml.Ridge {}, X, y, plain { cv = ml.ShuffleSplit { n = 1, test = 42 }, importance = false })
      has(report.html, "42 of the 442 rows are tested")
   end)

   it("of a clustering are computed on its training rows", function()
      local X, species = support.data("iris", "species")
      local model = ml.Pipeline { ml.StandardScaler {}, ml.KMeans { n_clusters = 3, seed = 1 } }
      local report = ml.report(model, X, nil, plain())
      local fitted = model:fit(X)
      local scaled = ml.StandardScaler {}:fit(X):transform(X)
      near(ml.metrics.silhouette(scaled:matrix(), fitted:predict(X)), by_name(report).silhouette.mean, 1e-12)
      assert.equal("fit", report.judged_by)
      has(report.html, "clusterings have no held-out score")
      local known = by_name(ml.report(model, X, species, plain()))
      near(ml.metrics.ari(species, fitted:predict(X)), known.ari.mean, 1e-12)
   end)
end)

describe("a report", function()
   it("leaves an unfitted model unchanged, and does not refit a fitted one", function()
      local X, y = support.data("diabetes", "progression")
      local model = ml.LinearRegression {}
      local report = ml.report(model, X, y, plain { importance = false })
      assert.is_false(model.fitted)
      local whole = ml.LinearRegression {}:fit(X, y):summary().coefficients
      has(report.html, "From the model fitted on all rows.")
      has(report.html, ("<td class=\"number\" data-label=\"estimate\">%.1f</td>"):format(whole.estimate[10]))
      local half = ml.LinearRegression {}:fit(X:slice(1, 200), y:slice(1, 200))
      local coef = half.coef
      report = ml.report(half, X, y, plain { importance = false })
      assert.equal(coef, half.coef)
      has(report.html, "From the given model.")
   end)

   it("describes the data", function()
      local page = ml.report(classifier(), Xt, yt, plain { target = "survived", importance = false }).html
      has(page, "<strong>1309 rows</strong>, <strong>6 columns</strong>. 264 values are missing, in 264 rows (20.2%).")
      has(page, "<strong>263 (20.1%)</strong>")
      has(page, "2 distinct labels, most frequent male (843 rows)")
      has(page, "Target: survived")
      has(page, "<td class=\"number\" data-label=\"rows\">809</td>")
      local iris = support.data("iris", "species")
      page = ml.report(ml.KMeans { n_clusters = 3, seed = 1 }, iris, nil, plain()).html
      has(page, "4.3 to 7.9, median 5.8, mean 5.843, sd 0.8281")
      has(page, "There are no missing values.")
   end)

   it("lists every parameter and marks changed values", function()
      local page = ml.report(classifier(), Xt, yt, plain { importance = false }).html
      has(page, '<strong><code>0.5</code> *</strong></td><td data-label="default"><code>1</code>')
      has(page, '<strong><code>&quot;median&quot;</code> *</strong>')
      for _, p in ipairs(require("manilius.core").describe("LogisticRegression").params) do
         has(page, ("<code>%s</code></th>"):format(p.name))
      end
      has(page, "Columns: numeric.")
      has(page, "converged in")
      has(page, "manilius " .. ml._VERSION)
   end)

   it("computes permutation importances on held-out rows", function()
      local report = ml.report(classifier(), Xt, yt, plain { seed = 2 })
      local splits = ml.StratifiedKFold { k = 5, seed = 2 }:split(Xt, yt)
      local sum = 0
      for f, split in ipairs(splits) do
         local fitted = classifier():fit(Xt:take(split.train), yt:take(split.train))
         local one = ml.permutation_importance(fitted, Xt:take(split.test), yt:take(split.test),
            { repeats = 2, seed = 2 + f })
         sum = sum + one.importance[2] / 5
      end
      near(sum, report.importance.importance[2], 1e-12)
      assert.equal("sex", report.importance.table.feature[1])
      has(report.html, ('<th scope="row">sex</th><td class="number" data-label="decrease">%.3f</td>'):format(sum))
   end)

   it("shows importances that were computed before", function()
      local importance = ml.drop_column_importance(classifier(), Xt, yt, { cv = 3 })
      local report = ml.report(classifier(), Xt, yt, plain { importance = importance })
      assert.equal(importance, report.importance)
      has(report.html, "Drop-column importance")
      has(report.html, ('data-label="decrease">%.3f</td>'):format(report.importance.table.importance[1]))
   end)

   it("is reproducible for a given seed and date", function()
      local a = ml.report(classifier(), Xt, yt, plain())
      assert.equal(a.html, ml.report(classifier(), Xt, yt, plain()).html)
      assert.are_not.equal(a.html, ml.report(classifier(), Xt, yt, plain { seed = 1 }).html)
      has(a.html, "Created: today.")
   end)

   it("prints a summary", function()
      local report = ml.report(classifier(), Xt, yt, plain { target = "survived", importance = false })
      local text = tostring(report)
      assert.matches('^Report on LogisticRegression for survived %(%d+ kB%); save it with :save "report.html"\n', text)
      assert.matches("\n  accuracy +0%.7%d+  %(0%.%d+ to 0%.%d+%)\n", text)
      assert.matches("\n  ! %d+ rows %(%d+%.%d%%%) duplicate an earlier row", text)
   end)

   it("accepts models and data of all kinds", function()
      local X, y = support.data("iris", "species")
      local mean = { name = "mean", fit = function(self, _, t) self.m = t:mean() return self end,
         predict = function(self, data) return ml.Vector(#data, self.m) end }
      for name, given in pairs {
         ["GridSearch"] = { ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 5 } }, cv = 3 }, X, y },
         ["a centroid without probabilities"] = { ml.NearestCentroid {}, X, y },
         ["a sparse X"] = { ml.LogisticRegression {}, ml.Sparse(X:matrix()), y },
         ["two targets"] = { ml.Ridge {}, X:select { "sepal_length", "sepal_width" },
            X:select { "petal_length", "petal_width" } },
         ["a transformer"] = { ml.StandardScaler {}, X },
         ["components"] = { ml.Pipeline { ml.StandardScaler {}, ml.PCA {} }, X },
         ["a model of the user's own"] = { mean, X, X.sepal_length },
         ["rows in a table"] = { ml.Ridge {}, { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 7 } }, { 1, 2, 3, 4, 5, 6 },
            plain { cv = 3 } },
      } do
         local ok, report = pcall(ml.report, given[1], given[2], given[3], given[4] or plain())
         assert(ok, name .. ": " .. tostring(report))
         has(report.html, "Model and parameters")
      end
   end)
end)

describe("a report's warnings", function()
   local function warnings(model, X, y, options)
      return table.concat(ml.report(model, X, y, plain(options)).warnings, "\n")
   end

   local function numbers(seed, n) return ml.normal(n or 120, 1, seed):col(1):copy() end

   local function halves(n)
      local labels = {}
      for i = 1, n do labels[i] = i % 2 == 0 and "even" or "odd" end
      return labels
   end

   it("are empty for unproblematic data", function()
      local a, y = numbers(1), halves(120)
      for i = 1, 120 do a[i] = a[i] + (y[i] == "even" and 1 or -1) end
      local X = ml.Frame { { "a", a }, { "b", numbers(2) } }
      local report = ml.report(ml.GaussianNB {}, X, y, plain())
      assert.same({}, report.warnings)
      has(report.html, "None. Checked for: fits that did not converge")
   end)

   it("name uninformative and leaking columns", function()
      local ids, empty, gaps, y = {}, ml.Vector(120, 0 / 0), numbers(3), halves(120)
      for i = 1, 120 do
         ids[i] = "id" .. i
         if i > 40 then gaps[i] = 0 / 0 end
      end
      local leak = numbers(4)
      for i = 1, 120 do leak[i] = (y[i] == "even" and 5 or -5) + leak[i] end
      local X = ml.Frame { { "same", ml.Vector(120, 7) }, { "empty", empty }, { "gaps", gaps }, { "id", ids },
         { "leak", leak }, { "fine", numbers(5) } }
      local model = ml.Pipeline { ml.ColumnTransformer { { "fine", "passthrough", { "fine", "leak" } } },
         ml.GaussianNB {} }
      local text = warnings(model, X, y)
      assert.matches("Column 'same' is constant", text)
      assert.matches("Column 'empty' has no values", text)
      assert.matches("Column 'gaps' is missing in most rows", text)
      assert.matches("Column 'id' has a different label in most rows", text)
      assert.matches("Column 'leak' determines the target by itself", text)
      assert.matches("accuracy is 1 on held%-out rows", text)
   end)

   it("find columns that determine the target", function()
      local y = numbers(6)
      local X = ml.Frame { { "a", numbers(7) }, { "fahrenheit", y * 1.8 + 32 } }
      assert.matches("Column 'fahrenheit' determines the target", warnings(ml.Ridge {}, X, y))
      local labels = halves(120)
      local codes = {}
      for i = 1, 120 do codes[i] = labels[i] == "even" and "x" or "z" end
      X = ml.Frame { { "a", numbers(7) }, { "code", codes } }
      local model = ml.Pipeline { ml.ColumnTransformer { { "a", "passthrough", { "a" } } }, ml.GaussianNB {} }
      assert.matches("Column 'code' determines the target", warnings(model, X, labels))
   end)

   it("report small classes, few rows and duplicates", function()
      local X, y = ml.Frame { { "a", numbers(8) }, { "b", numbers(9) } }, halves(120)
      for i = 1, 120 do y[i] = i % 15 == 0 and "rare" or "common" end
      assert.matches("Classes are imbalanced: 'rare' has 8 rows %(6.7%%%), 'common' has 112",
         warnings(ml.GaussianNB {}, X, y))
      assert.matches("There are only 40 rows", warnings(ml.Ridge {}, X:slice(1, 40), numbers(1, 40)))
      assert.matches("There are 30 columns for 120 rows", warnings(ml.Ridge {}, ml.normal(120, 30, 1), numbers(2)))
      local twice = X:slice(1, 60):vcat(X:slice(1, 60))
      local t = numbers(3, 60):totable()
      for i = 1, 60 do t[60 + i] = t[i] end
      assert.matches("^60 rows %(50.0%%%) duplicate an earlier row", warnings(ml.Ridge {}, twice, t))
   end)

   it("name classes that are never predicted and models without skill", function()
      local X, y = ml.Frame { { "a", numbers(8) }, { "b", numbers(9) } }, halves(120)
      for i = 1, 120 do y[i] = i % 15 == 0 and "rare" or "common" end
      local constant = ml.HistGradientBoostingClassifier { max_iter = 1, min_samples_leaf = 100 }
      local text = warnings(constant, X, y, { importance = true })
      assert.matches("Class 'rare' is never predicted: recall is 0 and precision undefined", text)
      assert.matches("Accuracy 0.933%d* is no better than that of always predicting 'common', 0.933", text)
      assert.matches("No column has an influence: shuffling any of them leaves the score unchanged", text)
      assert.is_nil(text:find "converge")
      local codes = ml.Vector(120, 1)
      for i = 15, 120, 15 do codes[i] = 2 end
      text = warnings(constant, X, codes)
      assert.matches("Class '2' is never predicted", text)
      assert.matches("always predicting '1', 0.933", text)
      text = warnings(ml.DecisionTreeRegressor {}, X, numbers(10))
      assert.matches("R2 is %-[%d.]+ on held%-out rows: the predictions are no better than the mean of y", text)
      local good = warnings(ml.Ridge {}, X, X.a * 3 + numbers(11), { importance = true })
      assert.is_nil(good:find "no better" or good:find "influence")
   end)

   it("do not take the last round of boosting for a failure to converge", function()
      local X, y = support.data("breast_cancer", "diagnosis")
      for _, class in ipairs { "HistGradientBoostingClassifier", "GradientBoostingClassifier" } do
         local settings = class:find "^Hist" and { max_iter = 20 } or { n_estimators = 20 }
         assert.is_nil(warnings(ml[class](settings), X, y):find "converge")
      end
   end)

   it("name fits that did not converge", function()
      local X, y = support.data("breast_cancer", "diagnosis")
      local model = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression { max_iter = 2 } }
      local ok, text = pcall(warnings, model, X, y, { importance = false })
      assert(ok, text)
      assert.matches("LogisticRegression did not converge in 5 of the folds: increase max_iter", text)
   end)
end)

describe("a report's pictures", function()
   -- The titles of the pictures of a page, in order.
   local function titles(page)
      local list = {}
      for title in page:gmatch "<svg role=\"img\".-<title>(.-)</title>" do list[#list + 1] = title end
      return list
   end

   it("show held-out predictions of a classifier", function()
      local page = ml.report(classifier(), Xt, yt, { seed = 1 }).html
      local proba = ml.cross_val_predict(classifier(), Xt, yt, { cv = ml.StratifiedKFold { k = 5, seed = 1 },
         method = "predict_proba" })
      has(page, ("AUC %.3f ("):format(ml.metrics.roc_auc(yt, proba:col(2))))
      has(page, ("AP %.3f"):format(ml.metrics.average_precision(yt, proba:col(2))))
      has(page, "dotted line: prevalence: 0.382")
      local found = titles(page)
      assert.same({ "Confusion matrix", "ROC curve", "Precision-recall curve", "Calibration" },
         table.move(found, 1, 4, 1, {}))
      assert.same({ "Permutation importance", "Coefficients of LogisticRegression" }, table.move(found, 6, 7, 1, {}))
   end)

   it("show each residual plot of a regression, with the rows of the largest errors", function()
      local X, y = support.data("diabetes", "progression")
      local page = ml.report(ml.Ridge {}, X, y, { importance = false }).html
      assert.same({ "Residuals vs fitted", "Normal Q-Q", "Actual vs predicted", "Distribution of the residuals",
         "Coefficients of Ridge" }, titles(page))
      local guess = ml.cross_val_predict(ml.Ridge {}, X, y, { cv = ml.KFold { k = 5, seed = 0 } })
      local worst = math.tointeger((y - guess):abs():argmax())
      has(page, (">%d</text>"):format(worst))
   end)

   it("show the confidence in the predicted class for several classes", function()
      local X, y = support.data("digits", "digit")
      local few = ml.range(1, 600)
      local page = ml.report(ml.GaussianNB { var_smoothing = 0.01 }, X:take(few), ml.Factor(y:take(few):totable()),
         { importance = false, cv = 3 }).html
      has(page, "Confidence calibration")
      has(page, "Observed accuracy against confidence")
   end)

   it("show clusterings and components", function()
      local X = support.data("iris", "species")
      assert.same({ "Silhouettes", "Clusters" }, titles(ml.report(ml.KMeans { n_clusters = 3, seed = 1 }, X).html))
      assert.same({ "Scree plot", "Principal components" }, titles(ml.report(ml.PCA {}, X).html))
   end)
end)

describe("a report's page", function()
   it("escapes texts of the user", function()
      local X = ml.Frame { { "<script>alert(1)</script>", ml.normal(60, 1, 1):col(1) },
         { 'a "quoted" & \'single\' name', ml.normal(60, 1, 2):col(1) }, { "größe_µ", ml.normal(60, 1, 3):col(1) },
         { "broken\xff\0", ml.normal(60, 1, 4):col(1) } }
      local y = {}
      for i = 1, 60 do y[i] = i % 3 == 0 and "<img src=x onerror=alert(2)>" or "it's & \"that\"" end
      local page = ml.report(ml.GaussianNB {}, X, y, plain { title = "<h1>T</h1>", target = "</title><b>", date = "<i>",
         pictures = true }).html
      lacks(page, "<script")
      lacks(page, "<img")
      lacks(page, "<i>")
      lacks(page, "<h1>T")
      assert(utf8.len(page), "not UTF-8")
      assert(not page:find "%z")
      has(page, "&lt;script&gt;alert(1)&lt;/script&gt;</th>")
      has(page, "a &quot;quoted&quot; &amp; &#39;single&#39; name")
      has(page, "größe_µ")
      has(page, "broken\u{FFFD}\u{FFFD}")
      has(page, "<title>&lt;h1&gt;T&lt;/h1&gt;</title>")
   end)

   it("uses no external resources", function()
      local page = ml.report(classifier(), Xt, yt, { importance = false }).html
      local _, count = page:gsub('<svg role="img"', "")
      assert.is_true(count >= 5, count)
      lacks(page, "<script")
      lacks(page, "<link")
      lacks(page, " src=")
      lacks(page, "@import")
      for address in page:gmatch "https?://[^\"' <)]+" do assert.matches("^http://www%.w3%.org/", address) end
      for id in page:gmatch 'href="#([^"]+)"' do has(page, ('id="%s"'):format(id)) end
   end)

   it("is well-formed", function()
      local page = ml.report(classifier(), Xt, yt, plain { target = "a < b" }).html
      local open = {}
      for slash, name, rest in page:gsub("<style>.-</style>", ""):gmatch "<(/?)(%a[%w]*)([^<>]*)>" do
         if slash == "/" then
            assert.equal(name, table.remove(open))
         elseif rest:sub(-1) ~= "/" then
            open[#open + 1] = name
         end
      end
      assert.same({}, open)
   end)

   it("shows the pictures as text without gnuplot", function()
      local script, out = os.tmpname(), os.tmpname()
      local file = assert(io.open(script, "w"))
      file:write(([[
         local ml = require "manilius"
         local X, y = ml.read_csv "examples/data/iris.csv":split "species"
         local report = ml.report(ml.GaussianNB {}, X, y, { importance = false })
         report:save %q
         print(report.pictures_left_out)
      ]]):format(out))
      file:close()
      local pipe = assert(io.popen(("lua=$(command -v lua5.4 || command -v lua54 || command -v lua); "
         .. "env PATH=/nonexistent $lua %s 2>&1"):format(script)))
      local said = pipe:read "a"
      pipe:close()
      local page = support.read_file(out)
      os.remove(script)
      os.remove(out)
      assert.equal("5\n", said)
      has(page, "5 plots could not be drawn and are shown as text: gnuplot was not found.")
      has(page, "Plot not available: gnuplot was not found.")
      has(page, "<pre>")
      has(page, "Confusion matrix")
      lacks(page, '<svg role="img" \n')
   end)

   it("leaves no partial file", function()
      local X, y = support.data("iris", "species")
      local report = ml.report(ml.GaussianNB {}, X, y, plain())
      local path = os.tmpname()
      assert.equal(report, report:save(path))
      assert.equal(report.html, support.read_file(path))
      os.remove(path)
      local ok, message = pcall(report.save, report, "/nonexistent/report.html")
      assert.is_false(ok)
      assert.matches("report: save: .*/nonexistent/report.html", message)
      refuses("report: save: path must be a string, got nil", report.save, report)
   end)
end)

describe("report", function()
   local X, y = support.data("iris", "species")

   it("refuses invalid arguments", function()
      local nb = ml.GaussianNB {}
      refuses("report: X must be given, report(model, X, y, options), got nil", ml.report, nb)
      refuses("report: model must be an estimator, got 3", ml.report, 3, X, y)
      refuses("report: y must be given to report on GaussianNB, got nil", ml.report, nb, X)
      refuses("report: y must have as many rows as X, 150, got 1", ml.report, nb, X, { "a" })
      support.refuses("report: test must be { X, y }, got { Matrix", function()
         ml.report(nb, X, y, { test = { X:matrix() } })
      end)
      refuses("report: test must have the 4 columns of X, got 1", ml.report, nb, X, y,
         { test = { { { 1 } }, { "a" } } })
      refuses("report: cv and test cannot be given together; give one of them", ml.report, nb, X, y,
         { test = { X, y }, cv = 3 })
      refuses("report: seed must be a whole number >= 0, got -1", ml.report, nb, X, y, { seed = -1 })
      refuses("report: title must be a string, got 3", ml.report, nb, X, y, { title = 3 })
      refuses('report: pictures must be true or false, got "no"', ml.report, nb, X, y, { pictures = "no" })
      support.refuses("report has no option 'titel'; did you mean 'title'%?", function()
         ml.report(nb, X, y, { titel = "x" })
      end)
      support.refuses("KNeighborsClassifier: n_neighbors must be", function()
         ml.report(ml.KNeighborsClassifier { n_neighbors = 200 }, X, y)
      end)
      support.refuses("report: fold 1: KNeighborsClassifier: n_neighbors must be", function()
         ml.report(ml.KNeighborsClassifier { n_neighbors = 140 }, X, y)
      end)
   end)

   it("escapes and joins", function()
      assert.equal('<p class="a&lt;" hidden>x&lt;<b>y</b>1z</p>',
         tostring(html.p { class = "a<", hidden = true, "x<", html.b "y", { 1, false, "z" } }))
      assert.equal("<br/>", tostring(html.br {}))
      assert.equal("&lt;&amp;&quot;&#39;&gt;", html.escape "<&\"'>")
      assert.equal("a\u{FFFD}b\u{FFFD}", html.escape "a\xc3b\xe2")
   end)
end)
