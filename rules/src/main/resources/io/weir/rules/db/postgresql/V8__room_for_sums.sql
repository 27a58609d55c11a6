-- Sums are added to again and again. Where a page has room for the new version of a row, no index is
-- written, and nothing is left to VACUUM.
ALTER TABLE usage_hourly SET (fillfactor = 50);

ALTER TABLE usage_daily SET (fillfactor = 50);

ALTER TABLE usage_total SET (fillfactor = 50);
