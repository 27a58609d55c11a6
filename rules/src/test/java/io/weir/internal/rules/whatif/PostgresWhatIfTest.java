package io.weir.internal.rules.whatif;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

@RunOneIn(10)
class PostgresWhatIfTest extends WhatIfContract {
  @Override
  DataSource fresh() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PostgresServer.shared().newDatabase());
    return source;
  }
}
