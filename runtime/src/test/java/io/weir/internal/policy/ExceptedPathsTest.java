package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExceptedPathsTest {
  private static final ExceptedPaths PROBES =
      new ExceptedPaths(List.of("/healthz", "/actuator/health/*"));

  @ParameterizedTest
  @CsvSource({
    "/healthz, true",
    "/healthz/, false",
    "/healthz/x, false",
    "/HEALTHZ, false",
    "/healthz;a=b, false",
    "'', false",
    "/, false",
    "/actuator/health, true",
    "/actuator/health/, true",
    "/actuator/health/live, true",
    "/actuator/health/live/a.b, true",
    "/actuator/health/..., true",
    "/actuator/health/.hidden, true",
    "/actuator/health/**, true",
    "/actuator/health/{*path}, true",
    "/actuator/healthy, false",
    "/{page}, false",
    "/actuator/{page}, false"
  })
  void areComparedWithWhatWasMatched(String path, boolean left) {
    assertEquals(left, PROBES.contain(path));
  }

  @ParameterizedTest
  @CsvSource({
    "/actuator/health/../../search",
    "/actuator/health/..",
    "/actuator/health/.",
    "/actuator/health/./x",
    "/actuator/health//x",
    "/actuator/health//",
    "/actuator/health/..;/..;/search",
    "/actuator/health/;x",
    "/actuator/health/..%2f..%2fsearch",
    "/actuator/health/%2e%2e/%2e%2e/search",
    "/actuator/health/..\\..\\search"
  })
  void nothingIsBelowThemThatMayBeReadInAnotherWay(String path) {
    assertEquals(false, PROBES.contain(path));
  }
}
