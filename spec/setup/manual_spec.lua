--- The manual is made, whole, and finds its own faults.

local check = require "manual.check"
local documents = require "manual.documents"
local highlight = require "manual.highlight"
local html = require "manual.html"

local function run(command)
   local pipe = assert(io.popen(command .. " 2>&1", "r"))
   local text = pipe:read "a"
   return pipe:close(), text
end

local function write(path, text)
   local file = assert(io.open(path, "w"))
   file:write(text)
   file:close()
end

-- under a sanitizer the interpreter that runs the examples would need its runtime
local where = os.getenv "MANILIUS_SANITIZER" and pending or it

describe("the manual", function()
   where("is made by make docs: every link leads somewhere, every tag is closed", function()
      local ok, text = run "make --no-print-directory docs"
      assert(ok, text)
      local faults, pages = check.faults "build/docs"
      assert.same({}, faults)
      assert.is_true(pages > 30)
   end)

   where("shows examples with what they print, and names where they are explained", function()
      local linear = documents.read "build/docs/linear.html"
      assert.matches('<h2 id="Ridge">', linear, nil, true)
      assert.matches('<dt id="Ridge.alpha"><code>alpha</code> <span class="type">a number &gt;= 0, default '
         .. "<code>1</code></span></dt>", linear, nil, true)
      local guide = documents.read "build/docs/first-model.html"
      assert.matches('<a href="composition.html#Pipeline"><code>ml.Pipeline</code></a>', guide, nil, true)
      local example = documents.read "build/docs/example-mayer.html"
      assert.matches("Residual standard error: 0.154 on 24 degrees of freedom", example, nil, true)
   end)

   where("loads nothing from elsewhere", function()
      local _, text = run "cat build/docs/*.html build/docs/*.css build/docs/*.js"
      assert.is_nil(text:find('src="%a+:'))
      assert.is_nil(text:find "url%(")
      assert.is_nil(text:find "@import")
   end)

   it("says which links lead nowhere and which tags stay open", function()
      local folder = "build/faults"
      assert(run("rm -rf " .. folder .. " && mkdir -p " .. folder))
      write(folder .. "/a.html", '<p id="one">text</p><p id="one"><a href="b.html#two">b</a></p>')
      write(folder .. "/b.html", '<p><b>text</p><a href="c.html">c</a><br/><img src="https://x/y.png"/>')
      write(folder .. "/entries.js", '["x","a.html#three","text"],')
      local faults = check.faults(folder)
      table.sort(faults)
      assert.same({
         "a.html: no such anchor: b.html#two",
         "a.html: the anchor 'one' is there twice",
         "b.html: </p> closes <b>",
         "b.html: <p> is never closed",
         "b.html: leads nowhere: c.html",
         "b.html: loads https://x/y.png",
         "search: leads nowhere: a.html#three",
      }, faults)
   end)
end)

describe("a program in colors", function()
   it("is the same text as before", function()
      for _, path in ipairs { "lua/manilius/init.lua", "rockspec/manual/highlight.lua", "examples/tour.lua" } do
         local source = documents.read(path)
         local plain = highlight(source):gsub("<[^>]*>", "")
         assert.equal(html.escape(source), plain)
      end
   end)

   it("is C where that is asked for", function()
      assert.equal('<span class="k">int</span> a = <span class="f">f</span>(<span class="s">&quot;x&quot;</span>); '
         .. '<span class="c">/* b\n */</span>', highlight('int a = f("x"); /* b\n */', "c"))
      local source = documents.read "src/manilius.h"
      assert.equal(html.escape(source), (highlight(source, "c"):gsub("<[^>]*>", "")))
   end)

   it("knows comments, texts, numbers, keywords and calls", function()
      assert.equal('<span class="k">local</span> x = <span class="n">0x1F</span> '
         .. '<span class="c">-- a &quot;b&quot;</span>',
         highlight 'local x = 0x1F -- a "b"')
      assert.equal('<span class="f">f</span> <span class="s">&quot;a\\&quot;b&quot;</span> .. '
         .. '<span class="s">[=[ ]] ]=]</span>', highlight 'f "a\\"b" .. [=[ ]] ]=]')
      assert.equal('<span class="c">--[[ a\nb ]]</span> c', highlight "--[[ a\nb ]] c")
      assert.equal('a.b.<span class="f">c</span> { <span class="n">1e-3</span> }', highlight "a.b.c { 1e-3 }")
   end)
end)

describe("programs of a page", function()
   local page = "# t\n\n```lua\nlocal a = 1\nprint(a)\n```\n\n```text\n1\n```\n\nThen\n\n```lua\nprint(a + 1)\n```\n"

   it("continue each other, and each has its output", function()
      local programs = documents.programs(page)
      assert.equal(2, #programs)
      assert.equal("1\n", programs[1].shown)
      assert.equal("", programs[2].shown)
      assert.same({ "1\n", "2\n" }, documents.outputs(programs, "page"))
   end)

   it("fail with the line of the page", function()
      local programs = documents.programs "```lua\nlocal a\n```\n\ntext\n\n```lua\n\na.b = 1\n```\n"
      local ok, message = pcall(documents.outputs, programs, "page.md")
      assert.is_false(ok)
      assert.matches("^page.md:9: attempt to index a nil value", message)
   end)

   it("are brought up to date", function()
      local stale = page:gsub("\n1\n", "\n7\n8\n")
      assert.equal(page .. "\n```text\n2\n```\n", documents.updated(stale, "page"))
   end)
end)
