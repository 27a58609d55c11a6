package io.weir.internal.rules.database;

/** The names that no user can have, since rows use them for other callers. */
public final class ReservedUserNames {
  /** The name in rows of all unknown callers together. */
  public static final String OTHERS = "*";

  /** The beginning of the name of an address. */
  public static final String ADDRESS = "ip:";

  /** The rule that messages state about such names. */
  public static final String RULE =
      "must not be * nor begin with ip: or sha256:, which aren't names of users";

  private ReservedUserNames() {}

  /**
   * Determines whether a name is reserved: a user signed in by it would read the figures of others.
   *
   * @return true of {@code *} and of what begins as addresses and digests of keys do
   */
  public static boolean isReserved(String name) {
    return name.equals(OTHERS) || name.startsWith(ADDRESS) || name.startsWith(Sha256Digest.PREFIX);
  }
}
