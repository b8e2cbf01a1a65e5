--- A figure as a script for gnuplot 5.4 and 6 that includes its data.
--
-- Every text is quoted by text.gnuplot and drawn noenhanced. Data blocks hold only numbers.

local axis = require "manilius.draw.axis"
local layout = require "manilius.draw.layout"
local gnuplot_layers = require "manilius.draw.gnuplot_layers"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}

local quote = text.gnuplot

local function joined(lines)
   return quote(table.concat(lines, "\n"))
end

local function font(size)
   return ("font '%s,%.4g'"):format(theme.font, size)
end

-- Font sizes are pixels in SVG and points in other formats; pdfcairo enlarges them further.
local POINTS, PDF_POINTS = 0.75, 0.5625

--- The command that sets the terminal for a format: svg, png, pdf, sixel, or screen (a PNG for kitty).
function M.terminal(fig, format)
   local w, h = math.floor(fig.width), math.floor(fig.height)
   local common = ("%s background '%s'"):format(font(theme.font_size), theme.background)
   if format == "pdf" then
      return ("set terminal pdfcairo noenhanced size %.4gin,%.4gin fontscale %g linewidth 1 %s"):format(w / 96, h / 96,
         PDF_POINTS, common)
   end
   if format == "sixel" then
      return ("set terminal sixelgd noenhanced truecolor size %d,%d fontscale %g %s"):format(w, h, POINTS, common)
   end
   if format == "png" or format == "screen" then
      local s = format == "png" and theme.png_scale or 1
      return ("set terminal pngcairo noenhanced size %d,%d fontscale %g linewidth %g pointscale %g %s"):format(w * s,
         h * s, s * POINTS, s, s, common)
   end
   return ("set terminal svg noenhanced size %d,%d %s"):format(w, h, common)
end

