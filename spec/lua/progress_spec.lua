--- The progress bar: its text, when it is drawn, and that it is erased.
local ml = require "manilius"
local core = require "manilius.core"
local host = require "spec.lua.host"
local progress = require "manilius.progress"
local refuses = require "spec.support".refuses

local lua = arg and arg[-1] and arg[-1]:find "lua" and arg[-1] or "lua5.4"

-- Lua code of stop_after(seconds), an on_iter that lets a fit last that long. It sleeps most of the time, since other
-- specs run at the same time.
local stop_after = "function stop_after(seconds) return function(state) os.execute [[sleep 0.02]] "
   .. "return state.elapsed > seconds and 'stop' or nil end end"

describe("the text of the bar", function()
   local state = { label = "KMeans fit", done = 50, total = 200, objective = 1234.5678, elapsed = 20 }

   it("has the progress, the remaining time and the objective", function()
      assert.equal("KMeans fit  [=====               ]  25%  50/200  60 s left  2.5/s  objective 1234.57",
         progress.line(state, 100))
      assert.equal("Ridge fit  3 s", progress.line({ label = "Ridge fit", done = 0, elapsed = 3.2 }, 80))
      assert.equal("GridSearch  [==========          ]  50%  2/4  3 min left  90 s each", progress.line({
         label = "GridSearch", done = 2, total = 4, elapsed = 180 }, 80))
      assert.matches("3e%+06/1e%+12  1852 h left", progress.line({
         label = "fit", done = 3e6, total = 1e12, elapsed = 20 }, 80):gsub("1851[0-9]* h", "1852 h"))
   end)

   it("fits into any width", function()
      for columns = 0, 100 do assert.is_true(#progress.line(state, columns) <= columns) end
      assert.equal("KMeans fit", progress.line(state, 15))
      assert.equal("KMeans fit   25%", progress.line(state, 20))
      assert.matches("^KMeans fit   25%%  %d+ s left$", progress.line(state, 30))
      assert.matches("^KMeans fit  %[=====               %]  25%%", progress.line(state, 50))
      assert.equal("KMe", progress.line(state, 3))
      assert.equal("", progress.line(state, -2))
   end)
end)

describe("ml.progress", function()
   it("is off by default and returns its state", function()
      assert.is_false(ml.progress())
      assert.is_true(ml.progress(true))
      assert.is_true(ml.progress())
      assert.is_false(ml.progress(false))
      refuses("progress: on must be true, false or nil, got number", function() ml.progress(1) end)
   end)

   it("requires io only when it is switched on", function()
      local stderr = io.stderr
      rawset(io, "stderr", nil)
      local ok, message = pcall(ml.progress, true)
      rawset(io, "stderr", stderr)
      assert.is_false(ok)
      assert.matches("the bar requires io.stderr", message)
   end)

   it("draws nothing when stderr is not a terminal", function()
      local program = host.file(stop_after .. [[
         local ml = require "manilius"
         ml.progress(true)
         ml.warnings "off"
         ml.KMeans { n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }:fit(ml.normal(3000, 5, 1), nil, {
            on_iter = stop_after(1.3) })]])
      local ok, text = host.run(("%s %s 2>&1 >/dev/null"):format(lua, program))
      os.remove(program)
      assert(ok, text)
      assert.equal("", text)
   end)

   it("does not change results", function()
      local X = ml.normal(500, 4, 1)
      local wanted = ml.KMeans { n_clusters = 5 }:fit(X):dump()
      ml.progress(true)
      local got = ml.KMeans { n_clusters = 5 }:fit(X):dump()
      ml.progress(false)
      assert.equal(wanted, got)
   end)

   it("restores the number of threads when a composition raises", function()
      local before = core.memory.threads()
      ml.progress(true)
      refuses("cancelled by the progress function", function()
         ml.cross_validate(ml.Ridge {}, ml.normal(50, 2, 1), ml.normal(50, 1, 2):col(1):copy(),
            { on_iter = function() return "cancel" end })
      end)
      ml.progress(false)
      assert.equal(before, core.memory.threads())
   end)
end)

-- The final contents of the screen: \r returns to the first column, other characters overwrite.
local function screen(text)
   local lines, row, col = { {} }, 1, 1
   for char in text:gmatch "." do
      if char == "\r" then
         col = 1
      elseif char == "\n" then
         row, col = row + 1, 1
         lines[row] = {}
      else
         for i = #lines[row] + 1, col - 1 do lines[row][i] = " " end
         lines[row][col] = char
         col = col + 1
      end
   end
   for i, line in ipairs(lines) do lines[i] = table.concat(line) end
   return table.concat(lines, "\n")
end

describe("the bar at a terminal", function()
   local terminal

   setup(function() terminal = host.compile("terminal", "-lutil") end)
   teardown(function() os.remove(terminal) end)

   local function session(columns, steps)
      local path = host.file(table.concat({
         'send ml = require "manilius"', "send ml.progress(true)", "send X = ml.normal(3000, 5, 1)",
         "send model = ml.KMeans{ n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }",
         "send ml.warnings 'off'", "send " .. stop_after, table.unpack(steps) }, "\n") .. "\n")
      local _, text = host.run(("TERM=dumb %s %d %s -i < %s"):format(terminal, columns, lua, path))
      os.remove(path)
      return text
   end

   it("is drawn after a second, at most ten times a second, and erased", function()
      local text = session(80, { "send model:fit(X, nil, { on_iter = stop_after(1.6) }) io.write('over', ' now\\n')",
         "wait 20000 over now", "key d" })
      local drawn = select(2, text:gsub("\rKMeans fit  %[[= ]+%] +%d+%%  %S+/1e%+12  ", ""))
      assert.is_true(drawn >= 2 and drawn <= 7, drawn .. " times:\n" .. text)
      assert.not_matches("KMeans fit", screen(text):match "on_iter = stop.*")
      assert.matches("over now", screen(text))
   end)

   it("is drawn for a whole search and while waiting for a job", function()
      local text = session(80, {
         "send score = { needs = 'x', fn = function() return 1 end }",
         "send slow = ml.Estimator{ name = 'Slow', fit = function(m, X) ml.KMeans{ n_clusters = 40, n_init = 1000000, "
            .. "tol = 0 }:fit(X, nil, { on_iter = stop_after(0.5) }) end, "
            .. "predict = function(m, X) return X:col(1) end }",
         "send cv = ml.cross_validate(slow{}, X, nil, { cv = 4, scoring = score }) io.write('cv', ' done\\n')",
         "wait 30000 cv done",
         "send job = model:fit_async(X) job:wait(1.5) job:cancel() io.write('job', ' done\\n')",
         "wait 30000 job done", "key d" })
      assert.matches("\rcross_validate  %[[= ]+%] +%d+%%  [0-3]/4  ", text)
      assert.not_matches("\rKMeans fit ", text)
      assert.matches("\rKMeans fit_async  %[", text)
      assert.not_matches("%[=* *%]", screen(text))
   end)

   it("follows stderr, not stdout", function()
      local program = host.file(stop_after .. [[
         local ml = require "manilius"
         ml.progress(true)
         ml.warnings "off"
         ml.KMeans { n_clusters = 40, n_init = 1000000, max_iter = 1000000, tol = 0 }:fit(ml.normal(3000, 5, 1), nil, {
            on_iter = stop_after(1.3) })
         for _, file in ipairs { io.stderr, io.stdout } do file:write "over now\n" end]])
      local errors = os.tmpname()
      local function redirected(redirection)
         local _, text = host.run(("echo wait 20000 over now | %s 80 sh -c '%s %s %s'"):format(terminal, lua, program,
            redirection))
         return text
      end
      assert.matches("\rKMeans fit  %[", redirected ">/dev/null")
      assert.not_matches("KMeans fit", redirected("2>" .. errors))
      local file = assert(io.open(errors))
      assert.equal("over now\n", file:read "a")
      file:close()
      os.remove(errors)
      os.remove(program)
   end)

   it("has the size of the terminal of either stream", function()
      local program = "local core = require [[manilius.core]] "
         .. "print(core.terminal(), core.terminal [[stderr]]) print [[end]]"
      local text = select(2, host.run(("echo wait 5000 end | %s 70 sh -c \"%s -e '%s' 2>/dev/null\""):format(terminal,
         lua, program)))
      assert.matches("70\tnil", text)
      refuses("invalid option 'stdin'", function() core.terminal "stdin" end)
   end)

   it("is shortened on a narrow terminal", function()
      local text = session(24, { "send model:fit(X, nil, { on_iter = stop_after(1.6) }) io.write('over', ' now\\n')",
         "wait 20000 over now", "key d" })
      assert.matches("\rKMeans fit    0%% *\r", text)
      assert.not_matches("KMeans fit  %[", text)
   end)

   it("leaves a clean line at Ctrl-C", function()
      local text = session(80, { "send model:fit(X)", "wait 20000 KMeans fit  [", "sleep 250", "key c",
         "wait 20000 interrupted!", "send print('still', model.fitted)", "wait 10000 still\tfalse", "key d" })
      assert.not_matches("waited %-1", text)
      local after = screen(text):match "model:fit%(X%)(.*)"
      assert.not_matches("KMeans fit  %[", after)
      assert.not_matches("%^C", after)
      assert.matches("\n[lua5.4: ]*interrupted! *\n", after)
   end)
end)
