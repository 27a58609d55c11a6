package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.LoadCurve;
import io.weir.annotation.Priority;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadCurveSettingsTest {
  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = ChangingSettings.over(given);
  private final LoadCurveSettings curves = new LoadCurveSettings(live);

  @ParameterizedTest
  @EnumSource(Priority.class)
  void eachHasItsUsualCurveUnlessSet(Priority priority) {
    assertEquals(LoadCurve.of(priority), curves.apply(priority));
  }

  @Test
  void aChangeHoldsOnARunningApplicationUnlessItIsMalformed() {
    given.put("weir.load.low", "10:100,50:0");
    given.put("weir.load.critical", "90:100,100:80");
    live.refresh();
    assertEquals(LoadCurve.parse("10:100,50:0"), curves.apply(Priority.LOW));
    assertEquals(LoadCurve.parse("90:100,100:80"), curves.apply(Priority.CRITICAL));
    assertEquals(LoadCurve.of(Priority.NORMAL), curves.apply(Priority.NORMAL));
    given.put("weir.load.low", "10:200");
    live.refresh();
    assertEquals(LoadCurve.parse("10:100,50:0"), curves.apply(Priority.LOW));
    given.clear();
    live.refresh();
    assertEquals(LoadCurve.of(Priority.LOW), curves.apply(Priority.LOW));
  }
}
