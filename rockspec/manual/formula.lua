--- Formulas of the help as HTML: "sum_i w_i |y_i - x_i b|^2" with subscripts, superscripts, Greek letters and symbols.
-- @module manual.formula

local html = require "manual.html"

local M = {}

local greek = { alpha = "α", lambda = "λ", gamma = "γ", epsilon = "ε", eta = "η", theta = "θ", kappa = "κ", mu = "μ",
   pi = "π", rho = "ρ", sigma = "σ", tau = "τ", omega = "ω", delta = "δ", nu = "ν", phi = "φ", psi = "ψ", Phi = "Φ",
   Theta = "Θ" }

local symbols = { [">="] = "≥", ["<="] = "≤", ["*"] = "·", ["'"] = "′", ["~"] = "∼", ["-"] = "−" }

-- Names that are a letter with an index, an accent or a power.
local special = { log2 = "log<sub>2</sub>", yhat = "<i>ŷ</i>", s2 = "<i>s</i><sup>2</sup>" }

-- A name without an index: a Greek letter, a variable of one letter, or a word.
local function symbol(name)
   if special[name] then return special[name] end
   if greek[name] then return "<i>" .. greek[name] .. "</i>" end
   local index = name:match "^x(%w)$"
   if index then return "<i>x</i><sub>" .. index .. "</sub>" end
   if #name == 1 and name ~= "a" then return "<i>" .. name .. "</i>" end -- "a" alone is the article
   return name
end

local word_indices = { better = true, worse = true, near = true, mid = true, far = true, parent = true }

-- "i", "cj", "k+1" or "better": the index of a variable.
local function is_index(text)
   return #text <= 2 or word_indices[text] ~= nil
end

local function sub(text)
   return "<sub>" .. html.escape(text) .. "</sub>"
end

-- The index that begins at position `at`, as HTML, and the position after it; nil if there is none.
local function index_at(text, at)
   local list = text:match("^_(%b())", at)
   list = list or text:match("^_(%b{})", at)
   if list then return sub(list:sub(2, -2)), at + 1 + #list end
   local name = text:match("^_(%w+%(%l%))", at) or text:match("^_(%w+%+%w+)", at) or text:match("^_(%.?%w+)", at)
   if not name or not is_index(name:match "^%.?%w+") then return nil end
   return sub(name), at + 1 + #name
end

-- A name with its index at position `at`. Underscores in names of parameters, fields and choices begin no index.
local function name_at(text, at, names)
   local whole, base = text:match("^%a[%w_]*", at), text:match("^%a%w*", at)
   if names[whole] and whole ~= base and not greek[base] then return html.code(whole), at + #whole end
   local index, after = index_at(text, at + #base)
   if base == "sum" and not text:find("^sum o", at) then return "∑" .. (index or ""), after or at + #base end
   if base == "prod" and index then return "∏" .. index, after end
   if index then return (base == "a" and "<i>a</i>" or symbol(base)) .. index, after end
   return symbol(whole), at + #whole
end

-- The power that begins at position `at` with "^".
local function power_at(text, at)
   local list = text:match("^%^(%b())", at)
   local exponent = list and list:sub(2, -2) or text:match("^%^(%-?%w[%w/]*)", at)
   if not exponent then return nil end
   return "<sup>" .. (greek[exponent] or exponent:gsub("-", "−")) .. "</sup>", at + 1 + #(list or exponent)
end

-- A minus sign, unless the hyphen joins two words.
local function is_hyphen(text, at)
   return text:sub(at, at) == "-" and text:find("^%a%-%a", at - 1) ~= nil
end

local function other_at(text, at)
   local two = text:sub(at, at + 1)
   if symbols[two] then return symbols[two], at + 2 end
   local one = text:match("^" .. utf8.charpattern, at)
   if is_hyphen(text, at) then return "-", at + 1 end
   return symbols[one] or html.escape(one), at + #one
end

local line

-- The piece at position `at` as HTML, and the position after it.
local function piece_at(text, at, names)
   local inverse, after = text:match("^inv(%b())()", at)
   if inverse then return line(inverse:sub(2, -2), names) .. "<sup>−1</sup>", after end
   local root, rest = text:match("^sqrt(%b())()", at)
   if root then return "√" .. line(root, names), rest end
   if text:find("^%a", at) then return name_at(text, at, names) end
   local number = text:match("^[%d.]*%d", at)
   if number then return number, at + #number end
   local index, next_at = index_at(text, at)
   if not index then index, next_at = power_at(text, at) end
   if index then return index, next_at end
   return other_at(text, at)
end

function line(text, names)
   local out, at = {}, 1
   while at <= #text do
      local piece
      piece, at = piece_at(text, at, names)
      out[#out + 1] = piece
   end
   return table.concat(out)
end

-- Split at semicolons outside of parentheses.
local function clauses(text)
   local list, first, depth = {}, 1, 0
   for at = 1, #text do
      local char = text:sub(at, at)
      if char == "(" then depth = depth + 1 end
      if char == ")" then depth = depth - 1 end
      if char == ";" and depth == 0 then
         list[#list + 1] = text:sub(first, at)
         first = at + 1
      end
   end
   list[#list + 1] = text:sub(first)
   return list
end

--- A formula as HTML, one line per clause.
-- @tparam string text
-- @tparam table|nil names the set of names of parameters, fields and choices; those with an underscore are set as code
function M.html(text, names)
   local out = {}
   for i, clause in ipairs(clauses(text)) do
      out[i] = "<div>" .. line(clause:match "^%s*(.-)%s*$", names or {}) .. "</div>"
   end
   return '<div class="formula">' .. table.concat(out, "\n") .. "</div>"
end

return M
