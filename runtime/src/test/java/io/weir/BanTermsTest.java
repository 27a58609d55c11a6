package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.BanScope;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Terms of bans have the policy's window where nothing else is said. */
class BanTermsTest {
  private static PolicyBuilder login() {
    return Policy.builder("login").limit(5).window(Duration.ofMinutes(1));
  }

  @Test
  void aPolicyBansNobodyUnlessItSaysSo() {
    assertEquals(Optional.empty(), login().build().ban());
  }

  @Test
  void theWindowIsTheDefault() {
    BanTerms terms = login().banAfter(5).build().ban().orElseThrow();
    assertEquals(5, terms.after());
    assertEquals(Duration.ofMinutes(1), terms.within());
    assertEquals(Duration.ofMinutes(1), terms.first());
    assertEquals(Duration.ofMinutes(16), terms.atMost());
    assertTrue(terms.onRefusals());
    assertEquals(Set.of(), terms.statuses());
    assertEquals(BanScope.POLICY, terms.scope());
    assertEquals("5 strikes within 1 minute: banned for 1 minute", terms.toString());
  }

  @Test
  void shortWindowsAreASecondAndLongBansEndWithinAYear() {
    Policy quick = login().window(Duration.ofMillis(10)).banAfter(1).build();
    assertEquals(Duration.ofSeconds(1), quick.ban().orElseThrow().within());
    Policy slow = login().window(1, ChronoUnit.MONTHS).banAfter(1).build();
    assertEquals(slow.window(), slow.ban().orElseThrow().first());
    assertEquals(Duration.ofDays(366), slow.ban().orElseThrow().atMost());
  }

  @Test
  void eachBanIsTwiceAsLongAsTheOneBefore() {
    BanTerms terms =
        login()
            .banAfter(5)
            .banWithin(Duration.ofMinutes(10))
            .banFor(Duration.ofHours(1))
            .banAtMost(Duration.ofHours(5))
            .banOn("refusals", " 401")
            .banScope(BanScope.APPLICATION)
            .build()
            .ban()
            .orElseThrow();
    assertEquals(Duration.ofHours(1), terms.length(0));
    assertEquals(Duration.ofHours(2), terms.length(1));
    assertEquals(Duration.ofHours(4), terms.length(2));
    assertEquals(Duration.ofHours(5), terms.length(3));
    assertEquals(Duration.ofHours(5), terms.length(1_000_000));
    assertEquals(Duration.ofMinutes(10), terms.within());
    assertTrue(terms.onRefusals());
    assertEquals(Set.of(401), terms.statuses());
    assertEquals(BanScope.APPLICATION, terms.scope());
  }

  @Test
  void policiesWithOtherTermsAreOthers() {
    assertEquals(login().banAfter(5).build(), login().banAfter(5).build());
    assertNotEquals(login().banAfter(5).build(), login().banAfter(6).build());
    assertNotEquals(login().banAfter(5).build(), login().build());
    assertEquals(login().banAfter(5).build().ban(), login().banAfter(5).build().inShadow().ban());
  }
}
