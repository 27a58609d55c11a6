-- The function of V5, without the bans that nodes write and purge. Nobody gets more rights to it than before.
CREATE OR REPLACE FUNCTION weir.weir_change() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  is_trusted CONSTANT boolean := has_table_privilege(
    coalesce(nullif(current_setting('role', true), 'none'), session_user::text)::name,
    format('%I.rule_changes', 'weir'), 'INSERT');
  author CONSTANT text := CASE
    WHEN is_trusted THEN coalesce(nullif(current_setting('weir.author', true), ''), session_user::text)
    ELSE session_user::text END;
  was jsonb;
  is_now jsonb;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = TG_RELID AND n.nspname = 'weir' AND c.relname IN (
        'rate_limit_rules', 'user_tiers', 'operation_costs', 'switches', 'user_quotas',
        'quota_grants', 'anomalies', 'tier_upgrade_requests', 'access_list')) THEN
    RAISE EXCEPTION 'weir_change serves the tables of Weir, and not %', TG_RELID::regclass
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format(
      'INSERT INTO %1$I.rule_changes (at, by, table_name, row_key, before)'
        || ' SELECT clock_timestamp(), $1, $2, r.%2$I::text, to_jsonb(r) FROM %1$I.%3$I r',
      TG_TABLE_SCHEMA, TG_ARGV[0], TG_TABLE_NAME)
      USING author, TG_TABLE_NAME;
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    was := to_jsonb(OLD);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    is_now := to_jsonb(NEW);
  END IF;
  -- Nodes number the bans that they write, and purge those that have ended. All else is in the history.
  IF coalesce(was ->> 'action', 'BAN') = 'BAN' AND coalesce(is_now ->> 'action', 'BAN') = 'BAN'
    AND (CASE TG_OP
      WHEN 'DELETE' THEN (was ->> 'ban_number') IS NOT NULL
        AND (was ->> 'valid_until')::timestamptz <= clock_timestamp()
      ELSE (was ->> 'ban_number') IS DISTINCT FROM (is_now ->> 'ban_number') END) THEN
    RETURN NULL;
  END IF;
  IF (was ->> TG_ARGV[0]) <> (is_now ->> TG_ARGV[0]) THEN
    INSERT INTO weir.rule_changes (at, by, table_name, row_key, before)
      VALUES (clock_timestamp(), author, TG_TABLE_NAME, was ->> TG_ARGV[0], was);
    was := NULL;
  END IF;
  INSERT INTO weir.rule_changes (at, by, table_name, row_key, before, after)
    VALUES (clock_timestamp(), author, TG_TABLE_NAME,
      coalesce(is_now ->> TG_ARGV[0], was ->> TG_ARGV[0]), was, is_now);
  RETURN NULL;
END $$;
