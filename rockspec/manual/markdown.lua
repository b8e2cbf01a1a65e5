--- Convert Markdown to HTML with cmark-gfm, then add anchors, syntax highlighting and links between pages.
-- @module manual.markdown

local html = require "manual.html"

local function converted(text)
   local path = os.tmpname()
   local file = assert(io.open(path, "wb"))
   file:write(text)
   file:close()
   local pipe = assert(io.popen("cmark-gfm --extension table --smart --validate-utf8 '" .. path .. "'", "r"))
   local body = pipe:read "a"
   local ok = pipe:close()
   os.remove(path)
   assert(ok, "manual: cmark-gfm failed or is not installed; `make deps` installs it")
   return body
end

local function plain(text)
   return (text:gsub("&quot;", '"'):gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&amp;", "&"))
end

local function block(language, code)
   code = plain(code)
   if language == "lua" then return html.lua(code) end
   if language == "c" then return html.c(code) end
   if language == "text" then return html.output(code) end
   return "<pre><code>" .. html.escape(code:gsub("%s+$", "")) .. "</code></pre>"
end

-- Add anchors to the headings below the title; also returns the list of headings.
local function with_anchors(body)
   local headings = {}
   body = body:gsub("<h([23])>(.-)</h%1>", function(level, text)
      local id = html.slug(text)
      headings[#headings + 1] = { level = tonumber(level), id = id, html = text, text = plain((text:gsub("<.->", ""))) }
      return html.heading(tonumber(level), id, text)
   end)
   return body, headings
end

-- The code in the text between a heading and the next one, as words: names by which the search finds the section.
local function code_below(body, heading, following)
   local first = body:find('id="' .. heading.id .. '"', 1, true)
   local last = following and body:find('id="' .. following.id .. '"', first, true) or #body
   local words, seen = {}, {}
   for code in body:sub(first, last):gsub("<pre.-</pre>", ""):gmatch "<code>(.-)</code>" do
      for word in plain(code):gmatch "%a[%w_]+" do
         if not seen[word] then words[#words + 1] = word end
         seen[word] = true
      end
   end
   return table.concat(words, " ")
end

--- A page of Markdown.
-- @treturn table title, body (HTML without the title), headings, brief (the first paragraph as text)
return function(text)
   local body = converted(text)
   local title = body:match "<h1>(.-)</h1>"
   assert(title, "manual: a page of the guide must begin with its title")
   body = body:gsub("<h1>.-</h1>%s*", "", 1)
   body = body:gsub('<pre><code class="language%-(%w+)">(.-)</code></pre>', block)
   body = body:gsub("<pre><code>(.-)</code></pre>", function(code) return block("", code) end)
   body = body:gsub("<table>.-</table>", '<div class="scroll">%0</div>')
   body = body:gsub('href="([%w_-]+)%.md(#?[%w_-]*)"', 'href="%1.html%2"')
   local brief = plain((body:match "<p>(.-)</p>" or ""):gsub("<.->", ""):gsub("%s+", " "))
   local headings
   body, headings = with_anchors(body)
   for i, heading in ipairs(headings) do heading.code = code_below(body, heading, headings[i + 1]) end
   return { title = plain(title), body = body, headings = headings, brief = brief:match "^.-[.?!]%f[%s\0]" or brief }
end
