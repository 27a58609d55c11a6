package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.internal.module.StoreSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Declares the settings of a Cassandra, all optional, and holds their values. Reads {@code
 * weir.prefix}, too.
 *
 * <p>Immutable. Its text shows no password.
 */
public final class CassandraSettings extends StoreSettings {
  private static final SettingList ALL = SettingList.ofStore("cassandra");
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,31}");

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

  private static final Setting<String> USER = ALL.text("user");

  private static final Setting<String> PASSWORD = ALL.text("password");

  /** A file, JKS or PKCS #12; empty for the JVM's own. */
  static final Setting<String> TRUST_STORE = ALL.text("trust-store");

  /** Its password; empty for none. */
  static final Setting<String> TRUST_STORE_PASSWORD = ALL.text("trust-store-password");

  /** Whether a certificate must name the host. */
  static final Setting<Boolean> VERIFY_HOST = ALL.flag("verify-host", true);

  static final Setting<Duration> CONNECT_TIMEOUT =
      ALL.duration("connect-timeout", CONNECT, MIN_TIMEOUT, MAX_TIMEOUT);

  private static final Setting<Optional<Duration>> COMMAND_TIMEOUT =
      ALL.optionalDuration("command-timeout", MAX_TIMEOUT);

  private static final Setting<DefaultConsistencyLevel> READ_CONSISTENCY =
      ALL.parsed("read-consistency", "local-quorum", text -> level(text, READS));

  private static final Setting<DefaultConsistencyLevel> WRITE_CONSISTENCY =
      ALL.parsed("write-consistency", "local-quorum", text -> level(text, WRITES));

  /** Whether Weir may make the table and the keyspace. */
  static final Setting<Boolean> CREATE_SCHEMA = ALL.flag("create-schema", true);

  /** The replication of a keyspace that Weir makes, in CQL; empty for the default. */
  static final Setting<String> REPLICATION =
      ALL.parsed("replication", "", CassandraSettings::replication);

  private static final Setting<Integer> SHARE = ALL.number("share", 0, 1, 100);

  /** The beginning of the table's name. */
  private static final Setting<String> TABLE_PREFIX =
      ALL.ofWeir("weir.prefix", "weir", CassandraSettings::prefix);

  /** For {@link java.util.ServiceLoader}: nothing is set. */
  public CassandraSettings() {
    this(name -> "");
  }

  /**
   * Reads the settings.
   *
   * @param settings reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  CassandraSettings(UnaryOperator<String> settings) {
    super(ALL, settings);
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("cassandra");
  }

  private static String prefix(String text) {
    String table = text.strip();
    if (!TABLE.matcher(table).matches()) {
      throw new IllegalArgumentException(
          "must be a prefix for names of tables: at most 32 of a-z, 0-9 and _, a letter first");
    }
    return table;
  }

  private static String replication(String text) {
    String map = text.strip();
    if (!map.isEmpty() && !(map.startsWith("{") && map.endsWith("}"))) {
      throw new IllegalArgumentException(
          "must be a map in CQL, {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    }
    return map;
  }

  private static DefaultConsistencyLevel level(String text, Set<DefaultConsistencyLevel> allowed) {
    String wanted = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    for (DefaultConsistencyLevel each : allowed) {
      if (each.name().equals(wanted)) {
        return each;
      }
    }
    String words =
        allowed.stream()
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException("must be one of " + words);
  }

  /** Returns the user; empty for none. */
  String user(CassandraAddress address) {
    return get(USER).isEmpty() ? address.user() : get(USER);
  }

  /** Returns the user's password; empty for none. */
  String password(CassandraAddress address) {
    return get(PASSWORD).isEmpty() ? address.password() : get(PASSWORD);
  }

  /** Returns the percentage of each limit that this data centre hands out; 0 for all of it. */
  int share() {
    return get(SHARE);
  }

  /** Returns the longest time to answer a statement. */
  Duration commandTimeout() {
    return get(COMMAND_TIMEOUT).orElse(storeTimeout().multipliedBy(2));
  }

  ConsistencyLevels levels() {
    return new ConsistencyLevels(get(READ_CONSISTENCY), get(WRITE_CONSISTENCY));
  }

  String table(CassandraAddress address) {
    return address.keyspace() + "." + get(TABLE_PREFIX) + "_buckets";
  }

  @Override
  public String toString() {
    return "CassandraSettings[" + get(USER) + ", " + levels() + "]";
  }
}
