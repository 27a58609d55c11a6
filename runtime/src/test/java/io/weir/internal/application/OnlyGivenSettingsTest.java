package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OnlyGivenSettingsTest {
  @Test
  void noOtherPlaceIsRead() {
    System.setProperty("weir.headers", "of no use");
    try (Weir weir =
            Weir.builder()
                .liveSettings(() -> Map.of("weir.zone", "nowhere"))
                .settings(Map.of("weir.enabled", "false"))
                .onlyGivenSettings()
                .build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      assertEquals("", adapter.setting("weir.headers"));
      assertEquals("false", adapter.setting("weir.enabled"));
    } finally {
      System.clearProperty("weir.headers");
    }
  }

  @Test
  void theGivenOnesAreChecked() {
    assertThrows(
        InvalidSettingException.class,
        () -> Weir.builder().onlyGivenSettings().settings(Map.of("weir.enabeld", "true")).build());
  }
}
