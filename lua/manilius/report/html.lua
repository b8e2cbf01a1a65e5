--- HTML elements as values. Strings are text and are escaped; only fragments are inserted as HTML.
--
--    html.p { class = "note", "a < b, ", html.b { "bold" } }  -->  <p class="note">a &lt; b, <b>bold</b></p>

local M = {}

local Fragment = { __name = "Fragment" }
Fragment.__tostring = function(self) return self.text end

--- Text that is HTML already.
function M.raw(text)
   return setmetatable({ text = text }, Fragment)
end

local MARKS = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
local UNKNOWN = "\u{FFFD}"

-- Replaces invalid UTF-8 bytes by U+FFFD.
local function as_utf8(text)
   if utf8.len(text) then return text end
   local out, from = {}, 1
   while from <= #text do
      local _, bad = utf8.len(text, from)
      if not bad then
         out[#out + 1] = text:sub(from)
         break
      end
      out[#out + 1] = text:sub(from, bad - 1) .. UNKNOWN
      from = bad + 1
   end
   return table.concat(out)
end

--- A text escaped for HTML; control characters and invalid UTF-8 are replaced by U+FFFD.
function M.escape(text)
   text = as_utf8(tostring(text)):gsub("[%z\1-\8\11\12\14-\31\127]", UNKNOWN)
   return (text:gsub("[&<>\"']", MARKS))
end

local function put(out, value)
   if getmetatable(value) == Fragment then
      out[#out + 1] = value.text
   elseif type(value) == "table" then
      for _, one in ipairs(value) do put(out, one) end
   elseif value then
      out[#out + 1] = M.escape(value)
   end
end

--- Concatenate texts, fragments and lists of them; false is skipped.
function M.join(list)
   local out = {}
   put(out, list)
   return M.raw(table.concat(out))
end

local function attributes(content)
   local names, out = {}, {}
   for name, value in pairs(content) do
      if type(name) == "string" and value then names[#names + 1] = name end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      out[#out + 1] = content[name] == true and " " .. name or (' %s="%s"'):format(name, M.escape(content[name]))
   end
   return table.concat(out)
end

local EMPTY = { br = true, meta = true, rect = true, col = true }

local function element(name)
   return function(content)
      if type(content) ~= "table" or getmetatable(content) == Fragment then content = { content } end
      local open = ("<%s%s>"):format(name, attributes(content))
      if EMPTY[name] then return M.raw(open:sub(1, -2) .. "/>") end
      return M.raw(("%s%s</%s>"):format(open, M.join(content).text, name))
   end
end

--- A table that scrolls horizontally when it is too wide.
-- @param about { head = list of texts, rows = list of lists of cells, align = "lrr" (l: text, r: numbers), class =,
--   stack = stack the cells of a row on a narrow page }. A cell is text or a fragment; the first cell of a row is its
--   header.
function M.data_table(about)
   local function class_of(j) return about.align and about.align:sub(j, j) == "r" and "number" or nil end
   local head, body = {}, {}
   for j, cell in ipairs(about.head) do head[j] = M.th { scope = "col", class = class_of(j), cell } end
   for i, row in ipairs(about.rows) do
      local cells = {}
      for j, cell in ipairs(row) do
         cells[j] = j == 1 and M.th { scope = "row", cell }
            or M.td { class = class_of(j), ["data-label"] = about.head[j], cell }
      end
      body[i] = M.tr { class = row.class, cells }
   end
   local class = (about.class or "") .. (about.stack and " stack" or "")
   return M.div { class = "scroll", tabindex = "0",
      M.table { class = class ~= "" and class or nil, M.thead { M.tr(head) }, M.tbody(body) } }
end

return setmetatable(M, { __index = function(self, name)
   local made = element(name)
   rawset(self, name, made)
   return made
end })
