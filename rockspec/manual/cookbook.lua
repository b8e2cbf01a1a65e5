--- The cookbook: one page per example with its leading comment, code, output and saved pictures.
-- @module manual.cookbook

local documents = require "manual.documents"
local html = require "manual.html"

local M = {}

local function quoted(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function lines_of(command)
   local pipe = assert(io.popen(command, "r"))
   local list = {}
   for line in pipe:lines() do list[#list + 1] = line end
   pipe:close()
   return list
end

local checkout = lines_of "pwd"[1]

local function interpreter()
   local at = 0
   while arg and arg[at - 1] do at = at - 1 end
   return at < 0 and arg[at] or "lua5.4"
end

-- The paragraphs of the leading comment, without those on how to run the example, and the code after it.
local function split_comment(source)
   local comment, rest = {}, source
   while true do
      local line, after = rest:match "^%-%-+ ?([^\n]*)\n(.*)$"
      if not line then break end
      comment[#comment + 1] = line
      rest = after
   end
   local paragraphs = {}
   for paragraph in (table.concat(comment, "\n") .. "\n\n"):gmatch "(.-)\n%s*\n+" do
      local is_run = paragraph:find "^Run " or paragraph:find "^%s+lua"
      if paragraph:find "%S" and not is_run then
         paragraphs[#paragraphs + 1] = (paragraph:gsub("\n%s+lua5?%.?4? examples/[^\n]*", ""))
      end
   end
   return paragraphs, (rest:gsub("^%s+", ""))
end

-- Run an example in its own folder, so that all pictures found there were saved by it.
-- @return its output, the paths of the pictures, the folder
local function run(path, folder)
   local work = folder .. "/run/" .. path:match "([^/]+)%.lua$"
   assert(os.execute(("rm -rf %s && mkdir -p %s && ln -s %s %s"):format(quoted(work), quoted(work .. "/build/demo"),
      quoted(checkout .. "/examples"), quoted(work .. "/examples"))))
   local log = work .. "/printed.txt"
   local ok = os.execute(("cd %s && COLUMNS=80 LUA_PATH=%s LUA_CPATH=%s %s %s >%s 2>&1 </dev/null"):format(quoted(work),
      quoted(checkout .. "/lua/?.lua;" .. checkout .. "/lua/?/init.lua;;"),
      quoted(checkout .. "/" .. (os.getenv "BUILD" or "build") .. "/?.so;" .. package.cpath), interpreter(), path,
      quoted(checkout .. "/" .. log)))
   local printed = documents.read(log)
   if not ok then error(("manual: %s failed:\n%s"):format(path, printed), 0) end
   -- pictures in the order in which they were saved
   local find = "cd %s && find . \\( -name '*.svg' -o -name '*.png' \\) -exec ls -tr {} +"
   local pictures = lines_of(find:format(quoted(work)))
   return printed, pictures, work
end

local function figures(name, pictures, work, folder)
   local out = {}
   for _, picture in ipairs(pictures) do
      local file = name .. "-" .. picture:match "[^/]+$"
      assert(os.execute(("cp %s %s"):format(quoted(work .. "/" .. picture), quoted(folder .. "/" .. file))))
      local label = picture:match "([^/]+)%.%w+$":gsub("[_-]", " ")
      out[#out + 1] = ('<figure><img src="%s" alt="%s" loading="lazy"/><figcaption>%s</figcaption></figure>'):format(
         html.escape(file), html.escape(label), html.escape(label))
   end
   return table.concat(out, "\n")
end

-- Paragraphs of a comment as HTML; indented paragraphs are formulas or commands.
local function prose(paragraphs)
   local out = {}
   for i, text in ipairs(paragraphs) do
      if text:find "^%s%s+" then
         out[i] = "<pre><code>" .. html.escape(text:match "^%s*(.-)%s*$") .. "</code></pre>"
      else
         out[i] = "<p>" .. html.text(text) .. "</p>"
      end
   end
   return table.concat(out, "\n")
end

-- The page title: the text before the first colon of the comment if it is short, else the file name.
local function title_of(name, comment)
   local words = comment and comment:match "^([^:.\n]+):"
   if words and #words <= 32 then name = words end
   return (name:sub(1, 1):upper() .. name:sub(2):gsub("_", " "))
end

-- The paragraphs of the leading comment of a C program, and the code after it.
local function split_c_comment(source)
   local comment, rest = source:match "^/%*(.-)%*/%s*(.*)$"
   local lines = {}
   for line in ((comment or "") .. "\n"):gmatch "(.-)\n" do
      lines[#lines + 1] = line:match "^ %* ?(.*)$" or line:match "^ ?(.*)$"
   end
   local paragraphs = {}
   for paragraph in (table.concat(lines, "\n") .. "\n\n"):gmatch "(.-)\n%s*\n+" do
      if paragraph:find "%S" then paragraphs[#paragraphs + 1] = paragraph end
   end
   return paragraphs, rest
end

-- Add a page for each host program in C. They are not run here; the tests build and run them.
local function add_hosts(site, section)
   for _, path in ipairs(lines_of "ls examples/host/*.c 2>/dev/null") do
      local name = path:match "([^/]+)%.c$"
      local comment, code = split_c_comment(documents.read(path))
      local brief = (comment[1] or name):gsub("\n", " ")
      local title = "Host: " .. name:gsub("_", " ")
      site:add { file = "host-" .. name:gsub("_", "-") .. ".html", section = section, title = title, brief = brief,
         path = path, body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", prose(comment),
            '<p class="soft">' .. html.code(path) .. "</p>",
            html.c(code) }, "\n") }
   end
end

--- Add a page for each program in examples/. Pictures are copied to `folder`, the output folder of the manual.
function M.add(site, section, folder)
   for _, path in ipairs(lines_of "ls examples/*.lua") do
      local name = path:match "([^/]+)%.lua$"
      local comment, code = split_comment(documents.read(path))
      local printed, pictures, work = run(path, folder)
      local title = title_of(name, comment[1])
      local brief = (comment[1] or title):gsub("\n", " ")
      local more = figures(name, pictures, work, folder)
      site:add { file = "example-" .. name .. ".html", section = section, title = title, path = path,
         brief = brief:match "^.-[.?!]%f[%s\0]" or brief,
         body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", prose(comment),
            '<p class="soft">' .. html.code(path) .. "</p>", html.lua(code),
            printed:find "%S" and "<h2>Output</h2>\n" .. html.output(printed) or "",
            more ~= "" and "<h2>Pictures</h2>\n<div class=\"figures\">" .. more .. "</div>" or "" }, "\n") }
   end
   os.execute("rm -rf " .. quoted(folder .. "/run"))
   add_hosts(site, section)
end

return M
