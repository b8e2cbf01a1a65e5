--- One target or two classes: coef is a Vector and intercept a number; several: a Matrix and a Vector.
local ml = require "manilius"

local X, iris = ml.read_csv("examples/data/iris.csv"):split "species"
X = ml.StandardScaler {}:fit_transform(X)
local two, y, both = {}, X.sepal_length, ml.normal(150, 2, 1)
for i = 1, 150 do two[i] = iris[i] == "setosa" end

local function shapes(model)
   local coef, intercept = model.coef, model.intercept
   return ("%s %s"):format(getmetatable(coef), math.type(intercept) and "number" or getmetatable(intercept))
end

describe("the shape of coef and intercept", function()
   it("is that of one row for two classes", function()
      for _, name in ipairs { "LogisticRegression", "LogisticRegressionCV", "LinearModelClassifier", "SGDClassifier",
         "Perceptron", "PassiveAggressiveClassifier", "LinearSVC", "LinearDiscriminantAnalysis" } do
         local model = ml[name] {}:fit(X, two)
         assert.equal("Vector number", shapes(model), name)
         assert.equal("Vector number", shapes(ml.load(model:dump())), name)
         assert.equal("Matrix Vector", shapes(ml[name] {}:fit(X, iris)), name)
         if name ~= "LinearDiscriminantAnalysis" then
            local score = X:matrix() * model.coef + model.intercept
            assert.near(0, (score - model:decision_function(X)):abs():max(), 1e-9)
         end
      end
   end)

   it("is that of one row for one target", function()
      for _, name in ipairs { "Ridge", "LinearRegression", "Lasso" } do
         assert.equal("Vector number", shapes(ml[name] {}:fit(X, y)), name)
      end
      assert.equal("Matrix Vector", shapes(ml.Ridge {}:fit(X, both)))
   end)

   it("is printed with the name of the second class", function()
      assert.matches("coef +true\n  %(intercept%)", tostring(ml.LogisticRegression {}:fit(X, two)))
   end)
end)
