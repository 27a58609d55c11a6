package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One limit for the whole application, charged once a request whatever that passes. */
class ApplicationLimitTest {
  private final WeirRuntime weir =
      new DefaultWeirBuilder()
          .ticker(new FakeTicker())
          .settings(
              Map.of(
                  "weir.application.limit", "4",
                  "weir.application.window", "1m",
                  "weir.application.except", "/probe"))
          .build();

  static class Shop {
    @RateLimit(limit = 100, window = 60, name = "buy")
    public void buy() {}

    @RateLimit(limit = 100, window = 60, name = "sell")
    public void sell() {}

    @RateLimit(limit = 1, window = 60, name = "once")
    public void once() {}

    public void plain() {}

    @Unlimited
    public void exempt() {}
  }

  private @Nullable CurrentRequest bound;

  private void bind(GuardedRequest request) {
    unbind();
    bound = request.bind(null);
  }

  private void unbind() {
    if (bound != null) {
      bound.close();
    }
  }

  @AfterEach
  void close() {
    unbind();
    weir.close();
  }

  private GuardedEndpoint endpoint(String name, EndpointType site) {
    Method method =
        Arrays.stream(Shop.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return weir.endpoint(Shop.class, method, site);
  }

  private static FakeRequest caller(String address) {
    return FakeRequest.from(address).method("GET");
  }

  private GuardedRequest pass(String method, RequestInfo from) {
    GuardedRequest request = endpoint(method, EndpointType.JAXRS).enter(from);
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    return request;
  }

  private Decision call(String method) {
    RequestInfo info =
        GuardedRequest.ofThread().map(GuardedRequest::info).orElseGet(() -> caller("192.0.2.1"));
    GuardedRequest around = GuardedRequest.ofThread().orElse(null);
    GuardedRequest call = endpoint(method, EndpointType.METHOD).enterCall(info, around);
    call.admit();
    call.completed(200);
    return call.decision();
  }

  /** A look-up before the sign-in may find another handler than the one that answers. */
  @Test
  void whatWasChargedOnTheWayToAProbeIsRefunded() {
    FakeRequest seen = caller("192.0.2.7").endpoint("/search");
    GuardedEndpoint plain = endpoint("plain", EndpointType.JAXRS);
    GuardedRequest request = plain.enter(seen);
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(3, request.decision().remaining());
    request.moveTo(plain, caller("192.0.2.7").endpoint("/probe"));
    request.correct(weir.unlimited());
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    request.completed(200);
    assertEquals(3, left("192.0.2.7"));
  }

  /** Returns what an address has left of the application's limit; sends a request that counts. */
  private long left(String address) {
    Decision part = pass("plain", caller(address)).decision();
    assertEquals("application", part.policy().name());
    return part.remaining();
  }

  @Test
  void aCallerHasOneBucketForAllEndpoints() {
    pass("buy", caller("192.0.2.1"));
    pass("plain", caller("192.0.2.1"));
    pass("sell", caller("192.0.2.1"));
    pass("exempt", caller("192.0.2.1"));
    assertEquals(0, left("192.0.2.1"));
    assertEquals(3, left("192.0.2.2"));
    for (String method : List.of("buy", "plain", "sell")) {
      GuardedRequest fifth = endpoint(method, EndpointType.SERVLET).enter(caller("192.0.2.1"));
      assertEquals(429, fifth.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    }
    pass("exempt", caller("192.0.2.1"));
    assertFalse(weir.withoutClass().isEmpty());
    assertTrue(weir.unlimited().isEmpty());
  }

  @Test
  void aRequestIsChargedOnceHoweverManyEndpointsItPasses() {
    GuardedRequest request = pass("buy", caller("192.0.2.1"));
    for (String next : List.of("sell", "plain", "buy", "sell")) {
      request.moveTo(endpoint(next, EndpointType.SERVLET), caller("192.0.2.1"));
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    }
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void wovenCallsInARequestAreChargedByTheirOwnPoliciesOnly() {
    bind(pass("buy", caller("192.0.2.1")));
    for (String method : List.of("sell", "sell", "buy")) {
      assertEquals(method, call(method).policy().name());
    }
    unbind();
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void aRequestThatNobodyBeganIsKnownByItsThread() {
    bind(weir.unlimited().enter(caller("192.0.2.1")));
    call("sell");
    call("buy");
    bind(weir.unlimited().enter(caller("192.0.2.1")));
    call("buy");
    unbind();
    assertEquals(1, left("192.0.2.1"));
  }

  @Test
  void wovenCallsOfAnExemptRequestAreChargedOnceTogether() {
    GuardedRequest request = weir.unlimited().enter(caller("192.0.2.1"));
    bind(request);
    call("sell");
    call("sell");
    call("buy");
    assertEquals(1, request.decision().permits());
    assertEquals("application", request.decision().policy().name());
    unbind();
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void aRefusedRequestGivesBackWhatItsCallWasCharged() {
    GuardedRequest request = weir.unlimited().enter(caller("192.0.2.1"));
    bind(request);
    call("sell");
    request.refused();
    unbind();
    assertEquals(3, left("192.0.2.1"));
  }

  @Test
  void aCallThatItsOwnPolicyRefusesCostsNothing() {
    bind(weir.unlimited().enter(caller("192.0.2.1")));
    call("once");
    bind(weir.unlimited().enter(caller("192.0.2.1")));
    assertThrows(RateLimitExceededException.class, () -> call("once"));
    unbind();
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void aCallOutsideOfARequestIsChargedByItself() {
    for (int i = 0; i < 4; i++) {
      assertEquals(2, call("sell").parts().size());
    }
    RateLimitExceededException refused =
        assertThrows(RateLimitExceededException.class, () -> call("buy"));
    assertEquals("application", refused.decision().policy().name());
    assertEquals(Outcome.REFUSED, refused.decision().outcome());
    assertEquals(Key.address("192.0.2.1"), refused.decision().key());
  }
}
