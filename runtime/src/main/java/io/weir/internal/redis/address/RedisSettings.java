package io.weir.internal.redis.address;

import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.internal.module.StoreSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Declares the settings of connections to Redis, all optional, and holds their values.
 *
 * <p>Immutable. Its text shows no password.
 */
public final class RedisSettings extends StoreSettings {
  private static final SettingList ALL = SettingList.ofStore("redis");
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final Setting<String> USER = ALL.text("user");
  private static final Setting<String> PASSWORD = ALL.text("password");
  private static final Setting<String> SENTINEL_USER = ALL.text("sentinel-user");
  private static final Setting<String> SENTINEL_PASSWORD = ALL.text("sentinel-password");

  /** The most connections to each master. */
  public static final Setting<Integer> CONNECTIONS = ALL.number("connections", 2, 1, 64);

  private static final Setting<Optional<Duration>> CONNECT_TIMEOUT =
      ALL.optionalDuration("connect-timeout", MAX_TIMEOUT);
  private static final Setting<Optional<Duration>> COMMAND_TIMEOUT =
      ALL.optionalDuration("command-timeout", MAX_TIMEOUT);

  /** A file, JKS or PKCS #12; empty for the JVM's own. */
  public static final Setting<String> TRUST_STORE = ALL.text("trust-store");

  /** Its password; empty for none. */
  public static final Setting<String> TRUST_STORE_PASSWORD = ALL.text("trust-store-password");

  /** Whether a certificate must name the host. */
  public static final Setting<Boolean> VERIFY_HOST = ALL.flag("verify-host", true);

  /** For {@link java.util.ServiceLoader}: nothing is set. */
  public RedisSettings() {
    this(name -> "");
  }

  /**
   * Reads the settings.
   *
   * @param settings reads a setting by its full name; the empty string if it isn't set
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  public RedisSettings(UnaryOperator<String> settings) {
    super(ALL, settings);
  }

  @Override
  public Set<String> storeKinds() {
    return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster");
  }

  /** Returns the login of the address unless a setting overrides it. */
  public Login login(RedisAddress address) {
    return address.login().or(get(USER), get(PASSWORD));
  }

  public Login sentinelLogin() {
    return Login.NONE.or(get(SENTINEL_USER), get(SENTINEL_PASSWORD));
  }

  /**
   * Returns the longest time to open a connection. A TLS handshake may take as long as a batch in
   * addition, and at least a second.
   */
  public int connectMillis() {
    return millis(get(CONNECT_TIMEOUT));
  }

  /** Returns the longest time until all answers of a batch have arrived. */
  public int commandMillis() {
    return millis(get(COMMAND_TIMEOUT));
  }

  private int millis(Optional<Duration> timeout) {
    return (int) Math.max(1, timeout.orElse(storeTimeout().multipliedBy(2)).toMillis());
  }

  @Override
  public String toString() {
    return "RedisSettings[" + get(USER) + "]";
  }
}
