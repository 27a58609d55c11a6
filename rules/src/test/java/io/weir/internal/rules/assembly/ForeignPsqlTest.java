package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.MigratedPostgres;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.seeds.RequiredPrograms;
import io.weir.seeds.RunOneIn;
import io.weir.spi.ModuleSetting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables that are typed bare in psql while two nodes run, which a setting has switched on. */
@RunOneIn(10)
class ForeignPsqlTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String url = MigratedPostgres.newDatabase();
  private final List<DefaultRules> nodes = new ArrayList<>();

  private DefaultRules node() {
    Map<String, String> settings = new HashMap<>();
    new RulesSettings()
        .settings()
        .forEach((ModuleSetting each) -> settings.put(each.name(), each.defaultValue()));
    settings.put(RulesSettings.DATABASE.name(), url);
    DefaultRules node = RulesProvider.rules(settings::get);
    nodes.add(node);
    return node;
  }

  @AfterEach
  void stop() {
    nodes.forEach(DefaultRules::close);
  }

  private void psql(String program, String statement) throws IOException, InterruptedException {
    Process client =
        new ProcessBuilder(program, "-v", "ON_ERROR_STOP=1", "-c", statement, url.substring(5))
            .redirectErrorStream(true)
            .start();
    client.getOutputStream().close();
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the client hangs");
    assertEquals(0, client.exitValue(), said);
  }

  @Test
  void bothNodesFollow() throws Exception {
    String program =
        RequiredPrograms.assumeFound(
                "psql",
                "/usr/lib/postgresql/17/bin",
                "/usr/lib/postgresql/16/bin",
                "/usr/lib/postgresql/15/bin")
            .toString();
    List<DefaultRules> both = List.of(node(), node());
    for (String each : ForeignRowsTest.BARE) {
      psql(program, each);
    }
    Instant end = Instant.now().plus(PATIENCE);
    for (DefaultRules each : both) {
      while (each.rulebook().cost(EndpointForm.PATH, "/a", "GET").isEmpty()
          || each.rulebook().match(EndpointForm.PATH, "/a", "GET").rules().isEmpty()) {
        assertTrue(Instant.now().isBefore(end), "still not");
        Thread.onSpinWait();
      }
    }
  }
}
