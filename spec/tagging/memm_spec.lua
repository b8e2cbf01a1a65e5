local ml = require "manilius"
local enumerate = require "spec.tagging.enumerate"

local X = { { "hot", "dry" }, { "hot" }, { "cold", "wet" }, { "cold" }, { "wet" }, { "hot", "wet" }, { "cold", "dry" },
   { "dry" }, { "hot" } }
local y = { "run", "run", "read", "read", "swim", "swim", "run", "read", "swim" }
local lengths = { 4, 3, 2 }

-- The same model as a classifier that sees the tag before.
local function with_tag_before()
   local rows, row = {}, 0
   for _, n in ipairs(lengths) do
      for t = 1, n do
         row = row + 1
         rows[row] = table.move(X[row], 1, #X[row], 1, {})
         if t > 1 then table.insert(rows[row], "before=" .. y[row - 1]) end
      end
   end
   return rows
end

describe("MEMM", function()
   local settings = { c2 = 0.1, tol = 1e-14 }
   local model = ml.MEMM(settings):fit(X, y, { lengths = lengths })

   it("is LogLinear with the tag before as a feature", function()
      local other = ml.LogLinear { c2 = 0.1, tol = 1e-14, fit_intercept = false }:fit(with_tag_before(), y)
      assert.near(other.objective, model.objective, 1e-10)
      local p = other:predict_log_proba(with_tag_before())
      local sum, column = 0, {}
      for k, class in ipairs(other.classes) do column[class] = k end
      for i, tag in ipairs(y) do sum = sum + p[i][column[tag]] end
      assert.near(sum, model:log_likelihood(X, y, { lengths = lengths }):sum(), 1e-6)
   end)

   it("gives probabilities of sequences, marginals and the best sequence", function()
      local rows, p, total, best = { { "hot" }, { "new" }, { "wet", "cold" } }, {}, 0, nil
      for t = 1, 3 do p[t] = { 0, 0, 0 } end
      for _, s in ipairs(enumerate.sequences(model, rows)) do
         local log_p = model:log_likelihood(rows, s.tags)[1]
         total = total + math.exp(log_p)
         if not best or log_p > best.log_p then best = { log_p = log_p, tags = s.tags } end
         for t, tag in ipairs(s.tags) do
            for k, class in ipairs(model.classes) do
               if tag == class then p[t][k] = p[t][k] + math.exp(log_p) end
            end
         end
      end
      assert.near(1, total, 1e-12)
      local marginals = model:predict_proba(rows)
      for t = 1, 3 do
         for k = 1, 3 do assert.near(p[t][k], marginals[t][k], 1e-12) end
      end
      assert.same(best.tags, model:predict(rows):totable())
      assert.near(best.log_p, model:decode(rows).scores[1], 1e-12)
   end)

   it("does not depend on how long sequences are cut into parts", function()
      local long, tags = {}, {}
      for i = 1, 700 do
         long[i] = { X[i * i % 9 + 1][1], "t" .. i % 5 }
         tags[i] = y[i * 7 % 9 + 1]
      end
      local m = ml.MEMM { c2 = 1, tol = 1e-13 }:fit(long, tags)
      local value = -m:log_likelihood(long, tags)[1]
      for _, c in ipairs(enumerate.coefficients(m).list) do value = value + c.value ^ 2 end
      assert.near(1, value / m.objective, 1e-12)
   end)
end)
