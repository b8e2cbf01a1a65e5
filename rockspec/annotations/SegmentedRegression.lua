---@meta _
-- luacheck: ignore
-- ml.SegmentedRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SegmentedRegression.Params
---@field column? integer # the column that is broken; the others are linear; default 1; a whole number >= 1
---@field n_breakpoints? integer # how many; nil: chosen by BIC; default nil; a whole number >= 0 or nil
---@field max_breakpoints? integer # most that BIC may choose; default 3; a whole number from 0 to 1000
---@field segments? "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines, levels: a line, or a level, of its own in each segment; default "joined"; one of joined, lines, levels
---@field min_segment? number # least share of the rows in a segment; default 0.05; a number > 0 and < 1

---A column whose line breaks at places that are estimated, or jumps there.
---
---sum_i w_i (y_i - x_i b - a_s - d_s z_i)^2, s counting the breakpoints below z_i
---
---Joined: from the best places of a grid, and again from each breakpoint's best place given the others, by the
---steps of R's segmented, which agree on breakpoints, slopes and standard errors; no random restarts, so no seed.
---A breakpoint's standard error tells nothing where the slope hardly changes. Lines and levels: the exact minimum
---by dynamic programming, in time that grows with the square of the rows, as strucchange has it; the other
---columns and the breakpoints take turns, a breakpoint is the last z before it, and slopes have the errors of
---known breakpoints.
---@class manilius.SegmentedRegression: manilius.Regressor
---@field column integer # the column that is broken; the others are linear
---@field n_breakpoints? integer # how many; nil: chosen by BIC
---@field max_breakpoints integer # most that BIC may choose
---@field segments "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines, levels: a line, or a level, of its own in each segment
---@field min_segment number # least share of the rows in a segment
---@field breakpoints manilius.Vector # learned: where the column is broken, ascending, breaks
---@field breakpoint_se manilius.Vector # learned: their standard errors; nan unless joined, breaks
---@field slope manilius.Vector # learned: of y along the column in each segment, segments
---@field slope_se manilius.Vector # learned: standard errors of the slopes, segments
---@field intercept manilius.Vector # learned: constant term of each segment, segments
---@field coef manilius.Vector # learned: weights of the other columns; 0 for the one that is broken, features
---@field bic_path manilius.Vector # learned: BIC of 0, 1, ... breakpoints, tried
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field df number # learned: n less all coefficients and breakpoints
---@field rss number # learned: sum of squared residuals
---@field tss number # learned: sum of squares of y about its mean
---@field loglik number # learned: log likelihood of normal errors
---@field bic number # learned: log(n) times all parameters, breakpoints and variance among them, - 2 loglik
local SegmentedRegression = {}

---The same settings, not fitted.
---@return manilius.SegmentedRegression
function SegmentedRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SegmentedRegression
function SegmentedRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SegmentedRegression
function SegmentedRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function SegmentedRegression:set_params(values) end

---breakpoints and slopes with standard errors and confidence intervals, and how good the fit is. Gives
---breakpoints and slopes (Frames: estimate, std_error, low, high), sigma, df, r2, loglik, bic; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function SegmentedRegression:summary(options) end

---@class manilius
local ml = {}

---A column whose line breaks at places that are estimated, or jumps there.
---@param params? manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function ml.SegmentedRegression(params) end
