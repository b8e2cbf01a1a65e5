--- Figures as files: valid formats, no partial files, and errors with a remedy.
local ml = require "manilius"
local support = require "spec.support"

local read = support.read_file

local function run(command)
   local pipe = assert(io.popen(command .. " 2>&1"))
   local output = pipe:read "a"
   return pipe:close(), output
end

-- Every element of an XML text is closed, in order.
local function well_formed(xml)
   local open = {}
   xml = xml:gsub("<%?.-%?>", ""):gsub("<!%-%-.-%-%->", ""):gsub("<!%[CDATA%[.-%]%]>", "")
   for closing, name, rest in xml:gmatch "<(/?)([%w:]+)([^<>]*)>" do
      if closing == "/" then
         assert(table.remove(open) == name, "wrong end of " .. name)
      elseif not rest:find "/$" then
         open[#open + 1] = name
      end
   end
   assert.equal(0, #open)
   assert.is_nil(xml:gsub("<[^<>]*>", ""):find "<")
   assert.is_nil(xml:gsub("&%a+;", ""):gsub("&#%d+;", ""):find "&")
end

--- Run a program in a new interpreter, with a prefix of the shell command such as environment variables.
local function run_program(prefix, program)
   local path = os.tmpname()
   local file = assert(io.open(path, "w"))
   file:write(program)
   file:close()
   local lua = assert(arg and arg[-1] or "lua5.4"):find "lua" and "lua5.4" or "lua5.4"
   local found = select(2, run("command -v " .. lua)):gsub("%s+$", "")
   local ok, output = run(prefix .. " " .. found .. " " .. path)
   os.remove(path)
   return ok, output
end

describe("a figure as a file", function()
   local dir = os.tmpname()
   os.remove(dir)
   setup(function() assert(run("mkdir -p " .. dir)) end)
   teardown(function() run("chmod -R u+w " .. dir .. "; rm -rf " .. dir) end)

   local fig = ml.plot.figure { title = "Tom & <Jerry>",
      ml.plot.scatter({ 1, 2, 3 }, { 3, 1, 2 }, { class = { "a & b", "<c>", "a & b" } }),
      ml.plot.heatmap { { 1, 2 }, { 3, 4 } }, ml.plot.density({ 1, 2, 3, 4 }, { title = "d" }),
      ml.plot.surface(function(x, y) return x * y end, { x_range = { -1, 1 }, y_range = { -1, 1 }, points = 8 }) }

   it("can be a PNG of twice the size", function()
      assert.equal(fig, fig:save(dir .. "/x.png"))
      local bytes = read(dir .. "/x.png")
      assert.equal("\x89PNG\r\n\x1a\n", bytes:sub(1, 8))
      local width, height = (">I4I4"):unpack(bytes, 17)
      assert.same({ 2 * fig.width, 2 * fig.height }, { width, height })
      assert.equal("IEND", bytes:sub(-8, -5))
   end)

   it("can be a PDF", function()
      fig:save(dir .. "/x.PDF")
      local bytes = read(dir .. "/x.PDF")
      assert.equal("%PDF-", bytes:sub(1, 5))
      assert.matches("%%%%EOF%s*$", bytes)
   end)

   it("can be well-formed SVG", function()
      fig:save(dir .. "/x.svg")
      local bytes = read(dir .. "/x.svg")
      assert.equal('<?xml version="1.0" encoding="utf-8"?>\n<svg', bytes:sub(1, 43))
      well_formed(bytes)
      assert(bytes:find("<title>Tom &amp; &lt;Jerry&gt;</title>", 1, true))
      assert(bytes:find("<text>a &amp; b</text>", 1, true))
   end)

   it("can be a single HTML file", function()
      fig:save(dir .. "/x.html")
      local bytes = read(dir .. "/x.html")
      assert.equal("<!DOCTYPE html>", bytes:sub(1, 15))
      local svg = assert(bytes:match "<svg.-</svg>")
      well_formed(svg)
      assert.is_nil(bytes:find("<script", 1, true))
      assert.is_nil(bytes:gsub("http://www.w3.org/%S+", ""):find "https?://")
   end)

   it("draws rules across the panel regardless of rounding", function()
      for k = 1, 8 do
         local svg = ml.plot.Figure { panels = { { layers = { { kind = "line", x = { 1, 2 }, y = { 0.1 / k, k / 7 } },
            { kind = "rule", at_x = 1.5, color = "black" } } } } }:svg()
         assert.matches("<path stroke='rgb%( 34,  34,  34%)' stroke%-dasharray='[%d.,]+'  d='M[%d.]+,[%d.]+ L", svg)
      end
   end)

   it("has unique ids, so that a page can hold several figures", function()
      local one, two = fig:svg(), ml.plot.line({ 1, 2, 3 }):svg()
      local seen = {}
      for id in one:gmatch "%sid=['\"]([^'\"]+)" do seen[id] = true end
      for id in two:gmatch "%sid=['\"]([^'\"]+)" do assert.is_nil(seen[id], id) end
      for _, svg in ipairs { one, two } do
         for id in svg:gmatch "href=['\"]#([^'\"]+)" do
            assert(svg:find("id='" .. id .. "'", 1, true) or svg:find('id="' .. id .. '"', 1, true), id)
         end
      end
   end)

   it("is reproducible", function()
      assert.equal(fig:svg(), fig:svg())
   end)

   it("can have any name", function()
      local name = dir .. "/it's a `date` $(x) \"q\"; .svg"
      fig:save(name)
      assert.matches("<svg", read(name))
   end)

   it("is refused for other extensions", function()
      support.refuses("save: path must end in %.svg, %.png, %.pdf or %.html, got 'x%.jpg'",
         function() fig:save "x.jpg" end)
      support.refuses("save: path must end in", function() fig:save "figure" end)
      support.refuses("save: path must be a string, got nil", function() fig:save() end)
   end)

   it("leaves no partial file when it cannot be written", function()
      support.refuses("save: " .. dir:gsub("%p", "%%%0") .. "/none/x%.svg: No such file or directory",
         function() fig:save(dir .. "/none/x.svg") end)
      support.refuses("script: .*/none/x%.gp", function() fig:script(dir .. "/none/x.gp") end)
      run("mkdir " .. dir .. "/taken.svg")
      support.refuses("taken%.svg", function() fig:save(dir .. "/taken.svg") end)
      local _, left = run("ls -A " .. dir .. "/taken.svg")
      assert.equal("", left)
   end)

   it("leaves no temporary files", function()
      local names, tmpname = {}, os.tmpname
      os.tmpname = function() -- luacheck: ignore
         names[#names + 1] = tmpname()
         return names[#names]
      end
      local ok = pcall(fig.svg, fig)
      local failed = not pcall(fig.save, fig, dir .. "/none/x.png")
      os.tmpname = tmpname -- luacheck: ignore
      assert(ok and failed)
      assert.equal(4, #names)
      for _, name in ipairs(names) do assert.is_nil(io.open(name), name) end
   end)

   it("ignores the user's gnuplot settings", function()
      local file = assert(io.open(dir .. "/.gnuplot", "w"))
      file:write "set terminal dumb\nset title 'mine'\nset xrange [5:6]\n"
      file:close()
      local ok, output = run_program("HOME=" .. dir .. " GNUTERM=nonsense GNUPLOT_LIB=/none", ([[
         local svg = require "manilius".plot.line({ 1, 2, 3 }):svg()
         assert(svg:find "^<svg" and not svg:find "mine")
         print "done"]]))
      assert(ok, output)
      assert.equal("done\n", output)
   end)

   it("names the package to install without gnuplot, and everything else works", function()
      local ok, output = run_program("PATH=/nowhere", [[
         local ml = require "manilius"
         local fig = ml.plot.line({ 1, 2, 3 })
         for _, name in ipairs { "x.svg", "x.png" } do print(select(2, pcall(fig.save, fig, name))) end
         assert(not io.open "x.svg")
         assert(#fig:script() > 100)
         fig:show { width = 30, height = 4 }]])
      assert(ok, output)
      assert.matches("save: gnuplot was not found; install it %(Debian and Ubuntu: apt install gnuplot%-nox%)", output)
      assert.matches("2 ┤", output)
   end)

   it("works as text in a sandbox without io and os", function()
      local ok, output = run_program("", [[
         local ml = require "manilius"
         local fig = ml.plot.line({ 1, 2, 3 })
         local print = print
         io, os = nil, nil
         print(select(2, pcall(fig.save, fig, "x.svg")))
         print(#fig:text() > 100, fig:show{} == fig)]])
      assert(ok, output)
      assert.matches("save: pictures require the io and os libraries, which are not available", output)
      assert.matches("true\ttrue", output)
   end)
end)

describe("figures in a terminal", function()
   local terminal = require "manilius.draw.terminal"

   local function known(environment)
      return terminal.graphics(function(name) return environment[name] end)
   end

   it("are pictures if the terminal supports them", function()
      assert.equal("kitty", known { KITTY_WINDOW_ID = "1", TERM = "xterm-kitty" })
      assert.equal("sixel", known { TERM_PROGRAM = "WezTerm", TERM = "xterm-256color" })
      assert.equal("sixel", known { TERM = "foot" })
      assert.is_nil(known { TERM = "xterm-256color" })
      assert.is_nil(known { TERM = "screen", KITTY_WINDOW_ID = "1" })
      assert.is_nil(known { TERM = "xterm-kitty", TMUX = "/tmp/x" })
      assert.is_nil(known {})
   end)

   it("are base64 in chunks for kitty", function()
      assert.equal("TWFu", terminal.base64 "Man")
      assert.equal("TWE=", terminal.base64 "Ma")
      assert.equal("TQ==", terminal.base64 "M")
      assert.equal("", terminal.base64 "")
      local bytes = ("x"):rep(4000)
      local sent = terminal.kitty(bytes)
      assert.matches("^\27_Ga=T,f=100,m=1;", sent)
      assert.matches("\27_Gm=0;[%w+/=]+\27\\\n$", sent)
      local all = {}
      for piece in sent:gmatch ";([^\27]*)\27" do
         assert(#piece <= 4096)
         all[#all + 1] = piece
      end
      assert.equal(terminal.base64(bytes), table.concat(all))
   end)

   it("follow the mode and the environment variable", function()
      local _, sixel = run_program("", 'require "manilius".plot.line({ 1, 2 }):show { mode = "sixel" }')
      assert.matches("\27P", sixel)
      local _, kitty = run_program("MANILIUS_PLOT=kitty", 'require "manilius".plot.line({ 1, 2 }):show { width = 40 }')
      assert.matches("\27_Ga=T,f=100,m=%d;iVBOR", kitty)
      local _, text = run_program("", 'require "manilius".plot.line({ 1, 2 }):show()')
      assert(#text > 200)
      assert.is_nil(text:find "\27")
      local _, wrong = run_program("MANILIUS_PLOT=png", 'require "manilius".plot.line({ 1, 2 }):show {}')
      assert.matches("show: the environment variable MANILIUS_PLOT must be one of auto, sixel, kitty, text, got 'png'",
         wrong)
   end)
end)
