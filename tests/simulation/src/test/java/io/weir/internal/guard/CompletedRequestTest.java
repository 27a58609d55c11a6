package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports completed requests to a policy source. */
class CompletedRequestTest {
  private final List<String> told = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();
  private boolean broken;
  private boolean incomplete;
  private final WeirRuntime weir =
      new DefaultWeirBuilder().ticker(new FakeTicker()).policySource(new Source()).build();

  static class Shop {
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "search")
    public void search() {}

    @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.FAILURES, name = "login")
    public void login() {}

    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "query:user",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public void signIn() {}

    @RateLimit(limit = 5, window = 60, by = By.IP, name = "early")
    @RateLimit(limit = 5, window = 60, by = By.USER, name = "late")
    public void both() {}

    public void plain() {}
  }

  private final class Source implements PolicySource {
    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedStage(
          incomplete ? AppliedPolicies.incomplete(List.of()) : AppliedPolicies.none());
    }

    @Override
    public void completed(RequestInfo request, Decision decision) {
      decisions.add(decision);
      told.add(request.endpoint() + " " + request.user().orElse("-") + " " + names(decision));
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
    }
  }

  private @Nullable CurrentRequest bound;

  @AfterEach
  void close() {
    if (bound != null) {
      bound.close();
    }
    weir.close();
  }

  private static List<String> names(Decision decision) {
    return decision.parts().stream().map(part -> part.policy().name()).toList();
  }

  private GuardedEndpoint endpoint(String method) {
    try {
      return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.METHOD);
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  private static FakeRequest caller(String endpoint) {
    return FakeRequest.from("192.0.2.1").user("alice").endpoint(endpoint);
  }

  private GuardedRequest decided(String method) {
    GuardedRequest request = endpoint(method).enter(caller("/" + method));
    if (request.decide(BEFORE_AUTHENTICATION).isEmpty()) {
      request.decide(AFTER_AUTHENTICATION);
    }
    return request;
  }

  @Test
  void isToldOncePerRequestAndNotPerPhase() {
    GuardedRequest request = decided("both");
    assertEquals(List.of(), told, "it isn't over");
    request.completed(200);
    request.completed(200);
    request.failed();
    assertEquals(List.of("/both alice [early, late]"), told);
    assertTrue(decisions.get(0).admitted());
  }

  @Test
  void whatDoesNotCountIsRefundedBefore() {
    decided("login").completed(200);
    assertEquals(List.of("/login alice [login]"), told);
    assertTrue(decided("login").decision().admitted());
  }

  @ParameterizedTest
  @CsvSource({"POST, true", "GET, true", "HEAD, false", "OPTIONS, false", "TRACE, false"})
  void whatFrameworksAnswerClearsNoFailures(String method, boolean clears) {
    signIn("POST").completed(401);
    signIn(method).completed(200);
    signIn("POST").completed(401);
    assertEquals(clears, signIn("POST").decision().admitted());
  }

  private GuardedRequest signIn(String method) {
    FakeRequest caller = caller("/signIn").method(method).query("user", "alice");
    GuardedRequest request = endpoint("signIn").enter(caller);
    request.decide(BEFORE_AUTHENTICATION);
    return request;
  }

  @Test
  void aRefusedRequestIsToldToo() {
    for (int i = 0; i < 4; i++) {
      decided("search").completed(i < 3 ? 200 : 429);
    }
    assertEquals(4, told.size());
    assertFalse(decisions.get(3).admitted());
  }

  @Test
  void whereNothingDecidedNothingIsTold() {
    decided("plain").completed(200);
    assertEquals(List.of(), told);
  }

  @Test
  void aPartOfTheResponseBelongsToTheRequest() {
    GuardedRequest request = decided("both");
    request.moveTo(endpoint("search"), caller("/part"));
    assertEquals(Optional.empty(), request.admitPart());
    assertEquals(List.of(), told);
    request.moveTo(endpoint("both"), caller("/both"));
    request.completed(200);
    assertEquals(List.of("/both alice [early, late, search]"), told);
  }

  @Test
  void aRefusedPartIsToldWithTheRequest() {
    for (int i = 0; i < 3; i++) {
      decided("search");
    }
    GuardedRequest request = decided("both");
    request.moveTo(endpoint("search"), caller("/both"));
    assertTrue(request.admitPart().isPresent());
    assertEquals(List.of(), told);
    request.completed(200);
    assertEquals(List.of("/both alice [early, late, search]"), told);
    assertFalse(decisions.get(0).parts().get(2).admitted());
  }

  @Test
  void aCallOutsideOfARequestIsOneOfItsOwn() {
    for (int i = 0; i < 3; i++) {
      GuardedRequest call = endpoint("search").enterCall(caller("Shop#search"), around());
      call.admit();
      call.completed(200);
    }
    assertEquals(3, told.size());
    assertEquals("Shop#search alice [search]", told.get(0));
    GuardedRequest refused = endpoint("search").enterCall(caller("Shop#search"), around());
    assertThrows(RateLimitExceededException.class, refused::admit);
    assertEquals(4, told.size());
    assertFalse(decisions.get(3).admitted());
  }

  @Test
  void aCallWithinARequestIsToldWithIt() {
    FakeRequest around = caller("/plain");
    GuardedRequest request = begun(around);
    GuardedRequest call = endpoint("search").enterCall(caller("Shop#search"), around());
    call.admit();
    call.completed(200);
    assertEquals(List.of(), told);
    request.completed(200);
    assertEquals(List.of("/plain alice [search]"), told);
    GuardedRequest late = endpoint("search").enterCall(caller("Shop#search"), around());
    late.admit();
    late.completed(200);
    assertEquals(List.of("/plain alice [search]", "Shop#search alice [search]"), told);
  }

  /** A request that an adapter has bound to this thread. */
  private GuardedRequest begun(FakeRequest request) {
    GuardedRequest begun = endpoint("plain").enter(request);
    bound = begun.bind(null);
    return begun;
  }

  private static @Nullable GuardedRequest around() {
    return GuardedRequest.ofThread().orElse(null);
  }

  @Test
  void whatItThrowsIsLoggedOnce() throws Exception {
    broken = true;
    try (LogLines log = new LogLines()) {
      decided("both").completed(200);
      decided("both").completed(200);
      assertEquals(2, told.size());
      assertEquals(1, log.containing("failed to record a completed request").size());
    }
  }

  @Test
  void whatWasDecidedWithoutTheSourceIsToldAsDegraded() {
    incomplete = true;
    decided("search").completed(200);
    assertTrue(decisions.get(0).degraded());
  }

  @Test
  void itMattersHowEachRequestEnds() {
    assertTrue(decided("plain").needsOutcome());
    try (WeirRuntime without = new DefaultWeirBuilder().settings(Map.of()).build()) {
      assertFalse(without.unlimited().enter(caller("/plain")).needsOutcome());
    }
  }
}
