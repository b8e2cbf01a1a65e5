--- A parameter that is passed to fit: the error names the constructor that takes it.
local ml = require "manilius"
local support = require "spec.support"

describe("a parameter passed as an option of fit", function()
   local X, y = { { 1, 2 }, { 2, 1 }, { 8, 9 }, { 9, 7 } }, { "a", "a", "b", "b" }
   local weights = { class_weight = "balanced" }

   local function refuses(text, call) support.refuses(text:gsub("%p", "%%%0"), call) end

   it("is refused with the constructor that takes it", function()
      refuses("LogisticRegression: options are weights, on_iter, "
         .. "got 'class_weight', which is a parameter: ml.LogisticRegression{ class_weight = ... }", function()
         ml.LogisticRegression {}:fit(X, y, weights)
      end)
      refuses("got 'alpha', which is a parameter: ml.Ridge{ alpha = ... }", function()
         ml.Ridge {}:fit(X, { 1, 2, 3, 4 }, { alpha = 2 })
      end)
      refuses("options are weights, got 'max_iter', which is a parameter: "
         .. "ml.LogisticRegression{ max_iter = ... }", function()
         ml.LogisticRegression {}:fit_async(X, y, { max_iter = 2 })
      end)
      refuses("got 'C', which is a parameter: ml.LogisticRegression{ C = ... }", function()
         ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(X, y, { C = 2 })
      end)
   end)

   it("is found in compositions and their parts", function()
      refuses("BaggingClassifier:fit has no option 'n_estimators', which is a parameter: "
         .. "ml.BaggingClassifier{ n_estimators = ... }", function()
         ml.BaggingClassifier {}:fit(X, y, { n_estimators = 2 })
      end)
      refuses("GridSearch:fit has no option 'class_weight', which is a parameter: "
         .. "ml.LogisticRegression{ class_weight = ... }", function()
         ml.GridSearch { ml.LogisticRegression {}, { C = { 1, 2 } } }:fit(X, y, weights)
      end)
      refuses("VotingClassifier:fit has no option 'var_smoothing', which is a parameter: "
         .. "ml.GaussianNB{ var_smoothing = ... }", function()
         ml.VotingClassifier { ml.GaussianNB {}, ml.LogisticRegression {} }:fit(X, y, { var_smoothing = 1 })
      end)
      refuses("which is a parameter: ml.PolynomialRegression{ degree = ... }", function()
         ml.PolynomialRegression {}:fit(X, { 1, 2, 3, 4 }, { degree = 3 })
      end)
   end)

   it("is distinguished from unknown options, and from class_weight if there is none", function()
      refuses("Ridge: options are weights, on_iter, "
         .. "got 'class_weight'", function()
         ml.Ridge {}:fit(X, { 1, 2, 3, 4 }, weights)
      end)
      refuses("GridSearch:fit has no option 'wights'; there are groups, lengths, on_iter, resume, weights", function()
         ml.GridSearch { ml.Ridge {}, { alpha = { 1, 2 } } }:fit(X, { 1, 2, 3, 4 }, { wights = y })
      end)
   end)
end)
