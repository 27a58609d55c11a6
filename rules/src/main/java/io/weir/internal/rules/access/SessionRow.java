package io.weir.internal.rules.access;

import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.access.Session;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A row of {@code weir_sessions}.
 *
 * @param madeFrom {@code token:} and the hash of a token, or the digest of a subject
 */
record SessionRow(String madeFrom, Session session) {
  static final String MADE_FROM = "made_from";

  private static final String TOKEN = "token:";
  private static final String ROLES = "roles";
  private static final String USER = "user_id";
  private static final String VALID_UNTIL = "valid_until";

  static SessionRow byToken(Session session, String hash) {
    return new SessionRow(TOKEN + hash, session);
  }

  static SessionRow bySubject(Session session, String subject) {
    return new SessionRow(Sha256Digest.of(subject), session);
  }

  static SessionRow read(StoredRow row) {
    return new SessionRow(
        row.column(MADE_FROM).orElse(""),
        new Session(
            Set.of(row.column(ROLES).orElse("").split(",")),
            row.column(USER),
            row.column(VALID_UNTIL).map(Instant::parse).orElse(Instant.EPOCH)));
  }

  Map<String, String> columns(String hash) {
    Map<String, String> columns = new HashMap<>();
    columns.put(TokenColumns.HASH, hash);
    columns.put(MADE_FROM, madeFrom);
    columns.put(ROLES, String.join(",", session.roles()));
    columns.put(VALID_UNTIL, session.validUntil().toString());
    session.userId().ifPresent(user -> columns.put(USER, user));
    return columns;
  }

  boolean isExpired(Instant now) {
    return !now.isBefore(session.validUntil());
  }

  boolean isByToken() {
    return madeFrom.startsWith(TOKEN);
  }

  /** Returns the hash of the token that it was made from. */
  String token() {
    return madeFrom.substring(TOKEN.length());
  }
}
