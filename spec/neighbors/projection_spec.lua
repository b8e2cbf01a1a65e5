--- Rows that vary in few directions are screened by projections to fewer columns. The results equal those of the direct
--- search, which is used for a few queries at a time.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local N, M, D = 5000, 850, 300 -- large enough for a projection to be tested

local function model(rows, k)
   return ml.KNeighborsRegressor { n_neighbors = k or 7 }:fit(rows, ml.range(1, rows.rows))
end

--- So few queries are compared with every row in float64.
local function check_against_direct(fitted, queries, every)
   local many = fitted:kneighbors(queries)
   for i = 1, queries.rows - 7, every or 120 do
      local few = fitted:kneighbors(queries:slice(i, i + 7))
      assert(few.indexes == many.indexes:slice(i, i + 7), "different neighbors from query " .. i)
      assert(few.distances == many.distances:slice(i, i + 7), "different distances from query " .. i)
   end
end

--- Rows that vary in `directions` directions, and a little in all others.
local function low(n, directions, noise, seed)
   return ml.normal(n, directions, seed) * ml.normal(directions, D, 1) + ml.normal(n, D, seed + 1) * noise
end

describe("neighbors by projections", function()
   for _, case in ipairs { { 5, 0, 1 }, { 20, 0.1, 1 }, { 40, 1, 1 }, { 120, 0.1, 1 }, { 20, 0.1, 1e-145 },
      { 20, 0.1, 1e150 } } do
      it(("equal those of the direct search: %d directions, noise %g, unit %g"):format(table.unpack(case)), function()
         check_against_direct(model(low(N, case[1], case[2], 2) * case[3]), low(M, case[1], case[2], 8) * case[3])
      end)
   end

   it("equal those of the direct search for rows of full dimension, which are not projected", function()
      check_against_direct(model(ml.normal(N, D, 2)), ml.normal(M, D, 3), 100)
   end)

   it("equal those of the direct search far from 0", function()
      check_against_direct(model(low(N, 10, 0.1, 2) + 2 ^ 24), low(M, 10, 0.1, 8) + 2 ^ 24)
   end)

   it("breaks ties by the lowest index, with duplicates and near ties", function()
      local some = low(300, 10, 0.01, 2)
      local picks, queries = {}, {}
      for i = 1, N do picks[i] = i * 7 % 300 + 1 end -- every row seven times
      for i = 1, M do queries[i] = i % 300 + 1 end
      local rows = some:take(picks)
      check_against_direct(model(rows, 10), some:take(queries))
      for i = 1, N, 3 do rows:set(i, 5, rows:get(i, 5) + 1e-13 * i) end
      check_against_direct(model(rows, 10), some:take(queries))
      check_against_direct(model((low(N, 6, 0, 2) * 0.4):round()), (low(M, 6, 0, 8) * 0.4):round())
   end)

   it("equal those of the direct search if all rows are equal", function()
      local X = ml.full(N, D, 0.1)
      local found = model(X, 3):kneighbors(X:slice(1, M))
      for i = 1, M, 100 do support.near_all({ 1, 2, 3 }, found.indexes[i], 0, "index") end
      assert.equal(0, found.distances:sum())
   end)

   it("equal those of the direct search for rows whose values or squares exceed float32", function()
      for _, length in ipairs { 1e6, 1e19, 1e30, 1e160 } do
         local rows, queries = low(N, 10, 0.1, 2), low(M, 10, 0.1, 8)
         for _, i in ipairs { 4, 77, 1001, 5000 } do
            for j = 1, D do rows:set(i, j, rows:get(i, j) * length) end
         end
         for _, i in ipairs { 3, 500 } do
            for j = 1, D do queries:set(i, j, queries:get(i, j) * length) end
         end
         check_against_direct(model(rows), queries)
         check_against_direct(model(rows), queries:slice(20, 850), 600)
      end
   end)

   it("do not depend on the number of threads", function()
      local memory = require "manilius.core".memory
      local fitted, queries, first = model(low(N, 20, 0.5, 2)), low(M, 20, 0.5, 8), nil
      for _, threads in ipairs { 1, 2, 5 } do
         memory.threads(threads)
         local found = fitted:kneighbors(queries)
         first = first or found
         assert(first.indexes == found.indexes and first.distances == found.distances)
      end
      memory.threads(0)
   end)
end)
