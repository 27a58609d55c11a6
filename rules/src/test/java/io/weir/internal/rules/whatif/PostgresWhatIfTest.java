package io.weir.internal.rules.whatif;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;

@RunOneIn(10)
class PostgresWhatIfTest extends WhatIfContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }
}
