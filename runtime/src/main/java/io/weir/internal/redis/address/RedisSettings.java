package io.weir.internal.redis.address;

import io.weir.internal.value.SettingValues;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Holds the settings of connections to Redis.
 *
 * <p>Read from these settings, all optional and declared in {@link RedisSettingDeclarations}:
 * {@code weir.store.redis.user} and {@code .password} (instead of the address's), {@code
 * .sentinel-user} and {@code .sentinel-password}, {@code .connections} (1 to 64 to each master, 2
 * unless set), {@code .connect-timeout} and {@code .command-timeout} (1 ms to 60 s, twice {@code
 * weir.store.timeout} unless set), {@code .trust-store} (a file, JKS or PKCS #12), {@code
 * .trust-store-password}, {@code .verify-host} (whether a certificate must name the host, true
 * unless set).
 *
 * <p>Immutable.
 *
 * @param login to the Redis
 * @param sentinelLogin to the sentinels
 * @param connections the most connections to each master
 * @param connectMillis the longest time to open a connection; a TLS handshake may take as long as a
 *     batch in addition, and at least a second
 * @param commandMillis the longest time until all answers of a batch have arrived
 * @param patience the longest time that a batch waits to be sent; after that it fails
 * @param trustStore the file; empty for the JVM's own
 * @param trustStorePassword empty for none
 * @param verifyHost whether a certificate must name the host
 */
public record RedisSettings(
    Login login,
    Login sentinelLogin,
    int connections,
    int connectMillis,
    int commandMillis,
    Duration patience,
    String trustStore,
    String trustStorePassword,
    boolean verifyHost) {
  private static final String PREFIX = RedisSettingDeclarations.PREFIX;
  private static final Duration STORE_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MAX_STORE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
  private static final int CONNECTIONS = 2;
  private static final int MAX_CONNECTIONS = 64;

  /**
   * Reads the settings.
   *
   * @param address its login is used unless a setting overrides it
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @return the settings
   * @throws IllegalArgumentException if one is malformed; the message names it
   */
  public static RedisSettings read(RedisAddress address, UnaryOperator<String> setting) {
    SettingValues values = new SettingValues(setting);
    Duration timeout = values.duration("weir.store.timeout", STORE_TIMEOUT, MAX_STORE_TIMEOUT);
    Duration command = timeout.multipliedBy(2);
    return new RedisSettings(
        address.login().or(values.text(PREFIX + "user"), values.text(PREFIX + "password")),
        Login.NONE.or(
            values.text(PREFIX + "sentinel-user"), values.text(PREFIX + "sentinel-password")),
        (int) values.number(PREFIX + "connections", CONNECTIONS, 1, MAX_CONNECTIONS),
        millis(values.duration(PREFIX + "connect-timeout", command, MAX_TIMEOUT)),
        millis(values.duration(PREFIX + "command-timeout", command, MAX_TIMEOUT)),
        timeout,
        values.text(PREFIX + "trust-store"),
        values.text(PREFIX + "trust-store-password"),
        values.flag(PREFIX + "verify-host", true));
  }

  private static int millis(Duration timeout) {
    return (int) Math.max(1, timeout.toMillis());
  }

  @Override
  public String toString() {
    return "RedisSettings[" + login + "]";
  }
}
