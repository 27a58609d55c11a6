-- What is kept of a user in the history is found without reading all of it.
CREATE INDEX IF NOT EXISTS rule_changes_user_before ON rule_changes ((before ->> 'user_id'));

CREATE INDEX IF NOT EXISTS rule_changes_user_after ON rule_changes ((after ->> 'user_id'));
