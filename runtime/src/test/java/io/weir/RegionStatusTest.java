package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionStatusTest {
  private static Optional<Duration> seconds(String text) {
    return Optional.ofNullable(text).map(Duration::parse);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PT0.7S|PT2.1S||answered 0 s ago, reported 2 s ago",
        "PT61S|PT120S||answered 61 s ago, reported 2 minutes ago",
        "PT1S|||answered 1 s ago",
        "|PT1S||reported 1 s ago",
        "|||not heard of yet",
        "PT30S|PT1S|connection refused|connection refused"
      })
  void describesWhenARegionWasHeardOf(
      String reported, String heard, String trouble, String expected) {
    RegionStatus region =
        new RegionStatus(
            "us",
            false,
            OptionalInt.empty(),
            seconds(reported),
            seconds(heard),
            0,
            0,
            false,
            Optional.ofNullable(trouble));
    assertEquals(expected, region.describe());
  }

  @Test
  void describesTheOwnRegionAndShares() {
    RegionStatus own =
        new RegionStatus(
            "eu",
            true,
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0,
            false,
            Optional.empty());
    assertEquals("the region of this node", own.describe());
    assertEquals("counts 40 % of each limit", RegionStatus.ofShare("eu", true, 40).describe());
  }
}
