package io.weir.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;

/** Makes the connections that all contenders have alike. */
final class Pool {
  /** The number of connections of each contender. */
  static final int CONNECTIONS = 8;

  private Pool() {}

  /** Opens a pool of as many connections, as most applications have one. */
  static HikariDataSource open(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONNECTIONS);
    return pool;
  }
}
