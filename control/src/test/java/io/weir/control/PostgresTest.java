package io.weir.control;

import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** What reads or changes the database, with rules in PostgreSQL. */
class PostgresTest implements AdminTests, UserTests, CallerTests, DashboardTests, EventTests {
  private @Nullable ControlApp app;

  @BeforeEach
  void begin() {
    app = app(Map.of());
  }

  @AfterEach
  void end() {
    app().close();
  }

  @Override
  public ControlApp app() {
    if (app == null) {
      throw new IllegalStateException("no application has been started");
    }
    return app;
  }

  @Override
  public DataSource database() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(PostgresServer.shared().newDatabase());
    return database;
  }

  @Override
  public Server start(Weir weir, Rules rules) {
    return new GrizzlyTest().start(weir, rules);
  }
}
