---@meta _
-- luacheck: ignore
-- Ways to split.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of rows, each tested once.
---@class manilius.KFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local KFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function KFold:split(X, y, groups) end

---@class manilius.StratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds, each with the classes of y in proportion.
---@class manilius.StratifiedKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local StratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function StratifiedKFold:split(X, y, groups) end

---@class manilius.GroupKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of whole groups: no group is in train and test at once.
---@class manilius.GroupKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local GroupKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupKFold:split(X, y, groups) end

---@class manilius.LeaveOneOut.Params
---@field [any] any

---Each row tested alone.
---@class manilius.LeaveOneOut
local LeaveOneOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeaveOneOut:split(X, y, groups) end

---@class manilius.LeavePOut.Params
---@field p? integer # rows that are tested together; default 2
---@field [integer] any

---Each set of p rows tested.
---@class manilius.LeavePOut
---@field p? integer # rows that are tested together
local LeavePOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeavePOut:split(X, y, groups) end

---@class manilius.RepeatedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # how often, each time in another order; default 10
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---KFold several times, shuffled anew each time.
---@class manilius.RepeatedKFold
---@field k? integer # number of folds
---@field repeats? integer # how often, each time in another order
---@field seed? integer # of the random numbers
local RepeatedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedKFold:split(X, y, groups) end

---@class manilius.RepeatedStratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # how often, each time in another order; default 10
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---StratifiedKFold several times, shuffled anew each time.
---@class manilius.RepeatedStratifiedKFold
---@field k? integer # number of folds
---@field repeats? integer # how often, each time in another order
---@field seed? integer # of the random numbers
local RepeatedStratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedStratifiedKFold:split(X, y, groups) end

---@class manilius.ShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.1
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random train and test rows, n times over.
---@class manilius.ShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local ShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function ShuffleSplit:split(X, y, groups) end

---@class manilius.StratifiedShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.1
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random train and test rows with the classes of y in proportion, n times over.
---@class manilius.StratifiedShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local StratifiedShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return any
function StratifiedShuffleSplit:split(X, y, groups) end

---@class manilius.GroupShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.2
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random groups for train and test, n times over; shares are of the groups.
---@class manilius.GroupShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local GroupShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupShuffleSplit:split(X, y, groups) end

---@class manilius.TimeSeriesSplit.Params
---@field k? integer # number of folds; default 5
---@field gap? integer # rows left out between train and test; default 0
---@field test_size? integer # rows of a test; nil: n / (k + 1); default nil
---@field max_train? integer # most train rows; nil: all before the test; default nil
---@field [integer] any

---Tests that follow their train rows in time: the train rows grow from split to split.
---@class manilius.TimeSeriesSplit
---@field k? integer # number of folds
---@field gap? integer # rows left out between train and test
---@field test_size? integer # rows of a test; nil: n / (k + 1)
---@field max_train? integer # most train rows; nil: all before the test
local TimeSeriesSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function TimeSeriesSplit:split(X, y, groups) end
