package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.database.FreshClasses;
import io.weir.test.log.LogLines;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuietStartTest {
  @Test
  void anEmptyDatabaseBesideAStoreInThisProcessIsNoReasonToWarn() throws Exception {
    Map<String, String> settings = Map.of("weir.rules", "jdbc:h2:mem:quiet");
    try (URLClassLoader classes = FreshClasses.all(); // warnings are logged once for each process
        LogLines log = new LogLines("io.weir");
        AutoCloseable weir = FreshClasses.start(classes, settings)) {
      assertEquals(List.of(), log.warnings(), weir::toString);
    }
  }
}
