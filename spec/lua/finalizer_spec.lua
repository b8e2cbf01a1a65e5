--- Code of the user that runs in the middle of a call: finalizers, metamethods and callbacks that fit, close or change
-- what the call is using. The call ends with the values it began with, or raises an error; it never uses freed memory
-- (make check-asan).
local ml = require "manilius"
local refuses = require "spec.support".refuses
local cases = require "spec.lua.finalizer"

local X = ml.normal(40, 2, 1)

local names = {}
for name in pairs(cases) do names[#names + 1] = name end
table.sort(names)

describe("a finalizer that", function()
   local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"

   for _, name in ipairs(names) do
      it(name, function()
         local code = ("require 'spec.lua.finalizer'['%s']() print 'fine'"):format(name)
         local pipe = assert(io.popen(('LUA_PATH="./?.lua;$LUA_PATH" %s -e "%s" 2>&1'):format(lua, code)))
         local text = pipe:read "a"
         assert(pipe:close(), text)
         assert.equal("fine\n", text)
      end)
   end
end)

describe("a metamethod of options", function()
   it("is not called, since options are read raw", function()
      local called = false
      local options = setmetatable({}, { __index = function() called = true end })
      ml.KMeans { n_clusters = 2 }:fit(X, nil, options)
      assert.is_false(called)
   end)
end)

describe("a model in its own fit", function()
   it("may be closed by the callback, which the fit reports", function()
      local model = ml.KMeans { n_clusters = 2 }
      refuses("the model was changed by other code", function()
         model:fit(X, nil, { on_iter = function()
            local gone <close> = model
            assert(gone)
         end })
      end)
      refuses("the model was closed", function() return model.fitted end)
   end)

   it("can be fitted after its fit has failed", function()
      local model = ml.KMeans { n_clusters = 2 }
      refuses("cannot be fitted while it is in use by its own fit", function()
         model:fit(X, nil, { on_iter = function() model:fit(X) end })
      end)
      assert.is_true(model:fit(X).fitted)
   end)
end)

describe("an invalid Frame", function()
   it("is refused", function()
      local bad = ml.Frame { { "a", { 1, 2, 3 } } }
      bad.names = 3
      refuses("a Frame must have lists of names and columns", function() ml.Ridge {}:fit(bad, { 1, 2, 3 }) end)
   end)
end)
