-- Raises version, updated_at and updated_by where the writer didn't. Rows pass as JSON, so that
-- one function serves all tables, and columns that an adopted table lacks are left out.
CREATE OR REPLACE FUNCTION weir_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_new CONSTANT boolean := TG_OP = 'INSERT';
  author CONSTANT text := coalesce(nullif(current_setting('weir.author', true), ''), session_user);
  moment CONSTANT text :=
    to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"');
  was jsonb := '{}';
  is_now jsonb := to_jsonb(NEW);
  stamp jsonb := '{}';
BEGIN
  IF NOT is_new THEN
    was := to_jsonb(OLD);
  END IF;
  IF (is_now ->> 'version') IS NOT DISTINCT FROM (was ->> 'version') THEN
    stamp := stamp || jsonb_build_object('version', coalesce((was ->> 'version')::bigint, 0) + 1);
  END IF;
  IF (is_now ->> 'updated_at') IS NOT DISTINCT FROM (was ->> 'updated_at') THEN
    stamp := stamp || jsonb_build_object('updated_at', moment);
  END IF;
  IF (is_now ->> 'updated_by') IS NOT DISTINCT FROM (was ->> 'updated_by') THEN
    stamp := stamp || jsonb_build_object('updated_by', author);
  END IF;
  IF is_new AND (is_now ->> 'created_at') IS NULL THEN
    stamp := stamp || jsonb_build_object('created_at', moment);
  END IF;
  NEW := jsonb_populate_record(NEW, stamp);
  RETURN NEW;
END $$;

-- Writes each change to rule_changes, with the rights of the owner: whoever may change a rule needs
-- none of the history. A changed key is one row that goes and one that comes.
CREATE OR REPLACE FUNCTION weir_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = "${flyway:defaultSchema}", pg_temp AS $$
DECLARE
  author CONSTANT text := coalesce(nullif(current_setting('weir.author', true), ''), session_user);
  was jsonb;
  is_now jsonb;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format(
      'INSERT INTO rule_changes (at, by, table_name, row_key, before)'
        || ' SELECT clock_timestamp(), $1, $2, r.%I::text, to_jsonb(r) FROM %I.%I r',
      TG_ARGV[0], TG_TABLE_SCHEMA, TG_TABLE_NAME)
      USING author, TG_TABLE_NAME;
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    was := to_jsonb(OLD);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    is_now := to_jsonb(NEW);
  END IF;
  IF (was ->> TG_ARGV[0]) <> (is_now ->> TG_ARGV[0]) THEN
    INSERT INTO rule_changes (at, by, table_name, row_key, before)
      VALUES (clock_timestamp(), author, TG_TABLE_NAME, was ->> TG_ARGV[0], was);
    was := NULL;
  END IF;
  INSERT INTO rule_changes (at, by, table_name, row_key, before, after)
    VALUES (clock_timestamp(), author, TG_TABLE_NAME,
      coalesce(is_now ->> TG_ARGV[0], was ->> TG_ARGV[0]), was, is_now);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER rate_limit_rules_weir_stamp BEFORE INSERT OR UPDATE ON rate_limit_rules
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER rate_limit_rules_weir_change AFTER INSERT OR UPDATE OR DELETE ON rate_limit_rules
  FOR EACH ROW EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER rate_limit_rules_weir_truncate BEFORE TRUNCATE ON rate_limit_rules
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER user_tiers_weir_stamp BEFORE INSERT OR UPDATE ON user_tiers
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER user_tiers_weir_change AFTER INSERT OR UPDATE OR DELETE ON user_tiers
  FOR EACH ROW EXECUTE FUNCTION weir_change('user_id');

CREATE OR REPLACE TRIGGER user_tiers_weir_truncate BEFORE TRUNCATE ON user_tiers
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('user_id');

CREATE OR REPLACE TRIGGER operation_costs_weir_stamp BEFORE INSERT OR UPDATE ON operation_costs
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER operation_costs_weir_change AFTER INSERT OR UPDATE OR DELETE ON operation_costs
  FOR EACH ROW EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER operation_costs_weir_truncate BEFORE TRUNCATE ON operation_costs
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER switches_weir_stamp BEFORE INSERT OR UPDATE ON switches
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER switches_weir_change AFTER INSERT OR UPDATE OR DELETE ON switches
  FOR EACH ROW EXECUTE FUNCTION weir_change('policy');

CREATE OR REPLACE TRIGGER switches_weir_truncate BEFORE TRUNCATE ON switches
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('policy');

CREATE OR REPLACE TRIGGER user_quotas_weir_stamp BEFORE INSERT OR UPDATE ON user_quotas
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER user_quotas_weir_change AFTER INSERT OR UPDATE OR DELETE ON user_quotas
  FOR EACH ROW EXECUTE FUNCTION weir_change('user_id');

CREATE OR REPLACE TRIGGER user_quotas_weir_truncate BEFORE TRUNCATE ON user_quotas
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('user_id');

CREATE OR REPLACE TRIGGER quota_grants_weir_stamp BEFORE INSERT OR UPDATE ON quota_grants
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER quota_grants_weir_change AFTER INSERT OR UPDATE OR DELETE ON quota_grants
  FOR EACH ROW EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER quota_grants_weir_truncate BEFORE TRUNCATE ON quota_grants
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER access_tokens_weir_stamp BEFORE INSERT OR UPDATE ON weir_access_tokens
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER access_tokens_weir_change AFTER INSERT OR UPDATE OR DELETE ON weir_access_tokens
  FOR EACH ROW EXECUTE FUNCTION weir_change('hash');

CREATE OR REPLACE TRIGGER access_tokens_weir_truncate BEFORE TRUNCATE ON weir_access_tokens
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('hash');

CREATE OR REPLACE TRIGGER sessions_weir_stamp BEFORE INSERT OR UPDATE ON weir_sessions
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER sessions_weir_change AFTER INSERT OR UPDATE OR DELETE ON weir_sessions
  FOR EACH ROW EXECUTE FUNCTION weir_change('hash');

CREATE OR REPLACE TRIGGER sessions_weir_truncate BEFORE TRUNCATE ON weir_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('hash');

CREATE OR REPLACE TRIGGER anomalies_weir_stamp BEFORE INSERT OR UPDATE ON anomalies
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER anomalies_weir_change AFTER INSERT OR UPDATE OR DELETE ON anomalies
  FOR EACH ROW EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER anomalies_weir_truncate BEFORE TRUNCATE ON anomalies
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER tier_upgrade_requests_weir_stamp BEFORE INSERT OR UPDATE ON tier_upgrade_requests
  FOR EACH ROW EXECUTE FUNCTION weir_stamp();

CREATE OR REPLACE TRIGGER tier_upgrade_requests_weir_change AFTER INSERT OR UPDATE OR DELETE ON tier_upgrade_requests
  FOR EACH ROW EXECUTE FUNCTION weir_change('id');

CREATE OR REPLACE TRIGGER tier_upgrade_requests_weir_truncate BEFORE TRUNCATE ON tier_upgrade_requests
  FOR EACH STATEMENT EXECUTE FUNCTION weir_change('id');
