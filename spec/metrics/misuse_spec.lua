--- Metrics of labels refuse the values of a regression, and reports name what is undefined.
local ml = require "manilius"
local refuses = require "spec.support".refuses_exactly

describe("metrics of labels", function()
   local REMEDY = "; for numbers use metrics.regression_report, r2, rmse or mae"

   it("refuse predicted numbers that are not labels", function()
      for _, name in ipairs { "report", "accuracy", "confusion_matrix", "mcc", "kappa", "balanced_accuracy" } do
         refuses(("metrics.%s: predicted must be class labels, got numbers such as 1.25%s"):format(name, REMEDY),
            ml.metrics[name], ml.Vector { 1, 2, 3 }, ml.Vector { 1.25, 2, 3 })
      end
   end)

   it("refuse a target with many fractions", function()
      local y = ml.random(90, nil, 1)
      local ok, message = pcall(ml.metrics.report, y, y:round())
      assert.is_false(ok)
      assert.matches("metrics.report: y must be class labels, got numbers such as 0%.%d+; for numbers use", message)
   end)

   it("accept a few fractions as labels", function()
      assert.equal(0.5, ml.metrics.accuracy({ 0.5, 1.5 }, { 0.5, 0.5 }))
   end)
end)

describe("metrics.report", function()
   local y, guess = { "a", "a", "b" }, { "a", "d", "a" }

   it("notes which values are undefined", function()
      local report = ml.metrics.report(y, guess)
      assert.same({ "note: the precision of 'b' is undefined, because no row is predicted as it; shown as 0.0 "
         .. "(zero_division)", "note: the recall of 'd' is undefined, because y has no row of it; shown as 0.0 "
         .. "(zero_division)" }, report.notes)
      assert.matches("note: the precision of 'b' is undefined", tostring(report))
      assert.same({}, ml.metrics.report(y, y).notes)
   end)

   it("has the option zero_division", function()
      local report = ml.metrics.report(y, guess, { zero_division = 0 / 0 })
      assert.is_true(report.classes.b.precision ~= report.classes.b.precision)
      assert.near(0.25, report.macro.precision, 1e-15) -- of a and d
      assert.equal(1, ml.metrics.report(y, guess, { zero_division = 1 }).classes.b.precision)
      refuses("metrics.report: zero_division must be 0, 1 or nan, got 0.5", ml.metrics.report, y, guess,
         { zero_division = 0.5 })
   end)
end)
