package io.weir.internal.server.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.module.Setting;
import io.weir.internal.module.SettingList;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Declares the settings of the server; found by {@link java.util.ServiceLoader}. All are read at
 * the start.
 */
public final class ServerSettings implements ModuleSettings {
  private static final SettingList ALL = SettingList.ofModule();
  private static final String LOOPBACK = "127.0.0.1";
  private static final int MAX_PORT = 65_535;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The directory of the embedded store and database. */
  public static final Setting<String> DATA = word("weir.data", "./weir-data");

  public static final Setting<String> HOST = word("weir.server.host", LOOPBACK);

  /** The protocols to listen for, in their order, separated by commas. */
  public static final Setting<List<Protocol>> LISTENERS =
      protocols("weir.server.listeners", "http,grpc,redis", Protocol.texts());

  private static final Setting<Integer> HTTP_PORT = port("weir.server.http.port", 8070);

  private static final Setting<Integer> GRPC_PORT = port("weir.server.grpc.port", 8071);

  /** The time for which a connection of gRPC takes new calls. */
  public static final Setting<Duration> GRPC_CONNECTION_AGE =
      ALL.duration(
          "weir.server.grpc.connection-age", Duration.ofMinutes(5), SECOND, Duration.ofDays(1));

  private static final Setting<Integer> REDIS_PORT = port("weir.server.redis.port", 9049);

  /** The number of threads of the Redis protocol; 0 for one less than there are processors. */
  public static final Setting<Integer> REDIS_THREADS =
      ALL.number("weir.server.redis.threads", 0, 0, 1_000);

  /** The port of metrics without a sign-in; −1 for none. */
  public static final Setting<Integer> METRICS_PORT =
      ALL.number("weir.server.metrics.port", -1, -1, MAX_PORT);

  /** The protocols that need no token to check, separated by commas. */
  public static final Setting<List<Protocol>> OPEN =
      protocols("weir.server.open", "", List.of(Protocol.GRPC.text(), Protocol.REDIS.text()));

  /** The address that listeners without tokens use. */
  public static final Setting<String> OPEN_HOST = word("weir.server.open.host", LOOPBACK);

  /** The file with the first administrator's token; empty to generate and print one. */
  public static final Setting<String> ADMIN_TOKEN = word("weir.server.admin-token", "");

  /** The file with a PEM certificate and its chain; empty for no TLS. */
  public static final Setting<String> CERTIFICATE = word("weir.server.tls.certificate", "");

  /** The file with the certificate's private key, PEM and PKCS #8. */
  public static final Setting<String> KEY = word("weir.server.tls.key", "");

  /** The issuer of accepted JWTs; empty to accept none. */
  public static final Setting<String> JWT_ISSUER = word("weir.server.jwt.issuer", "");

  public static final Setting<String> JWT_AUDIENCE = word("weir.server.jwt.audience", "");

  public static final Setting<String> JWT_KEYS = word("weir.server.jwt.keys", "");

  /** The claim with the roles; a dot leads into an object. */
  public static final Setting<String> JWT_ROLES = word("weir.server.jwt.roles-claim", "roles");

  /** Files and folders of Envoy's YAML, separated by commas; none if it isn't served. */
  public static final Setting<List<Path>> ENVOY =
      ALL.parsed("weir.server.envoy", "", text -> parts(text).map(Path::of).toList());

  /** The key of the descriptor entry with the user, for access lists; empty for none. */
  public static final Setting<String> ENVOY_USER = word("weir.server.envoy.user", "");

  /** The key of the descriptor entry with the caller's key, for access lists; empty for none. */
  public static final Setting<String> ENVOY_KEY = word("weir.server.envoy.key", "");

  /** The name of this node; empty for {@link #NODE_OF_RULES}. */
  public static final Setting<String> NODE = word("weir.server.node", "");

  /** The setting of the rules for the name of a node. */
  public static final String NODE_OF_RULES = "weir.node";

  private static final Setting<Integer> CONNECTIONS =
      ALL.number("weir.server.connections", 10_000, 1, 1_000_000);

  private static final Setting<Integer> ADDRESS_CONNECTIONS =
      ALL.number("weir.server.connections-per-address", 1_000, 1, 1_000_000);

  public static final Setting<Integer> HEADER_BYTES =
      ALL.number("weir.server.http.header-bytes", 8_192, 1_024, 65_536);

  /** The time between reporting that the server isn't ready and refusing new connections. */
  public static final Setting<Duration> STOP_DELAY =
      ALL.duration("weir.server.stop.delay", SECOND, Duration.ofMillis(1), Duration.ofMinutes(5));

  private static final Setting<Duration> STOP_TIMEOUT =
      ALL.duration(
          "weir.server.stop.timeout", Duration.ofSeconds(30), SECOND, Duration.ofMinutes(10));

  private static Setting<String> word(String name, String otherwise) {
    return ALL.parsed(name, otherwise, String::strip);
  }

  private static Setting<Integer> port(String name, int otherwise) {
    return ALL.number(name, otherwise, 0, MAX_PORT);
  }

  private static Setting<List<Protocol>> protocols(
      String name, String otherwise, List<String> allowed) {
    return ALL.parsed(
        name,
        otherwise,
        text ->
            parts(text.toLowerCase(Locale.ROOT))
                .distinct()
                .map(each -> protocol(name, each, allowed))
                .toList());
  }

  private static Protocol protocol(String name, String text, List<String> allowed) {
    if (!allowed.contains(text)) {
      throw new InvalidSettingException(
          name + ": '" + text + "' must be one of " + String.join(", ", allowed));
    }
    return Protocol.of(text);
  }

  private static Stream<String> parts(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).filter(each -> !each.isEmpty());
  }

  public ServerSettings() {}

  @Override
  public List<ModuleSetting> settings() {
    return ALL.declarations();
  }

  /** Returns the setting of the port for a protocol; 0 for any that is free. */
  public static Setting<Integer> port(Protocol protocol) {
    return switch (protocol) {
      case HTTP -> HTTP_PORT;
      case GRPC -> GRPC_PORT;
      case REDIS -> REDIS_PORT;
    };
  }

  public static ListenerSettings listener(Protocol protocol, UnaryOperator<String> settings) {
    boolean isOpen = OPEN.read(settings).contains(protocol);
    return new ListenerSettings(
        protocol,
        (isOpen ? OPEN_HOST : HOST).read(settings),
        port(protocol).read(settings),
        isOpen,
        CONNECTIONS.read(settings),
        ADDRESS_CONNECTIONS.read(settings),
        STOP_TIMEOUT.read(settings));
  }
}
