local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/covariance/covariance.lua"

local function scaled()
   return ml.StandardScaler {}:fit_transform(ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix())
end

local function agree(wanted, model, rows, tolerance)
   support.near_rows(wanted.covariance, model.covariance, tolerance, "covariance", 1)
   support.near_rows(wanted.precision, model.precision, tolerance, "precision", 1)
   support.near_all(wanted.mahalanobis, model:mahalanobis(rows:slice(1, 3)), tolerance, "distance")
   support.near(wanted.score, model:score(rows), tolerance, "score")
end

describe("GraphicalLasso", function()
   local exact = { tol = 1e-12, enet_tol = 1e-12, max_iter = 1000 }

   it("agrees with scikit-learn", function()
      local X = scaled()
      local model = ml.GraphicalLasso { alpha = 0.2, tol = 1e-12, enet_tol = 1e-12, max_iter = 1000 }
      model:fit(X)
      assert.is_true(model.converged)
      agree(oracle.graphical, model, X, 1e-9)
      -- the constant of the log likelihood is twice in the cost of scikit-learn
      local constant = 2 * 13 * math.log(2 * math.pi)
      support.near(oracle.graphical.cost - constant, model.objective, 1e-10, "objective")
      local few = X:slice(1, 20)
      model = ml.GraphicalLasso { alpha = 0.4, assume_centered = true, tol = 1e-12, enet_tol = 1e-12, max_iter = 1000 }
      agree(oracle.graphical_few, model:fit(few), few, 1e-9)
      support.near(oracle.graphical_few.cost - constant, model.objective, 1e-10, "objective")
   end)

   it("satisfies the optimality conditions", function()
      -- W - S is alpha times the sign of P where P is not 0, and at most alpha elsewhere
      local X = ml.normal(30, 8, 1) * ml.normal(8, 8, 2)
      local S = ml.EmpiricalCovariance {}:fit(X).covariance
      local alpha = 2
      local model = ml.GraphicalLasso { alpha = alpha, tol = exact.tol, enet_tol = exact.enet_tol, max_iter = 1000 }
      model:fit(X)
      local W, P, zeros = model.covariance, model.precision, 0

      for i = 1, 8 do
         support.near(1, (W * P):get(i, i), 1e-9, "W P")
         support.near(S:get(i, i), W:get(i, i), 1e-12, "diagonal")
         for j = 1, 8 do
            local slack = W:get(i, j) - S:get(i, j)
            if i ~= j and P:get(i, j) == 0 then
               zeros = zeros + 1
               assert.is_true(math.abs(slack) <= alpha * (1 + 1e-9))
            elseif i ~= j then
               support.near(P:get(i, j) > 0 and alpha or -alpha, slack, 1e-8, "slack")
            end
         end
      end
      assert.is_true(zeros > 0 and zeros < 56)
   end)

   it("recovers a chain of dependences", function()
      local e, X = ml.normal(2000, 6, 1), ml.Matrix(2000, 6)
      for i = 1, 2000 do
         X:set(i, 1, e:get(i, 1))
         for j = 2, 6 do X:set(i, j, 0.6 * X:get(i, j - 1) + 0.8 * e:get(i, j)) end
      end
      local P = ml.GraphicalLasso { alpha = 0.1 }:fit(X).precision
      for i = 1, 6 do
         for j = i + 1, 6 do assert.is_true(j == i + 1 and P:get(i, j) < -0.3 or math.abs(P:get(i, j)) < 0.1) end
      end
   end)

   it("inverts the covariance without a penalty, and is diagonal with a large one", function()
      local X = scaled()
      local plain = ml.GraphicalLasso { alpha = 0 }:fit(X)
      support.near_rows(ml.EmpiricalCovariance {}:fit(X).precision, plain.precision, 1e-9, "precision", 1)
      local P = ml.GraphicalLasso { alpha = 1 }:fit(X).precision
      for i = 1, 13 do
         support.near(1, P:get(i, i), 1e-12, "diagonal")
         for j = 1, 13 do assert.is_true(i == j or P:get(i, j) == 0) end
      end
   end)

   it("refuses constant columns, and singular covariances without a penalty", function()
      support.refuses("column 2 of X is constant; remove it", function()
         ml.GraphicalLasso {}:fit { { 1, 2 }, { 2, 2 }, { 4, 2 } }
      end)
      support.refuses("the covariance is singular; use alpha > 0", function()
         ml.GraphicalLasso { alpha = 0 }:fit { { 1, 2 }, { 2, 4 }, { 4, 8 } }
      end)
   end)
end)

describe("GraphicalLassoCV", function()
   it("agrees with scikit-learn", function()
      local X = scaled()
      local model = ml.GraphicalLassoCV { tol = 1e-8, enet_tol = 1e-8, max_iter = 1000 }:fit(X)
      local wanted = oracle.graphical_cv
      support.near_all(wanted.alphas, model.grid_alpha, 1e-10, "alpha")
      support.near_all(wanted.mean, model.mean_score, 1e-5, "mean score")
      support.near_all(wanted.first, model.scores[1], 1e-5, "score")
      support.near(wanted.alpha, model.alpha, 1e-10, "alpha")
      agree(wanted, model, X, 1e-5) -- both stop within a gap of 1e-8
      local given = ml.GraphicalLassoCV { alphas = { 0.3, 0.1, 0.02 }, cv = 3, tol = 1e-8, enet_tol = 1e-8,
         max_iter = 1000 }:fit(X)
      support.near_all(oracle.graphical_given.mean, given.mean_score, 1e-5, "mean score")
      support.near(oracle.graphical_given.alpha, given.alpha, 1e-12, "alpha")
   end)

   it("gives the same bytes for any number of threads", function()
      support.same_for_any_threads(function() return ml.GraphicalLassoCV { cv = 3 }:fit(ml.normal(60, 4, 1)) end)
   end)
end)
