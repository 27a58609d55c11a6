-- What each node has done between its last two reports, and who it is: a node writes only its own row.
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS instance VARCHAR(50);
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS version VARCHAR(50);
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS rules_version BIGINT;
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS clock_offset_millis BIGINT;
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS interval_millis BIGINT;
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS exchanges BIGINT;
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS outcomes VARCHAR;
ALTER TABLE weir_nodes ADD COLUMN IF NOT EXISTS policies_left_out BIGINT;

-- What all nodes have decided by policy and hour.
CREATE TABLE IF NOT EXISTS weir_outcomes_hourly (
  policy VARCHAR(100) NOT NULL,
  starts_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  admitted BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  shadow_refused BIGINT NOT NULL,
  degraded BIGINT NOT NULL,
  PRIMARY KEY (starts_at, policy)
);

CREATE INDEX IF NOT EXISTS weir_outcomes_hourly_policy ON weir_outcomes_hourly (policy, starts_at);
