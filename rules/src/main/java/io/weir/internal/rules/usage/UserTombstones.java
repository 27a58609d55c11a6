package io.weir.internal.rules.usage;

import io.weir.Ticker;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the users that any node has forgotten since this one looked last, as digests: a node that
 * was cut off meanwhile must not write what it has collected of them. All times are the database's,
 * so clocks of nodes don't matter.
 *
 * <p>Confine to one thread.
 */
final class UserTombstones {
  static final String TABLE = "weir_forgotten_digests";

  /** The longest transaction that forgets a user: its rows have the time of its beginning. */
  private static final Duration MARGIN = Duration.ofMinutes(5);

  /** The purge keeps digests for longer, whatever the clock of the node that purges. */
  private static final Duration KEPT = Duration.ofDays(7);

  private final Ticker ticker;
  private final long startedAt;
  private final Map<String, Instant> applied = new HashMap<>();
  private @Nullable Instant readAt;

  /** Begins now to look for users that are forgotten. */
  UserTombstones(Ticker ticker) {
    this.ticker = ticker;
    this.startedAt = ticker.nanoTime();
  }

  /**
   * Holds the users that were found.
   *
   * @param now the time of the search, by the database's clock
   * @param isAll whether all users count as forgotten, since the digests may have been purged
   * @param digests of users, with the time at which each was forgotten
   */
  record Found(Instant now, boolean isAll, Map<String, Instant> digests) {
    boolean isEmpty() {
      return !isAll && digests.isEmpty();
    }

    /** Returns a test for the users that were found. */
    Predicate<String> users() {
      return isAll ? any -> true : userId -> digests.containsKey(Sha256Digest.of(userId));
    }
  }

  /** Marks a user as forgotten. */
  static void add(Connection connection, String userId) throws SQLException {
    Sql.of(
            "INSERT INTO weir.weir_forgotten_digests (digest, at) VALUES (?, CURRENT_TIMESTAMP)",
            Sha256Digest.of(userId))
        .update(connection);
  }

  /** Finds forgotten users that aren't {@linkplain #apply applied} yet. */
  Found read(Connection connection, Dialect dialect) throws SQLException {
    Instant now = DatabaseClock.read(connection);
    Instant last = readAt;
    if (dialect.tables(connection, Set.of(TABLE)).isEmpty()) {
      return new Found(now, false, Map.of());
    }
    Instant since = last == null ? now.minusNanos(ticker.nanoTime() - startedAt) : last;
    if (since.plus(KEPT).isBefore(now)) {
      return new Found(now, true, Map.of());
    }
    Map<String, Instant> found = new HashMap<>();
    Sql.of("SELECT digest, at FROM weir.weir_forgotten_digests WHERE at > ?", since.minus(MARGIN))
        .each(
            connection,
            row -> {
              String digest = row.getString(1);
              Instant at = Sql.time(row, 2);
              Instant known = applied.get(digest);
              if (known == null || known.isBefore(at)) {
                found.merge(digest, at, (one, other) -> one.isAfter(other) ? one : other);
              }
            });
    return new Found(now, false, found);
  }

  /** Notes that what was collected of these users has been dropped; later requests count again. */
  void apply(Found found) {
    readAt = found.now();
    applied.putAll(found.digests());
    applied.values().removeIf(at -> at.plus(KEPT).isBefore(found.now()));
  }
}
