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
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.policy.EndpointKind;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One limit for the whole application, charged once a request whatever that passes. */
class ApplicationLimitTest {
  private final WeirRuntime weir =
      new DefaultWeirBuilder()
          .ticker(new FakeTicker())
          .settings(Map.of("weir.application.limit", "4", "weir.application.window", "1m"))
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

  @AfterEach
  void close() {
    CurrentRequest.clear();
    weir.close();
  }

  private GuardedEndpoint endpoint(String name, EndpointKind site) {
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
    GuardedRequest request = endpoint(method, EndpointKind.JAXRS).enter(from);
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
    return request;
  }

  private Decision call(String method) {
    RequestInfo around = CurrentRequest.get().orElseGet(() -> caller("192.0.2.1"));
    GuardedRequest call = endpoint(method, EndpointKind.METHOD).enterCall(around);
    call.admit();
    call.completed(200);
    return call.decision();
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
      GuardedRequest fifth = endpoint(method, EndpointKind.SERVLET).enter(caller("192.0.2.1"));
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
      request.moveTo(endpoint(next, EndpointKind.SERVLET), caller("192.0.2.1"));
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    }
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void wovenCallsInARequestAreChargedByTheirOwnPoliciesOnly() {
    Surrounding request = new Surrounding("192.0.2.1");
    request.begun = pass("buy", request);
    CurrentRequest.bind(request, Optional.empty());
    for (String method : List.of("sell", "sell", "buy")) {
      assertEquals(method, call(method).policy().name());
    }
    CurrentRequest.clear();
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void aRequestThatNobodyBeganIsKnownByItsThread() {
    CurrentRequest.bind(caller("192.0.2.1"), Optional.empty());
    call("sell");
    call("buy");
    CurrentRequest.bind(caller("192.0.2.1"), Optional.empty());
    call("buy");
    CurrentRequest.clear();
    assertEquals(1, left("192.0.2.1"));
  }

  @Test
  void wovenCallsOfAnExemptRequestAreChargedOnceTogether() {
    Surrounding request = new Surrounding("192.0.2.1");
    request.begun = weir.unlimited().enter(request);
    CurrentRequest.bind(request, Optional.empty());
    call("sell");
    call("sell");
    call("buy");
    assertEquals(1, request.begun.decision().permits());
    assertEquals("application", request.begun.decision().policy().name());
    CurrentRequest.clear();
    assertEquals(2, left("192.0.2.1"));
  }

  @Test
  void aRefusedRequestGivesBackWhatItsCallWasCharged() {
    Surrounding request = new Surrounding("192.0.2.1");
    request.begun = weir.unlimited().enter(request);
    CurrentRequest.bind(request, Optional.empty());
    call("sell");
    request.begun.refused();
    CurrentRequest.clear();
    assertEquals(3, left("192.0.2.1"));
  }

  @Test
  void aCallThatItsOwnPolicyRefusesCostsNothing() {
    CurrentRequest.bind(caller("192.0.2.1"), Optional.empty());
    call("once");
    CurrentRequest.bind(caller("192.0.2.1"), Optional.empty());
    assertThrows(RateLimitExceededException.class, () -> call("once"));
    CurrentRequest.clear();
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

  @Test
  void aRequestOfAnotherApplicationIsNoneOfOurs() {
    try (WeirRuntime other = new DefaultWeirBuilder().build()) {
      Surrounding request = new Surrounding("192.0.2.1");
      request.begun = other.unlimited().enter(request);
      CurrentRequest.bind(request, Optional.empty());
      call("sell");
      call("sell");
      CurrentRequest.clear();
      assertEquals(1, left("192.0.2.1"));
    }
  }

  /** A request as an adapter presents it, which knows its way past policies. */
  private static final class Surrounding implements RequestInfo, GuardedRequest.Holder {
    private final FakeRequest request;
    private GuardedRequest begun;

    Surrounding(String address) {
      this.request = caller(address);
    }

    @Override
    public GuardedRequest guarded() {
      return begun;
    }

    @Override
    public String endpoint() {
      return request.endpoint();
    }

    @Override
    public String method() {
      return request.method();
    }

    @Override
    public List<String> headers(String name) {
      return request.headers(name);
    }

    @Override
    public Optional<String> query(String name) {
      return request.query(name);
    }

    @Override
    public Optional<String> path(String name) {
      return request.path(name);
    }

    @Override
    public Optional<String> cookie(String name) {
      return request.cookie(name);
    }

    @Override
    public Optional<String> parameter(String name) {
      return request.parameter(name);
    }

    @Override
    public Optional<String> user() {
      return request.user();
    }

    @Override
    public Optional<String> peer() {
      return request.peer();
    }
  }
}
