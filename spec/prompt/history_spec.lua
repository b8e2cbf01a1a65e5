--- The history file of the prompt.
local history = require "manilius.prompt.history"

local function environment(values)
   return function(name) return values[name] end
end

local function make_directory(path) os.execute("mkdir -p '" .. path .. "'") end

describe("the history", function()
   local root

   before_each(function()
      root = os.tmpname()
      os.remove(root)
   end)
   after_each(function() os.execute("rm -rf '" .. root .. "'") end)

   it("is in the state directory of the user", function()
      assert.equal("/state/manilius", history.directory(environment { XDG_STATE_HOME = "/state", HOME = "/home/a" }))
      assert.equal("/home/a/.local/state/manilius", history.directory(environment { HOME = "/home/a" }))
      assert.equal("/home/a/.local/state/manilius", history.directory(environment { XDG_STATE_HOME = "relative",
         HOME = "/home/a" }))
      assert.is_nil(history.directory(environment {}))
   end)

   it("keeps chunks of several lines, and none twice in a row", function()
      local chunks = history.open(root .. "/a/b", make_directory)
      chunks:add "x = 1"
      chunks:add "x = 1"
      chunks:add "  "
      chunks:add "for i = 1, 2 do\n   print '\\n'\nend"
      local again = history.open(root .. "/a/b", make_directory)
      assert.same({ "x = 1", "for i = 1, 2 do\n   print '\\n'\nend" }, { again[1], again[2], again[3] })
   end)

   it("of two sessions is kept", function()
      local one, two = history.open(root, make_directory), history.open(root, make_directory)
      one:add "one"
      two:add "two"
      assert.same({ "one", "two" }, { table.unpack(history.open(root, make_directory)) })
   end)

   it("is shortened when it is long", function()
      local chunks = history.open(root, make_directory)
      for i = 1, 2001 do chunks:add("x = " .. i) end
      chunks = history.open(root, make_directory)
      assert.equal(1000, #chunks)
      assert.equal("x = 1002", chunks[1])
      assert.equal("x = 2001", history.open(root, make_directory)[1000])
   end)

   it("is not needed", function()
      local chunks = history.open(nil, error)
      chunks:add "x"
      chunks = history.open(root .. "/none", function() end)
      chunks:add "x"
      assert.equal(1, #chunks)
   end)
end)
