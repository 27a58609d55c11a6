package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server in a pod, whose environment describes Services that are named after it. */
@OneDayIn(2)
class KubernetesTest {
  @TempDir private Path data;

  @Test
  void servicesThatAreNamedAfterListenersAreNoSettings() throws Exception {
    List<String> command =
        ServerProcess.command(
            "-Dweir.server.http.port=0", "-Dweir.server.grpc.port=0", "-Dweir.server.redis.port=0");
    Map<String, String> services =
        Map.of(
            "WEIR_SERVER_HTTP_PORT", "tcp://10.0.0.1:8070",
            "WEIR_SERVER_HTTP_SERVICE_HOST", "10.0.0.1",
            "WEIR_SERVER_GRPC_PORT", "tcp://10.0.0.2:8071",
            "WEIR_SERVER_REDIS_PORT", "tcp://10.0.0.3:6379",
            "WEIR_SERVER_METRICS_PORT", "tcp://10.0.0.4:9090",
            "WEIR_PORT", "tcp://10.0.0.5:80");
    try (ServerProcess server = ServerProcess.start(command, data.resolve("data"), services)) {
      server.awaitLine("ready");
      List<String> warnings =
          server.lines().stream()
              .filter(each -> each.contains("and are ignored as settings"))
              .toList();
      assertEquals(1, warnings.size(), server.lines()::toString);
      assertTrue(warnings.get(0).contains("WEIR_PORT and 5 more"), warnings::toString);
      server.stop();
      server.awaitEnd();
    }
  }
}
