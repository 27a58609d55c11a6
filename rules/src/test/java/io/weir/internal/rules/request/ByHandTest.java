package io.weir.internal.rules.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules for a policy also apply to direct calls of the limiter. */
class ByHandTest {
  private static final Policy SEARCH =
      Policy.builder("search").limit(3).window(Duration.ofMinutes(1)).build();

  private static final Instant END = FakeTicker.START.plusSeconds(600);

  private final RuleRequests app = new RuleRequests();

  @AfterEach
  void close() {
    app.close();
  }

  @Test
  void aCallerHasTheLimitOfItsTier() {
    app.rule("premium", "policy:search", 50).user("alice", "premium").start();
    assertEquals(49, take("alice").remaining());
    assertEquals(2, take("bob").remaining());
  }

  @Test
  void soItHasWhereUserAndKeyCountTogether() {
    app.rule("premium", "policy:search", 50).user("alice", "premium").start();
    Key both = Key.tuple(List.of(Key.user("alice"), Key.of("abc")));
    assertEquals(49, app.weir().limiter().tryAcquire(SEARCH, both).remaining());
  }

  @Test
  void aKeyIsNeverAUser() {
    app.rule("premium", "policy:search", 50).user("alice", "premium").start();
    assertEquals(2, app.weir().limiter().tryAcquire(SEARCH, Key.of("alice")).remaining());
  }

  @Test
  void alsoAsynchronouslyAndForALook() {
    app.rule("premium", "policy:search", 50).user("alice", "premium").start();
    List<PermitRequest> wanted = List.of(new PermitRequest(SEARCH, Key.user("alice")));
    Decision later = app.weir().limiter().tryAcquireAsync(wanted).toCompletableFuture().join();
    assertEquals(49, later.remaining());
    assertEquals(49, app.weir().limiter().peek(SEARCH, Key.user("alice")).remaining());
    app.weir().limiter().refund(later);
    assertEquals(50, app.weir().limiter().peek(SEARCH, Key.user("alice")).remaining());
    app.weir().limiter().charge(SEARCH, Key.user("alice"), 10);
    assertEquals(40, app.weir().limiter().peek(SEARCH, Key.user("alice")).remaining());
  }

  @Test
  void aLimitThatIsSaidByHandStays() {
    app.rule("free", "policy:search", 50).start();
    PermitRequest own = new PermitRequest(SEARCH, Key.user("bob"), 1, 7);
    assertEquals(6, app.weir().limiter().tryAcquire(List.of(own)).remaining());
  }

  @Test
  void switchedOffItTakesNothing() {
    app.switches.add(new PolicySwitch("search", SwitchState.OFF, END, "a test", "me"));
    app.start();
    for (int i = 0; i < 10; i++) {
      assertTrue(take("bob").admitted());
    }
    assertEquals(3, take("bob").remaining());
  }

  @Test
  void inShadowItRefusesNobody() {
    app.switches.add(new PolicySwitch("search", SwitchState.SHADOW, END, "a test", "me"));
    app.start();
    for (int i = 0; i < 3; i++) {
      assertEquals(Outcome.ADMITTED, take("bob").outcome());
    }
    assertEquals(Outcome.SHADOW_REFUSED, take("bob").outcome());
  }

  @Test
  void rulesByPatternAreForRequests() {
    app.rule(Rule.EVERYBODY, "*", 1).start();
    for (int i = 0; i < 3; i++) {
      assertTrue(take("bob").admitted());
    }
    assertFalse(take("bob").admitted());
  }

  @Test
  void whoCantBeLookedUpIsDecidedByWhatIsKnown() {
    app.rule("premium", "policy:search", 50).user("alice", "premium").start();
    app.isAway = true;
    Decision decision = take("alice");
    assertTrue(decision.degraded());
    assertEquals(2, decision.remaining());
  }

  private Decision take(String user) {
    return app.weir().limiter().tryAcquire(SEARCH, Key.user(user));
  }
}
