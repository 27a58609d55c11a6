package io.weir.internal.engine.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpStopRuleTest {
  @ParameterizedTest
  @CsvSource({
    "two quick ones in a row, 90 11 10 10, 4",
    "one that isn't between them, 90 10 11 10 10, 5",
    "none quicker for three, 90 50 51 52 50, 5",
    "still quicker now and then, 90 80 85 85 79 85 85 78 79 79 79, 11",
  })
  void endsWithRoundsThatAreQuickOrDoNotGetQuicker(String why, String times, int rounds) {
    WarmUpStopRule all = new WarmUpStopRule(10);
    int round = 0;
    boolean over = false;
    for (String each : times.split(" ", -1)) {
      round++;
      over = all.isEnoughAfter(Long.parseLong(each));
      if (over) {
        break;
      }
    }
    assertEquals(over ? rounds : 0, round, why);
  }
}
