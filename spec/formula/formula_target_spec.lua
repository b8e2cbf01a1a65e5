--- Functions of (model, X, y) take y from the Frame if the model has a formula.
local ml = require "manilius"

describe("A model with a formula requires no y", function()
   local cars = ml.read_csv "examples/data/mtcars.csv"
   local X, y = cars:select { "wt", "hp" }, cars.mpg
   local gears = {}
   for i = 1, #cars.am do gears[i] = cars.am[i] == 1 and "manual" or "automatic" end
   local labeled = ml.Frame { { "gears", ml.Factor(gears) }, { "wt", cars.wt }, { "hp", cars.hp } }

   local make = ml.LinearRegression { formula = "mpg ~ wt + hp" }
   local model = make:clone():fit(cars)
   local classifier = ml.LogisticRegression { formula = "gears ~ wt + hp", C = 0.1 }:fit(labeled)

   local function same(name, fitted, frame, rest, target, options)
      options = options or { title = "the same" }
      local wanted = ml.plot[name](fitted, rest, target, options):svg()
      assert.equal(wanted, ml.plot[name](fitted, frame, options):svg(), name)
   end

   it("in plots", function()
      same("residuals", model, cars, X, y)
      same("fit", ml.LinearRegression { formula = "mpg ~ poly(wt, 2)" }:fit(cars), cars, cars:select { "wt" }, y)
      same("coef_path", ml.Ridge { formula = "mpg ~ wt + hp" }:fit(cars), cars, X, y)
      same("learning_curve", make, cars, cars, y)
      for _, name in ipairs { "confusion", "roc", "precision_recall", "calibration" } do
         same(name, classifier, labeled, labeled, ml.Factor(gears))
      end
      same("decision", classifier, labeled, labeled:select { "wt", "hp" }, gears, { resolution = 12 })
   end)

   it("in plots of several models, of a search, and of all columns", function()
      local models = { line = ml.LinearRegression { formula = "mpg ~ wt" }:fit(cars),
         curve = ml.LinearRegression { formula = "mpg ~ ns(wt, 3)" }:fit(cars) }
      assert.equal(ml.plot.fit(models, cars:select { "wt" }, y):svg(), ml.plot.fit(models, cars):svg())
      local other = ml.LogisticRegression { formula = "gears ~ hp" }:fit(labeled)
      local both = { { "wt and hp", classifier }, { "hp", other } }
      assert.equal(ml.plot.roc(both, labeled, gears):svg(), ml.plot.roc(both, labeled):svg())
      local search = ml.GridSearch { ml.Ridge { formula = "mpg ~ wt + hp" }, { model__alpha = { 1, 10 } } }:fit(cars)
      same("residuals", search, cars, X, y)
      same("residuals", ml.LinearRegression { formula = "mpg ~ ." }:fit(cars), cars, cars, y)
   end)

   it("in compare and in a report", function()
      local models = { small = ml.LinearRegression { formula = "mpg ~ wt" }, large = make }
      assert.same(ml.compare(models, cars, y).table.r2_mean:totable(), ml.compare(models, cars).table.r2_mean:totable())
      local glm = ml.GLM { family = "binomial", formula = "gears ~ wt" }
      assert.same({ "accuracy" }, ml.compare({ glm, glm }, labeled).metrics)
      local options = { date = "today", importance = false, pictures = false }
      local wanted = ml.report(model, cars, y, options).scores[1].mean
      assert.equal(wanted, ml.report(model, cars, nil, options).scores[1].mean)
      options.test = { cars }
      local report = ml.report(model, cars, nil, options)
      assert.equal(model:score(cars), report.scores[1].name == "r2" and report.scores[1].mean)
   end)

   it("in ensembles and other compositions, fitted, scored and validated", function()
      for name, whole in pairs { ml.BaggingRegressor { make, n_estimators = 4 }, ml.VotingRegressor { make, make },
         ml.StackingRegressor { make, ml.LinearRegression { formula = "mpg ~ hp" } },
         ml.TransformedTarget { regressor = make, func = "log" },
         ml.RANSACRegressor { make, min_samples = 12 } } do
         local fitted = whole:clone():fit(cars)
         assert.same(whole:clone():fit(cars, y):predict(cars):totable(), fitted:predict(cars):totable(), name)
         assert.equal(fitted:score(cars, y), fitted:score(cars))
         assert.equal(ml.cross_validate(whole, cars, y).mean.r2, ml.cross_validate(whole, cars).mean.r2)
      end
   end)

   it("unless the formula has no left side, which is an error", function()
      local ok, message = pcall(ml.plot.residuals, ml.LinearRegression { formula = "~ wt" }:fit(cars, y), cars)
      assert.is_false(ok)
      assert.matches("plot.residuals: y must be given after X, got nil", message, 1, true)
   end)
end)
