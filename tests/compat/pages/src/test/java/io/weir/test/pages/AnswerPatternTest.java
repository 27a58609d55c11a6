package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AnswerPatternTest {
  private static final String SHOWN =
      """
      {"at": "2026-11-26T10:00:00Z", "resetTime": 1796030460,
       "name": "two words", "left": 3, …}
      """;

  private static String answer(String name, int left) {
    return "{\"at\":\"2027-01-02T03:04:05.678Z\",\"resetTime\":1896030461,\"name\":\""
        + name
        + "\",\"left\":"
        + left
        + ",\"more\":true}";
  }

  @Test
  void momentsAreFreeAndAllElseIsNot() {
    assertTrue(AnswerPattern.ofJson(SHOWN).matches(answer("two words", 3)));
    assertFalse(AnswerPattern.ofJson(SHOWN).matches(answer("twowords", 3)));
    assertFalse(AnswerPattern.ofJson(SHOWN).matches(answer("two words", 4)));
  }

  @Test
  void linesOfTextMayEndAsOnTheWire() {
    assertTrue(AnswerPattern.ofText("a,b\n1,…\n").matches("a,b\r\n1,2\r\n"));
    assertFalse(AnswerPattern.ofText("a,b\n1,…\n").matches("a,b\r\n2,2\r\n"));
  }
}
