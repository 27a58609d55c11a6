package io.weir.internal.rules.database;

/** The tables whose changes nodes follow. */
public enum RuleTable {
  /** Rules. */
  RULES("rate_limit_rules", "id"),
  /** Tiers and own limits of users. */
  USERS("user_tiers", "user_id"),
  /** Costs by endpoint and method. */
  COSTS("operation_costs", "id"),
  /** Switches. */
  SWITCHES("switches", "policy");

  private final String tableName;
  private final String keyColumn;

  RuleTable(String tableName, String keyColumn) {
    this.tableName = tableName;
    this.keyColumn = keyColumn;
  }

  /**
   * Its name in the database.
   *
   * @return in lower case
   */
  public String tableName() {
    return tableName;
  }

  /**
   * The column that tells its rows apart.
   *
   * @return in lower case
   */
  public String keyColumn() {
    return keyColumn;
  }

  /**
   * How a row is called in messages and logs.
   *
   * @param key its key
   * @return the key; of a user the beginning of its digest, as nothing personal is told
   */
  public String shown(String key) {
    return this == USERS ? "user " + Digests.shortHex(key) : key;
  }
}
