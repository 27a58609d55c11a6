CREATE TRIGGER IF NOT EXISTS weir.access_list_weir_stamp BEFORE INSERT, UPDATE ON weir.access_list
  FOR EACH ROW CALL 'io.weir.internal.rules.database.StampTrigger';

CREATE TRIGGER IF NOT EXISTS weir.access_list_weir_change AFTER INSERT, UPDATE, DELETE ON weir.access_list
  FOR EACH ROW CALL 'io.weir.internal.rules.database.ChangeTrigger';
