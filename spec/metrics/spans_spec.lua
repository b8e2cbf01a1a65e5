local ml = require "manilius"
local support = require "spec.support"
local cases = require "spec.fixtures.tagging.spans"
local metrics = ml.metrics

describe("metrics of spans", function()
   for i, case in ipairs(cases) do
      it(("agree with seqeval: case %d, %s"):format(i, case.scheme), function()
         local k = 0
         for _, average in ipairs { "micro", "macro" } do
            for _, name in ipairs { "span_precision", "span_recall", "span_f1" } do
               k = k + 1
               local found = metrics[name](case.y, case.predicted, { lengths = case.lengths, average = average })
               assert.near(case.values[k], found, 1e-14)
            end
         end
      end)
   end

   it("end spans at the ends of sequences", function()
      local y, predicted = { "B-A", "I-A", "I-A" }, { "B-A", "I-A", "B-A" }
      assert.equal(0, metrics.span_f1(y, predicted))
      assert.equal(1, metrics.span_f1(y, predicted, { lengths = { 2, 1 } }))
   end)

   it("read BILOU tags as IOBES", function()
      local bilou = { "U-A", "B-A", "I-A", "L-A", "O" }
      local iobes = { "S-A", "B-A", "I-A", "E-A", "O" }
      assert.equal(1, metrics.span_f1(bilou, iobes))
   end)

   it("are 0 where there are no spans", function()
      assert.equal(0, metrics.span_f1({ "O", "O" }, { "O", "O" }))
      assert.equal(0, metrics.span_precision({ "B-A" }, { "O" }))
   end)

   it("are reported by type", function()
      local report = metrics.span_report({ "B-LOC", "I-LOC", "O", "B-PER" }, { "B-LOC", "I-LOC", "O", "B-LOC" })
      assert.same({ "LOC", "PER", "all" }, report.type:totable())
      assert.same({ 0.5, 0, 0.5 }, report.precision:totable())
      assert.same({ 1, 1, 2 }, report.spans:totable())
   end)

   it("explain what is wrong", function()
      support.refuses("tags must be O, or a letter of B, I, E and S with a type, as in B%-LOC; got 'NOUN'", function()
         metrics.span_f1({ "NOUN" }, { "O" })
      end)
      support.refuses("lengths must add up to the number of rows, 2, got 3", function()
         metrics.span_f1({ "O", "O" }, { "O", "O" }, { lengths = { 3 } })
      end)
      support.refuses("lengths must be whole numbers >= 1, got 0", function()
         metrics.span_f1({ "O", "O" }, { "O", "O" }, { lengths = { 2, 0 } })
      end)
   end)
end)

describe("metrics of sequences", function()
   it("count sequences that are all right, and the right tags of each", function()
      local y, predicted, options = { "a", "b", "a", "c" }, { "a", "b", "b", "c" }, { lengths = { 2, 2 } }
      assert.equal(0.5, metrics.sequence_accuracy(y, predicted, options))
      assert.same({ 1, 0.5 }, metrics.accuracy_by_sequence(y, predicted, options):totable())
   end)
end)
