--- Code of the user that runs in the middle of a call: finalizers, metamethods and callbacks that refit, close or
-- change what the call is using. What a call has begun with it ends with, or it says that this was changed; no memory
-- goes away under it (make check-asan looks at that).
local ml = require "manilius"
local refuses = require "spec.support".refuses
local amid = require "spec.lua.finalizer"

local X = ml.normal(40, 2, 1)

local names = {}
for name in pairs(amid) do names[#names + 1] = name end
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
   it("is not asked: options are what the table itself holds", function()
      local asked = false
      local options = setmetatable({}, { __index = function() asked = true end })
      ml.KMeans { n_clusters = 2 }:fit(X, nil, options)
      assert.is_false(asked)
   end)
end)

describe("a model in its own fit", function()
   it("may be closed by the callback, and says so at the end", function()
      local model = ml.KMeans { n_clusters = 2 }
      refuses("the model was changed by other code", function()
         model:fit(X, nil, { on_iter = function()
            local gone <close> = model
            assert(gone)
         end })
      end)
      refuses("the model was closed", function() return model.fitted end)
   end)

   it("can be refitted again after it was cancelled", function()
      local model = ml.KMeans { n_clusters = 2 }
      refuses("cannot be fitted while it is in use by its own fit", function()
         model:fit(X, nil, { on_iter = function() model:fit(X) end })
      end)
      assert.is_true(model:fit(X).fitted)
   end)
end)

describe("a Frame that was tampered with", function()
   it("is refused", function()
      local bad = ml.Frame { { "a", { 1, 2, 3 } } }
      bad.names = 3
      refuses("a Frame must have lists of names and columns", function() ml.Ridge {}:fit(bad, { 1, 2, 3 }) end)
   end)
end)
