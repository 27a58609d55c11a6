package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spring.JavaProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The environment variables that Kubernetes gives to each container. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class KubernetesTest {
  private static final String IGNORED = "environment variable WEIR_PORT and 8 more describe";

  private static final Map<String, String> POD =
      Map.ofEntries(
          Map.entry("KUBERNETES_SERVICE_HOST", "10.0.0.1"),
          Map.entry("KUBERNETES_SERVICE_PORT", "443"),
          Map.entry("WEIR_SERVICE_HOST", "10.0.0.2"),
          Map.entry("WEIR_SERVICE_PORT", "8070"),
          Map.entry("WEIR_SERVICE_PORT_HTTP", "8070"),
          Map.entry("WEIR_PORT", "tcp://10.0.0.2:8070"),
          Map.entry("WEIR_PORT_8070_TCP", "tcp://10.0.0.2:8070"),
          Map.entry("WEIR_PORT_8070_TCP_PROTO", "tcp"),
          Map.entry("WEIR_PORT_8070_TCP_PORT", "8070"),
          Map.entry("WEIR_PORT_8070_TCP_ADDR", "10.0.0.2"),
          Map.entry("WEIR_SERVER_HTTP_PORT", "tcp://10.0.0.3:8070"));

  @Test
  void nobodyChoosesItsAddressInAPodAndServicesAreNoSettings() throws Exception {
    String output =
        JavaProcess.run(
            POD,
            JavaProcess.classPath(),
            List.of("-Dlogging.level.io.weir=WARN"),
            KubernetesMain.class.getName());
    assertTrue(output.contains("redirect https://shop.example/there"), output);
    assertTrue(output.endsWith("status 0"), output);
    assertEquals(2, output.split(IGNORED, -1).length, output);
    assertTrue(!output.contains("unknown variable"), output);
  }
}
