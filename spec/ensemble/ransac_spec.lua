--- RANSACRegressor: the inliers of scikit-learn on data where all seeds agree, and the rules of the random search.
local ml = require "manilius"
local reference = dofile "spec/fixtures/robust/ransac.lua"
local support = require "spec.support"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

-- A line with every fifth row an outlier.
local function line(n)
   local X, y = {}, {}
   for i = 1, n do X[i], y[i] = { i }, i % 5 == 0 and 900 + i * i or 2 * i + 1 end
   return X, y
end

-- A base in Lua that logs the rows it is fitted to, and predicts a line.
local function recorder(log)
   local model = { name = "Witness" }
   function model.clone() return recorder(log) end
   function model:fit(X, y)
      local rows = {}
      for i = 1, X.rows do rows[i] = X[i][1] end
      log[#log + 1] = rows
      self.slope = (y[#y] - y[1]) / math.max(X[X.rows][1] - X[1][1], 1e-9)
      self.start = y[1] - self.slope * X[1][1]
      return self
   end
   function model:predict(X)
      local said = {}
      for i = 1, X.rows do said[i] = self.start + self.slope * X[i][1] end
      return ml.Vector(said)
   end
   return model
end

describe("RANSACRegressor", function()
   local X, few = ml.Matrix(reference.x), { max_trials = 1000, stop_probability = 1 }
   local function fitted(y, settings, weights)
      for name, value in pairs(few) do settings[name] = settings[name] or value end
      return ml.RANSACRegressor(settings):fit(X, ml[type(y[1]) == "table" and "Matrix" or "Vector"](y),
         weights and { weights = weights } or nil)
   end

   for name, case in pairs {
      absolute = { "y", { residual_threshold = 0.5 } },
      squared = { "y", { residual_threshold = 0.25, loss = "squared_error" } },
      weighted = { "y", { residual_threshold = 0.5 }, true },
      ridge = { "y", { ml.Ridge { alpha = 1e-6 }, residual_threshold = 0.5, min_samples = 0.1 } },
      all = { "y", { min_samples = 60 } },
   } do
      it("finds scikit-learn's inliers: " .. name, function()
         local model = fitted(reference[case[1]], case[2], case[3] and reference.weights)
         near_all(reference[name].inliers, model.inlier_mask, 0, "inlier_mask")
         near_all(reference[name].coef, model.coef, 1e-9, "coef")
         near(reference[name].intercept, model.intercept, 1e-9, "intercept")
      end)
   end

   for name, settings in pairs { targets = { residual_threshold = 0.5 }, all_two = { min_samples = 60 } } do
      it("finds scikit-learn's inliers of two targets: " .. name, function()
         local model = fitted(reference.two, settings)
         near_all(reference[name].inliers, model.inlier_mask, 0, "inlier_mask")
         near_rows(reference[name].coef, model.coef, 1e-9, "coef", 1e-3)
         near_all(reference[name].intercept, model.intercept, 1e-9, "intercept")
      end)
   end

   it("equals the base fitted to the inliers", function()
      local data, y = line(40)
      local model = ml.RANSACRegressor { residual_threshold = 0.1 }:fit(data, y)
      for i = 1, 40 do assert.equal(i % 5 == 0 and 0 or 1, model.inlier_mask[i]) end
      near_all({ 2 }, model.coef, 1e-12)
      near(1, model.intercept, 1e-10)
      near_all({ 201 }, model:predict { { 100 } }, 1e-12)
      near(1, model:score({ { 1 }, { 2 } }, { 3, 5 }), 1e-12)
      assert.equal(0.1, model.threshold)
      assert(tostring(model):find "fitted: 32 inliers among 40 rows")
   end)

   it("draws rows without replacement, and a sufficient number of samples", function()
      local data, y = line(40)
      local log = {}
      local model = ml.RANSACRegressor { recorder(log), min_samples = 3, residual_threshold = 0.1, max_trials = 500 }
         :fit(data, y)
      assert.equal(#log - 1, model.n_trials)
      assert.equal(32, #log[#log])
      for k = 1, #log - 1 do
         assert.equal(3, #log[k])
         assert(log[k][1] < log[k][2] and log[k][2] < log[k][3])
      end
      -- The base fits a line through the first and the last row of three. After the first sample without outliers, the
      -- share of inliers is 0.8, and log(0.01) / log(1 - 0.8^3) = 6.4 trials suffice.
      local first
      for k = #log - 1, 1, -1 do
         if log[k][1] % 5 > 0 and log[k][3] % 5 > 0 then first = k end
      end
      assert.equal(math.max(7, first), model.n_trials)
   end)

   for _, case in ipairs(reference.trials) do
      local share, size, probability, wanted = table.unpack(case)
      local title = "computes the sufficient number of trials: confidence %g, share of inliers %g, %d rows"
      it(title:format(probability, share, size), function()
         -- A share of the rows lies on the constant that the base predicts.
         local x, y = {}, {}
         for i = 1, 100 do x[i], y[i] = { i }, i <= share * 100 and 0 or 5 end
         local flat = { name = "Flat", clone = function(self) return self end, fit = function(self) return self end,
            predict = function(_, Z) return ml.Vector(Z.rows, 0) end }
         local most = 100
         local model = ml.RANSACRegressor { flat, min_samples = size, residual_threshold = 1, max_trials = most,
            stop_probability = probability }:fit(x, y)
         assert.equal(math.max(1, math.min(most, wanted)), model.n_trials)
      end)
   end

   it("stops at stop_n_inliers, stop_score or max_skips", function()
      local data, y = line(40)
      local function trials(settings)
         settings.residual_threshold, settings.max_trials, settings.stop_probability = 0.1, 30, 1
         local model = ml.RANSACRegressor(settings):fit(data, y)
         return model.n_trials, model
      end
      local all, full = trials {}
      assert.equal(30, all)
      assert(full.n_skips_no_inliers > 5)
      assert.equal(1, (trials { stop_n_inliers = 1 }))
      assert((trials { stop_n_inliers = 32 }) < 30)
      assert((trials { stop_score = 0.999 }) < 30)
      local early, model = trials { max_skips = 5 }
      assert(early < 30)
      assert.equal(6, model.n_skips_no_inliers)
   end)

   it("reports that there is no consensus", function()
      refuses("RANSACRegressor: no sample of 2 rows has any inlier within residual_threshold = 0 after 100 trials",
         function()
            local off = { name = "Off", clone = function(self) return self end, fit = function(self) return self end,
               predict = function(_, Z) return ml.Vector(Z.rows, -7) end }
            ml.RANSACRegressor { off, min_samples = 2, residual_threshold = 0 }:fit({ { 1 }, { 2 } }, { 1, 2 })
         end)
   end)

   it("refuses invalid settings", function()
      local data, y = line(10)
      for message, settings in pairs {
         ["min_samples must be at most the number of rows, 10, got 11"] = { min_samples = 11 },
         ["min_samples must be a fraction between 0 and 1, a whole number >= 1, or nil, got 1.5"] =
            { min_samples = 1.5 },
         ["min_samples must be given unless estimator is LinearRegression"] = { ml.Ridge {} },
         ["estimator must regress, got GaussianNB"] = { ml.GaussianNB {}, min_samples = 2 },
         ["residual_threshold must be >= 0 or nil, got %-1"] = { residual_threshold = -1 },
         ["stop_probability must be from 0 to 1, got 2"] = { stop_probability = 2 },
         ["max_trials must be a whole number >= 1, got 0"] = { max_trials = 0 },
         ["loss must be absolute_error or squared_error, got \"huber\""] = { loss = "huber" },
         ["has no parameter 'max_trial'; did you mean 'max_trials'"] = { max_trial = 3 },
      } do
         refuses("RANSACRegressor:? " .. message, function() ml.RANSACRegressor(settings):fit(data, y) end)
      end
      refuses("RANSACRegressor: KNeighborsRegressor does not support weights", function()
         ml.RANSACRegressor { ml.KNeighborsRegressor {}, min_samples = 6 }:fit(data, y, { weights = y })
      end)
   end)

   it("is reproducible by its seed", function()
      local data, y = line(40)
      local function dump(seed)
         return ml.RANSACRegressor { residual_threshold = 0.1, max_trials = 2, seed = seed }:fit(data, y):dump()
      end
      assert.equal(dump(1), dump(1))
      local different = false
      for seed = 2, 20 do different = different or dump(seed) ~= dump(1) end
      assert(different)
   end)

   it("stops on request and keeps the best trial", function()
      local data, y = line(40)
      local seen = {}
      local model = ml.RANSACRegressor { residual_threshold = 0.1, stop_probability = 1 }:fit(data, y, {
         on_iter = function(state)
            seen[#seen + 1] = state.objective
            return #seen == 4 and "stop" or nil
         end })
      assert.equal(4, model.n_trials)
      assert.equal(model.inlier_mask:sum(), seen[4])
   end)

   it("is exported like its base", function()
      local data, y = line(40)
      local model = ml.RANSACRegressor { residual_threshold = 0.1 }:fit(data, y)
      local exported = assert(load(model:export_lua()))()
      assert.equal(model:predict { { 7.5 } }[1], exported.predict { 7.5 })
   end)
end)
