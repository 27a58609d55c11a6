package io.weir.internal.rules.database;

import java.util.OptionalLong;

/**
 * Numbers the rows of tables that Weir didn't make apart from Weir's own, so that one of each with
 * the same {@code id} can be in force at once. The numbers are exact in JSON and JavaScript.
 */
public final class ForeignKeys {
  /** The number of a foreign row with the id 0. Weir's own ids never come near it. */
  private static final long FIRST = 1L << 52;

  private ForeignKeys() {}

  /**
   * Returns the number of a foreign row.
   *
   * @param id as the row has it
   * @return empty unless the id is a whole number from 0 to 4,503,599,627,370,495
   */
  public static OptionalLong of(String id) {
    if (!id.matches("0|[1-9][0-9]{0,15}")) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(id);
    return number < FIRST ? OptionalLong.of(FIRST + number) : OptionalLong.empty();
  }

  /**
   * Returns whether a number is of a foreign row.
   *
   * @param number of a rule or a cost
   */
  public static boolean isForeign(long number) {
    return number >= FIRST;
  }

  /** Returns whether the key of a rule or a cost is that of a foreign row. */
  public static boolean isForeign(String key) {
    return key.matches("[1-9][0-9]{15,17}") && isForeign(Long.parseLong(key));
  }
}
