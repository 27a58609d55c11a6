-- How many permits a claim gets of what is left, and whether in a far lease: as BucketState.take.
-- That may hold an eighth of what is left then, never the last quarter of the limit, and all far
-- leases together what OutstandingFarLeases.most says.
permits = needed <= left and needed or left
if permits < atLeast then
  permits = 0
elseif permits == needed and extra + far > 0 then
  local rest = left - permits
  local more = (rest - rest % 8) / 8
  if far > 0 then
    local most = limit < 96 and (limit - limit % 8) / 8 or 12
    if limit >= 208 then
      most = (limit - limit % 16) / 16
    end
    most = most - open - permits
    local quarter = (limit + -limit % 4) / 4
    most = most < rest - quarter and most or rest - quarter
    most = most < more and most or more
    most = most < far and most or far
    lent = most > 0
    permits = lent and permits + most or permits
  end
  if not lent then
    permits = permits + (extra < more and extra or more)
  end
end
