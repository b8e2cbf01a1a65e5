--- A BayesNet as text and as Graphviz source, with bars of the posteriors.

local queries = require "manilius.bayes_net.queries"
local structure = require "manilius.bayes_net.structure"

local M = {}

local BAR = 20 -- characters
local EIGHTHS = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

-- A bar of blocks for a share of 1.
local function bar(share)
   local eighths = math.floor(share * BAR * 8 + 0.5)
   local full = eighths // 8
   local rest = EIGHTHS[eighths % 8] or ""
   return ("█"):rep(full) .. rest, full + (rest ~= "" and 1 or 0)
end

--- What to show of each node: { name =, known = bool, rows = { { label, probability } }, mean =, sd = }; rows are
-- absent for a network without tables.
function M.contents(net, limit, given)
   local out = {}
   local found = net.table and queries.marginals(net, limit, given)
   for v, name in ipairs(net.names) do out[v] = { name = name, known = given ~= nil and given[name] ~= nil } end
   if not found then return out end
   local labels, numbers = rawget(found, "labels"), rawget(found, "numbers")
   local row, number = 0, 0
   for v in ipairs(net.names) do
      if net.levels[v] then
         out[v].rows = {}
         for i, label in ipairs(net.levels[v]) do
            row = row + 1
            out[v].rows[i] = { tostring(label), labels.probability[row] }
         end
      else
         number = number + 1
         out[v].mean, out[v].sd = numbers.mean[number], numbers.sd[number]
      end
   end
   return out
end

local function head_of(net, v, one)
   local names = {}
   for k, u in ipairs(net.parents[v]) do names[k] = net.names[u] end
   return one.name .. (one.known and " (known)" or "") .. (#names > 0 and " <- " .. table.concat(names, ", ") or "")
end

--- The nodes in topological order, each with its parents and bars.
function M.text(net, limit, given)
   local lines, contents = {}, M.contents(net, limit, given)
   for _, v in ipairs(net.order:totable()) do
      local one = contents[v]
      lines[#lines + 1] = head_of(net, v, one)
      local width = 0
      for _, row in ipairs(one.rows or {}) do width = math.max(width, utf8.len(row[1]) or #row[1]) end
      for _, row in ipairs(one.rows or {}) do
         local blocks, size = bar(row[2])
         lines[#lines + 1] = ("   %s%s  %s%s %.4f"):format(row[1],
            (" "):rep(width - (utf8.len(row[1]) or #row[1])), blocks, (" "):rep(BAR - size), row[2])
      end
      if one.mean then lines[#lines + 1] = ("   mean %.6g, sd %.6g"):format(one.mean, one.sd) end
   end
   return table.concat(lines, "\n")
end

-- --- Graphviz ---

local function xml(value)
   return (value:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

local function quoted(value)
   return '"' .. value:gsub('[\\"]', "\\%0") .. '"'
end

local BAR_PIXELS = 60

local function label_of(one)
   local lines = { ("<TR><TD COLSPAN=\"3\"><B>%s</B></TD></TR>"):format(xml(one.name)) }
   for _, row in ipairs(one.rows or {}) do
      local width = math.max(1, math.floor(row[2] * BAR_PIXELS + 0.5))
      lines[#lines + 1] = ("<TR><TD ALIGN=\"LEFT\">%s</TD><TD ALIGN=\"LEFT\" WIDTH=\"%d\"><TABLE BORDER=\"0\" "
         .. "CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"9\" "
         .. "BGCOLOR=\"%s\"></TD></TR></TABLE></TD><TD ALIGN=\"RIGHT\">%.1f%%</TD></TR>"):format(xml(row[1]),
         BAR_PIXELS, width, one.known and "#e69f00" or "#0072b2", 100 * row[2])
   end
   if one.mean then
      lines[#lines + 1] = ("<TR><TD COLSPAN=\"3\">%.4g &#177; %.4g</TD></TR>"):format(one.mean, one.sd)
   end
   return ("<<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"1\" STYLE=\"ROUNDED\">%s</TABLE>>"):format(
      table.concat(lines))
end

--- Source for `dot -Tsvg`.
function M.dot(net, limit, given)
   local lines = { "digraph network {", '  node [shape=plain fontname="DejaVu Sans" fontsize=10];' }
   for v, one in ipairs(M.contents(net, limit, given)) do
      lines[#lines + 1] = ("  %s [label=%s];"):format(quoted(net.names[v]), label_of(one))
   end
   for v, parents in ipairs(net.parents) do
      for _, u in ipairs(parents) do
         lines[#lines + 1] = ("  %s -> %s;"):format(quoted(net.names[u]), quoted(net.names[v]))
      end
   end
   lines[#lines + 1] = "}"
   return table.concat(lines, "\n") .. "\n"
end

M.fail = structure.fail

return M
