-- The classes are those of weir-rules, which whoever opens the file alone needs on the class path.

CREATE TRIGGER IF NOT EXISTS rate_limit_rules_weir_stamp BEFORE INSERT, UPDATE ON rate_limit_rules
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS rate_limit_rules_weir_change AFTER INSERT, UPDATE, DELETE ON rate_limit_rules
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS user_tiers_weir_stamp BEFORE INSERT, UPDATE ON user_tiers
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS user_tiers_weir_change AFTER INSERT, UPDATE, DELETE ON user_tiers
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS operation_costs_weir_stamp BEFORE INSERT, UPDATE ON operation_costs
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS operation_costs_weir_change AFTER INSERT, UPDATE, DELETE ON operation_costs
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS switches_weir_stamp BEFORE INSERT, UPDATE ON switches
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS switches_weir_change AFTER INSERT, UPDATE, DELETE ON switches
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS user_quotas_weir_stamp BEFORE INSERT, UPDATE ON user_quotas
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS user_quotas_weir_change AFTER INSERT, UPDATE, DELETE ON user_quotas
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS quota_grants_weir_stamp BEFORE INSERT, UPDATE ON quota_grants
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS quota_grants_weir_change AFTER INSERT, UPDATE, DELETE ON quota_grants
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS access_tokens_weir_stamp BEFORE INSERT, UPDATE ON weir_access_tokens
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS access_tokens_weir_change AFTER INSERT, UPDATE, DELETE ON weir_access_tokens
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS sessions_weir_stamp BEFORE INSERT, UPDATE ON weir_sessions
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS sessions_weir_change AFTER INSERT, UPDATE, DELETE ON weir_sessions
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS anomalies_weir_stamp BEFORE INSERT, UPDATE ON anomalies
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS anomalies_weir_change AFTER INSERT, UPDATE, DELETE ON anomalies
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';

CREATE TRIGGER IF NOT EXISTS tier_upgrade_requests_weir_stamp BEFORE INSERT, UPDATE ON tier_upgrade_requests
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS tier_upgrade_requests_weir_change AFTER INSERT, UPDATE, DELETE ON tier_upgrade_requests
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';
