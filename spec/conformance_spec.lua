-- Every registered estimator against every demand that applies to its descriptor. Estimators are not listed here: a new
-- one is tested as soon as it is registered.
--
--    MANILIUS_ONLY=KMeans busted spec/conformance_spec.lua     one estimator, or all whose name contains this
--    MANILIUS_PART=estimators/2/4 ...                      the second, sixth, ... built-in estimator; `compositions`:
--                                                          of the compositions (spec/run)
--    MANILIUS_COUNT=1                                          print the number of pairs and of failed allocations
local core = require "manilius.core"
local check = require "manilius.check"
local use = require "manilius.check.use"

local demands = check.demands()
for _, name in ipairs { "settings", "effect", "memory", "archive" } do
   local more = require("spec.conformance." .. name)
   table.move(more, 1, #more, #demands + 1, demands)
end

local only = os.getenv "MANILIUS_ONLY"
local kind, part, parts = (os.getenv "MANILIUS_PART" or ""):match "^(%a+)/(%d+)/(%d+)$"
local seen, matched = 0, 0

local is_class = {}
for _, name in ipairs((core.class_names())) do is_class[name] = true end

local function is_selected(name)
   if is_class[only] then return name == only end
   return not only or name:find(only, 1, true) ~= nil
end

local function is_wanted(name)
   seen = seen + 1
   matched = matched + (is_selected(name) and 1 or 0)
   return is_selected(name) and (not part or seen % parts == part % parts)
end

local pair_count = 0
if os.getenv "MANILIUS_COUNT" then
   teardown(function() io.stderr:write(("%d pairs of estimator and demand\n"):format(pair_count)) end)
end

-- Define a test for each demand that applies to an estimator.
local function test_all(name, class, new)
   describe(name, function()
      for _, demand in ipairs(demands) do
         if not demand.applies or demand.applies(class) then
            pair_count = pair_count + 1
            it(demand.name, function() assert(check.run(demand, new, class)) end)
         end
      end
   end)
end

for _, name in ipairs(kind ~= "compositions" and core.class_names() or {}) do
   if is_wanted(name) then test_all(name, check.core_class(name)) end
end

-- All parts are built in, so that C export must work, or give the reason why the composition has no export.
local function test_export(name, class, new, no_export)
   if no_export then
      it(name .. " gives the reason for not being exported", function()
         assert.error_matches(function() use.fitted(new, class):export_c() end, no_export)
      end)
      return
   end
   it(name .. " exports to C", function()
      assert.matches("model_%w+%(const double %*row", use.fitted(new, class):export_c())
   end)
end

-- Compositions satisfy the contract too; the supported inputs are those of their parts. Where estimators are tested,
-- their modules are not loaded: the more is in memory, the longer takes each of the many collections of garbage.
for _, one in ipairs(kind ~= "estimators" and require "spec.conformance.composites" or {}) do
   local name, model, takes = table.unpack(one)
   if is_wanted(name) then
      local class, new = check.subject(model, { takes = takes })
      test_all(name, class, new)
      test_export(name, class, new, one.no_export)
   end
end

if matched == 0 and not kind then
   error(("MANILIUS_ONLY=%s: no such estimator; is it in src/estimators.def?"):format(only), 0)
end
