-- Bans are entries with an end that Weir makes. ban_key stands for the policy and the caller, of which all
-- nodes together have one row. ban_number is higher the later a ban was written, so that nodes read new ones.

-- A policy may count by several parts of a caller.
ALTER TABLE weir.access_list ALTER COLUMN subject SET DATA TYPE VARCHAR(2100);

ALTER TABLE weir.access_list ADD COLUMN IF NOT EXISTS policy VARCHAR(200);

ALTER TABLE weir.access_list ADD COLUMN IF NOT EXISTS ban_key VARCHAR(100);

ALTER TABLE weir.access_list ADD COLUMN IF NOT EXISTS ban_number BIGINT;

CREATE UNIQUE INDEX IF NOT EXISTS access_list_ban_key ON weir.access_list (ban_key);

CREATE INDEX IF NOT EXISTS access_list_ban_number ON weir.access_list (ban_number);

CREATE INDEX IF NOT EXISTS access_list_policy ON weir.access_list (policy, valid_until);

-- The last ban_number. A node that writes bans locks its row, so that they are committed in this order.
ALTER TABLE weir.weir_duties ADD COLUMN IF NOT EXISTS number BIGINT;
