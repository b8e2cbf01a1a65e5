local ml = require "manilius"
local enumerate = require "spec.tagging.enumerate"
local ud = require "spec.tagging.support"

describe("StructuredPerceptron", function()
   it("takes the step of the perceptron", function()
      -- All scores are 0 at first, so that both tags are predicted as A, the first class.
      local model = ml.StructuredPerceptron { max_iter = 1, averaged = false }:fit({ { "f" }, { "g" } }, { "B", "A" })
      local w = enumerate.coefficients(model)
      assert.equal(1, w.states.f.B.value)
      assert.is_nil(w.states.g) -- right: unchanged
      assert.equal(1, w.transitions.B.A.value)
   end)

   it("takes the smallest step to the margin with passive_aggressive", function()
      local settings = { max_iter = 1, averaged = false, update = "passive_aggressive", all_possible_states = true,
         all_possible_transitions = true, C = 100 }
      local rows, tags = { { "f" }, { "g", "h" } }, { "B", "B" }
      rows[3], tags[3] = { "k" }, "A"
      local model = ml.StructuredPerceptron(settings):fit(rows, tags)
      local right = enumerate.score(model, rows, tags)
      local predicted = enumerate.score(model, rows, { "A", "A", "A" })
      assert.near(2, right - predicted, 1e-12) -- two wrong tags
      -- The step is along the difference: 1 and -1 for f, g and h, 1 for B B and B A, -2 for A A.
      local w = enumerate.coefficients(model)
      for _, c in ipairs { w.states.f.B, w.states.g.B, w.states.h.B, w.transitions.B.B, w.transitions.B.A } do
         assert.near(2 / 12, c.value, 1e-12)
      end
      assert.near(-2 / 12, w.states.g.A.value, 1e-12)
      assert.near(-4 / 12, w.transitions.A.A.value, 1e-12)
      settings.C = 0.01
      model = ml.StructuredPerceptron(settings):fit(rows, tags)
      assert.near(0.01, enumerate.coefficients(model).states.f.B.value, 1e-15)
   end)

   it("averages the coefficients over the steps", function()
      -- One update, in the first of two steps: afterwards the tags are right.
      local model = ml.StructuredPerceptron { max_iter = 2 }:fit({ { "f" }, { "g" } }, { "B", "A" })
      local last = ml.StructuredPerceptron { max_iter = 2, averaged = false }:fit({ { "f" }, { "g" } }, { "B", "A" })
      -- The average over the start, which is 0, and the two steps.
      assert.near(2 / 3, enumerate.coefficients(model).states.f.B.value / enumerate.coefficients(last).states.f.B.value,
         1e-12)
   end)

   it("gives the score of the best sequence with each tag, by enumeration", function()
      local X, y, lengths = ud.sentences("train", 20)
      local model = ml.StructuredPerceptron { template = "%x[0,0]\n%s[0,0,2]" }:fit(X, y, { lengths = lengths })
      local strings = ml.StructuredPerceptron {}:fit({ { "a" }, { "b" }, { "c" }, { "a", "c" }, { "b" }, { "c" } },
         { "x", "y", "x", "z", "z", "y" }, { lengths = { 3, 2, 1 } })
      local rows = { { "a", "b" }, { "c" }, {}, { "b" } }
      local score, all = strings:decision_function(rows), enumerate.sequences(strings, rows)
      for t = 1, #rows do
         for k, class in ipairs(strings.classes) do
            local best = enumerate.best(all, function(tags) return tags[t] == class end)
            assert.near(best.score, score[t][k], 1e-12)
         end
      end
      assert.same(enumerate.best(all).tags, strings:predict(rows):totable())
      assert.near(enumerate.best(all).score, strings:decode(rows).scores[1], 1e-12)
      assert.is_true(ml.metrics.accuracy(y, model:predict(X, { lengths = lengths })) > 0.98)
   end)

   it("tags the Universal Dependencies sample about as well as CRF", function()
      local X, y, lengths = ud.sentences "train"
      local test, wanted, test_lengths = ud.sentences "test"
      for _, update in ipairs { "perceptron", "passive_aggressive" } do
         local model = ml.StructuredPerceptron { template = ud.template, update = update, max_iter = 10 }
            :fit(X, y, { lengths = lengths })
         local found = model:predict(test, { lengths = test_lengths })
         assert.is_true(ml.metrics.accuracy(wanted, found) > 0.885) -- CRF: 0.892
      end
   end)
end)
