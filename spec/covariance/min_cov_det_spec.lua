local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/covariance/covariance.lua"

local function scaled()
   return ml.StandardScaler {}:fit_transform(ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix())
end

local function columns(X, first, last)
   local list = {}
   for i = 1, X.rows do
      list[i] = {}
      for j = first, last do list[i][j - first + 1] = X:get(i, j) end
   end
   return ml.Matrix(list)
end

-- Normal rows with every seventh far away.
local function contaminated(n, p)
   local X = ml.normal(n, p, 1)
   for i = 7, n, 7 do
      for j = 1, p do X:set(i, j, X:get(i, j) * 0.1 + 10) end
   end
   return X
end

-- By elimination.
local function determinant(C)
   local n, product = C.rows, 1
   C = C:copy()
   for k = 1, n do
      product = product * C:get(k, k)
      for i = k + 1, n do
         local share = C:get(i, k) / C:get(k, k)
         for j = k, n do C:set(i, j, C:get(i, j) - share * C:get(k, j)) end
      end
   end
   return product
end

describe("MinCovDet", function()
   it("agrees with scikit-learn", function()
      local X = scaled()
      for key, set in pairs {
         mcd = { 10, 11, {} }, mcd_large = { 4, 6, { support_fraction = 0.8 } },
         mcd_centered = { 1, 3, { assume_centered = true } },
      } do
         local part, wanted = columns(X, set[1], set[2]), oracle[key]
         local model = ml.MinCovDet(set[3]):fit(part)
         support.near_all(wanted.raw_location, model.raw_location, 1e-10, key .. " raw location", 1)
         support.near_rows(wanted.raw_covariance, model.raw_covariance, 1e-10, key .. " raw covariance", 1)
         support.near_all(wanted.raw_support, model.raw_support, 0, key .. " raw support")
         support.near_all(wanted.support, model.support, 0, key .. " support")
         support.near_all(wanted.location, model.location, 1e-10, key .. " location", 1)
         support.near_rows(wanted.covariance, model.covariance, 1e-10, key .. " covariance", 1)
         support.near_all(wanted.dist, model.dist, 1e-9, key .. " distance")
         support.near(wanted.score, model:score(part), 1e-10, key .. " score")
      end
   end)

   it("finds a smaller determinant than scikit-learn from many starts", function()
      local model = ml.MinCovDet {}:fit(columns(scaled(), 1, 4))
      assert.is_true(determinant(model.raw_covariance) <= determinant(ml.Matrix(oracle.mcd_hard.raw_covariance)))
   end)

   it("finds the outliers, and covariances like those without them", function()
      for _, n in ipairs { 140, 2800 } do
         local X = contaminated(n, 3)
         local model, limit = ml.MinCovDet {}:fit(X), 30
         for i = 1, n do assert.equal(i % 7 == 0, model.dist[i] > limit) end
         -- standard errors of elements are about sqrt(2 / n)
         for i = 1, 3 do
            for j = 1, 3 do
               support.near(i == j and 1 or 0, model.covariance:get(i, j), 4 * math.sqrt(2 / n), "covariance", 1)
            end
            support.near(0, model.location[i], 5 / math.sqrt(n), "location", 1)
         end
      end
   end)

   it("is exact for one column", function()
      local x = contaminated(31, 1)
      local model, h = ml.MinCovDet {}:fit(x), 17
      local values, least = {}, math.huge
      for i = 1, 31 do values[i] = x:get(i, 1) end
      table.sort(values)
      for first = 1, 31 - h + 1 do
         local mean, square = 0, 0
         for i = first, first + h - 1 do mean = mean + values[i] / h end
         for i = first, first + h - 1 do square = square + (values[i] - mean) ^ 2 / h end
         least = math.min(least, square)
      end
      support.near(least, model.raw_covariance:get(1, 1), 1e-12, "variance")
   end)

   it("finds the smallest determinant of all subsets", function()
      -- 12 rows, 2 columns: 792 subsets of 7
      local X = ml.normal(12, 2, 5)
      local model, least = ml.MinCovDet { support_fraction = 7 / 12 + 1e-9 }:fit(X), math.huge
      local function try(rows)
         local m, s = { 0, 0 }, { 0, 0, 0 }
         for _, i in ipairs(rows) do
            for j = 1, 2 do m[j] = m[j] + X:get(i, j) / 7 end
         end
         for _, i in ipairs(rows) do
            local a, b = X:get(i, 1) - m[1], X:get(i, 2) - m[2]
            s = { s[1] + a * a / 7, s[2] + a * b / 7, s[3] + b * b / 7 }
         end
         least = math.min(least, s[1] * s[3] - s[2] ^ 2)
      end
      local function choose(from, rows)
         if #rows == 7 then return try(rows) end
         for i = from, 12 do
            rows[#rows + 1] = i
            choose(i + 1, rows)
            rows[#rows] = nil
         end
      end
      choose(1, {})
      local C = model.raw_covariance
      support.near(least, C:get(1, 1) * C:get(2, 2) - C:get(1, 2) ^ 2, 1e-10, "determinant")
   end)

   it("is affine equivariant", function()
      local X, A = contaminated(100, 3), ml.normal(3, 3, 4)
      local plain, moved = ml.MinCovDet {}:fit(X), ml.MinCovDet {}:fit(X * A)
      support.near_rows(A:t() * plain.covariance * A, moved.covariance, 1e-9, "covariance", 1)
      support.near_all(plain.dist, moved.dist, 1e-9, "distance")
   end)

   it("gives the same bytes for any number of threads", function()
      support.same_for_any_threads(function() return ml.MinCovDet { n_starts = 20 }:fit(contaminated(1000, 3)) end)
   end)

   it("takes all rows with support_fraction = 1", function()
      local X = ml.normal(50, 2, 1)
      local model, plain = ml.MinCovDet { support_fraction = 1 }:fit(X), ml.EmpiricalCovariance {}:fit(X)
      support.near_rows(plain.covariance, model.raw_covariance, 1e-12, "covariance", 1)
   end)

   it("refuses rows on a hyperplane, and too few", function()
      local rows = {}
      for i = 1, 30 do rows[i] = { i, 2 * i } end
      support.refuses("rows lie on a hyperplane", function() ml.MinCovDet {}:fit(rows) end)
      for i = 1, 30 do rows[i] = { i, 5 } end
      support.refuses("rows lie on a hyperplane", function() ml.MinCovDet {}:fit(rows) end)
      support.refuses("at least columns %+ 2 = 4 rows, got 3", function() ml.MinCovDet {}:fit(ml.normal(3, 2, 1)) end)
      support.refuses("support_fraction must be at least", function()
         ml.MinCovDet { support_fraction = 0.1 }:fit(ml.normal(20, 2, 1))
      end)
   end)
end)
