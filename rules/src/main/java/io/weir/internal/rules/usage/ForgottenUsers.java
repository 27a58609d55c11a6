package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.RuleDatabase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.Set;

/** Who was forgotten within the last minute, by whichever node. Confine to one thread. */
final class ForgottenUsers {
  static final String TABLE = "weir_forgotten";

  private final RuleDatabase database;

  ForgottenUsers(RuleDatabase database) {
    this.database = database;
  }

  Set<String> read() {
    return database.inTransaction(
        "usage can't be written",
        connection -> {
          Set<String> users = new HashSet<>();
          if (!database.dialect().tables(connection, Set.of(TABLE)).isEmpty()) {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT user_id FROM " + TABLE);
                ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                users.add(rows.getString(1));
              }
            }
          }
          return users;
        });
  }
}