local function axis_lines(out, name, ticks, angle)
   local list = {}
   if #ticks == 0 then -- with an empty list gnuplot would choose ticks
      out[#out + 1] = ("unset %stics"):format(name)
      return
   end
   for i, tick in ipairs(ticks) do list[i] = ("%s %.15g"):format(text.gnuplot_tick(tick[2]), tick[1]) end
   out[#out + 1] = ("set %stics scale 0.5 nomirror noenhanced textcolor rgb '%s'%s (%s)"):format(name, theme.foreground,
      angle and angle > 0 and (" rotate by %d right"):format(angle) or " norotate", table.concat(list, ", "))
end

-- A position in gnuplot's screen coordinates, from 0 to 1 from the bottom left.
local function screen(fig, x, y)
   return ("screen %.5f, screen %.5f"):format(x / fig.width, 1 - y / fig.height)
end

-- Place a 3-D view, whose margins gnuplot chooses, in an area of the picture.
local function place_view(out, fig, area)
   for _, side in ipairs { "l", "r", "t", "b" } do out[#out + 1] = ("set %smargin -1"):format(side) end
   out[#out + 1] = ("set origin %.5f, %.5f\nset size %.5f, %.5f"):format(area.left / fig.width,
      1 - (area.top + area.height) / fig.height, area.width / fig.width, area.height / fig.height)
end

local function margins(out, fig, box)
   out[#out + 1] = "set origin 0, 0\nset size 1, 1"
   for _, side in ipairs { { "l", box.left / fig.width }, { "r", (box.left + box.width) / fig.width },
      { "t", 1 - box.top / fig.height }, { "b", 1 - (box.top + box.height) / fig.height } } do
      out[#out + 1] = ("set %smargin at screen %.5f"):format(side[1], side[2])
   end
end

local function label(out, value, where, more)
   out[#out + 1] = ("set label %s at %s noenhanced %s"):format(value, where, more)
end

local function color_bar(out, fig, panel, parts)
   local layer = panel.colored
   if not layer then
      out[#out + 1] = "unset colorbox"
      return
   end
   local colors, box = {}, parts.box
   for i, color in ipairs(theme.palettes[layer.palette]) do colors[i] = ("%d '%s'"):format(i - 1, color) end
   out[#out + 1] = ("set palette defined (%s)"):format(table.concat(colors, ", "))
   out[#out + 1] = ("set cbrange [%.10g:%.10g]"):format(layer.low, layer.high)
   local list = {}
   for i, tick in ipairs(parts.color_ticks) do list[i] = ("%s %.15g"):format(text.gnuplot_tick(tick[2]), tick[1]) end
   out[#out + 1] = ("set cbtics scale 0.5 noenhanced textcolor rgb '%s' (%s)"):format(theme.foreground,
      table.concat(list, ", "))
   local left = box.left + box.width + (parts.legend.width > 0 and parts.legend.width + 4 or 0) + 12
   out[#out + 1] = ("set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder"):format(
      left / fig.width, 1 - (box.top + box.height) / fig.height, 16 / fig.width, box.height / fig.height)
   if panel.color_label then
      label(out, quote(layout.truncate(panel.color_label, box.height)), screen(fig, left + 34 + parts.bar_labels,
         box.top + box.height / 2), ("center rotate by 90 textcolor rgb '%s'"):format(theme.foreground))
   end
end

local function frame_lines(out, panel)
   out[#out + 1] = ("set border %d linecolor rgb '%s' linewidth 0.8"):format(panel.three_d and 4095
      or panel.frame and 3 or 0, theme.frame)
   out[#out + 1] = ("set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]"):format(panel.x_low, panel.x_high, panel.y_low,
      panel.y_high)
   for _, name in ipairs { "x", "y", "z" } do
      out[#out + 1] = (panel[name .. "_log"] and "set" or "unset") .. " logscale " .. name
   end
   out[#out + 1] = ("set grid xtics ytics back linecolor rgb '%s' linewidth 0.7 linetype 1"):format(theme.grid)
end

local function text_lines(out, fig, panel, parts)
   local box, foreground = parts.box, ("textcolor rgb '%s'"):format(theme.foreground)
   if #parts.title > 0 then
      label(out, joined(parts.title), screen(fig, box.left, parts.area.top + theme.title_size),
         ("left %s %s"):format(font(theme.title_size), foreground))
   end
   if panel.three_d then return end
   if panel.x then
      label(out, joined(parts.x_lines), screen(fig, box.left + box.width / 2,
         box.top + box.height + parts.x_height + 18), "center " .. foreground)
   end
   if panel.y then
      local left = box.left - parts.y_label_offset - 12 - layout.line_height / 2
      label(out, quote(layout.truncate(panel.y, box.height + 30)), screen(fig, left,
         box.top + box.height / 2), "center rotate by 90 " .. foreground)
   end
end

-- The legend of the whole figure, and its entries as clauses of the plot command.
local function shared_legend(out, fig, parts)
   local list, clauses = parts.legend, {}
   if #list == 0 then return "NaN notitle" end
   local left = math.max(4, (fig.width - (list.total or list.width)) / 2)
   out[#out + 1] = ("set key at %s left top Left reverse horizontal maxcols %d noenhanced noautotitle nobox "
      .. "samplen 1.6 spacing 1.15 textcolor rgb '%s'"):format(screen(fig, left, parts.legend_top), list.columns,
      theme.foreground)
   for i, name in ipairs(list) do clauses[i] = gnuplot_layers.legend_entry(name, fig.entries[i]) end
   return table.concat(clauses, ", \\\n  ")
end

-- The position of the legend, and what else gnuplot needs for it.
local function legend_place(fig, parts)
   local box, list = parts.box, parts.legend
   if list.position == "right" then
      return ("at %s left top Left reverse vertical maxcols 1"):format(screen(fig, box.left + box.width + 4,
         box.top - 4))
   elseif list.position == "below" then
      local left = math.max(parts.area.left + 4, box.left + (box.width - list.total) / 2)
      return ("at %s left top Left reverse horizontal maxcols %d"):format(screen(fig, left, parts.legend_top),
         list.columns)
   end
   return ("inside %s Left reverse vertical maxcols 1 opaque fillcolor rgb '%s'"):format(list.position,
      theme.background)
end

local function legend_lines(out, fig, parts)
   if #parts.legend == 0 then
      out[#out + 1] = "unset key"
      return
   end
   out[#out + 1] = ("set key default\nset key %s noenhanced noautotitle nobox samplen 1.6 spacing 1.15 textcolor rgb "
      .. "'%s'"):format(legend_place(fig, parts), theme.foreground)
end

local function three_d_lines(out, panel)
   out[#out + 1] = ("set zrange [%.17g:%.17g]"):format(panel.z_low, panel.z_high)
   out[#out + 1] = "set ztics scale 0.5 noenhanced autofreq\nset view 62, 32, 1, 1\nset xyplane relative 0"
   for _, name in ipairs { "x", "y", "z" } do
      out[#out + 1] = ("set %slabel %s noenhanced%s"):format(name, quote(text.plain(panel[name] or "")),
         name == "z" and " rotate by 90" or "")
   end
   for _, name in ipairs { "x", "y" } do
      local low, high, log = panel[name .. "_low"], panel[name .. "_high"], panel[name .. "_log"]
      axis_lines(out, name, panel[name .. "_ticks"] or axis.ticks(low, high, 4, log, panel[name .. "_whole"]))
   end
end

local function panel_lines(out, fig, panel, parts, prefix)
   local area = parts.area
   out[#out + 1] = "\nunset label\nunset arrow\nunset object\nunset title\nunset xlabel\nunset ylabel\nunset zlabel"
   if panel.three_d then
      local top = parts.box.top
      place_view(out, fig, { left = area.left, top = top, height = math.max(40, area.top + area.height - top),
         width = math.max(40, area.width - parts.bar_width - parts.legend.width) })
   else
      margins(out, fig, parts.box)
   end
   frame_lines(out, panel)
   axis_lines(out, "x", panel.empty and {} or parts.x_ticks, parts.x_angle)
   axis_lines(out, "y", panel.empty and {} or parts.y_ticks)
   legend_lines(out, fig, parts)
   color_bar(out, fig, panel, parts)
   text_lines(out, fig, panel, parts)
   if panel.three_d then three_d_lines(out, panel) end
   local drawn = gnuplot_layers.draw_panel(panel, parts, prefix)
   table.move(drawn.labels, 1, #drawn.labels, #out + 1, out)
   if panel.empty then label(out, "'no data'", "graph 0.5, graph 0.5", "center") end
   out[#out + 1] = (panel.three_d and "splot " or "plot ") .. table.concat(drawn.plots, ", \\\n  ")
   return drawn.blocks
end

--- The script without terminal and output: data, title and caption, panels.
function M.body(fig)
   local parts, out, blocks = layout.figure(fig), {}, {}
   local panels = layout.panels(fig, parts.areas)
   for i, panel in ipairs(fig.panels) do
      local found = panel_lines(out, fig, panel, panels[i], ("$p%d_"):format(i))
      table.move(found, 1, #found, #blocks + 1, blocks)
   end
   local head = { "set encoding utf8", "set style fill solid 1.0 noborder",
      "set clip two", -- draw lines whose ends rounding puts outside the frame
      "set style textbox opaque fillcolor rgb '#40ffffff' noborder margins 0.3,0.2",
      "set tics font '" .. theme.font .. "'" }
   head[#head + 1] = table.concat(blocks, "\n")
   head[#head + 1] = "set multiplot"
   local foreground = ("textcolor rgb '%s'"):format(theme.foreground)
   local figure_texts = {}
   if #parts.title > 0 then
      label(figure_texts, joined(parts.title), screen(fig, fig.width / 2, 10 + theme.title_size),
         ("center %s %s"):format(font(theme.title_size + 2), foreground))
   end
   if #parts.caption > 0 then
      label(figure_texts, joined(parts.caption), screen(fig, 10, fig.height - 10
         - (#parts.caption - 1) * 1.35 * (theme.font_size - 1)),
         ("left %s textcolor rgb '%s'"):format(font(theme.font_size - 1), theme.frame))
   end
   -- the texts of the figure are drawn by an empty plot
   if #figure_texts > 0 or #parts.legend > 0 then
      table.move({ "unset border", "unset tics", "unset key", "unset colorbox" }, 1, 4, #head + 1, head)
      table.move(figure_texts, 1, #figure_texts, #head + 1, head)
      local clauses = shared_legend(head, fig, parts)
      head[#head + 1] = "plot [0:1][0:1] " .. clauses
   end
   return table.concat(head, "\n") .. "\n" .. table.concat(out, "\n") .. "\nunset multiplot\n"
end

return M
