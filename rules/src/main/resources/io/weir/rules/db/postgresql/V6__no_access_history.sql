-- Tokens and sessions are compared by nodes, and are in no history: each sign-in would stay there.
DROP TRIGGER IF EXISTS access_tokens_weir_change ON weir_access_tokens;

DROP TRIGGER IF EXISTS access_tokens_weir_truncate ON weir_access_tokens;

DROP TRIGGER IF EXISTS sessions_weir_change ON weir_sessions;

DROP TRIGGER IF EXISTS sessions_weir_truncate ON weir_sessions;
