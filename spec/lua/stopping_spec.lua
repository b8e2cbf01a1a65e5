--- Every estimator of the registry: a fit that is cancelled by its host ends at once, whenever that comes; and a
-- process that is forked after fits with threads fits on, with the same bits.
--
--    MANILIUS_EXHAUSTIVE=1    more rows and more moments (make check-faults)
--    MANILIUS_COUNT=1         print how long each fit takes, and the longest that one went on
local core = require "manilius.core"
local ml = require "manilius"
local check, data = require "manilius.check", require "manilius.check.data"
local host = require "spec.lua.host"

local exhaustive, count = os.getenv "MANILIUS_EXHAUSTIVE", os.getenv "MANILIUS_COUNT"
local most = os.getenv "MANILIUS_SANITIZER" and 1 or 0.1
local rows = exhaustive and 200000 or 20000
local shares = exhaustive and { 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99 } or { 0.05, 0.4, 0.8 }
local longest = 1.2 -- seconds that a fit may go on before it is seen to be a long one

-- Few rows that come often, each a little different.
local function large(class)
   local some = data.make(class, { rows = 1000, cols = 20, plain = true })
   local positions = {}
   for i = 1, rows do positions[i] = (i * 7919) % 1000 + 1 end
   local X = some.X:take(positions) + ml.normal(rows, some.X.cols, 5) * 0.01
   if class.takes.non_negative then X = X:abs() end
   return X, data.take(some.y, positions)
end

-- Settings with which a fit that goes in rounds never ends.
local function endless(class)
   local settings = {}
   for name, value in pairs { max_iter = 1000000, n_init = 1000000, tol = 0 } do
      if data.has_param(class, name) then settings[name] = value end
   end
   return settings
end

-- How long the fit goes on after it is cancelled `seconds` after its begin; nil when it was over by then.
local function goes_on(model, X, y, seconds)
   local job = model:fit_async(X, y)
   if job:wait(seconds) then return nil end
   local begin = core.seconds()
   job:cancel()
   return core.seconds() - begin
end

-- The machine may be busy with something else for a moment: the least of three tries counts.
local function least(model, X, y, seconds)
   local best
   for _ = 1, 3 do
      local took = goes_on(model, X, y, seconds)
      if not took or took <= most then return took or 0 end
      best = math.min(best or took, took)
   end
   return best
end

local function length_of_fit(model, X, y)
   local job = model:fit_async(X, y)
   local begin = core.seconds()
   local ended = job:wait(longest)
   job:cancel()
   return ended and core.seconds() - begin or longest
end

describe("a fit that is cancelled ends at once:", function()
   for _, name in ipairs((core.class_names())) do
      it(name, function()
         local class, new = check.core_class(name)
         if class.takes.square then return end
         local X, y = large(class)
         local model = new(endless(class))
         local length, worst = length_of_fit(model, X, y), 0
         for _, share in ipairs(shares) do
            local took = least(model, X, y, share * length)
            worst = math.max(worst, took)
            assert(took <= most, ("it went on for %.0f ms, cancelled %.0f ms after its begin"):format(took * 1e3,
               share * length * 1e3))
         end
         if count then
            io.stderr:write(("%-24s %s %.2f s, ends after %.0f ms\n"):format(name, length < longest and "takes" or
               "takes more than", length, worst * 1e3))
         end
      end)
   end
end)

-- Shapes in which one step alone takes long: a column is sorted by one thread, a path is kept at each of its knots.
local few, many = 1000000, 50000
if os.getenv "MANILIUS_SANITIZER" then few, many = few // 20, many // 20 end
local shapes = {
   { "QuantileTransformer", rows = few, cols = 2 },
   { "PowerTransformer", rows = few // 2, cols = 2 },
   { "RobustScaler", rows = few, cols = 2 },
   { "KBinsDiscretizer", rows = few, cols = 2, settings = { strategy = "kmeans" } },
   { "LassoLars", rows = 50, cols = many, settings = { alpha = 1e-4 } },
   { "Lars", rows = 50, cols = many },
   { "TheilSenRegressor", rows = few // 50, cols = 20, settings = { max_subpopulation = 2 * few } },
   { "MARS", rows = few // 5, cols = 20 },
   { "RandomForestRegressor", rows = 1000, cols = 3, settings = { n_estimators = 2, max_samples = 2 ^ 28 } },
}

describe("a fit that is cancelled ends at once, whatever the shape of X:", function()
   for _, shape in ipairs(shapes) do
      local name = shape[1]
      it(("%s of %d rows and %d columns"):format(name, shape.rows, shape.cols), function()
         local X = ml.normal(shape.rows, shape.cols, 1)
         local y = shape.cols > 2 and X:col(1) - X:col(2) or nil
         local model = ml[name](shape.settings or {})
         local length = length_of_fit(model, X, y)
         for _, share in ipairs(shares) do
            local took = least(model, X, y, share * length)
            assert(took <= most, ("it went on for %.0f ms, cancelled %.0f ms after its begin"):format(took * 1e3,
               share * length * 1e3))
         end
      end)
   end
end)

local forking = [[
local core, ml = require "manilius.core", require "manilius"
local check, data = require "manilius.check", require "manilius.check.data"
ml.threads(2)
for _, name in ipairs((core.class_names())) do
   local class, new = check.core_class(name)
   local problem = data.make(class, { rows = 2000 })
   local bytes = new():fit(problem.X, problem.y):dump()
   if fork() == 0 then
      assert(new():fit(problem.X, problem.y):dump() == bytes, name)
      assert(new():fit_async(problem.X, problem.y):wait():dump() == bytes, name)
      os.exit(true)
   end
   assert(join(), name .. " in the child")
   assert(new():fit(problem.X, problem.y):dump() == bytes, name .. " in the parent")
   io.write(name, "\n")
end
]]

describe("a forked process", function()
   -- A sanitizer's own allocator may be locked by another thread at the moment of the fork, for ever.
   local where = os.getenv "MANILIUS_SANITIZER" and pending or it

   where("fits every estimator with threads, as its parent did and does", function()
      local program, path = host.compile("fork_host", host.lua_flags()), host.file(forking)
      local ok, text = host.run(("timeout 120 %s %s"):format(program, path))
      os.remove(program)
      os.remove(path)
      assert(ok, text)
      local names, done = core.class_names(), {}
      for name in text:gmatch "%w+" do done[#done + 1] = name end
      assert.same(names, done)
   end)
end)
