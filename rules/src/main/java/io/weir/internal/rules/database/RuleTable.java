package io.weir.internal.rules.database;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tables whose changes nodes follow. */
public enum RuleTable {
  RULES("rate_limit_rules", "id"),
  /** Tiers and own limits of users. */
  USERS("user_tiers", "user_id"),
  /** Costs by endpoint and method. */
  COSTS("operation_costs", "id"),
  SWITCHES("switches", "policy"),
  ENTRIES("access_list", "id"),
  QUOTAS("user_quotas", "user_id"),
  /** Permits that users were granted beyond their quotas. */
  GRANTS("quota_grants", "id"),
  /** Unusual usage, and the action against it. */
  ANOMALIES("anomalies", "id"),
  UPGRADES("tier_upgrade_requests", "id"),
  /** Bearer tokens of the service. */
  TOKENS("weir_access_tokens", "hash"),
  /** Sessions of the service's pages. */
  SESSIONS("weir_sessions", "hash");

  public static final String USER_ID = "user_id";

  /** The digits of a token's hash in messages. */
  private static final int SHOWN_DIGITS = 12;

  private static final Map<String, RuleTable> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(RuleTable::tableName, table -> table));

  private final String tableName;
  private final String keyColumn;

  RuleTable(String tableName, String keyColumn) {
    this.tableName = tableName;
    this.keyColumn = keyColumn;
  }

  /** Returns its name in the database, in lower case. */
  public String tableName() {
    return tableName;
  }

  /** Returns its name in statements, with the {@linkplain SchemaName schema}. */
  public String sqlName() {
    return "weir." + tableName;
  }

  /** Finds a table by its lower-case name in the database; empty if nodes don't follow it. */
  public static Optional<RuleTable> named(String tableName) {
    return Optional.ofNullable(BY_NAME.get(tableName));
  }

  /**
   * Returns whether its rows are about single users, and looked up when a user comes; nodes hold
   * all rows of the others.
   */
  public boolean isOfUsers() {
    return switch (this) {
      case USERS, QUOTAS, GRANTS, ANOMALIES, UPGRADES, TOKENS, SESSIONS -> true;
      case RULES, COSTS, SWITCHES, ENTRIES -> false;
    };
  }

  /**
   * Returns whether its changes are in the history, and in the feed. Those of tokens and sessions
   * aren't: each sign-in would stay there for months. Nodes compare the rows of these by {@link
   * RuleDatabase#fingerprint} instead.
   */
  public boolean isInHistory() {
    return switch (this) {
      case RULES, USERS, COSTS, SWITCHES, ENTRIES, QUOTAS, GRANTS, ANOMALIES, UPGRADES -> true;
      case TOKENS, SESSIONS -> false;
    };
  }

  /**
   * Returns the names of the tables that aren't {@linkplain #isInHistory() in the history}, as SQL.
   * Rows of theirs may be left there that an earlier version wrote.
   *
   * @return {@code ('…', '…')}
   */
  public static String outsideHistory() {
    return names(table -> !table.isInHistory());
  }

  /** Returns the names of the tables of which nodes hold all rows, as SQL. */
  public static String ofRules() {
    return names(table -> !table.isOfUsers());
  }

  /**
   * Returns the names of the tables that have addresses or names of people, as SQL: their history
   * is kept for a shorter time.
   */
  public static String ofPeople() {
    return names(table -> table.isOfUsers() || table == ENTRIES);
  }

  private static String names(Predicate<RuleTable> which) {
    return Arrays.stream(values())
        .filter(which)
        .map(table -> "'" + table.tableName() + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /**
   * Returns whether it is needed for decisions: if it can't be read, nothing else of the database
   * is used.
   *
   * @return false if the table counts as missing when it can't be read
   */
  public boolean isEssential() {
    return switch (this) {
      case RULES, USERS, COSTS, SWITCHES, QUOTAS -> true;
      case ENTRIES, GRANTS, ANOMALIES, UPGRADES, TOKENS, SESSIONS -> false;
    };
  }

  /** Returns the name of the key's column, in lower case. */
  public String keyColumn() {
    return keyColumn;
  }

  /**
   * Names a row in messages and logs.
   *
   * @return the key; for a user the beginning of its digest, as logs have no personal data
   */
  public String shown(String key) {
    return switch (this) {
      case USERS, QUOTAS -> Sha256Digest.user(key);
      case TOKENS, SESSIONS -> key.substring(0, Math.min(SHOWN_DIGITS, key.length()));
      case RULES, COSTS, SWITCHES, ENTRIES, GRANTS, ANOMALIES, UPGRADES -> key;
    };
  }
}
