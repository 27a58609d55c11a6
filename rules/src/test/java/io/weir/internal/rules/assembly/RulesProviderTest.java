package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.spi.PolicySource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    settings.put(RulesSettings.DATABASE, "jdbc:h2:file:" + directory.resolve("rules"));
    try (DefaultRules rules = RulesProvider.rules(settings::get)) {
      rules.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
    }
    try (PolicySource again = new RulesProvider().open(settings::get).orElseThrow();
        DefaultRules rules = RulesProvider.rules(settings::get)) {
      assertEquals(1, rules.rules().all().size());
    }
  }

  @Test
  void whatIsNoDatabaseStopsTheStart() {
    for (String wrong : new String[] {"h2", "jdbc:nosuch:thing", "datasource:nosuch"}) {
      settings.put(RulesSettings.DATABASE, wrong);
      IllegalArgumentException told =
          assertThrows(
              IllegalArgumentException.class, () -> new RulesProvider().open(settings::get));
      assertTrue(told.getMessage().startsWith("weir.rules"), told.getMessage());
    }
  }
}
