package io.weir.internal.postgres;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Holds where the buckets are: a JDBC address of PostgreSQL, or the name of a data source of the
 * application.
 *
 * <p>Immutable. Its text shows neither user nor password.
 *
 * @param url the address; empty for a data source
 * @param dataSource the name of a data source; empty for an address
 */
record PostgresAddress(String url, String dataSource) {
  private static final String JDBC = "jdbc";
  private static final String DRIVER = "postgresql:";
  private static final Pattern OTHER = Pattern.compile("[A-Za-z0-9+.-]{1,32}");

  /** In which JDBC has the login. */
  private static final Pattern QUERY = Pattern.compile("[?].*", Pattern.DOTALL);

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is malformed or names another database; the message
   *     doesn't repeat the address
   */
  static PostgresAddress parse(URI address) {
    if (address.getRawFragment() != null) {
      throw new IllegalArgumentException("in the password of weir.store, write # as %23");
    }
    String rest = String.valueOf(address.getRawSchemeSpecificPart());
    if (!address.getScheme().toLowerCase(Locale.ROOT).equals(JDBC)) {
      return new PostgresAddress("", dataSource(address));
    }
    if (!rest.startsWith(DRIVER)) {
      String database = rest.split(":", 2)[0];
      throw new IllegalArgumentException(
          "weir.store must be jdbc:postgresql://host[:port][,…]/database, or datasource:NAME: Weir"
              + " supports no other database by JDBC"
              + (OTHER.matcher(database).matches() ? ", not in jdbc:" + database : ""));
    }
    String place = QUERY.matcher(rest).replaceFirst("");
    if (!place.startsWith(DRIVER + "//") || place.indexOf('/', DRIVER.length() + 2) < 0) {
      throw new IllegalArgumentException(
          "weir.store must be jdbc:postgresql://host[:port][,…]/database: the host or the database"
              + " is missing");
    }
    if (place.contains("@")) { // a password may contain a slash
      throw new IllegalArgumentException(
          "weir.store must be jdbc:postgresql://host[:port][,…]/database without a login before the"
              + " host: set weir.store.postgres.user and weir.store.postgres.password");
    }
    return new PostgresAddress(JDBC + ":" + rest, "");
  }

  private static String dataSource(URI address) {
    String name = String.valueOf(address.getSchemeSpecificPart()).strip();
    if (name.isEmpty() || name.equals("/")) {
      throw new IllegalArgumentException(
          "weir.store must name a data source of the application, as in"
              + " datasource:java:comp/env/jdbc/limits");
    }
    if (name.contains("//")) {
      throw new IllegalArgumentException(
          "weir.store must be datasource: and a name in JNDI; begin an address with"
              + " jdbc:postgresql://");
    }
    return name;
  }

  @Override
  public String toString() {
    return url.isEmpty()
        ? "PostgreSQL of the data source " + dataSource
        : "PostgreSQL at "
            + QUERY
                .matcher(url.substring(JDBC.length() + 1 + DRIVER.length() + 2))
                .replaceFirst("");
  }
}
