-- Tokens and sessions are compared by nodes, and are in no history: each sign-in would stay there.
DROP TRIGGER IF EXISTS access_tokens_weir_change;

DROP TRIGGER IF EXISTS sessions_weir_change;
