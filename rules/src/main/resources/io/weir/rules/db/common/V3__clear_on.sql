-- What clears the failures that a rule counts. It can be repeated, as the statements before it.

ALTER TABLE weir.rate_limit_rules ADD COLUMN IF NOT EXISTS clear_on VARCHAR(20);
