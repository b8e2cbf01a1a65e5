---@meta _
-- luacheck: ignore
-- What data and options are given as.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---Rows by columns: a Matrix, a Frame, a sparse matrix, a table of rows, or one row by names.
---@alias manilius.X manilius.Matrix|manilius.Frame|manilius.Sparse|number[][]|table<string, any>

---What is to be predicted: numbers or labels, one for each row.
---@alias manilius.Y manilius.Vector|manilius.Factor|manilius.Matrix|manilius.Frame|any[]

---Numbers in a line.
---@alias manilius.Numbers manilius.Vector|number[]

---One label.
---@alias manilius.Label string|number|boolean

---What a transformer gives.
---@alias manilius.Columns manilius.Matrix|manilius.Frame|manilius.Sparse

---Anything with fit, and predict or transform.
---@alias manilius.Estimator table|userdata

---@class manilius.FitOptions
---@field weights? manilius.Numbers # a weight >= 0 for each row: it counts as that many equal rows
---@field lengths? manilius.Numbers # rows of each sequence
---@field target? manilius.X # a second X
---@field init_score? manilius.Numbers|manilius.Matrix # raw predictions that boosting begins with
---@field classes? manilius.Label[] # of partial_fit: all labels that will ever come
---@field on_iter? fun(done: integer, total: integer, objective: number): nil|"stop"|"cancel" # called after each round
---@field [string] any
