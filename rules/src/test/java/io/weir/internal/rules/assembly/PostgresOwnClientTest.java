package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RequiredPrograms;
import io.weir.seeds.RunOneIn;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** By psql where the machine has one, else by another client in a process of its own. */
@RunOneIn(10)
class PostgresOwnClientTest extends OwnClientContract {
  private final String url = PostgresServer.shared().newDatabase();

  @Override
  String address() {
    return url;
  }

  @Override
  List<String> client(String statement) {
    Optional<Path> psql =
        RequiredPrograms.find(
            "psql",
            "/usr/lib/postgresql/17/bin",
            "/usr/lib/postgresql/16/bin",
            "/usr/lib/postgresql/15/bin");
    if (psql.isEmpty()) {
      RequiredPrograms.reportMissing("psql (another client takes its place)");
      return shell(url, "postgres", "", statement);
    }
    return List.of(
        psql.get().toString(), "-v", "ON_ERROR_STOP=1", "-c", statement, url.substring(5));
  }
}
