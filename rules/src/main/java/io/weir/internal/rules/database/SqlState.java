package io.weir.internal.rules.database;

import java.sql.SQLException;
import java.util.Set;

/** What databases say by SQLSTATE. */
public final class SqlState {
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");
  private static final Set<String> NO_RIGHT = Set.of("42501", "90096");
  private static final int KIND = 2;

  private SqlState() {}

  /**
   * What a database said.
   *
   * @param failure what was thrown, perhaps because of what it said
   * @return the SQLSTATE; empty if it said none
   */
  public static String of(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException said && said.getSQLState() != null) {
        return said.getSQLState();
      }
    }
    return "";
  }

  /**
   * What kind of failure a state is.
   *
   * @param state an SQLSTATE, or nothing
   * @return its first two characters: {@code 22} for a bad value, say
   */
  public static String kind(String state) {
    return state.substring(0, Math.min(KIND, state.length()));
  }

  /**
   * Whether the role may not do that.
   *
   * @param failure as {@link #of} takes it
   * @return true if the database said so
   */
  public static boolean isNoRight(Throwable failure) {
    return NO_RIGHT.contains(of(failure));
  }

  /**
   * Whether there is no such table.
   *
   * @param failure as {@link #of} takes it
   * @return true if the database said so
   */
  public static boolean isNoTable(Throwable failure) {
    return NO_TABLE.contains(of(failure));
  }
}
