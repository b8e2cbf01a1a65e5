local ml = require "manilius"
local support = dofile "spec/support.lua"

describe("Decompositions, covariances and maps", function()
   local estimators = {
      "TruncatedSVD", "SparsePCA", "NMF", "DictionaryLearning", "MiniBatchDictionaryLearning", "FastICA",
      "ProbabilisticICA", "EmpiricalCovariance", "LedoitWolf", "OAS", "ShrunkCovariance", "GraphicalLasso",
      "GraphicalLassoCV", "MinCovDet", "Isomap", "LocallyLinearEmbedding", "SpectralEmbedding",
   }
   for _, name in ipairs(estimators) do
      it("of numbers whose squares overflow are refused: " .. name, function()
         local X = ml.normal(40, 4, 1) ^ 2
         X[3][2] = 1e200
         support.refuses(name .. ": X must hold numbers below 1e100 so that their squares are finite, got 1e%+200 in "
            .. "column 2", function() ml[name] {}:fit(X) end)
      end)
   end

   for _, solver in ipairs { "covariance", "full", "randomized" } do
      it("of numbers whose squares overflow are refused: PCA, " .. solver, function()
         support.refuses("PCA: the squares of X overflow; scale the columns",
            function() ml.PCA { n_components = 2, solver = solver }:fit(ml.normal(60, 3, 1) * 1e200) end)
      end)
   end

   it("without missing values name those that accept them", function()
      local names = { "UMAP", "PaCMAP", "Isomap", "LocallyLinearEmbedding", "SpectralEmbedding", "DiffusionMaps" }
      for _, name in ipairs(names) do
         support.refuses(name .. ": X must be finite, got nan in row 2, column 1; impute missing values "
            .. "%(SimpleImputer%), or use GPLVM and GTM, which accept them",
            function() ml[name] {}:fit { { 1, 2 }, { 0 / 0, 3 }, { 4, 4 } } end)
      end
   end)
end)
