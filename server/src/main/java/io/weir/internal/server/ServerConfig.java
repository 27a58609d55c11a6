package io.weir.internal.server;

import io.weir.InvalidSettingException;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.server.access.JwtSettings;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.settings.ServerSettingDeclarations;
import io.weir.internal.server.tls.TlsFiles;
import io.weir.internal.value.SettingValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The settings of the server, typed. Their declarations in {@link ServerSettingDeclarations} have
 * checked ranges and filled in defaults.
 *
 * <p>Safe for concurrent use.
 */
final class ServerConfig {
  private final SettingValues values;

  /**
   * Reads the settings of a limiter.
   *
   * @param setting returns a value by its full name; the default if it isn't set
   */
  ServerConfig(UnaryOperator<String> setting) {
    this.values = new SettingValues(setting);
  }

  /** Returns the protocols to listen for, in the order of the setting. */
  List<Protocol> protocols() {
    return words(ServerSettingDeclarations.LISTENERS, Protocol.texts()).stream()
        .map(Protocol::of)
        .toList();
  }

  /** Returns the settings of the listener for a protocol. */
  ListenerSettings listener(Protocol protocol) {
    boolean isOpen = isOpen(protocol);
    return new ListenerSettings(
        protocol,
        values.word(isOpen ? ServerSettingDeclarations.OPEN_HOST : ServerSettingDeclarations.HOST),
        number(
            switch (protocol) {
              case HTTP -> ServerSettingDeclarations.HTTP_PORT;
              case GRPC -> ServerSettingDeclarations.GRPC_PORT;
              case REDIS -> ServerSettingDeclarations.REDIS_PORT;
            }),
        isOpen,
        number(ServerSettingDeclarations.CONNECTIONS),
        number(ServerSettingDeclarations.ADDRESS_CONNECTIONS),
        values.duration(ServerSettingDeclarations.STOP_TIMEOUT));
  }

  private boolean isOpen(Protocol protocol) {
    List<String> allowed = List.of(Protocol.GRPC.text(), Protocol.REDIS.text());
    return words(ServerSettingDeclarations.OPEN, allowed).contains(protocol.text());
  }

  /** Returns the port of metrics without a sign-in; empty if there is none. */
  OptionalInt metricsPort() {
    int port = number(ServerSettingDeclarations.METRICS_PORT);
    return port < 0 ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** Returns the most bytes that the header of an HTTP request may have. */
  int headerBytes() {
    return number(ServerSettingDeclarations.HEADER_BYTES);
  }

  /** Returns the time for which a connection of gRPC takes new calls. */
  Duration grpcConnectionAge() {
    return values.duration(ServerSettingDeclarations.GRPC_CONNECTION_AGE);
  }

  /** Returns the number of threads of the Redis protocol; empty to choose by the processors. */
  OptionalInt redisThreads() {
    int threads = number(ServerSettingDeclarations.REDIS_THREADS);
    return threads == 0 ? OptionalInt.empty() : OptionalInt.of(threads);
  }

  /** Returns files and folders with Envoy's configuration; empty if it isn't served. */
  List<Path> envoyFiles() {
    return Arrays.stream(values.text(ServerSettingDeclarations.ENVOY).split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .map(Path::of)
        .toList();
  }

  /** Returns the files of the certificate; empty for no TLS. */
  Optional<TlsFiles> tls() {
    return TlsFiles.read(values);
  }

  /** Returns the JWTs that are accepted; empty for none. */
  Optional<JwtSettings> jwt() {
    return JwtSettings.read(values);
  }

  /** Returns the hosts and origins that browsers may use. */
  ServerOrigins site() {
    return new ServerOrigins(values::word);
  }

  /** Returns the expression by which rules read API keys; empty if it isn't set. */
  String callerExpression() {
    return values.word("weir.rules.caller");
  }

  /** Returns the limiter's behaviour without its store, as it is set at this moment. */
  OnStoreFailure onStoreFailure() {
    String word = values.word("weir.on-store-failure");
    return word.isEmpty()
        ? OnStoreFailure.LOCAL
        : OnStoreFailure.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns the file with the first administrator's token; empty if one is to be generated. */
  String adminTokenFile() {
    return values.word(ServerSettingDeclarations.ADMIN_TOKEN);
  }

  /** Returns the address of the rules' database, which may contain a password. */
  String rulesAddress() {
    return values.word("weir.rules");
  }

  /**
   * Returns the time between reporting that the server isn't ready and refusing new connections.
   */
  Duration stopDelay() {
    return values.duration(ServerSettingDeclarations.STOP_DELAY);
  }

  private int number(String name) {
    return Integer.parseInt(values.word(name));
  }

  /** Splits at commas; in lower case, each word once. */
  private List<String> words(String name, List<String> allowed) {
    List<String> words = new ArrayList<>();
    for (String each : values.text(name).toLowerCase(Locale.ROOT).split(",")) {
      String word = each.strip();
      if (!word.isEmpty() && !words.contains(word)) {
        if (!allowed.contains(word)) {
          throw new InvalidSettingException(
              name + ": '" + word + "' must be one of " + String.join(", ", allowed));
        }
        words.add(word);
      }
    }
    return words;
  }
}
