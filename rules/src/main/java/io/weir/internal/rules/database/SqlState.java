package io.weir.internal.rules.database;

import java.sql.SQLException;
import java.util.Set;

/** Reads the SQLSTATE of failures. */
public final class SqlState {
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");
  private static final Set<String> NO_RIGHT = Set.of("42501", "90096");
  private static final int KIND = 2;

  private SqlState() {}

  /** Finds the SQLSTATE of a failure or of its causes; empty if there is none. */
  public static String of(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException said && said.getSQLState() != null) {
        return said.getSQLState();
      }
    }
    return "";
  }

  /**
   * Returns the class of an SQLSTATE, its first two characters: {@code 22} for a bad value, say.
   */
  public static String kind(String state) {
    return state.substring(0, Math.min(KIND, state.length()));
  }

  /** Returns whether the role may not do that. */
  public static boolean isNoRight(Throwable failure) {
    return NO_RIGHT.contains(of(failure));
  }

  public static boolean isNoTable(Throwable failure) {
    return NO_TABLE.contains(of(failure));
  }
}
