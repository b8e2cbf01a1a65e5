--- The number that most criteria choose, of numbers by criterion; ties: the smallest. nil if there are none.
-- @return the number, and the votes by number
return function(best)
   local votes, winner = {}, nil
   for _, k in pairs(best) do votes[k] = (votes[k] or 0) + 1 end
   for k, count in pairs(votes) do
      if not winner or count > votes[winner] or (count == votes[winner] and k < winner) then winner = k end
   end
   return winner, votes
end
