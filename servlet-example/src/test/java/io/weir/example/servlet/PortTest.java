package io.weir.example.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortTest {
  @Test
  void aPropertyGoesBeforeTheEnvironmentAndThatBeforeTheDefault() {
    assertEquals(8081, Port.chosen(Optional.of("8081"), Optional.of("8082")));
    assertEquals(8082, Port.chosen(Optional.empty(), Optional.of(" 8082 ")));
    assertEquals(8080, Port.chosen(Optional.empty(), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "65536", "80.0", "99999999999"})
  void saysWhatIsWrongWithAPort(String text) {
    String says =
        assertThrows(
                IllegalArgumentException.class,
                () -> Port.chosen(Optional.of(text), Optional.empty()))
            .getMessage();
    assertEquals(
        "port = '" + text + "' (-Dport or PORT): must be a whole number from 0 to 65535", says);
  }
}
