--- A session of the prompt at a pseudoterminal: editing, completion, history and Ctrl-C.
local host = require "spec.lua.host"

local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"
local sanitized = os.getenv "MANILIUS_SANITIZER" ~= nil
local WAIT = sanitized and 60000 or 20000

describe("a session", function()
   local terminal, state

   setup(function() terminal = host.compile("terminal", "-lutil") end)
   teardown(function() os.remove(terminal) end)

   before_each(function()
      state = os.tmpname()
      os.remove(state)
   end)

   after_each(function() os.execute("rm -rf '" .. state .. "'") end)

   -- Play the steps, where "see TEXT" stands for a wait that must succeed. Returns the output.
   local function play(steps, variables)
      local lines, texts = {}, {}
      for i, step in ipairs(steps) do
         texts[#texts + 1] = step:match "^see (.*)$"
         lines[i] = step:gsub("^see ", ("wait %d "):format(WAIT))
      end
      lines[#lines + 1] = "key d"
      local file = host.file(table.concat(lines, "\n") .. "\n")
      local command = "TERM=xterm XDG_STATE_HOME=%s %s %s 80 %s src/lua/prompt/manilius.lua < %s"
      local _, text = host.run(command:format(state, variables or "", terminal, lua, file))
      os.remove(file)
      local i = 0
      for ms in text:gmatch "waited (%-?%d+)\n" do
         i = i + 1
         assert(tonumber(ms) >= 0, ("'%s' does not appear:\n%s"):format(texts[i], text))
      end
      assert.equal(#texts, i)
      return text
   end

   it("shows results, completes names and lists candidates", function()
      play { "see Ctrl-D ends", "see > ", "type ml.Ridge { al", "key i", "see pha = ", "send 2 }",
         "see Ridge { alpha = 2 }, not fitted", "see > ", "type ml.Ri", "key i", "see dge", "key i",
         "see Ridge    RidgeCV", "key c", "see > ", "send ?Ridge.alpha", "see default 1", "send pirnt(1)",
         "see did you mean 'print'?" }
   end)

   it("edits chunks of several lines and finds them again in the history of the next session", function()
      play { "see > ", "send for i = 1, 2 do", "send    io.write('line ' .. i, ';')", "send end", "see line 1;line 2;",
         "see > ", "send x = 40", "see x = 40", "see > " }
      play { "see > ", "key p", "see x = 40", "key p", "see for i", "key m", "see line 1;line 2;" }
      local directory = io.popen("ls -ld " .. state .. "/manilius"):read "a"
      assert.matches("^drwx%-%-%-%-%-%-", directory)
   end)

   it("reads letters beyond ASCII", function()
      play({ "see > ", "send #'\u{e4}\u{3b2}'", "see 4", "see > " }, "LC_ALL=C")
   end)

   it("survives Ctrl-C while it is idle and while a line is typed", function()
      play { "see > ", "send kept = 41", "see > ", "key c", "see ^C", "see > ", "key c", "see ^C", "see > ",
         "type broken(", "see broken(", "key c", "see ^C", "see > ", "send if true then", "see then", "type broken(",
         "see broken(", "key c", "see ^C", "see > ", "send kept + 1", "see 42" }
   end)

   local endless = {
      ["a long fit"] = "ml.KMeans { n_clusters = 200, max_iter = 1000000, n_init = 1000000, tol = 0 }:fit("
         .. "ml.normal(20000, 20, 1), nil, { on_iter = begin })",
      ["a loop"] = "begin() while true do end",
      ["a coroutine"] = "coroutine.wrap(function() begin() while true do end end)()",
      ["a coroutine that resumes others"] = "coroutine.wrap(function() begin() while true do coroutine.wrap("
         .. "function() for i = 1, 1000 do end end)() end end)()",
      ["input"] = "begin() io.read()",
   }
   for name, call in pairs(endless) do
      it("interrupts " .. name .. ", twice, and keeps the models", function()
         local again = { "send started = nil " .. call, "see running", "sleep 100", "key c", "see interrupted",
            "see > " }
         local steps = { "see > ", "send m = ml.Ridge {}:fit({ { 1 }, { 2 } }, { 1, 2 })",
            "send function begin() if not started then started = true io.write('run', 'ning\\n') io.flush() end end" }
         for _ = 1, 2 do table.move(again, 1, #again, #steps + 1, steps) end
         steps[#steps + 1] = "send m.fitted"
         steps[#steps + 1] = "see true"
         play(steps)
      end)
   end

   it("works without line editing at a dumb terminal", function()
      play({ "see > ", "send for i = 1, 2 do", "see >> ", "send io.write('line ' .. i, ';') end", "see line 1;line 2;",
         "see > ", "key c", "see > ", "send while true do end", "sleep 200", "key c", "see interrupted", "see > ",
         "send 6 * 7", "see 42" }, "TERM=dumb")
   end)
end)
