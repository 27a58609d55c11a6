package io.weir.internal.server.settings;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;

/**
 * Declares the settings of the server; found by {@link java.util.ServiceLoader}. All are read at
 * the start.
 */
public final class ServerSettingDeclarations implements ModuleSettings {
  /** The directory of the embedded store and database. */
  public static final String DATA = "weir.data";

  /** The address that listeners use. */
  public static final String HOST = "weir.server.host";

  /** The protocols to listen for, separated by commas. */
  public static final String LISTENERS = "weir.server.listeners";

  /** The port of HTTP. */
  public static final String HTTP_PORT = "weir.server.http.port";

  /** The port of gRPC. */
  public static final String GRPC_PORT = "weir.server.grpc.port";

  /** The time for which a connection of gRPC takes new calls. */
  public static final String GRPC_CONNECTION_AGE = "weir.server.grpc.connection-age";

  /** The port of the Redis protocol. */
  public static final String REDIS_PORT = "weir.server.redis.port";

  /** The number of threads of the Redis protocol; 0 for one less than there are processors. */
  public static final String REDIS_THREADS = "weir.server.redis.threads";

  /** The port of metrics without a sign-in; −1 for none. */
  public static final String METRICS_PORT = "weir.server.metrics.port";

  /** The protocols that need no token to check, separated by commas. */
  public static final String OPEN = "weir.server.open";

  /** The address that listeners without tokens use. */
  public static final String OPEN_HOST = "weir.server.open.host";

  /** The file with the first administrator's token; empty to generate and print one. */
  public static final String ADMIN_TOKEN = "weir.server.admin-token";

  /** The file with a PEM certificate and its chain; empty for no TLS. */
  public static final String CERTIFICATE = "weir.server.tls.certificate";

  /** The file with the certificate's private key, PEM and PKCS #8. */
  public static final String KEY = "weir.server.tls.key";

  /** The issuer of accepted JWTs; empty to accept none. */
  public static final String JWT_ISSUER = "weir.server.jwt.issuer";

  /** The audience that a JWT must name. */
  public static final String JWT_AUDIENCE = "weir.server.jwt.audience";

  /** The address or file of the issuer's keys. */
  public static final String JWT_KEYS = "weir.server.jwt.keys";

  /** The claim with the roles; a dot leads into an object. */
  public static final String JWT_ROLES = "weir.server.jwt.roles-claim";

  /** Files and folders of Envoy's YAML, separated by commas. */
  public static final String ENVOY = "weir.server.envoy";

  /** The name of this node; empty for {@link #NODE_OF_RULES}. */
  public static final String NODE = "weir.server.node";

  /** The setting of the rules for the name of a node. */
  public static final String NODE_OF_RULES = "weir.node";

  /** The most connections of each listener. */
  public static final String CONNECTIONS = "weir.server.connections";

  /** The most connections of one address at each listener. */
  public static final String ADDRESS_CONNECTIONS = "weir.server.connections-per-address";

  /** The most bytes that the header of an HTTP request may have. */
  public static final String HEADER_BYTES = "weir.server.http.header-bytes";

  /** The time between reporting that the server isn't ready and refusing new connections. */
  public static final String STOP_DELAY = "weir.server.stop.delay";

  /** The time that requests have to finish after that. */
  public static final String STOP_TIMEOUT = "weir.server.stop.timeout";

  /** The address that listeners use unless one is set. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final int MAX_PORT = 65_535;
  private static final int MAX_THREADS = 1_000;
  private static final int DEFAULT_HTTP = 8070;
  private static final int DEFAULT_GRPC = 8071;
  private static final int DEFAULT_REDIS = 9049;
  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.text(DATA, "./weir-data"),
          ModuleSetting.text(HOST, LOOPBACK),
          ModuleSetting.text(LISTENERS, "http,grpc,redis"),
          port(HTTP_PORT, DEFAULT_HTTP),
          port(GRPC_PORT, DEFAULT_GRPC),
          ModuleSetting.duration(
              GRPC_CONNECTION_AGE,
              Duration.ofMinutes(5),
              Duration.ofSeconds(1),
              Duration.ofDays(1)),
          port(REDIS_PORT, DEFAULT_REDIS),
          ModuleSetting.number(REDIS_THREADS, 0, 0, MAX_THREADS),
          ModuleSetting.number(METRICS_PORT, -1, -1, MAX_PORT),
          ModuleSetting.text(OPEN, ""),
          ModuleSetting.text(OPEN_HOST, LOOPBACK),
          ModuleSetting.text(ADMIN_TOKEN, ""),
          ModuleSetting.text(CERTIFICATE, ""),
          ModuleSetting.text(KEY, ""),
          ModuleSetting.text(JWT_ISSUER, ""),
          ModuleSetting.text(JWT_AUDIENCE, ""),
          ModuleSetting.text(JWT_KEYS, ""),
          ModuleSetting.text(JWT_ROLES, "roles"),
          ModuleSetting.text(ENVOY, ""),
          ModuleSetting.text(NODE, ""),
          ModuleSetting.number(CONNECTIONS, 10_000, 1, 1_000_000),
          ModuleSetting.number(ADDRESS_CONNECTIONS, 1_000, 1, 1_000_000),
          ModuleSetting.number(HEADER_BYTES, 8_192, 1_024, 65_536),
          ModuleSetting.duration(
              STOP_DELAY, Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMinutes(5)),
          ModuleSetting.duration(
              STOP_TIMEOUT, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofMinutes(10)));

  private static ModuleSetting port(String name, int defaultPort) {
    return ModuleSetting.number(name, defaultPort, 0, MAX_PORT);
  }

  /** Called by {@link java.util.ServiceLoader}. */
  public ServerSettingDeclarations() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }

  /**
   * Returns the default of a setting.
   *
   * @param name the full name
   * @return the value
   */
  public static String defaultValue(String name) {
    return ALL.stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow()
        .defaultValue();
  }
}
