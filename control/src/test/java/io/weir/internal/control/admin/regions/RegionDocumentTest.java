package io.weir.internal.control.admin.regions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.RegionStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RegionDocumentTest {
  @Test
  void agesAreInSecondsEachWay() {
    RegionStatus region =
        new RegionStatus(
            "us",
            false,
            OptionalInt.empty(),
            Optional.of(Duration.ofMillis(12_345)),
            Optional.of(Duration.ofSeconds(2)),
            77,
            0,
            true,
            Optional.of("connection refused"));
    assertEquals(
        new RegionDocument("us", false, null, 12.345, 2.0, 77, 0, true, "connection refused"),
        RegionDocument.of(region));
  }

  @Test
  void whatIsNotKnownIsNull() {
    assertEquals(
        new RegionDocument("eu", true, 40, null, null, 0, 0, false, null),
        RegionDocument.of(RegionStatus.ofShare("eu", true, 40)));
  }
}
