--- The cookbook: every example as a page of its leading comment, its code, what it prints and the pictures it saves.
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

local here = lines_of "pwd"[1]

local function interpreter()
   local at = 0
   while arg and arg[at - 1] do at = at - 1 end
   return at < 0 and arg[at] or "lua5.4"
end

-- The comment that an example begins with, without the lines that say how to run it; and the code below.
local function parted(source)
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

-- In a folder of its own, where `examples` is as in the tree, so that all pictures found there are its own.
local function run(path, folder)
   local work = folder .. "/run/" .. path:match "([^/]+)%.lua$"
   assert(os.execute(("rm -rf %s && mkdir -p %s && ln -s %s %s"):format(quoted(work), quoted(work .. "/build/demo"),
      quoted(here .. "/examples"), quoted(work .. "/examples"))))
   local log = work .. "/printed.txt"
   local ok = os.execute(("cd %s && COLUMNS=80 LUA_PATH=%s LUA_CPATH=%s %s %s >%s 2>&1 </dev/null"):format(quoted(work),
      quoted(here .. "/lua/?.lua;" .. here .. "/lua/?/init.lua;;"),
      quoted(here .. "/" .. (os.getenv "BUILD" or "build") .. "/?.so;" .. package.cpath), interpreter(), path,
      quoted(here .. "/" .. log)))
   local printed = documents.read(log)
   if not ok then error(("manual: %s failed:\n%s"):format(path, printed), 0) end
   -- in the order in which they were saved
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

-- Comments are plain text; what is indented in them is a formula or a command.
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

-- The words before the first colon of the comment, where they are few; else the name of the file.
local function title_of(name, comment)
   local words = comment and comment:match "^([^:.\n]+):"
   if words and #words <= 32 then name = words end
   return (name:sub(1, 1):upper() .. name:sub(2):gsub("_", " "))
end

-- The comment that a C program begins with, and the code below.
local function parted_c(source)
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

-- Programs in C are shown; the specs build and run them.
local function add_hosts(site, section)
   for _, path in ipairs(lines_of "ls examples/host/*.c 2>/dev/null") do
      local name = path:match "([^/]+)%.c$"
      local comment, code = parted_c(documents.read(path))
      local brief = (comment[1] or name):gsub("\n", " ")
      local title = "Host: " .. name:gsub("_", " ")
      site:add { file = "host-" .. name:gsub("_", "-") .. ".html", section = section, title = title, brief = brief,
         path = path, body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", prose(comment),
            '<p class="soft">' .. html.code(path) .. "</p>",
            html.c(code) }, "\n") }
   end
end

--- Add a page for each program in `examples`; `folder` is where the manual goes, and where pictures are put.
function M.add(site, section, folder)
   for _, path in ipairs(lines_of "ls examples/*.lua") do
      local name = path:match "([^/]+)%.lua$"
      local comment, code = parted(documents.read(path))
      local printed, pictures, work = run(path, folder)
      local title = title_of(name, comment[1])
      local brief = (comment[1] or title):gsub("\n", " ")
      local more = figures(name, pictures, work, folder)
      site:add { file = "example-" .. name .. ".html", section = section, title = title, path = path,
         brief = brief:match "^.-[.?!]%f[%s\0]" or brief,
         body = table.concat({ "<h1>" .. html.escape(title) .. "</h1>", prose(comment),
            '<p class="soft">' .. html.code(path) .. "</p>", html.lua(code),
            printed:find "%S" and "<h2>What it prints</h2>\n" .. html.output(printed) or "",
            more ~= "" and "<h2>What it draws</h2>\n<div class=\"figures\">" .. more .. "</div>" or "" }, "\n") }
   end
   os.execute("rm -rf " .. quoted(folder .. "/run"))
   add_hosts(site, section)
end

return M
