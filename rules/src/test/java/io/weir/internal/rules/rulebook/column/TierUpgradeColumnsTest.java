package io.weir.internal.rules.rulebook.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rules.problem.InvalidRuleException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A reason may have 1,000 characters, as databases count them. */
class TierUpgradeColumnsTest {
  private static final String WIDE = "😀"; // two chars of Java

  private static Map<String, String> request(String reason) {
    return TierUpgradeColumns.request("ann", "free", "premium", reason);
  }

  @Test
  void aReasonMayHaveAThousandCharactersOfAnyWidth() {
    assertEquals(WIDE.repeat(1_000), request(WIDE.repeat(1_000)).get("reason"));
    assertEquals("x".repeat(1_000), request("x".repeat(1_000)).get("reason"));
  }

  @Test
  void oneMoreIsRefused() {
    assertThrows(InvalidRuleException.class, () -> request(WIDE.repeat(1_001)));
    assertThrows(InvalidRuleException.class, () -> request("x".repeat(1_001)));
  }
}
