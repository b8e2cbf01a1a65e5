--- Gnuplot scripts: their data, and the quoting of texts.
local ml = require "manilius"
local support = require "spec.support"

local read = support.read_file

local function exists(path)
   local file = io.open(path)
   if file then file:close() end
   return file ~= nil
end

local function run(command)
   local pipe = assert(io.popen(command .. " 2>&1"))
   local output = pipe:read "a"
   return pipe:close(), output
end

--- The rows of the n-th data block of a script, as lists of numbers.
local function block(script, n)
   local found = 0
   for body in script:gmatch "%$p%d+_%d+ << EOD\n(.-)EOD" do
      found = found + 1
      if found == n then
         local rows = {}
         for line in body:gmatch "([^\n]+)\n" do
            local row = {}
            for word in line:gmatch "%S+" do row[#row + 1] = tonumber(word) or word end
            rows[#rows + 1] = row
         end
         return rows
      end
   end
   error("no block " .. n)
end

describe("the script of a figure", function()
   local scratch = os.tmpname()
   os.remove(scratch)
   setup(function() assert(run("mkdir -p " .. scratch)) end)
   teardown(function() run("rm -rf " .. scratch) end)

   it("holds the points", function()
      local script = ml.plot.scatter({ 1, 2.5, -3 }, { 10, 0.125, 1e-7 }):script()
      assert.same({ { 1, 10 }, { 2.5, 0.125 }, { -3, 1e-7 } }, block(script, 1))
   end)

   it("holds a block for each class, with its name in the legend", function()
      local script = ml.plot.scatter({ 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { class = { "b", "a", "b", "a" } }):script()
      assert.same({ { 2, 6 }, { 4, 8 } }, block(script, 1))
      assert.same({ { 1, 5 }, { 3, 7 } }, block(script, 2))
      assert(script:find("title 'a'", 1, true) and script:find("title 'b'", 1, true))
      assert(script:find("pointtype 7", 1, true) and script:find("pointtype 9", 1, true)) -- distinct without color
   end)

   it("draws bars as boxes from the base to the value, with whiskers", function()
      local script = ml.plot.bar({ "p", "q" }, { 3, -1 }, { low = { 2, -2 }, high = { 4, 0 } }):script()
      support.near_rows({ { 1, 1.5, 0.62, 1.38, 0, 3 }, { 2, -0.5, 1.62, 2.38, -1, 0 } }, block(script, 1), 1e-9,
         "boxes", 1)
      support.near_rows({ { 1, 2, 0, 2 } }, { block(script, 2)[1] }, 1e-9, "whisker: from where, how far")
      assert(script:find("'p' 1", 1, true))
   end)

   it("has a gap in a line for missing values", function()
      local script = ml.plot.line({ 1, 2, 3 }, { 4, 0 / 0, 6 }):script()
      assert.same({ { 1, 4 }, { "NaN", "NaN" }, { 3, 6 } }, block(script, 1))
      assert(script:find("1 point with missing values omitted.", 1, true))
   end)

   it("clips the cells of a heat map to the range of colors", function()
      local fig = ml.plot.Figure { panels = { { layers = { { kind = "heat", z = { { 1, 9 }, { 0 / 0, 4 } }, low = 0,
         high = 5 } } } } }
      assert.same({ { 1, 1, 0.5, 1.5, 0.5, 1.5, 1 }, { 2, 1, 1.5, 2.5, 0.5, 1.5, 5 }, { 2, 2, 1.5, 2.5, 1.5, 2.5, 4 } },
         block(fig:script(), 1))
      assert.same({ "1 cell without a finite value left blank." }, fig.notes)
   end)

   it("joins neighboring cells of a decision region", function()
      local fig = ml.plot.Figure { panels = { { layers = { { kind = "regions", x = { 1, 2, 3 }, y = { 1, 2 },
         code = { { 1, 1, 2 }, { 2, 2, 2 } } } } } } }
      assert.same({ { 1.5, 1, 0.5, 2.5, 0.5, 1.5 } }, block(fig:script(), 1))
      assert.same({ { 3, 1, 2.5, 3.5, 0.5, 1.5 }, { 2, 2, 0.5, 3.5, 1.5, 2.5 } }, block(fig:script(), 2))
   end)

   it("holds the points of contours", function()
      local fig = ml.plot.Figure { panels = { { layers = { { kind = "contour", x = { 0, 1, 2 }, y = { 0, 1 },
         z = { { 0, 1, 2 }, { 0, 1, 2 } }, levels = { 0.5 } } } } } }
      local rows = block(fig:script(), 1)
      table.sort(rows, function(a, b) return a[2] < b[2] end)
      assert.same({ { 0.5, 0, 0.5 }, { 0.5, 1, 0.5 } }, rows)
   end)

   it("omits labels that would overlap", function()
      local same, names = ml.ones(9, 1):flatten(), {}
      for i = 1, 9 do names[i] = "name " .. i end
      local script = ml.plot.scatter(same, same, { labels = names }):script()
      local count, places = 0, {}
      for name, side in script:gmatch "set label '(name %d)' at 1, 1 front noenhanced (%l+)" do
         count = count + 1
         places[count] = name .. " " .. side
      end
      assert.same({ "name 1 left", "name 2 right", "name 3 center", "name 4 center", "name 5 center", "name 6 center" },
         places) -- the last two are one line further away
   end)

   it("labels every arrow at its tip", function()
      local one = { kind = "segments", x1 = { 0, 0, 0 }, y1 = { 0, 0, 0 }, x2 = { 1, 1, -1 }, y2 = { 1, 1, 1 },
         arrow = true, labels = { "first", "second", "back" } }
      local script = ml.plot.Figure { panels = { { x_range = { -2, 2 }, layers = { one } } } }:script()
      assert.matches("'first' at 1, 1 front noenhanced left", script)
      assert.matches("'second' at 1, 1 front noenhanced center", script)
      assert.matches("'back' at %-1, 1 front noenhanced right", script)
   end)

   it("writes its picture next to itself", function()
      ml.plot.scatter({ 1, 2 }, { 3, 4 }):script(scratch .. "/alone.gp")
      local ok, output = run("cd / && GNUTERM=dumb gnuplot -d " .. scratch .. "/alone.gp")
      assert(ok, output)
      assert.equal("", output)
      assert.matches("<svg", read(scratch .. "/alone.svg"))
   end)

   it("quotes hostile texts", function()
      local bait = scratch .. "/taken"
      local hostile = { "`touch " .. bait .. "1`", "'; system('touch " .. bait .. "2'); '", '"; system("touch ' .. bait
         .. '3"); "', "$(touch " .. bait .. "4)", "a\nEOD\nsystem('touch " .. bait .. "5')\n", "@macro {x}_1^2 100% %d",
         "\\n \\ \\' back", "<b>&amp; \"bold\"</b>", "naïve 漢字", "\xff\xfe broken", "'", "''", "a\r\nb\tc\0d", "]]>",
         "#", "!touch " .. bait .. "6", "\u{202e}turned" }
      local function figure(text)
         return ml.plot.figure { title = text, caption = text,
            ml.plot.scatter({ 1, 2 }, { 1, 2 }, { class = { text, "x" }, labels = { text, text }, title = text,
               x_label = text, y_label = text }),
            ml.plot.bar({ text, "b" }, { 1, 2 }), ml.plot.heatmap({ { 1, 2 } }, { columns = { text, text },
               cell_text = { { text, text } }, color_label = text }),
            ml.plot.Figure { panels = { { z = text, layers = { { kind = "line", x = { 1, 2 }, y = { 1, 2 },
               z = { 1, 2 }, name = text } }, legend = true } } } }
      end
      for _, text in ipairs(hostile) do
         local fig = figure(text)
         local svg = fig:svg()
         assert(not svg:find("<b>", 1, true))
         fig:script(scratch .. "/hostile.gp")
         local ok, output = run("GNUTERM=dumb gnuplot -d " .. scratch .. "/hostile.gp")
         assert(ok and output == "", text .. ": " .. output)
         assert(#fig:text() > 0)
      end
      for i = 1, 6 do assert(not exists(bait .. i), "command " .. i .. " was run") end
   end)

   it("shows texts literally", function()
      local svg = ml.plot.scatter({ 1 }, { 1 }, { title = [[50% of {a}_b^c & 'd' \n @e]] }):svg()
      assert(svg:find([[50% of {a}_b^c &amp; 'd' \n @e</text>]], 1, true), svg:sub(1, 2000))
      local ticks = ml.plot.bar({ "100%", "%d `date`" }, { 1, 2 }):svg()
      assert(ticks:find("<text>100%</text>", 1, true) and ticks:find("<text>%d `date`</text>", 1, true))
   end)
end)

describe("the style of figures", function()
   local theme = require "manilius.draw.theme"

   it("has 24 series that differ in color, and similar colors in shape and dash", function()
      local seen = {}
      for i = 1, 24 do
         local series = theme.series_of(i)
         assert.is_nil(seen[series.color], "series " .. i)
         seen[series.color] = i
         if i > 8 then
            local before = theme.series_of(i - 8)
            assert.is_true(before.point ~= series.point and before.dash ~= series.dash)
            assert.not_equal(before.symbol, series.symbol)
         end
      end
      assert.equal("#0072b2", theme.series_of(25).color)
   end)

   it("has ticks at whole numbers if all numbers are whole", function()
      local script = ml.plot.line({ 2019, 2020, 2021 }, { 1, 1.5, 2 }):script()
      assert(script:find("('2019' 2019, '2020' 2020, '2021' 2021)", 1, true))
      assert(script:find("'1.2' 1.2", 1, true))
   end)

   it("limits bands to the range of the score", function()
      local frame = ml.Frame { train_rows = { 10, 20 }, train_mean = { 0.99, 0.98 }, train_sd = { 0.02, 0.01 },
         test_mean = { 0.5, 0.9 }, test_sd = { 0.1, 0.2 } }
      local fig = ml.plot.learning_curve(frame, { scoring = "accuracy" })
      support.near_all({ 1, 0.99 }, fig.panels[1].layers[1].high, 1e-12)
      support.near_all({ 0.6, 1 }, fig.panels[1].layers[3].high, 1e-12)
   end)

   it("replaces characters that no font has", function()
      local drawable = require "manilius.draw.glyphs".drawable
      assert.equal("plain é 100%", drawable "plain é 100%")
      local here = io.popen "command -v fc-list"
      local found = here:read "a" ~= ""
      here:close()
      assert.equal(found and "a ? b" or "a \u{10fffd} b", drawable "a \u{10fffd} b") -- a private-use character
   end)
end)
