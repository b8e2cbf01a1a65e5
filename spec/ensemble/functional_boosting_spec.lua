-- Boosting of any loss. Reference values for named losses: spec/fixtures/ensemble/functional_boosting.py.
local ml = require "manilius"
local reference = require "spec.fixtures.ensemble.functional_boosting"
local support = require "spec.support"

local refuses = support.refuses
local X, y = support.data("diabetes", "progression")

local function uneven(n)
   local weights = {}
   for i = 1, n do weights[i] = 1 + 0.5 * math.sin(i) ^ 2 end
   return weights
end

-- Poisson and squared error as user functions.
local function poisson(settings)
   settings.inverse = "exp"
   settings.loss = function(counts, F) return (F:exp() - counts:mul(F)):mean() end
   settings.gradient = function(counts, F) return F:exp() - counts end
   return ml.FunctionalGradientBoosting(settings)
end

local function squares(settings, factor)
   settings.loss = function(value, F, w)
      local off = (value - F):square()
      return w and w:dot(off) / w:sum() or off:mean()
   end
   settings.gradient = function(value, F) return (F - value) * (factor or 1) end
   return ml.FunctionalGradientBoosting(settings)
end

local small = { { 1 }, { 2 }, { 3 }, { 4 } }

describe("FunctionalGradientBoosting", function()
   for _, loss in ipairs { "squared_error", "absolute_error" } do
      it("agrees with the reference for " .. loss, function()
         local wanted = reference[loss]
         local model = ml.FunctionalGradientBoosting {
            ml.DecisionTreeRegressor { max_depth = 3, min_weight_fraction_leaf = 0.02 }, loss = loss, n_estimators = 30,
            learning_rate = 0.2 }:fit(X, y, { weights = uneven(X.rows) })
         local some = {}
         for i = 1, X.rows, 11 do some[#some + 1] = i end
         support.near(wanted.start, model.start, 1e-12)
         support.near_all(wanted.multipliers, model.multipliers:totable(), 1e-6, "multipliers")
         support.near_all(wanted.train, model.train_score:totable(), 1e-7, "train_score")
         support.near_all(wanted.predicted, model:predict(X):take(some):totable(), 1e-7, "predictions")
      end)
   end

   it("equals GradientBoostingRegressor for squared error, named or as a function with any factor", function()
      local settings = { n_estimators = 25 }
      local wanted = ml.GradientBoostingRegressor(settings):fit(X, y)
      for _, model in ipairs { ml.FunctionalGradientBoosting(settings), squares { n_estimators = 25 },
         squares({ n_estimators = 25 }, 1e-9), squares({ n_estimators = 25 }, 1e9) } do
         model:fit(X, y)
         support.near_all(wanted:predict(X):totable(), model:predict(X):totable(), 1e-6, "predictions")
         support.near_all(wanted.train_score:totable(), model.train_score:totable(), 1e-6, "train_score")
         support.near_all(wanted:staged(X):col(7):totable(), model:staged(X):col(7):totable(), 1e-6, "staged")
      end
   end)

   it("lowers a custom loss with any base, starting from the best constant", function()
      local model = poisson { n_estimators = 40 }:fit(X, y)
      support.near(math.log(y:mean()), model.start, 1e-7)
      for m = 2, 40 do assert(model.train_score[m] <= model.train_score[m - 1]) end
      local peer = ml.GradientBoostingRegressor { loss = "poisson", n_estimators = 40 }:fit(X, y)
      assert(model.train_score[40] < peer.train_score[1] - 0.9 * (peer.train_score[1] - peer.train_score[40]))
      assert(model:predict(X):min() > 0)
      -- A linear base finds the slope and intercept of log-linear counts.
      local counts = {}
      for i = 1, 40 do counts[i] = math.floor(math.exp(0.1 * i) + 0.5) end
      local t = ml.range(1, 40):as_column()
      local linear = poisson { ml.LinearRegression {}, n_estimators = 400, learning_rate = 1.0 }:fit(t, counts)
      local glm = ml.PoissonRegressor { alpha = 0, tol = 1e-10 }:fit(t, counts)
      support.near_all(glm:predict(t):totable(), linear:predict(t):totable(), 1e-3, "counts")
   end)

   it("draws rows by its seed and searches the step on these rows", function()
      local function of(seed)
         return squares { n_estimators = 10, subsample = 0.5, seed = seed }:fit(X, y)
      end
      local one = of(1)
      assert.equal(one.train_score, of(1).train_score)
      assert.is_false(one.train_score == of(2).train_score)
      local seen = {}
      local model = squares { n_estimators = 3, subsample = 0.5 }
      model:set_params { loss = function(value, F) seen[#value] = true return (value - F):square():mean() end }
      model:fit(X, y)
      assert.same({ [442] = true, [221] = true }, seen)
   end)

   it("treats weights like repeated rows", function()
      local w, often = {}, {}
      for i = 1, X.rows do
         w[i] = i % 3
         for _ = 1, w[i] do often[#often + 1] = i end
      end
      for _, loss in ipairs { "squared_error", "absolute_error" } do
         local settings = { loss = loss, n_estimators = 8 }
         local weighed = ml.FunctionalGradientBoosting(settings):fit(X, y, { weights = w })
         local repeated = ml.FunctionalGradientBoosting(settings):fit(X:take(often), y:take(often))
         support.near_all(repeated:predict(X):totable(), weighed:predict(X):totable(), 1e-6, loss)
      end
      local own = squares { n_estimators = 4 }:fit(X, y, { weights = w })
      support.near_all(ml.FunctionalGradientBoosting { n_estimators = 4 }:fit(X, y, { weights = w })
         :predict(X):totable(), own:predict(X):totable(), 1e-6, "own")
      refuses("FunctionalGradientBoosting: KNeighborsRegressor does not support weights", function()
         ml.FunctionalGradientBoosting { ml.KNeighborsRegressor {} }:fit(X, y, { weights = w })
      end)
   end)

   it("stops if no step lowers the loss, and fits a constant y", function()
      local model = ml.FunctionalGradientBoosting { learning_rate = 1.0 }:fit(small, { 0, 0, 1, 1 })
      assert(#model.estimators < 5)
      support.near_all({ 0, 0, 1, 1 }, model:predict(small):totable(), 1e-7, "y", 1)
      for _, same in ipairs { squares {}, ml.FunctionalGradientBoosting {},
         ml.FunctionalGradientBoosting { loss = "absolute_error" } } do
         same:fit(small, { 3, 3, 3, 3 })
         support.near_all({ 3, 3, 3, 3 }, same:predict(small):totable(), 1e-7)
      end
   end)

   it("avoids steps where the loss is nan", function()
      -- The gamma deviance with identity link: F must stay positive.
      local deviance = ml.FunctionalGradientBoosting { n_estimators = 20, init = 1,
         loss = function(value, F) return (F:log() + value:div(F)):mean() end,
         gradient = function(value, F) return 1 / F - value:div(F:square()) end }
      assert(deviance:fit(X, y):predict(X):min() > 0)
      assert(deviance.train_score[20] < deviance.train_score[1])
      deviance:set_params { init = ml.unset }
      refuses("loss must return a finite number, got %-?nan where all raw predictions are 0; set init to a "
         .. "better initial value", function() deviance:fit(X, y) end)
   end)

   it("reports errors of user functions, and is unchanged afterwards", function()
      local model = squares { n_estimators = 3 }:fit(X, y)
      local before = model:predict(X)
      local good = { loss = model.loss, gradient = model.gradient }
      local function fails(pattern, name, func)
         model:set_params(good)
         model:set_params { [name] = func }
         refuses("FunctionalGradientBoosting: " .. pattern, function() model:fit(X, y) end)
         assert.equal(before, model:predict(X))
      end
      fails("loss must return a number, got nil$", "loss", function() end)
      fails("loss must return a number, got { %-?%d", "loss", function(value, F) return value - F end)
      fails("loss must return a finite number, got inf", "loss", function() return math.huge end)
      fails("gradient must return a Vector of 442 numbers, got nil", "gradient", function() end)
      fails("gradient must return a Vector of 442 numbers, got 1", "gradient", function() return 1 end)
      fails("gradient must return one number per row, 442, got 2", "gradient", function() return { 1, 2 } end)
      fails("gradient must return finite numbers, got %-?nan in row 1", "gradient",
         function(_, F) return F * (0 / 0) end)
      fails("gradient: .*no such thing", "gradient", function() error "no such thing" end)
      fails("loss: .*functional_boosting_spec.lua:%d+: Vector has no 'nothing'", "loss", function(value)
         return value.nothing.more
      end)
      fails("gradient must be the derivative of loss with respect to F; it seems to have the wrong sign", "gradient",
         function(value, F) return value - F end)
      local rounds = 0
      fails("gradient: .*in round 2", "gradient", function(value, F)
         rounds = rounds + 1
         if rounds == 2 then error "in round 2" end
         return F - value
      end)
      local inverse = squares { n_estimators = 2, inverse = function() return { 1 } end }:fit(X, y)
      refuses("inverse must return one number per row, 442, got 1", function() inverse:predict(X) end)
      local thrown = setmetatable({}, { __tostring = function() return "an object" end })
      fails("loss: an object", "loss", function() error(thrown) end)
   end)

   it("refuses invalid settings", function()
      local function wrong(pattern, settings)
         refuses(pattern, function() ml.FunctionalGradientBoosting(settings) end)
      end
      wrong("loss must be squared_error, absolute_error or a function, got \"squared\"; did you mean",
         { loss = "squared" })
      wrong("gradient must be a function if loss is a function, got nil", { loss = function() end })
      wrong("gradient must be nil unless loss is a function, got function", { gradient = function() end })
      wrong("inverse must be \"exp\", a function or nil, got \"log\"", { inverse = "log" })
      wrong("subsample must be a number > 0 and <= 1, got 0", { subsample = 0 })
      wrong("init must be a finite number or nil, got inf", { init = math.huge })
      wrong("learning_rate must be a number > 0, got \"fast\"", { learning_rate = "fast" })
      wrong("estimator must regress, got GaussianNB", { ml.GaussianNB {} })
      refuses("y must have 1 column, got 2", function()
         ml.FunctionalGradientBoosting {}:fit({ { 1 }, { 2 } }, { { 1, 2 }, { 3, 4 } })
      end)
   end)

   it("is saved without functions that only fit uses, and cannot be saved with an inverse function", function()
      local model = poisson { n_estimators = 5 }:fit(X, y)
      local again = ml.load(model:dump())
      assert.equal(model:predict(X), again:predict(X))
      assert.equal(model:dump(), again:dump())
      refuses("loss was a function, which archives cannot store; set loss and gradient with set_params",
         function() again:fit(X, y) end)
      again:set_params { loss = model.loss, gradient = model.gradient }
      assert.equal(model:predict(X), again:fit(X, y):predict(X))
      assert.equal(model:predict(X), model:clone():fit(X, y):predict(X))
      refuses("FunctionalGradientBoosting.gradient cannot be saved: it is a function",
         function() poisson {}:dump() end)
      model:set_params { inverse = function(F) return F:exp() end }
      refuses("FunctionalGradientBoosting.inverse cannot be saved: it is a function",
         function() model:fit(X, y):dump() end)
      refuses("inverse is a Lua function", function() model:export_lua() end)
   end)

   it("is searched, cross-validated, plotted, printed and found by ml.find", function()
      local search = ml.GridSearch { squares { n_estimators = 4 }, { estimator__max_depth = { 1, 3 } }, cv = 3 }
      assert.equal(2, #search:fit(X, y).results.rank)
      assert.equal(3, #ml.cross_validate(squares { n_estimators = 4 }, X, y, { cv = 3 }).scores.r2)
      local model = squares { n_estimators = 4 }:fit(X, y)
      assert.matches("loss = function.*fitted: 4 models,%s+10%s+features", tostring(model))
      assert.matches("4 rounds", ml.plot.loss(model).caption)
      support.near(1, model.feature_importances:sum(), 1e-12)
      local place = require "manilius.help.find".search
      for _, words in ipairs { "custom loss", "own objective", "mboost" } do
         assert.equal("FunctionalGradientBoosting", place(words)[1].name)
      end
   end)

   it("calls on_iter in each round, and stops or is cancelled by it", function()
      local told = {}
      local model = squares { n_estimators = 9 }
      model:fit(X, y, { on_iter = function(state)
         told[state.done] = state.objective
         return state.done == 4 and "stop" or nil
      end })
      assert.same(told, model.train_score:totable())
      assert.equal(4, #model.estimators)
      refuses("cancelled by the progress function", function()
         model:fit(X, y, { on_iter = function() return "cancel" end })
      end)
   end)
end)

describe("the line search", function()
   local search = require "manilius.ensemble.line_search"

   it("finds the minimum at any distance", function()
      for _, at in ipairs { 1e-30, 1e-6, 0.3, 1, 7, 1e6 } do
         for _, step in ipairs { 1e-3, 1, 1e3 } do
            local function f(x) return (x / at - 1) ^ 2 end
            support.near(at, search.forward(f, f(0), step), 1e-6)
            support.near(-at, (search.both_directions(function(x) return f(-x) end, f(0), step)), 1e-6)
         end
      end
   end)

   it("stays if every step is worse or nan, and treats nan as infinity", function()
      assert.equal(0, (search.forward(function(x) return x end, 0, 1)))
      assert.equal(0, (search.forward(function() return 0 / 0 end, 0, 1)))
      local x = search.forward(function(t) return t < 0.5 and -t or 0 / 0 end, 0, 1)
      assert(x > 0.4 and x < 0.5, x)
      assert(search.forward(function(t) return -t end, 0, 1) > 1e100)
   end)

   it("passes errors on without further calls", function()
      local asked = 0
      refuses("enough", function()
         search.forward(function(t)
            asked = asked + 1
            if asked == 6 then error "enough" end
            return (t - 0.7) ^ 2
         end, 0.49, 1)
      end)
      assert.equal(6, asked)
   end)
end)
