local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.tree.c45"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data
local nan = 0 / 0

local function text(path)
   local file <close> = assert(io.open(path))
   return file:read "a"
end

local SETTINGS = {
   default = {},
   unpruned = { unpruned = true },
   ["no raising"] = { subtree_raising = false },
   strict = { confidence_factor = 0.05, min_num_obj = 10 },
}

local function read(set)
   local frame = ml.read_csv("examples/data/" .. set.file .. ".csv"):dropna(set.target)
   return frame:select(set.columns), frame[set.target]
end

-- A condition with numbers of six digits.
local function short(condition)
   return (condition:gsub("= (%d[%d.]*)$", function(number) return ("= %.6g"):format(number) end)
      :gsub("> (%d[%d.]*)$", function(number) return ("> %.6g"):format(number) end))
end

-- The nodes in depth-first order, as J48 prints them.
local function lines_of(tree)
   local nodes, children, out = tree:nodes(), {}, {}
   for i = 2, nodes.rows do
      local parent = math.tointeger(nodes.parent[i])
      children[parent] = children[parent] or {}
      table.insert(children[parent], i)
   end
   local function walk(i)
      if i > 1 then
         local parent = math.tointeger(nodes.parent[i])
         out[#out + 1] = { math.tointeger(nodes.depth[i]) - 1, nodes.question[parent] .. " " .. nodes.branch[i],
            children[i] and "" or nodes.answer[i], children[i] and -1 or nodes.cover[i] }
      end
      for _, child in ipairs(children[i] or {}) do walk(child) end
   end
   walk(1)
   if #out == 0 then out[1] = { 0, "", nodes.answer[1], nodes.cover[1] } end
   return out
end

describe("C45Classifier compared with J48", function()
   for _, set in ipairs(fixture) do
      for _, run in ipairs(set.runs) do
         it(("has the same tree and probabilities: %s, %s"):format(set.set, run.run), function()
            local X, y = read(set)
            local tree = ml.C45Classifier(SETTINGS[run.run]):fit(X, y)
            local got = lines_of(tree)
            for i, wanted in ipairs(run.nodes) do
               assert.same({ wanted[1], short(wanted[2]), wanted[3] }, { got[i][1], short(got[i][2]), got[i][3] })
               near(wanted[4], got[i][4], 0.0051, "weight of " .. wanted[2], 1)
            end
            assert.equal(#run.nodes, #got)
            local shares = tree:predict_proba(X)
            for k, wanted in ipairs(run.shares) do
               for c, share in ipairs(wanted) do
                  near(share, shares:get(7 * k - 6, c), 0.00051, "row " .. 7 * k - 6, 1)
               end
            end
         end)
      end
   end
end)

describe("C45Classifier", function()
   -- C4.5 (1993), section 3.2: the outlook of one overcast day is missing.
   it("reduces the gain for missing values, and counts them as a branch in the split information", function()
      local frame = ml.parse_csv((text("examples/data/playtennis.csv"):gsub("overcast,mild", "NA,mild")))
      local X, y = frame:split "play"
      local gains = ml.C45Classifier {}:fit(X, y):gains(X, y)
      near(0.199, gains.gain[1], 1e-3, "gain", 1)
      near(0.110, gains.gain_ratio[1], 1e-3, "ratio", 1)
   end)

   it("sends a row with a missing value to all branches, with fractional weights", function()
      local X = ml.Frame { { "f", ml.Factor { "a", "a", "a", "b", "b", "b", "b", "b", "b" } },
         { "x", { 1, 1, 1, 2, 2, 2, 2, 2, 2 } } }
      local y = { 0, 0, 0, 1, 1, 1, 1, 1, 1 }
      local tree = ml.C45Classifier {}:fit(X, y)
      assert.equal("f", tree:nodes().question[1])
      local shares = tree:predict_proba(ml.Frame { { "f", ml.Factor { "new" } }, { "x", { nan } } })
      near_all({ 1 / 3, 2 / 3 }, shares[1], 1e-12)
      local laplace = ml.C45Classifier { use_laplace = true }:fit(X, y)
      near_all({ 4 / 5, 1 / 5 }, laplace:predict_proba(X)[1], 1e-12)
   end)

   it("treats weights as repeated rows", function()
      local X, y = data("penguins", "species")
      local weights, rows = {}, {}
      for i = 1, X.rows do
         weights[i] = i % 4
         for _ = 1, i % 4 do rows[#rows + 1] = i end
      end
      local weighted = ml.C45Classifier {}:fit(X, y, { weights = weights })
      local repeated = ml.C45Classifier {}:fit(X:take(rows), y:take(rows))
      near_all(repeated:nodes().cover, weighted:nodes().cover, 1e-9)
      near_all(repeated:predict_proba(X):flatten(), weighted:predict_proba(X):flatten(), 1e-9, "share", 1)
   end)

   it("accepts features without values, and thousands of levels with missing values", function()
      local X = { { nan, 1 }, { nan, 2 }, { nan, 3 }, { nan, 4 } }
      local tree = ml.C45Classifier {}:fit(X, { 0, 0, 1, 1 })
      assert.same({ 0, 0, 1, 1 }, tree:predict(X):totable())
      assert.equal(1, ml.C45Classifier {}:fit({ { nan }, { nan } }, { 0, 1 }):nodes().rows)
      local level, y = {}, {}
      for i = 1, 20000 do level[i], y[i] = i % 50 > 0 and "level " .. i % 5000 or nil, i % 5000 % 3 end
      level.n = 20000
      local many = ml.Frame { { "f", ml.Factor(level) } }
      local unpruned = ml.C45Classifier { unpruned = true }:fit(many, y)
      assert.equal(4901, unpruned:nodes().rows)
      assert(unpruned:score(many, y) > 0.98)
      assert.equal(1, ml.C45Classifier { min_num_obj = 20001 }:fit(many, y):nodes().rows)
   end)

   it("does not depend on the number of threads", function()
      local X, y = data("digits", "digit")
      support.same_for_any_threads(function() return ml.C45Classifier {}:fit(X, y) end)
   end)

   it("refuses settings out of range", function()
      refuses("C45Classifier: confidence_factor must be > 0 and <= 0.5, got 0.6",
         function() ml.C45Classifier { confidence_factor = 0.6 } end)
      refuses("C45Classifier has no parameter 'min_obj'", function() ml.C45Classifier { min_obj = 3 } end)
   end)
end)
