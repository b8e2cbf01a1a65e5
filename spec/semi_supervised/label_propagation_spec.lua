--- LabelPropagation and LabelSpreading: compared with scikit-learn and with their definitions.
local ml = require "manilius"
local support = require "spec.support"
local wrappers = require "spec.compose.wrappers"

local fixture, refuses = wrappers.fixture, support.refuses
local X, species = support.data("iris", "species")
local Z, few = X:matrix(), wrappers.few(150)

-- Every 10th iris has a label.
local function partly_labelled()
   local labels = { n = 150 }
   for i = 1, 150, 10 do labels[i] = species[i] end
   return ml.Factor(labels)
end

local MODELS = {
   propagation = ml.LabelPropagation { gamma = 2, tol = 1e-6, max_iter = 5000 },
   propagation_knn = ml.LabelPropagation { kernel = "knn", tol = 1e-6, max_iter = 5000 },
   spreading = ml.LabelSpreading { gamma = 2, tol = 1e-6, max_iter = 500 },
   spreading_knn = ml.LabelSpreading { kernel = "knn", alpha = 0.3, tol = 1e-6, max_iter = 500 },
   spreading_default = ml.LabelSpreading {},
}

describe("label propagation and spreading", function()
   it("give scikit-learn's distributions, probabilities and labels", function()
      for name, model in pairs(MODELS) do
         -- many distances between irises are equal, and the neighbors of knn then depend on how ties are broken
         local wanted, tolerance = fixture["label_propagation_" .. name], name:find "knn" and 3e-3 or 1e-11
         model = model:clone():fit(Z, partly_labelled())
         support.near_rows(wanted.distributions, model.label_distributions:take(few), tolerance, name, 1)
         support.near_rows(wanted.proba, model:predict_proba(Z:take(few) + 0.13), tolerance, name, 1)
         for i, code in ipairs(wanted.transduction) do assert.equal(code + 1, model.transduction[i]) end
         assert.equal(wanted.n_iter, model.n_iter)
         assert.is_true(model.converged)
      end
   end)

   it("satisfy their equations at the end", function()
      local A = {}
      for i = 1, 150 do
         A[i] = {}
         for j = 1, 150 do
            local d = Z[i] - Z[j]
            A[i][j] = math.exp(-2 * d:dot(d))
         end
      end
      A = ml.Matrix(A)
      local F = MODELS.propagation:clone():fit(Z, partly_labelled()).label_distributions
      local next = A * F
      for i = 2, 10 do -- rows without a label
         local sum = next:row(i):sum()
         for c = 1, 3 do assert.near(F:get(i, c), next:get(i, c) / sum, 1e-6) end
      end
   end)

   it("accept numbers, with nan for a missing label", function()
      local codes, numbers = partly_labelled():codes(), {}
      for i = 1, 150 do numbers[i] = partly_labelled()[i] and codes[i] or 0 / 0 end
      local model = ml.LabelSpreading {}:fit(Z, ml.Vector(numbers))
      assert.same({ 1, 2, 3 }, model.classes)
      assert.equal(ml.LabelSpreading {}:fit(Z, partly_labelled()).label_distributions, model.label_distributions)
   end)

   it("give rows that no label reaches the same probability for every class", function()
      local y = ml.Factor { "a", nil, "b", nil, n = 4 }
      local rows = { { 0 }, { 0.1 }, { 5 }, { 1e6 } }
      for _, model in ipairs { ml.LabelPropagation {}, ml.LabelSpreading {} } do
         model:fit(rows, y)
         support.near_all({ 0.5, 0.5 }, model.label_distributions[4], 1e-15)
         support.near_all({ 0.5, 0.5 }, model:predict_proba({ { -1e6 } })[1], 1e-15)
         assert.equal(1, model.transduction[2])
      end
   end)

   it("are cross-validated on rows with a label, and train on all others", function()
      local y, tested = partly_labelled(), 0
      local function count(truth, predicted)
         tested = tested + #truth
         assert.is_false(truth:ismissing():any())
         return predicted:eq(truth):mean()
      end
      local model = ml.Pipeline { ml.StandardScaler {}, ml.LabelSpreading { gamma = 1 } }
      local result = ml.cross_validate(model, X, y, { cv = 5, scoring = { count = count } })
      assert.equal(15, tested)
      assert.is_true(result.mean.count > 0.8)
      local split = { train = ml.Vector { 1, 2, 3, 51, 52, 101 }, test = ml.Vector { 11, 12, 61, 111 } }
      tested = 0
      ml.cross_validate(model, X, y, { cv = { split }, scoring = { count = count } })
      assert.equal(3, tested)
      local supervised = ml.GaussianNB {}
      refuses("y must not have missing labels", function() supervised:fit(X, y) end)
   end)

   it("refuse what they cannot use", function()
      refuses("LabelSpreading: n_neighbors must be at most the number of rows, 2, got 7", function()
         ml.LabelSpreading { kernel = "knn" }:fit({ { 1 }, { 2 } }, { "a", "b" })
      end)
      refuses("y must have at least 2 classes, got 1 class %(a%)", function()
         ml.LabelSpreading {}:fit({ { 1 }, { 2 } }, ml.Factor { "a", nil, n = 2 })
      end)
      refuses("y must have labels, got only missing ones", function()
         ml.LabelSpreading {}:fit({ { 1 }, { 2 } }, ml.Vector { 0 / 0, 0 / 0 })
      end)
      refuses("searches the training rows; use rbf", function()
         MODELS.spreading_knn:clone():fit(Z, partly_labelled()):export_c()
      end)
   end)
end)
