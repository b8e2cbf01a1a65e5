---@meta _
-- luacheck: ignore
-- ml.SegmentedRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SegmentedRegression.Params
---@field column? integer # index of the segmented column; the other columns enter linearly; default 1; a whole number >= 1
---@field n_breakpoints? integer # number of breakpoints; nil means chosen by BIC; default nil; a whole number >= 0 or nil
---@field max_breakpoints? integer # maximum number of breakpoints tried if n_breakpoints is nil; default 3; a whole number from 0 to 1000
---@field segments? "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines: a separate line in each segment; levels: a separate constant in each segment; default "joined"; one of joined, lines, levels
---@field min_segment? number # minimum share of the rows in each segment; default 0.05; a number > 0 and < 1

---Piecewise linear or constant regression with estimated breakpoints.
---
---sum_i w_i (y_i - x_i b - a_s - d_s z_i)^2, s being the number of breakpoints below z_i
---
---Joined lines: grid search for starting points, then the iteration of R's segmented, repeated for each
---breakpoint given the others; deterministic. The standard error of a breakpoint is unreliable if the slope
---hardly changes there. Lines and levels: exact minimum by dynamic programming, as in strucchange, in time
---quadratic in the rows; coefficients of the other columns and breakpoints are updated in turn. Their slopes have
---standard errors for known breakpoints.
---@class manilius.SegmentedRegression: manilius.Regressor
---@field column integer # index of the segmented column; the other columns enter linearly
---@field n_breakpoints? integer # number of breakpoints; nil means chosen by BIC
---@field max_breakpoints integer # maximum number of breakpoints tried if n_breakpoints is nil
---@field segments "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines: a separate line in each segment; levels: a separate constant in each segment
---@field min_segment number # minimum share of the rows in each segment
---@field breakpoints manilius.Vector # learned: breakpoints, ascending, breaks
---@field breakpoint_se manilius.Vector # learned: standard errors of the breakpoints; nan unless segments is joined, breaks
---@field slope manilius.Vector # learned: slope in each segment, segments
---@field slope_se manilius.Vector # learned: standard errors of the slopes, segments
---@field intercept manilius.Vector # learned: intercept of each segment, segments
---@field coef manilius.Vector # learned: coefficients of the other columns; 0 for the segmented column, features
---@field bic_path manilius.Vector # learned: BIC with 0, 1, ... breakpoints, tried
---@field n number # learned: sum of the sample weights; the number of rows if there are none
---@field df number # learned: residual degrees of freedom: n minus the number of coefficients and breakpoints
---@field rss number # learned: residual sum of squares
---@field tss number # learned: total sum of squares of y about its mean
---@field loglik number # learned: log likelihood with normal errors
---@field bic number # learned: log(n) times the number of parameters (coefficients, breakpoints and variance) - 2 loglik
local SegmentedRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.SegmentedRegression
function SegmentedRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SegmentedRegression
function SegmentedRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.SegmentedRegression
function SegmentedRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function SegmentedRegression:set_params(values) end

---breakpoints and slopes with standard errors, confidence intervals and goodness of fit. Gives breakpoints and
---slopes (Frames: estimate, std_error, low, high), sigma, df, r2, loglik, bic; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function SegmentedRegression:summary(options) end

---@class manilius
local ml = {}

---Piecewise linear or constant regression with estimated breakpoints.
---@param params? manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function ml.SegmentedRegression(params) end
