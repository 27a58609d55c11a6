package io.weir.internal.postgres;

import io.weir.internal.value.SettingValues;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and holds the settings of a PostgreSQL.
 *
 * <p>Read from {@code weir.store.timeout}, {@code weir.prefix}, {@code weir.write-back.max-buckets}
 * and these, all optional and declared in {@link PostgresSettingDeclarations}, below {@code
 * weir.store.postgres.}: {@code user}, {@code password}, {@code ssl-mode}, {@code ssl-root-cert},
 * {@code connections}, {@code connect-timeout}, {@code command-timeout}, {@code schema}, {@code
 * create-schema}, {@code owners}, {@code durability}, {@code prepared-statements}, {@code sweep}.
 *
 * <p>Immutable. Its text shows no password.
 *
 * @param user empty for that of the address
 * @param password empty for that of the address
 * @param sslMode as libpq has it; empty for that of the address
 * @param sslRootCert a file of certificates that are trusted; empty for that of the address
 * @param connections the most connections of this node
 * @param storeTimeout the longest wait of a decision
 * @param connectTimeout the longest time to open a connection
 * @param commandTimeout the longest time to answer a statement
 * @param schema the schema of the table
 * @param prefix the beginning of the table's name
 * @param createSchema whether Weir may make the table and its schema
 * @param owners roles that may own the table beside those that always may, with commas between
 * @param durability the persistence of the rows
 * @param preparedStatements whether statements keep a name on the server
 * @param removesExpiredRows whether this node removes expired rows
 * @param maxBuckets the number of buckets that are remembered
 */
record PostgresSettings(
    String user,
    String password,
    String sslMode,
    String sslRootCert,
    int connections,
    Duration storeTimeout,
    Duration connectTimeout,
    Duration commandTimeout,
    String schema,
    String prefix,
    boolean createSchema,
    String owners,
    Durability durability,
    PreparedStatements preparedStatements,
    boolean removesExpiredRows,
    long maxBuckets) {
  static final String PREFIX = PostgresSettingDeclarations.PREFIX;

  private static final Duration STORE_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MAX_STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,31}");
  private static final int USUAL_CONNECTIONS = 4;
  private static final int MAX_CONNECTIONS = 64;
  private static final long USUAL_BUCKETS = 100_000;
  private static final long MAX_BUCKETS = 100_000_000;
  private static final Set<String> SSL_MODES =
      Set.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

  /** Whether statements are prepared under a name. */
  enum PreparedStatements {
    /** Unless a pooler such as PgBouncer is between. */
    AUTO,
    /** Always: PgBouncer 1.21 and newer support them. */
    TRUE,
    /** Never. */
    FALSE
  }

  /**
   * Reads the settings.
   *
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  static PostgresSettings read(UnaryOperator<String> setting) {
    SettingValues read = new SettingValues(setting);
    Duration timeout = read.duration("weir.store.timeout", STORE_TIMEOUT, MAX_STORE_TIMEOUT);
    String sslMode = read.word(PREFIX + "ssl-mode");
    if (!sslMode.isEmpty() && !SSL_MODES.contains(sslMode)) {
      throw read.invalid(
          PREFIX + "ssl-mode", "must be disable, allow, prefer, require, verify-ca or verify-full");
    }
    return new PostgresSettings(
        read.text(PREFIX + "user"),
        read.text(PREFIX + "password"),
        sslMode,
        read.text(PREFIX + "ssl-root-cert"),
        (int) read.number(PREFIX + "connections", USUAL_CONNECTIONS, 1, MAX_CONNECTIONS),
        timeout,
        read.duration(PREFIX + "connect-timeout", CONNECT_TIMEOUT, MAX_TIMEOUT),
        read.duration(PREFIX + "command-timeout", timeout.multipliedBy(2), MAX_TIMEOUT),
        name(read, PREFIX + "schema", "public"),
        name(read, "weir.prefix", "weir"),
        read.flag(PREFIX + "create-schema", true),
        read.text(PREFIX + "owners").replaceAll("\\s*,\\s*", ",").strip(),
        word(read, PREFIX + "durability", Durability.ASYNCHRONOUS),
        word(read, PREFIX + "prepared-statements", PreparedStatements.AUTO),
        read.flag(PREFIX + "sweep", true),
        read.number("weir.write-back.max-buckets", USUAL_BUCKETS, 1, MAX_BUCKETS));
  }

  private static String name(SettingValues read, String name, String usual) {
    String text = read.word(name);
    if (!text.isEmpty() && !NAME.matcher(text).matches()) {
      throw read.invalid(
          name, "must be a name in PostgreSQL of a-z, 0-9 and _, no digit first, at most 32");
    }
    return text.isEmpty() ? usual : text;
  }

  private static <E extends Enum<E>> E word(SettingValues read, String name, E usual) {
    String text = read.word(name);
    E[] all = usual.getDeclaringClass().getEnumConstants();
    if (text.isEmpty()) {
      return usual;
    }
    for (E each : all) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    throw read.invalid(
        name,
        "must be "
            + Arrays.stream(all)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" or ")));
  }

  /** Returns the table of all buckets, with its schema. */
  String table() {
    return "\"" + schema + "\".\"" + prefix + "_buckets\"";
  }

  /** Returns the SQL that lets a user count. */
  String grants() {
    return "GRANT USAGE ON SCHEMA \""
        + schema
        + "\" TO WEIR_USER;\nGRANT SELECT, INSERT, UPDATE, DELETE ON "
        + table()
        + " TO WEIR_USER;";
  }

  @Override
  public String toString() {
    return "PostgresSettings[" + table() + ", " + durability + "]";
  }
}
