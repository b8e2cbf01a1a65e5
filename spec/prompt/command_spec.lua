--- The command `manilius`, without a terminal.
local command = require "manilius.prompt.command"
local host = require "spec.lua.host"

local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"

-- The exit status and output of the command with these arguments and input.
local function run(arguments, input, variables)
   local file = host.file(input or "")
   local program = "%s %s src/lua/prompt/manilius.lua %s < %s 2>&1; echo status $?"
   local _, text = host.run(program:format(variables or "", lua, arguments, file))
   os.remove(file)
   local output, status = text:match "^(.-)status (%d+)\n$"
   return tonumber(status), output
end

describe("the arguments", function()
   it("are options, then a script with its own", function()
      assert.same({ chunks = { "a", "b" }, interactive = true, script = 6 },
         command.parse { "-e", "a", "-e", "b", "-i", "script.lua", "-e" })
      assert.same({ chunks = {}, script = 1 }, command.parse { "-", "--version" })
      assert.same({ chunks = {}, script = 2 }, command.parse { "--", "-strange" })
      assert.same({ chunks = {} }, command.parse { "--" })
      assert.same({ chunks = {}, debug = true, version = true }, command.parse { "--debug", "-v" })
   end)

   it("that are wrong are refused", function()
      assert.same({ nil, "unknown option '--verbose'" }, { command.parse { "--verbose" } })
      assert.same({ nil, "-e needs a chunk" }, { command.parse { "-e" } })
      local status, text = run "--verbose"
      assert.equal(1, status)
      assert.matches("^manilius: unknown option '%-%-verbose'\nusage: ", text)
   end)
end)

describe("the command", function()
   it("shows version and help", function()
      assert.same({ 0, "manilius 0.1.0, Lua 5.4\n" }, { run "--version" })
      local status, text = run "--help"
      assert.equal(0, status)
      assert.matches("^usage: manilius ", text)
   end)

   it("runs chunks with the library loaded, and shows only what they print", function()
      assert.same({ 0, "3\t2.0\n" }, { run "-e 'x = 3' -e 'print(x, ml.Ridge { alpha = 2 }.alpha)' -e x=4" })
      assert.same({ 1, "manilius: (command line):1: boo\n" }, { run [[-e 'error "boo"' -e 'print(1)']] })
      local status, text = run [[--debug -e 'error "boo"']]
      assert.equal(1, status)
      assert.matches("^manilius: %(command line%):1: boo\nstack traceback:\n", text)
      assert.same({ 1, "manilius: (command line):1: unexpected symbol near '='\n" }, { run "-e '= 1'" })
   end)

   it("runs a script from a file or from standard input with its arguments", function()
      local script = host.file "#!/usr/bin/env manilius\nprint(arg[0] ~= nil, arg[1], #arg, ml.Ridge ~= nil, ...)"
      assert.same({ 0, "true\ta b\t2\ttrue\ta b\t-e\n" }, { run(script .. " 'a b' -e") })
      os.remove(script)
      assert.same({ 0, "-\tx\n" }, { run("- x", "print(arg[0], ...)") })
      local status, text = run "no/such/script.lua"
      assert.equal(1, status)
      assert.matches("^manilius: cannot open no/such/script.lua", text)
   end)

   local session = "ml.Ridge {}\nlocal x = 5\nfor i = 1, 2 do\nprint(i)\nend\nx\nnil\npirnt()\n"
      .. "debug\nexit\nprint 'no'\n"
   local shown = "Ridge { alpha = 1 }, not fitted\n1\n2\n5\n"
      .. "attempt to call a nil value (global 'pirnt'); did you mean 'print'?\n"
      .. "prompt:1: attempt to call a nil value (global 'pirnt')\nstack traceback:\n\tprompt:1: in main chunk\n"

   it("reads plain lines where there is no terminal", function()
      assert.same({ 0, shown }, { run("", session) })
   end)

   it("needs neither its C module nor libedit", function()
      local without = [[LUA_INIT='package.preload["manilius.console"] = function() error "absent" end']]
      assert.same({ 0, shown }, { run("", session, without) })
   end)

   it("starts the prompt after a chunk or script with -i", function()
      assert.same({ 0, "3\n" }, { run("-i -e 'x = 3'", "x\n") })
   end)

   it("shows what the sessions in the guide show", function()
      local input, wanted = {}, {}
      local page = assert(io.open "examples/guide/prompt.md"):read "a"
      for block in page:gmatch "```text\n(> .-)```" do
         for line in block:gmatch "[^\n]+" do
            table.insert(line:find "^> " and input or wanted, (line:gsub("^> ", "")))
         end
      end
      local status, text = run("", table.concat(input, "\n"))
      assert.equal(0, status)
      assert.equal(table.concat(wanted, "\n") .. "\n", text)
   end)

   it("answers ? with help on members of variables", function()
      local _, text = run("", "m = ml.LogisticRegression {}\n?m.fit\n?m.C\nf = ml.Frame { age = { 1, 2 } }\n?f.age\n"
         .. 'g = ml.LinearRegression { formula = "y ~ x" }\n?g.summary')
      assert.matches("^LogisticRegression:fit%(", text)
      assert.matches("\nLogisticRegression.C\n", text)
      assert.matches("\nml.Vector { 1, 2, 3 }", text)
      assert.matches("\nLinearRegression:summary%(", text)
   end)

   it("says what a variable without help is", function()
      local _, text = run("", "?m\n?m.fit\nx = 3\n?x\n?model")
      local lines = {}
      for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
      assert.same({ "m is nil: there is no variable of this name", "m is nil: there is no variable of this name",
         "x is 3", "model is nil: there is no variable of this name; a search finds:" }, { table.unpack(lines, 1, 4) })
      assert.is_true(#lines > 4)
   end)

   it("suggests a class with a similar name, and takes help as a command", function()
      local _, text = run("", "?LogisticRegresion")
      assert.matches("^unknown name 'LogisticRegresion'; did you mean 'LogisticRegression'%?\n", text)
      _, text = run("", "help")
      assert.matches('ml.find "words".\n$', text)
      _, text = run("", "help = 3\nhelp")
      assert.equal("3\n", text)
   end)

   it("answers ? with help or what a search finds", function()
      local _, text = run("", "?Ridge.alpha\nmodel = ml.Lasso {}\n? model\n?one hot\n?")
      assert.matches("^Ridge.alpha\n  penalty on", text)
      assert.matches("\nLasso %(", text)
      assert.matches("\nOneHotEncoder ", text)
      assert.matches('ml.find "words".\n$', text)
   end)
end)
