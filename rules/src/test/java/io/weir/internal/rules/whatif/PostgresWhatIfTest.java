package io.weir.internal.rules.whatif;

import io.weir.compat.postgres.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresWhatIfTest extends WhatIfContract {
  @Override
  DataSource fresh() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    return source;
  }
}
