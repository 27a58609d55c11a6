package io.weir.example.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "127.0.0.2", "::1", "[::1]"})
  void loopbackIsAllowed(String host) {
    assertTrue(Host.loopback(host).isLoopbackAddress());
  }

  /** A setting that starts nothing, in case the example starts all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "", " ", "255.255.255.255", "no such host"})
  void theExampleRefusesToStartAnywhereElse(String host) {
    String says =
        assertThrows(
                IllegalArgumentException.class,
                () -> Example.start(host, 0, Weir.builder().settings(Map.of("weir.rules", ""))))
            .getMessage();
    assertEquals(
        "host = '"
            + host
            + "' (-Dhost): must be an address of loopback, such as 127.0.0.1, since everybody knows"
            + " the passwords of this example, such as admin/admin",
        says);
  }
}
