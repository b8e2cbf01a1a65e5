--- What is installed works away from the checkout.

local function run(command)
   local pipe = assert(io.popen(command .. " 2>&1", "r"))
   local text = pipe:read "a"
   local ok = pipe:close()
   return ok, text
end

local program = [['local ml = require "manilius"
local model = ml.Ridge{ alpha = 0 }:fit({ {1}, {2}, {3} }, { 2, 4, 6 })
io.write(string.format("%.6f", model:predict{ {4} }[1]))']]

describe("installation", function()
   -- under a sanitizer the interpreter needs its runtime, which a child of luarocks does not get
   local where = os.getenv "MANILIUS_SANITIZER" and pending or it

   where("by make install goes where PREFIX and DESTDIR say, and make uninstall takes it away", function()
      local ok, text = run "make --no-print-directory install DESTDIR=$PWD/build/staged PREFIX=/usr"
      assert(ok, text)
      ok, text = run("cd / && env -u LUA_INIT LUA_PATH='" .. os.getenv "PWD" .. "/build/staged/usr/share/lua/5.4/?.lua;"
         .. os.getenv "PWD" .. "/build/staged/usr/share/lua/5.4/?/init.lua' LUA_CPATH='" .. os.getenv "PWD"
         .. "/build/staged/usr/lib/lua/5.4/?.so' lua5.4 -e " .. program)
      assert(ok, text)
      assert.equal("8.000000", text)
      ok, text = run("cd / && LUA_PATH='" .. os.getenv "PWD" .. "/build/staged/usr/share/lua/5.4/?.lua;"
         .. os.getenv "PWD" .. "/build/staged/usr/share/lua/5.4/?/init.lua' LUA_CPATH='" .. os.getenv "PWD"
         .. "/build/staged/usr/lib/lua/5.4/?.so' " .. os.getenv "PWD" .. "/build/staged/usr/bin/manilius -e "
         .. [['require "manilius.console" ]] .. program:sub(2))
      assert(ok, text)
      assert.equal("8.000000", text)
      ok, text = run "cd build/staged/usr/share/lua/5.4/manilius && ls library && ls -d manual"
      assert.is_nil(ok) -- what editors read is there, what makes the manual is not
      for _, name in ipairs { "Ridge", "manilius", "metrics", "model" } do
         assert.matches("\n" .. name .. ".lua\n", "\n" .. text, nil, true)
      end
      ok, text = run "make --no-print-directory uninstall DESTDIR=$PWD/build/staged PREFIX=/usr"
      assert(ok, text)
      ok, text = run "find build/staged -type f"
      assert(ok, text)
      assert.equal("", text)
   end)

   it("of the libraries tells pkg-config of the PREFIX of now, not of the one before", function()
      for _, prefix in ipairs { "/opt/one", "/opt/two" } do
         local make = "make --no-print-directory BUILD=build/staged build/staged/lib/manilius.pc PREFIX="
         local ok, text = run(make .. prefix)
         assert(ok, text)
         ok, text = run "head -1 build/staged/lib/manilius.pc"
         assert(ok, text)
         assert.equal("prefix=" .. prefix .. "\n", text)
      end
      assert(run "rm -r build/staged/lib")
   end)

   where("by luarocks builds from a source archive", function()
      local ok, text = run("rm -rf build/dist && mkdir -p build/dist && make --no-print-directory dist && "
         .. "tar -xzf build/manilius-0.1.0.tar.gz -C build/dist")
      assert(ok, text)
      -- with the objects of this checkout, which compile from the same files
      ok, text = run("cd build/dist/manilius-0.1.0 && mkdir build && cp -R ../../obj build/obj && "
         .. "luarocks --lua-version 5.4 --tree ../rocks make rockspec/manilius-0.1.0-1.rockspec")
      assert(ok, text)
      ok, text = run("cd / && LUA_PATH='" .. os.getenv "PWD" .. "/build/dist/rocks/share/lua/5.4/?.lua;"
         .. os.getenv "PWD"
         .. "/build/dist/rocks/share/lua/5.4/?/init.lua' LUA_CPATH='" .. os.getenv "PWD"
         .. "/build/dist/rocks/lib/lua/5.4/?.so' lua5.4 -e " .. program)
      assert(ok, text)
      assert.equal("8.000000", text)
   end)

   where("by luarocks builds from the checkout, offline, into a tree of its own", function()
      local ok, text = run("rm -rf build/rocks && luarocks --lua-version 5.4 --tree build/rocks make "
         .. "rockspec/manilius-scm-1.rockspec")
      assert(ok, text)
      ok, text = run("cd / && LUA_PATH='" .. os.getenv "PWD" .. "/build/rocks/share/lua/5.4/?.lua;" .. os.getenv "PWD"
         .. "/build/rocks/share/lua/5.4/?/init.lua' LUA_CPATH='" .. os.getenv "PWD"
         .. "/build/rocks/lib/lua/5.4/?.so' lua5.4 -e " .. program)
      assert(ok, text)
      assert.equal("8.000000", text)
      ok, text = run("cd / && env -u LUA_PATH -u LUA_CPATH " .. os.getenv "PWD" .. "/build/rocks/bin/manilius -e "
         .. [['require "manilius.console" ]] .. program:sub(2))
      assert(ok, text)
      assert.equal("8.000000", text)
   end)

   it("leaves the host's arithmetic alone: subnormal numbers stay", function()
      require "manilius"
      assert.is_true(2 ^ -1060 * 0.5 > 0)
   end)

   it("shows no symbol but its entry", function()
      local ok, text = run "nm -D --defined-only build/manilius/core.so"
      assert(ok, text)
      for line in text:gmatch "[^\n]+" do
         local name = line:match "%S+$"
         assert(name == "luaopen_manilius_core", "exported: " .. name)
      end
   end)
end)
