package io.weir.internal.postgres;

import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.internal.module.StoreSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Declares the settings of a PostgreSQL, all optional, and holds their values. Reads {@code
 * weir.prefix}, too.
 *
 * <p>Immutable. Its text shows no password.
 */
public final class PostgresSettings extends StoreSettings {
  private static final SettingList ALL = SettingList.ofStore("postgres");
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,31}");
  private static final Set<String> SSL_MODES =
      Set.of("", "disable", "allow", "prefer", "require", "verify-ca", "verify-full");

  /** The user; empty for that of the address. */
  static final Setting<String> USER = ALL.text("user");

  /** The user's password; empty for that of the address. */
  static final Setting<String> PASSWORD = ALL.text("password");

  /** As libpq has it; empty for that of the address. */
  static final Setting<String> SSL_MODE = ALL.parsed("ssl-mode", "", PostgresSettings::sslMode);

  /** A file of certificates that are trusted; empty for that of the address. */
  static final Setting<String> SSL_ROOT_CERT = ALL.text("ssl-root-cert");

  /** The most connections of this node. */
  static final Setting<Integer> CONNECTIONS = ALL.number("connections", 4, 1, 64);

  static final Setting<Duration> CONNECT_TIMEOUT =
      ALL.duration("connect-timeout", CONNECT, MIN_TIMEOUT, MAX_TIMEOUT);

  private static final Setting<Optional<Duration>> COMMAND_TIMEOUT =
      ALL.optionalDuration("command-timeout", MAX_TIMEOUT);

  static final Setting<String> SCHEMA = ALL.parsed("schema", "public", PostgresSettings::name);

  /** The beginning of the table's name. */
  private static final Setting<String> PREFIX =
      ALL.ofWeir("weir.prefix", "weir", PostgresSettings::name);

  /** Whether Weir may make the table and its schema. */
  static final Setting<Boolean> CREATE_SCHEMA = ALL.flag("create-schema", true);

  /** Roles that may own the table beside those that always may, with commas between. */
  static final Setting<String> OWNERS =
      ALL.parsed("owners", "", text -> text.replaceAll("\\s*,\\s*", ",").strip());

  static final Setting<Durability> DURABILITY = ALL.choice("durability", Durability.ASYNCHRONOUS);

  static final Setting<PreparedStatements> PREPARED_STATEMENTS =
      ALL.choice("prepared-statements", PreparedStatements.AUTO);

  /** Whether this node removes expired rows. */
  static final Setting<Boolean> SWEEP = ALL.flag("sweep", true);

  /** Whether statements are prepared under a name. */
  enum PreparedStatements {
    /** Unless a pooler such as PgBouncer is between. */
    AUTO,
    /** Always: PgBouncer 1.21 and newer support them. */
    TRUE,
    FALSE
  }

  /** For {@link java.util.ServiceLoader}: nothing is set. */
  public PostgresSettings() {
    this(name -> "");
  }

  /**
   * Reads the settings.
   *
   * @param settings reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  PostgresSettings(UnaryOperator<String> settings) {
    super(ALL, settings);
  }

  /** Returns its own kind and the schemes of its addresses, below which there are no settings. */
  @Override
  public Set<String> storeKinds() {
    return Set.of("postgres", "postgresql", "jdbc", "datasource");
  }

  private static String sslMode(String text) {
    String mode = text.strip();
    if (!SSL_MODES.contains(mode)) {
      throw new IllegalArgumentException(
          "must be disable, allow, prefer, require, verify-ca or verify-full");
    }
    return mode;
  }

  private static String name(String text) {
    String name = text.strip();
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "must be a name in PostgreSQL of a-z, 0-9 and _, no digit first, at most 32");
    }
    return name;
  }

  /** Returns the longest time to answer a statement. */
  Duration commandTimeout() {
    return get(COMMAND_TIMEOUT).orElse(storeTimeout().multipliedBy(2));
  }

  String tableName() {
    return get(PREFIX) + "_buckets";
  }

  /** Returns the table of all buckets, with its schema. */
  String table() {
    return "\"" + get(SCHEMA) + "\".\"" + tableName() + "\"";
  }

  /** Returns the SQL that lets a user count. */
  String grants() {
    return "GRANT USAGE ON SCHEMA \""
        + get(SCHEMA)
        + "\" TO WEIR_USER;\nGRANT SELECT, INSERT, UPDATE, DELETE ON "
        + table()
        + " TO WEIR_USER;";
  }

  @Override
  public String toString() {
    return "PostgresSettings[" + table() + ", " + get(DURABILITY) + "]";
  }
}
