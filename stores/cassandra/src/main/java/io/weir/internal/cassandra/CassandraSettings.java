package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and holds the settings of a Cassandra.
 *
 * <p>Read from {@code weir.store.timeout}, {@code weir.prefix}, {@code weir.secret}, {@code
 * weir.write-back.max-buckets} and these, all optional, below {@code weir.store.cassandra.}: {@code
 * user}, {@code password}, {@code trust-store}, {@code trust-store-password}, {@code verify-host},
 * {@code connect-timeout}, {@code command-timeout}, {@code read-consistency}, {@code
 * write-consistency}, {@code create-schema}, {@code replication}, {@code share}.
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
  private static final String PREFIX = "weir.store.cassandra.";
  private static final Duration STORE_TIMEOUT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d|)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,31}");
  private static final long USUAL_BUCKETS = 100_000;
  private static final int WHOLE = 100;

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
   * @param address whose login is used unless settings name another
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  static CassandraSettings read(CassandraAddress address, UnaryOperator<String> setting) {
    Reader read = new Reader(setting);
    Duration timeout = read.duration("weir.store.timeout", STORE_TIMEOUT, LONGEST_WAIT);
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
        read.duration(PREFIX + "connect-timeout", CONNECT_TIMEOUT, LONGEST),
        read.duration(PREFIX + "command-timeout", command, LONGEST),
        new ConsistencyLevels(
            read.level(PREFIX + "read-consistency", READS),
            read.level(PREFIX + "write-consistency", WRITES)),
        read.flag(PREFIX + "create-schema", true),
        read.replication(PREFIX + "replication"),
        (int) read.number(PREFIX + "share", 0, 1, WHOLE),
        read.prefix(),
        read.number("weir.write-back.max-buckets", USUAL_BUCKETS, 1, WHOLE * 1_000_000L));
  }

  /** The table of all buckets. */
  String table(CassandraAddress address) {
    return address.keyspace() + "." + prefix + "_buckets";
  }

  @Override
  public String toString() {
    return "CassandraSettings[" + user + ", " + levels + "]";
  }

  /** Reads single settings; its messages name the setting and the rule that it breaks. */
  private record Reader(UnaryOperator<String> setting) {
    /** Reads a text unchanged, since a password may begin or end with a blank. */
    String text(String name) {
      return setting.apply(name);
    }

    String prefix() {
      String prefix = text("weir.prefix").strip();
      String table = prefix.isEmpty() ? "weir" : prefix;
      if (!TABLE.matcher(table).matches()) {
        throw broken(
            "weir.prefix",
            "the beginning of a table's name: a-z, 0-9 and _, a letter first, at most 32",
            prefix);
      }
      return table;
    }

    String replication(String name) {
      String text = text(name).strip();
      if (!text.isEmpty() && !(text.startsWith("{") && text.endsWith("}"))) {
        throw broken(
            name, "a map in CQL, {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}", text);
      }
      return text;
    }

    long number(String name, long otherwise, long least, long most) {
      String text = text(name).strip();
      if (text.isEmpty()) {
        return otherwise;
      }
      long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : least - 1;
      if (number < least || number > most) {
        throw broken(name, "a whole number from " + least + " to " + most, text);
      }
      return number;
    }

    boolean flag(String name, boolean otherwise) {
      String text = text(name).strip().toLowerCase(Locale.ROOT);
      return switch (text) {
        case "" -> otherwise;
        case "true" -> true;
        case "false" -> false;
        default -> throw broken(name, "true or false", text);
      };
    }

    DefaultConsistencyLevel level(String name, Set<DefaultConsistencyLevel> allowed) {
      String text = text(name).strip();
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
      throw broken(name, "one of " + words, text);
    }

    Duration duration(String name, Duration otherwise, Duration most) {
      String text = text(name).strip();
      Duration length = text.isEmpty() ? otherwise : parse(text.toLowerCase(Locale.ROOT));
      if (length.isNegative() || length.isZero() || length.compareTo(most) > 0) {
        throw broken(
            name,
            "a duration such as 500ms or 10s (a bare number is seconds), at most "
                + most.toSeconds()
                + "s",
            text);
      }
      return length;
    }

    /** Zero, which is never allowed, if it can't be read. */
    private static Duration parse(String text) {
      Matcher parts = SHORT.matcher(text);
      if (parts.matches()) {
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          case "d" -> Duration.ofDays(amount);
          default -> Duration.ofSeconds(amount);
        };
      }
      try {
        return Duration.parse(text);
      } catch (DateTimeException malformed) {
        return Duration.ZERO;
      }
    }

    private static IllegalArgumentException broken(String name, String rule, String text) {
      return new IllegalArgumentException(name + " must be " + rule + ", not '" + text + "'");
    }
  }
}
