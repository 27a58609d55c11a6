package io.weir.internal.rules.database.connection;

import java.time.Duration;

/**
 * The address of the database, and how to connect to it.
 *
 * @param url {@code jdbc:…}, or {@code datasource:NAME} for one of the application or of JNDI
 * @param user empty if the address has it, or none is needed
 * @param password empty: likewise. Of an H2 file without user and password one is made
 * @param pool connections, 1 and more
 * @param patience how long a statement may take at most, before its connection is given up
 */
public record DatabaseSettings(
    String url, String user, String password, int pool, Duration patience) {
  public static final int USUAL_POOL = 4;

  public static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

  /** Returns a database without a password, with what is usual. */
  public static DatabaseSettings of(String url) {
    return new DatabaseSettings(url, "", "", USUAL_POOL, USUAL_PATIENCE);
  }

  /** Returns the address alone, without its passwords. */
  @Override
  public String toString() {
    return PasswordRedactor.withoutPassword(url);
  }
}
