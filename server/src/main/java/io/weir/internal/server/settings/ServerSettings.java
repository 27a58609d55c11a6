package io.weir.internal.server.settings;

import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.List;

/**
 * The settings of the server; found by {@link java.util.ServiceLoader}. All are read at the start.
 */
public final class ServerSettings implements ModuleSettings {
  /** The directory of what is kept in files. */
  public static final String DATA = "weir.data";

  /** The address that the doors listen on. */
  public static final String HOST = "weir.server.host";

  /** The doors that are opened, between commas. */
  public static final String DOORS = "weir.server.doors";

  /** The port of HTTP. */
  public static final String HTTP_PORT = "weir.server.http.port";

  /** The port of gRPC. */
  public static final String GRPC_PORT = "weir.server.grpc.port";

  /** For how long a connection of gRPC takes new calls. */
  public static final String GRPC_CONNECTION_AGE = "weir.server.grpc.connection-age";

  /** The port of the Redis protocol. */
  public static final String REDIS_PORT = "weir.server.redis.port";

  /** The port of metrics without a sign-in; −1: none. */
  public static final String METRICS_PORT = "weir.server.metrics.port";

  /** The doors that let programs in without a token, between commas. */
  public static final String OPEN = "weir.server.open";

  /** The address that such doors listen on. */
  public static final String OPEN_HOST = "weir.server.open.host";

  /** The file with the first administrator's token; empty: one is made and printed. */
  public static final String ADMIN_TOKEN = "weir.server.admin-token";

  /** A file with a PEM certificate and its chain; empty: no TLS. */
  public static final String CERTIFICATE = "weir.server.tls.certificate";

  /** A file with the certificate's private key, PEM and PKCS #8. */
  public static final String KEY = "weir.server.tls.key";

  /** Who issues the JWTs that let in; empty: none do. */
  public static final String JWT_ISSUER = "weir.server.jwt.issuer";

  /** The audience that a JWT must name. */
  public static final String JWT_AUDIENCE = "weir.server.jwt.audience";

  /** Where the issuer's keys are: an address or a file. */
  public static final String JWT_KEYS = "weir.server.jwt.keys";

  /** The claim with the roles; a dot leads into an object. */
  public static final String JWT_ROLES = "weir.server.jwt.roles-claim";

  /** Files and folders of Envoy's YAML, between commas. */
  public static final String ENVOY = "weir.server.envoy";

  /** What this node is called; empty: the host and a random number. */
  public static final String NODE = "weir.server.node";

  /** How many connections each door takes. */
  public static final String CONNECTIONS = "weir.server.connections";

  /** The most connections of one address at each door. */
  public static final String ADDRESS_CONNECTIONS = "weir.server.connections-per-address";

  /** How many bytes the header of an HTTP request may have. */
  public static final String HEADER_BYTES = "weir.server.http.header-bytes";

  /** How long a server that is to stop says so before it takes no more connections. */
  public static final String STOP_DELAY = "weir.server.stop.delay";

  /** How long requests have to finish then. */
  public static final String STOP_TIMEOUT = "weir.server.stop.timeout";

  private static final int MOST_PORT = 65_535;
  private static final int USUAL_HTTP = 8070;
  private static final int USUAL_GRPC = 8071;
  private static final int USUAL_REDIS = 9049;
  private static final String LOOPBACK = "127.0.0.1";

  private static final List<ModuleSetting> ALL =
      List.of(
          ModuleSetting.text(DATA, "./weir-data"),
          ModuleSetting.text(HOST, LOOPBACK),
          ModuleSetting.text(DOORS, "http,grpc,redis"),
          port(HTTP_PORT, USUAL_HTTP),
          port(GRPC_PORT, USUAL_GRPC),
          ModuleSetting.duration(
              GRPC_CONNECTION_AGE,
              Duration.ofMinutes(5),
              Duration.ofSeconds(1),
              Duration.ofDays(1)),
          port(REDIS_PORT, USUAL_REDIS),
          ModuleSetting.number(METRICS_PORT, -1, -1, MOST_PORT),
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

  private static ModuleSetting port(String name, int usual) {
    return ModuleSetting.number(name, usual, 0, MOST_PORT);
  }

  /** Made by {@link java.util.ServiceLoader}. */
  public ServerSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL;
  }
}
