package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.value.UrlQuery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Opens connections to an address by PostgreSQL's driver. */
final class DriverConnections implements ConnectionSource {
  private static final Set<String> PRIMARY = Set.of("primary", "master");

  private final String url;
  private final Properties properties = new Properties();
  private final @Nullable PrimaryFinder finder;

  DriverConnections(PostgresAddress address, PostgresSettings settings, Ticker ticker) {
    String seconds =
        String.valueOf(Math.max(1, settings.get(PostgresSettings.CONNECT_TIMEOUT).toSeconds()));
    PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
    PGProperty.SOCKET_TIMEOUT.set(properties, seconds); // of the handshake; statements set theirs
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.APPLICATION_NAME.set(properties, "weir");
    Properties given = given(settings);
    properties.putAll(given);
    this.url = UrlQuery.without(address.url(), given.stringPropertyNames());
    List<String> servers = servers(url);
    finder =
        servers.size() > 1 && wantsPrimary()
            ? new PrimaryFinder(
                servers,
                this::connect,
                settings,
                DaemonThreadFactory.ofApplication("weir-postgres-connect"),
                ticker)
            : null;
  }

  /** Returns an address for each server of one that names several. */
  private static List<String> servers(String url) {
    int begin = url.indexOf("//") + 2;
    int end = url.indexOf('/', begin);
    return Arrays.stream(url.substring(begin, end).split(",", -1))
        .map(each -> url.substring(0, begin) + each + url.substring(end))
        .toList();
  }

  private boolean wantsPrimary() {
    Properties all = Driver.parseURL(url, properties);
    String type = all == null ? null : PGProperty.TARGET_SERVER_TYPE.getOrDefault(all);
    return type != null && PRIMARY.contains(type.toLowerCase(Locale.ROOT));
  }

  /** Returns what the settings give in place of the address. */
  private static Properties given(PostgresSettings settings) {
    Properties given = new Properties();
    Map.of(
            PGProperty.USER, settings.get(PostgresSettings.USER),
            PGProperty.PASSWORD, settings.get(PostgresSettings.PASSWORD),
            PGProperty.SSL_MODE, settings.get(PostgresSettings.SSL_MODE),
            PGProperty.SSL_ROOT_CERT, settings.get(PostgresSettings.SSL_ROOT_CERT))
        .forEach(
            (property, value) -> {
              if (!value.isEmpty()) {
                property.set(given, value);
              }
            });
    return given;
  }

  @Override
  public Connection open() throws SQLException {
    return finder == null ? connect(url) : finder.open();
  }

  private Connection connect(String server) throws SQLException {
    Connection connection = new Driver().connect(server, properties);
    if (connection == null) {
      throw new PSQLException("weir.store is malformed", PSQLState.CONNECTION_UNABLE_TO_CONNECT);
    }
    return connection;
  }

  @Override
  public boolean isKept() {
    return true;
  }
}
