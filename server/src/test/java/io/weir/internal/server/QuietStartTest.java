package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.test.log.LogLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a start logs. */
class QuietStartTest {
  @Test
  void logsNoWarningAndWhereRequestsAreCounted() {
    try (LogLines log = new LogLines("");
        RunningServer server = new RunningServer(Map.of())) {
      assertEquals(200, server.get("/v1/openapi.json", server.admin()).statusCode());
      assertEquals(List.of(), log.warnings());
      assertEquals(1, log.containing("Requests are counted in this process").size());
    }
  }
}
