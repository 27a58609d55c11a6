-- Columns that Weir would have added and that were there before it: they, and what is in them, are
-- somebody else's.
CREATE TABLE IF NOT EXISTS weir_adopted (
  table_name VARCHAR(100) NOT NULL,
  column_name VARCHAR(100) NOT NULL,
  PRIMARY KEY (table_name, column_name)
);

-- Digests of users that were forgotten within the last days: nodes that were cut off meanwhile drop
-- what they have collected of them.
CREATE TABLE IF NOT EXISTS weir_forgotten_digests (
  digest VARCHAR(100) NOT NULL,
  at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (digest, at)
);

CREATE INDEX IF NOT EXISTS weir_forgotten_digests_time ON weir_forgotten_digests (at);

-- Where users are forgotten in tables of many rows.
CREATE INDEX IF NOT EXISTS usage_minutes_user ON usage_minutes (user_id);

CREATE INDEX IF NOT EXISTS anomalies_user ON anomalies (user_id);

CREATE INDEX IF NOT EXISTS weir_access_tokens_user ON weir_access_tokens (user_id);

CREATE INDEX IF NOT EXISTS weir_sessions_user ON weir_sessions (user_id);
