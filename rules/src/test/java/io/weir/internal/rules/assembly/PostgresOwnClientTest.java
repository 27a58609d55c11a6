package io.weir.internal.rules.assembly;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.util.List;

/**
 * Changes on PostgreSQL, by a client that every machine has. {@link H2OwnClientTest} runs the whole
 * contract in every build.
 */
@OneDayIn(3)
@RunOneIn(5)
class PostgresOwnClientTest extends OwnClientContract {
  private final String url = PostgresServer.shared().newDatabase();

  @Override
  String address() {
    return url;
  }

  @Override
  List<String> client(String statement) {
    return shell(url, "postgres", "", statement);
  }
}
