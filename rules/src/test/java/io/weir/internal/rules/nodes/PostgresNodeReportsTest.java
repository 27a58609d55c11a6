package io.weir.internal.rules.nodes;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

@RunOneIn(10)
class PostgresNodeReportsTest extends NodeReportsContract {
  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return source(url);
  }

  private static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  private String role() {
    return "reader_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
  }

  @Override
  DataSource reader(DataSource owner) {
    run(
        owner,
        "CREATE ROLE " + role() + " LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + role());
    return source(url.replace("user=postgres", "user=" + role()));
  }

  @Override
  void permit(DataSource owner) {
    run(owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON weir_nodes TO " + role());
  }
}
