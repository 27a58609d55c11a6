package io.weir.internal.rules.database.connection;

import javax.sql.DataSource;

/**
 * An open database: a pool of connections, or a data source of the application.
 *
 * <p>Safe for concurrent use.
 */
public final class OpenDatabase implements AutoCloseable {
  private final DataSource source;
  private final Runnable end;

  OpenDatabase(DataSource source, Runnable end) {
    this.source = source;
    this.end = end;
  }

  /** Returns the same object each time. */
  public DataSource source() {
    return source;
  }

  /** Closes the pool; a data source of the application or of JNDI stays open. Idempotent. */
  @Override
  public void close() {
    end.run();
  }
}
