package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.weir.internal.value.SettingValues;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and holds the settings of a Cassandra.
 *
 * <p>Read from {@code weir.store.timeout}, {@code weir.prefix}, {@code weir.secret}, {@code
 * weir.write-back.max-buckets} and these, all optional and declared in {@link
 * CassandraSettingDeclarations}, below {@code weir.store.cassandra.}: {@code user}, {@code
 * password}, {@code trust-store}, {@code trust-store-password}, {@code verify-host}, {@code
 * connect-timeout}, {@code command-timeout}, {@code read-consistency}, {@code write-consistency},
 * {@code create-schema}, {@code replication}, {@code share}.
 *
 * <p>Immutable. Its text shows no password.
 *
 * @param user empty for none
 * @param password empty for none
 * @param trustStore a file, JKS or PKCS #12; empty for the JVM's own
 * @param trustStorePassword empty for none
 * @param verifyHost whether a certificate must name the host
 * @param storeTimeout the longest wait of a decision
 * @param connectTimeout the longest time to open a connection
 * @param commandTimeout the longest time to answer a statement
 * @param levels of reads and writes
 * @param createSchema whether Weir may make the table and the keyspace
 * @param replication of a keyspace that Weir makes, in CQL; empty for the default
 * @param share percent of each limit that this data centre hands out; 0 for all of it
 * @param prefix the beginning of the table's name
 * @param maxBuckets the number of buckets whose sums are cached
 */
record CassandraSettings(
    String user,
    String password,
    String trustStore,
    String trustStorePassword,
    boolean verifyHost,
    Duration storeTimeout,
    Duration connectTimeout,
    Duration commandTimeout,
    ConsistencyLevels levels,
    boolean createSchema,
    String replication,
    int share,
    String prefix,
    long maxBuckets) {
  private static final String PREFIX = CassandraSettingDeclarations.PREFIX;
  private static final Duration STORE_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MAX_STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,31}");
  private static final long USUAL_BUCKETS = 100_000;
  private static final long MAX_BUCKETS = 100_000_000;
  private static final int MAX_PERCENT = 100;

  private static final Set<DefaultConsistencyLevel> READS =
      EnumSet.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.LOCAL_ONE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.LOCAL_QUORUM,
          DefaultConsistencyLevel.ALL);

  private static final Set<DefaultConsistencyLevel> WRITES = EnumSet.copyOf(READS);

  static {
    WRITES.add(DefaultConsistencyLevel.ANY);
    WRITES.add(DefaultConsistencyLevel.EACH_QUORUM);
  }

  /**
   * Reads the settings.
   *
   * @param address the address; its login is used unless settings name another
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  static CassandraSettings read(CassandraAddress address, UnaryOperator<String> setting) {
    SettingValues read = new SettingValues(setting);
    Duration timeout = read.duration("weir.store.timeout", STORE_TIMEOUT, MAX_STORE_TIMEOUT);
    Duration command = timeout.multipliedBy(2);
    String user = read.text(PREFIX + "user");
    String password = read.text(PREFIX + "password");
    return new CassandraSettings(
        user.isEmpty() ? address.user() : user,
        password.isEmpty() ? address.password() : password,
        read.text(PREFIX + "trust-store"),
        read.text(PREFIX + "trust-store-password"),
        read.flag(PREFIX + "verify-host", true),
        timeout,
        read.duration(PREFIX + "connect-timeout", CONNECT_TIMEOUT, MAX_TIMEOUT),
        read.duration(PREFIX + "command-timeout", command, MAX_TIMEOUT),
        new ConsistencyLevels(
            level(read, PREFIX + "read-consistency", READS),
            level(read, PREFIX + "write-consistency", WRITES)),
        read.flag(PREFIX + "create-schema", true),
        replication(read),
        (int) read.number(PREFIX + "share", 0, 1, MAX_PERCENT),
        prefix(read),
        read.number("weir.write-back.max-buckets", USUAL_BUCKETS, 1, MAX_BUCKETS));
  }

  private static String prefix(SettingValues read) {
    String prefix = read.word("weir.prefix");
    String table = prefix.isEmpty() ? "weir" : prefix;
    if (!TABLE.matcher(table).matches()) {
      throw read.invalid(
          "weir.prefix",
          "must be a prefix for names of tables: at most 32 of a-z, 0-9 and _, a letter first");
    }
    return table;
  }

  private static String replication(SettingValues read) {
    String name = PREFIX + "replication";
    String text = read.word(name);
    if (!text.isEmpty() && !(text.startsWith("{") && text.endsWith("}"))) {
      throw read.invalid(
          name, "must be a map in CQL, {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    }
    return text;
  }

  private static DefaultConsistencyLevel level(
      SettingValues read, String name, Set<DefaultConsistencyLevel> allowed) {
    String text = read.word(name);
    if (text.isEmpty()) {
      return DefaultConsistencyLevel.LOCAL_QUORUM;
    }
    String wanted = text.toUpperCase(Locale.ROOT).replace('-', '_');
    for (DefaultConsistencyLevel each : allowed) {
      if (each.name().equals(wanted)) {
        return each;
      }
    }
    String words =
        allowed.stream()
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", "));
    throw read.invalid(name, "must be one of " + words);
  }

  /** Returns the table of all buckets. */
  String table(CassandraAddress address) {
    return address.keyspace() + "." + prefix + "_buckets";
  }

  @Override
  public String toString() {
    return "CassandraSettings[" + user + ", " + levels + "]";
  }
}
