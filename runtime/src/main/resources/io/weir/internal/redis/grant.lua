-- How many permits a claim gets of what is left.
permits = needed <= left and needed or left
if permits < atLeast then
  permits = 0
elseif extra > 0 and permits == needed then
  local most = (left - permits) / 8
  most = most - most % 1
  permits = permits + (extra < most and extra or most)
end
