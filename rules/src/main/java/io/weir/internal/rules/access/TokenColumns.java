package io.weir.internal.rules.access;

import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.access.AccessToken;
import java.time.Instant;

/** Names the columns of {@code weir_access_tokens}, and reads its rows. */
final class TokenColumns {
  static final String HASH = "hash";
  static final String NAME = "name";
  static final String ROLE = "role";
  static final String USER = "user_id";
  static final String VALID_UNTIL = "valid_until";
  static final String LAST_USED = "last_used";

  private static final int ID_DIGITS = 12;

  private TokenColumns() {}

  static AccessToken read(StoredRow row) {
    return new AccessToken(
        id(row.key()),
        row.column(NAME).orElse(""),
        row.column(ROLE).orElse(""),
        row.column(USER),
        row.column("created_at").map(Instant::parse),
        row.column(VALID_UNTIL).map(Instant::parse),
        row.column(LAST_USED).map(Instant::parse));
  }

  static String id(String hash) {
    return hash.substring(0, Math.min(ID_DIGITS, hash.length()));
  }
}
