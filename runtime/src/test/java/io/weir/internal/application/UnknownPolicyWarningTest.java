package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.test.log.LogLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A setting of a policy that doesn't exist, in an application that doesn't log its table. */
class UnknownPolicyWarningTest {
  static class Search {
    @RateLimit(limit = 3, window = 60)
    public void search() {}
  }

  @Test
  void theEndOfTheStartWarnsOfASettingForAPolicyThatNobodyHas() {
    Map<String, String> misspelled = Map.of("weir.policy.Search.serch.limit", "5");
    try (LogLines warnings = new LogLines("io.weir.internal.policy");
        Weir weir = Weir.builder().onlyGivenSettings().settings(misspelled).build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      adapter.check(List.of(Search.class), EndpointType.METHOD);
      assertEquals(List.of(), warnings.lines());
      adapter.started();
      adapter.started();
      assertEquals(
          List.of(
              "WARNING weir.policy.Search.serch: no endpoint read so far has a policy of this"
                  + " name; did you mean Search.search?"),
          warnings.lines());
    }
  }
}
