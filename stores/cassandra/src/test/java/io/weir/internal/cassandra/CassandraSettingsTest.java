package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.spi.ModuleSetting;
import io.weir.test.docs.SettingsPage;
import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names of settings that would be without effect stop the start, whichever store is in use. */
class CassandraSettingsTest {
  @Test
  void aMisspelledSettingStopsTheStart() {
    Map<String, String> given = Map.of("weir.store.cassandra.verify_host", "true");
    assertEquals(
        "weir.store.cassandra.verify_host = 'true' (given): unknown setting; did you mean"
            + " weir.store.cassandra.verify-host?",
        assertThrows(
                InvalidSettingException.class,
                () -> Weir.builder().onlyGivenSettings().settings(given).build())
            .getMessage());
  }

  @Test
  void allSettingsAreOnThePage() throws IOException {
    assertEquals(
        SettingsPage.names("weir.store.cassandra."),
        new CassandraSettings()
            .settings().stream()
                .map(ModuleSetting::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
