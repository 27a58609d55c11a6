-- The reach of a rule's limit where there are several regions. It can be repeated.

ALTER TABLE weir.rate_limit_rules ADD COLUMN IF NOT EXISTS scope VARCHAR(20);
