local ml = require "manilius"
local support = require "spec.support"

-- m random clauses of k different variables of n.
local function random_formula(n, m, k, seed)
   local draw, clauses = ml.random(m, 2 * k, seed), {}
   for c = 1, m do
      local clause, seen = {}, {}
      for i = 1, k do
         local v = 1 + math.floor(n * draw[c][i])
         while seen[v] do v = v % n + 1 end
         seen[v] = true
         clause[i] = draw[c][k + i] < 0.5 and v or -v
      end
      clauses[c] = clause
   end
   return clauses
end

local function is_satisfied(clauses, truth)
   for _, clause in ipairs(clauses) do
      local any = #clause == 0 and false
      for _, literal in ipairs(clause) do any = any or truth[math.abs(literal)] == (literal > 0 and 1 or 0) end
      if not any then return false end
   end
   return true
end

-- By enumeration: the number of satisfying assignments, and how many of them make each variable true.
local function enumerate(clauses, n)
   local count, truths = 0, {}
   for v = 1, n do truths[v] = 0 end
   for number = 0, (1 << n) - 1 do
      local truth = {}
      for v = 1, n do truth[v] = number >> (v - 1) & 1 end
      if is_satisfied(clauses, truth) then
         count = count + 1
         for v = 1, n do truths[v] = truths[v] + truth[v] end
      end
   end
   return count, truths
end

local function with_file(text, use)
   local path = os.tmpname()
   local file = assert(io.open(path, "wb"))
   file:write(text)
   file:close()
   local ok, message = pcall(use, path)
   os.remove(path)
   if not ok then error(message, 0) end
end

