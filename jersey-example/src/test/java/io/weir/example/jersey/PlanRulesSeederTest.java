package io.weir.example.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.rules.Rules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class PlanRulesSeederTest {
  /** Held, or its handler may be lost with it. */
  private static final Logger LOGGER = Logger.getLogger("io.weir");

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler collector =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.add(line.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Test
  void writesNoRuleThatWeirWarnsOfMeanwhile() {
    LOGGER.addHandler(collector);
    Map<String, String> settings =
        Map.of(
            "weir.rules", "jdbc:h2:mem:seeded",
            "weir.rules.timeout", "10s", // or a slow machine is warned of
            "weir.rules.caller", "header:X-Api-Key");
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      Rules rules = Rules.of(weir).orElseThrow();
      PlanRulesSeeder.addTo(rules);
      assertEquals(7, rules.rules().all().size());
      assertEquals(List.of(), warnings);
    } finally {
      LOGGER.removeHandler(collector);
    }
  }
}
