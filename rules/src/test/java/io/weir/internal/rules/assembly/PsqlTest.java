package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RequiredPrograms;
import io.weir.seeds.RunOneIn;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** Changes by psql. */
@RunOneIn(10)
class PsqlTest extends OwnClientContract {
  private static String program = "";

  private final String url = PostgresServer.shared().newDatabase();

  @BeforeAll
  static void find() {
    Path found =
        RequiredPrograms.assumeFound(
            "psql",
            "/usr/lib/postgresql/17/bin",
            "/usr/lib/postgresql/16/bin",
            "/usr/lib/postgresql/15/bin");
    program = found.toString();
  }

  @Override
  String address() {
    return url;
  }

  @Override
  List<String> client(String statement) {
    return List.of(program, "-v", "ON_ERROR_STOP=1", "-c", statement, url.substring(5));
  }
}
