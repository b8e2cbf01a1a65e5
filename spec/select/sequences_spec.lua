local ml = require "manilius"
local support = require "spec.support"

describe("sequences", function()
   local X, lengths = ml.normal(40, 2, 1), ml.Vector { 10, 5, 5, 12, 8 }
   local y = X:col(1) - X:col(2)
   local starts = { 1, 11, 16, 21, 33 }

   local function pipeline() return ml.Pipeline { ml.LagFeatures {}, ml.SimpleImputer {}, ml.Ridge {} } end

   -- The same by hand: lags of each sequence alone.
   local function lags()
      local parts = {}
      for i, start in ipairs(starts) do
         parts[i] = ml.LagFeatures {}:fit_transform(X:slice(start, start + math.tointeger(lengths[i]) - 1))
      end
      return ml.vcat(table.unpack(parts))
   end

   it("reach each step of a pipeline that uses them, in Lua and in the core", function()
      local filled = ml.SimpleImputer {}:fit_transform(lags())
      local wanted = ml.Ridge {}:fit(filled, y)
      local model = pipeline():fit(X, y, { lengths = lengths })
      assert.same(wanted.coef:totable(), model[3].coef:totable())
      assert.same(wanted:predict(filled):totable(), model:predict(X, { lengths = lengths }):totable())
      assert.equal(wanted:score(filled, y), model:score(X, y, { lengths = lengths }))
      local job = pipeline():fit_async(X, y, { lengths = lengths })
      job:wait()
      assert.same(wanted.coef:totable(), job.model[3].coef:totable())
   end)

   it("are used by fit_transform, and kept whole by cross-validation", function()
      local function filled(matrix) return ml.SimpleImputer {}:fit_transform(matrix):totable() end
      assert.same(filled(lags()), filled(ml.LagFeatures {}:fit_transform(X, nil, { lengths = lengths })))
      local cv = ml.cross_validate(pipeline(), X, y, { lengths = lengths, cv = 5 })
      local one = ml.cross_validate(pipeline(), X, y, { lengths = lengths,
         cv = { { train = ml.range(11, 40), test = ml.range(1, 10) } } })
      assert.near(pipeline():fit(X:slice(11, 40), y:slice(11, 40), { lengths = { 5, 5, 12, 8 } }):score(X:slice(1, 10),
         y:slice(1, 10)), one.scores.r2[1], 1e-15)
      assert.equal(5, cv.folds)
      support.refuses("must contain all rows of a sequence or none, got a part of sequence 1", function()
         ml.cross_validate(pipeline(), X, y, { lengths = lengths,
            cv = { { train = ml.range(4, 40), test = { 1, 2, 3 } } } })
      end)
   end)
end)
