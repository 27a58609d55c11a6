package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sha256Digest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The users that were forgotten since this node has looked last, by whichever node, as digests: a
 * node that was cut off meanwhile must not write what it has collected of them. All times are the
 * database's, so clocks of nodes don't matter.
 *
 * <p>Confine to one thread.
 */
final class ForgottenDigests {
  static final String TABLE = "weir_forgotten_digests";

  /** So long may a transaction take that forgets somebody: its time is that of its begin. */
  private static final Duration MARGIN = Duration.ofMinutes(5);

  /** Digests are kept for longer, by whatever clock the node has that purges them. */
  private static final Duration KEPT = Duration.ofDays(7);

  private final long startedAt;
  private final Map<String, Instant> applied = new HashMap<>();
  private @Nullable Instant readAt;

  ForgottenDigests() {
    this(System.nanoTime());
  }

  /** Since a node collects, in terms of {@link System#nanoTime}. */
  ForgottenDigests(long startedAt) {
    this.startedAt = startedAt;
  }

  /**
   * What was found.
   *
   * @param now when, by the database's clock
   * @param isAll whether nobody knows any more who was forgotten
   * @param digests of users, with the time
   */
  record Found(Instant now, boolean isAll, Map<String, Instant> digests) {
    boolean isEmpty() {
      return !isAll && digests.isEmpty();
    }

    /** Whether a user is among them. */
    Predicate<String> users() {
      return isAll ? any -> true : userId -> digests.containsKey(Sha256Digest.of(userId));
    }
  }

  /** Says that a user is forgotten from now on. */
  static void add(Connection connection, String userId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir_forgotten_digests (digest, at) VALUES (?, CURRENT_TIMESTAMP)")) {
      statement.setString(1, Sha256Digest.of(userId));
      statement.executeUpdate();
    }
  }

  /** Reads who was forgotten and isn't {@link #apply applied} yet. */
  Found read(Connection connection, Dialect dialect) throws SQLException {
    Instant now = now(connection);
    Instant last = readAt;
    if (dialect.tables(connection, Set.of(TABLE)).isEmpty()) {
      return new Found(now, false, Map.of());
    }
    Instant since = last == null ? now.minusNanos(System.nanoTime() - startedAt) : last;
    if (since.plus(KEPT).isBefore(now)) {
      return new Found(now, true, Map.of());
    }
    Map<String, Instant> found = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT digest, at FROM weir_forgotten_digests WHERE at > ?")) {
      statement.setObject(1, since.minus(MARGIN).atOffset(ZoneOffset.UTC));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String digest = row.getString(1);
          Instant at = row.getObject(2, OffsetDateTime.class).toInstant();
          Instant known = applied.get(digest);
          if (known == null || known.isBefore(at)) {
            found.merge(digest, at, (one, other) -> one.isAfter(other) ? one : other);
          }
        }
      }
    }
    return new Found(now, false, found);
  }

  /** The time by the database. */
  static Instant now(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  /** What was collected of them is dropped: what comes from now on counts. */
  void apply(Found found) {
    readAt = found.now();
    applied.putAll(found.digests());
    applied.values().removeIf(at -> at.plus(KEPT).isBefore(found.now()));
  }
}
