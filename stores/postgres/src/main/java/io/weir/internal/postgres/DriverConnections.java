package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Opens connections to an address by PostgreSQL's driver. */
final class DriverConnections implements ConnectionSource {
  private final String url;
  private final Properties properties = new Properties();

  DriverConnections(PostgresAddress address, PostgresSettings settings) {
    this.url = address.url();
    String seconds = String.valueOf(Math.max(1, settings.connectTimeout().toSeconds()));
    PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
    PGProperty.SOCKET_TIMEOUT.set(properties, seconds); // of the handshake; statements set theirs
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.APPLICATION_NAME.set(properties, "weir");
    set(PGProperty.USER, settings.user());
    set(PGProperty.PASSWORD, settings.password());
    set(PGProperty.SSL_MODE, settings.sslMode());
    set(PGProperty.SSL_ROOT_CERT, settings.sslRootCert());
  }

  private void set(PGProperty property, String value) {
    if (!value.isEmpty()) {
      property.set(properties, value);
    }
  }

  @Override
  public Connection open() throws SQLException {
    Connection connection = new Driver().connect(url, properties);
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
