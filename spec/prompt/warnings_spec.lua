--- ml.warnings, and what printing and scoring say of a model that did not converge.
local host = require "spec.lua.host"
local ml = require "manilius"
local refuses = require "spec.support".refuses_exactly

local lua = os.getenv "LUA" or "lua5.4"
local X, y = ml.read_csv("examples/data/iris.csv"):split "species"

-- The warnings of a call, as a list.
local function warned(call)
   local list, before = {}, ml.warnings()
   ml.warnings(function(text) list[#list + 1] = text end)
   local ok, message = pcall(call)
   ml.warnings(before)
   assert(ok, message)
   return list
end

local function short() return ml.LogisticRegression { max_iter = 1 } end

local SHORT = "^LogisticRegression: stopped after 1 iteration before it converged"

describe("ml.warnings", function()
   local function output(program)
      local path = host.file("local ml = require 'manilius'\n" .. program
         .. "\nml.KMeans { n_clusters = 5, max_iter = 1, seed = 2 }:fit(ml.normal(200, 3, 1))")
      local _, text = host.run(("%s %s"):format(lua, path))
      os.remove(path)
      return text
   end

   it("shows warnings of scripts by default", function()
      assert.matches("^manilius: KMeans: stopped after 1 iteration before it converged", output "")
      assert.matches("^manilius: KMeans: stopped", output 'ml.warnings "on"')
   end)

   it("turns them off, or passes them to Lua's warn", function()
      assert.equal("", output 'ml.warnings "off"')
      assert.equal("", output 'ml.warnings "warn"')
      assert.matches("^Lua warning: KMeans: stopped", output 'ml.warnings "warn" warn "@on"')
   end)

   it("belongs to the host if there is no script", function()
      local path = host.file "arg = nil; print(require 'manilius'.warnings())"
      local _, text = host.run(("%s %s"):format(lua, path))
      os.remove(path)
      assert.equal("warn\n", text)
   end)

   it("gives them to a function", function()
      local list = warned(function() short():fit(X, y) end)
      assert.equal(1, #list)
      assert.matches(SHORT, list[1])
   end)

   it("raises them as errors, after the fit", function()
      local before, model = ml.warnings(), short()
      ml.warnings "error"
      local ok, message = pcall(function() model:fit(X, y) end)
      local in_steps, second = pcall(function() ml.Pipeline { ml.StandardScaler {}, short() }:fit(X, y) end)
      local in_job, third = pcall(function() short():fit_async(X, y):wait() end)
      ml.warnings(before)
      assert.is_false(ok or in_steps or in_job)
      assert.matches("warnings_spec.lua:%d+: LogisticRegression: stopped", message)
      assert.matches("LogisticRegression: stopped", second)
      assert.matches("LogisticRegression: stopped", third)
      assert.is_true(model.fitted)
   end)

   it("returns the setting and refuses others", function()
      local before = ml.warnings()
      assert.equal("off", ml.warnings "off")
      assert.equal("off", ml.warnings())
      ml.warnings(before)
      refuses('warnings: expected "on", "off", "warn", "error" or a function, got \'of\'', ml.warnings, "of")
      refuses('warnings: expected "on", "off", "warn", "error" or a function, got number', ml.warnings, 3)
   end)
end)

describe("a model that did not converge", function()
   it("says so when it is scored, once for each fit", function()
      local model = short():fit(X, y)
      local text = "LogisticRegression: scores are those of a fit that did not converge (stopped after 1 iteration)"
      assert.same({ text }, warned(function()
         model:score(X, y)
         model:score(X, y)
      end))
      local pipeline = ml.Pipeline { ml.StandardScaler {}, short() }:fit(X, y)
      assert.same({ text }, warned(function() pipeline:score(X, y) end))
      local full = ml.LogisticRegression {}:fit(X, y)
      assert.same({}, warned(function() full:score(X, y) end))
   end)

   it("says so when it is printed, alone or in a composition", function()
      assert.matches("not converged after 1 iteration\n", tostring(short():fit(X, y)):gsub("\n  not", " not"))
      for _, model in ipairs { ml.Pipeline { ml.StandardScaler {}, short() },
         ml.VotingClassifier { short(), ml.GaussianNB {} }, ml.GridSearch { short(), { C = { 1, 2 } }, cv = 2 } } do
         model:fit(X, y)
         assert.matches("\n  not converged: LogisticRegression after 1 iteration$", tostring(model))
      end
      local each = ml.OneVsRestClassifier { short() }:fit(X, y)
      assert.matches("\n  not converged: LogisticRegression after 1 iteration and 2 more$", tostring(each))
   end)

   it("is not a boosted one: the number of rounds is a setting", function()
      local model = ml.HistGradientBoostingClassifier { max_iter = 3 }
      assert.same({}, warned(function()
         model:fit(X, y):score(X, y)
         ml.cross_validate(model, X, y, { cv = 2 })
      end))
      assert.is_nil(tostring(model):find "converged")
   end)
end)
