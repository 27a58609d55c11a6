package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.spi.PolicySource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OneDayIn(2)
class RulesProviderTest {
  @TempDir Path directory;

  private final Map<String, String> settings = new HashMap<>();

  @BeforeEach
  void defaults() {
    new RulesSettings().settings().forEach(each -> settings.put(each.name(), each.defaultValue()));
  }

  @Test
  void whoNamesNoDatabaseHasNoRules() {
    assertEquals(Optional.empty(), new RulesProvider().open(settings::get));
  }

  @Test
  void anH2FileNeedsItsAddressAlone() {
    settings.put(RulesSettings.DATABASE.name(), "jdbc:h2:file:" + directory.resolve("rules"));
    try (DefaultRules rules = RulesProvider.rules(settings::get)) {
      rules.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
    }
    try (PolicySource again = new RulesProvider().open(settings::get).orElseThrow();
        DefaultRules rules = RulesProvider.rules(settings::get)) {
      assertEquals(1, rules.rules().all().size());
    }
  }

  @Test
  void asksTheApplicationForADataSource() {
    JdbcDataSource database = new JdbcDataSource();
    database.setUrl("jdbc:h2:file:" + directory.resolve("application"));
    Map<String, DataSource> known = Map.of("orders", database, "", database);
    for (String name : List.of("orders", "")) {
      settings.put(RulesSettings.DATABASE.name(), "datasource:" + name);
      try (Rules rules = Rules.open(settings::get, byName(known)).orElseThrow()) {
        rules.rules().save(Rule.builder("free", "/api/" + name).limit(10).build(), "alice");
      }
    }
    try (Rules rules = Rules.builder(database).build()) {
      assertEquals(2, rules.rules().all().size());
    }
    settings.put(RulesSettings.DATABASE.name(), "datasource:order");
    String message =
        assertThrows(IllegalArgumentException.class, () -> Rules.open(settings::get, byName(known)))
            .getMessage();
    assertTrue(message.startsWith("weir.rules") && message.contains("order"), message);
    settings.put(RulesSettings.DATABASE.name(), "");
    assertEquals(Optional.empty(), Rules.open(settings::get, byName(known)));
  }

  private static Function<String, Optional<DataSource>> byName(Map<String, DataSource> known) {
    return name -> Optional.ofNullable(known.get(name));
  }

  @Test
  void whatIsNoDatabaseStopsTheStart() {
    for (String wrong : new String[] {"h2", "jdbc:nosuch:thing", "datasource:nosuch"}) {
      settings.put(RulesSettings.DATABASE.name(), wrong);
      IllegalArgumentException told =
          assertThrows(
              IllegalArgumentException.class, () -> new RulesProvider().open(settings::get));
      assertTrue(told.getMessage().startsWith("weir.rules"), told.getMessage());
    }
  }
}