describe("solve_sat", function()
   it("agrees with enumeration on small formulas", function()
      local possible = { 0, 0 }
      for seed = 1, 40 do
         local clauses = random_formula(10, 30 + seed // 2, 3, seed)
         local count = enumerate(clauses, 10)
         for _, method in ipairs { "survey", "belief", "walk" } do
            local found = ml.solve_sat { clauses = clauses, variables = 10, method = method, seed = seed,
               max_flips = 20000 }
            assert.equal(count > 0, found.satisfied)
            assert.equal(found.satisfied, is_satisfied(clauses, found.assignment))
            assert.equal(found.satisfied and "satisfied" or "unknown", found.status)
         end
         possible[count > 0 and 1 or 2] = possible[count > 0 and 1 or 2] + 1
      end
      assert.truthy(possible[1] > 5 and possible[2] > 5)
   end)

   it("has exact beliefs where the formula is a tree", function()
      local clauses = { { 1, -2, 3 }, { -3, 4, 5 }, { -5, -6 }, { 6, 7, -8 }, { 2, 9 }, { -9, 10, 11 }, { -4, 12 } }
      local count, truths = enumerate(clauses, 12)
      local found = ml.solve_sat { clauses = clauses, method = "belief", tol = 0, max_iter = 50 }
      for v = 1, 12 do support.near(truths[v] / count, found.bias[v][1], 1e-12, "variable " .. v) end
      assert.truthy(found.satisfied)
      -- no variable of a tree is forced in all solutions of a cluster: surveys vanish
      local survey = ml.solve_sat { clauses = clauses, tol = 0, max_iter = 50 }
      for v = 1, 12 do support.near(1, survey.bias[v][3], 1e-12, "survey of variable " .. v) end
   end)

   it("solves random 3-SAT near the threshold by survey propagation", function()
      local clauses = random_formula(5000, 21000, 3, 1)
      local found = ml.solve_sat { clauses = clauses, variables = 5000, fraction = 0.02, restarts = 6,
         max_flips = 3000000 }
      assert.truthy(found.satisfied)
      assert.truthy(is_satisfied(clauses, found.assignment))
      assert.truthy(found.fixed > 500)
      -- surveys are not trivial at this ratio: most variables are forced within a cluster of solutions
      assert.truthy(1 - found.bias:col(3):mean() > 0.5)
   end)

   it("undoes what decimation fixed wrongly", function()
      -- ratio 4.2 of 200 variables: an assignment exists according to CaDiCaL for these seeds alone, of 1 to 20
      local possible = { 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0 }
      for seed = 1, 20 do
         local clauses = random_formula(200, 840, 3, seed)
         local found = ml.solve_sat { clauses = clauses, variables = 200, max_flips = 400000,
            restarts = possible[seed] == 1 and 3 or 1 }
         assert.equal(possible[seed] == 1, found.satisfied, "seed " .. seed)
         assert.equal(found.satisfied, is_satisfied(clauses, found.assignment))
      end
   end)

   it("searches by probSAT or WalkSAT alone", function()
      for length, m in pairs { [3] = 2000, [5] = 9000, [8] = 20000 } do
         local clauses = random_formula(500, m, length, length)
         local found = ml.solve_sat { clauses = clauses, variables = 500, method = "walk" }
         assert.truthy(found.satisfied)
         assert.truthy(is_satisfied(clauses, found.assignment))
      end
      local clauses = random_formula(1000, 4000, 3, 5)
      local found = ml.solve_sat { clauses = clauses, method = "walk", search = "walksat", noise = 0.5 }
      assert.truthy(found.satisfied and is_satisfied(clauses, found.assignment))
      support.refuses("noise is an option of search = 'walksat'", ml.solve_sat, { clauses = clauses, noise = 0.5 })
   end)

   it("is the same for the same seed", function()
      local clauses = random_formula(200, 800, 3, 7)
      local first, second = ml.solve_sat { clauses = clauses, seed = 3 }, ml.solve_sat { clauses = clauses, seed = 3 }
      assert.same(first.assignment:totable(), second.assignment:totable())
   end)

   it("reports what it cannot satisfy", function()
      local proved = ml.solve_sat { clauses = { { 1 }, { -1, 2 }, { -2 } } }
      assert.equal("unsatisfiable", proved.status)
      assert.truthy(proved.violated >= 1)
      assert.equal("unsatisfiable", ml.solve_sat { clauses = { { 1 }, {} } }.status)
      local all = { { 1, 2 }, { 1, -2 }, { -1, 2 }, { -1, -2 } }
      assert.equal("unknown", ml.solve_sat { clauses = all, max_flips = 100 }.status)
      local heard
      ml.warnings(function(message) heard = message end)
      ml.solve_sat { clauses = all, max_flips = 100 }
      ml.warnings "off"
      assert.truthy(heard:find "no assignment was found; the best violates 1 clause;")
      assert.truthy(ml.solve_sat { clauses = {}, variables = 3 }.satisfied)
      assert.truthy(ml.solve_sat { clauses = { { 1, -1 }, { 2, 2 } } }.satisfied)
   end)

   it("reads DIMACS files, and names the line of a mistake", function()
      with_file("c a comment\np cnf 3 2\n1 -3 0 2\n 3 -1 0\n", function(path)
         local found = ml.solve_sat { path = path }
         assert.truthy(found.satisfied)
         assert.equal(3, #found.assignment)
      end)
      for text, message in pairs {
         ["p cnf 3 1\n1 4 0\n"] = ":2: a literal must be a whole number from %-3 to 3, got '4'",
         ["p cnf 3 1\n1 x 0\n"] = ":2: a literal must be",
         ["p cnf 3 2\n1 2 0\n"] = "2 clauses were announced, got 1",
         ["p cnf 3 1\n1 2\n"] = "does not end with 0",
         ["1 2 0\n"] = ":1: clauses must come after",
         ["c\np dnf 3 1\n"] = ":2: the problem line must be 'p cnf",
         ["c\n"] = "there is no line 'p cnf",
      } do
         with_file(text, function(path) support.refuses(message, ml.solve_sat, { path = path }) end)
      end
   end)

   it("refuses what is not a formula", function()
      support.refuses("either clauses or path", ml.solve_sat, {})
      support.refuses("clause 1: literals must be whole numbers", ml.solve_sat, { clauses = { { 0 } } })
      support.refuses("clause 2 must be a list", ml.solve_sat, { clauses = { { 1 }, 2 } })
      support.refuses("method must be one of", ml.solve_sat, { clauses = { { 1 } }, method = "magic" })
      support.refuses("from %-2 to 2", ml.solve_sat, { clauses = { { 3 } }, variables = 2 })
   end)
end)
