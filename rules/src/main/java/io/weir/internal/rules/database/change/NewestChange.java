package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.Sql;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Identifies the newest row of {@code rule_changes} that was read. While the database is the same,
 * that row stays: neither the purge nor the removal of a user deletes it. Where it is gone, older
 * data has taken the place of newer.
 *
 * @param number the number of the row; 0 if there is none yet
 * @param at its time, in microseconds since the epoch
 */
record NewestChange(long number, long at) {
  static final NewestChange NONE = new NewestChange(0, 0);

  private static final String SEPARATOR = "/";

  /** Reads {@link #toString}. */
  static NewestChange of(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    return new NewestChange(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  /** Reads two columns of a row, number and time; both are NULL if there is none. */
  static NewestChange of(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    return Sql.timeIfAny(row, column + 1)
        .map(at -> new NewestChange(number, micros(at)))
        .orElse(NONE);
  }

  /** Finds a row by its number; {@link #NONE} if there is none. */
  static NewestChange find(Connection connection, long number) throws SQLException {
    return Sql.of("SELECT number, at FROM weir.rule_changes WHERE number = ?", number)
        .first(connection, row -> of(row, 1))
        .orElse(NONE);
  }

  private static long micros(Instant at) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  /** Returns the newest of this and some that were read after it. */
  NewestChange orNewer(List<RuleChange> changes) {
    NewestChange newest = this;
    for (RuleChange each : changes) {
      if (each.number() > newest.number) {
        newest = new NewestChange(each.number(), micros(each.at()));
      }
    }
    return newest;
  }

  /** Explains why its absence means a loss; empty if it is what was found by its number. */
  Optional<String> missing(NewestChange found) {
    return number == 0 || equals(found)
        ? Optional.empty()
        : Optional.of("the newest change read so far, " + number + ", no longer exists");
  }

  @Override
  public String toString() {
    return number + SEPARATOR + at;
  }
}
