package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.TierResolver;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeRequest;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An adapter after its end, as containers keep it in memory, and as late requests meet it. */
class ClosedAdapterTest {
  private static final Object[] NOTHING = {};
  private static final FakeRequest CALLER = FakeRequest.from("192.0.2.1").method("GET");

  static class Shop {
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "buy", count = Count.SUCCESSES)
    public void buy() {}
  }

  /** A store whose buckets are always full. */
  private static final class Generous implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      BucketArithmetic arithmetic = BucketArithmetic.exact();
      return CompletableFuture.completedStage(
          claims.stream()
              .map(each -> Optional.of(arithmetic.execute(null, each, 1).grant()))
              .toList());
    }

    @Override
    public boolean counts(BucketSpec spec) {
      return true;
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** All that a container may keep of an adapter. */
  private record Kept(
      Adapter adapter,
      LimitedEndpoint endpoint,
      LimitedEndpoint unlimited,
      LimitedCall call,
      LimitedRequest request,
      LimitedRequest.Binding binding) {}

  /** The objects that must go: the Weir, its store, and the parts of the application. */
  private record Gone(
      WeakReference<Weir> weir,
      WeakReference<RateLimiter> limiter,
      WeakReference<PermitStore> store,
      WeakReference<TierResolver> tiers,
      WeakReference<PolicySource> source) {}

  private static Method buy() {
    try {
      return Shop.class.getMethod("buy");
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }

  private static Kept used(Weir weir) throws Exception {
    Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));
    adapter.check(List.of(Shop.class), EndpointType.JAXRS);
    LimitedEndpoint endpoint = adapter.endpoint(Shop.class, buy(), EndpointType.JAXRS);
    adapter.started();
    LimitedRequest request = adapter.begin(CALLER, null);
    request.moveTo(endpoint, CALLER);
    for (DecisionPhase phase : DecisionPhase.values()) {
      assertEquals(Optional.empty(), request.decide(phase));
    }
    LimitedCall call = adapter.call(Shop.class, buy(), List.of());
    LimitedRequest.Binding binding = request.bind(buy());
    try {
      call.run(NOTHING, () -> "bought");
    } catch (Throwable refused) {
      throw new AssertionError(refused);
    }
    binding.close();
    request.completed(200);
    return new Kept(adapter, endpoint, adapter.unlimited(), call, request, binding);
  }

  private static Gone closed(List<Kept> kept) throws Exception {
    PermitStore store = new Generous();
    TierResolver tiers = (request, policy) -> CallerTier.named(policy.name() + store.size());
    PolicySource source =
        (request, tier, phase, bound) ->
            store.size() == 0
                ? CompletableFuture.completedStage(AppliedPolicies.none())
                : new CompletableFuture<>();
    Weir weir = Weir.builder().store(store).tierResolver(tiers).policySource(source).build();
    Kept used = used(weir);
    kept.add(used);
    RateLimiter limiter = weir.limiter();
    used.adapter().close();
    weir.close();
    return new Gone(
        new WeakReference<>(weir),
        new WeakReference<>(limiter),
        new WeakReference<>(store),
        new WeakReference<>(tiers),
        new WeakReference<>(source));
  }

  @Test
  void nothingThatItHasFoundKeepsAClosedWeir() throws Exception {
    List<Kept> kept = new ArrayList<>();
    Gone gone = closed(kept);
    assertCollected("Weir", gone.weir());
    assertCollected("limiter", gone.limiter());
    assertCollected("store", gone.store());
    assertCollected("tier resolver", gone.tiers());
    assertCollected("policy source", gone.source());
    assertEquals(1, kept.size(), "all this time they were kept");
  }

  private static void assertCollected(String what, WeakReference<?> reference)
      throws InterruptedException {
    for (int i = 0; i < 600 && !reference.refersTo(null); i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertTrue(reference.refersTo(null), what + " is still in memory");
  }

  @Test
  void requestsThatComeLateAreAdmitted() throws Throwable {
    Weir weir =
        Weir.builder()
            .settings(
                Map.of(
                    "weir.application.limit", "1",
                    "weir.application.window", "1h",
                    "weir.policy.page.url", "/x",
                    "weir.policy.page.limit", "1",
                    "weir.policy.page.window", "1h"))
            .build();
    Kept kept = used(weir);
    Adapter late = kept.adapter();
    late.close();
    weir.close();
    assertFalse(late.limitsPaths());
    assertFalse(late.hasPolicySource());
    assertFalse(late.findsPeer());
    assertEquals(Optional.empty(), late.peer("any"));
    assertEquals(Optional.empty(), late.applicationLoader());
    late.check(List.of(Shop.class), EndpointType.JAXRS);
    for (LimitedEndpoint each :
        List.of(
            kept.endpoint(),
            late.endpoint(Shop.class, buy(), EndpointType.JAXRS),
            late.endpoint(Shop.class, EndpointType.SERVLET),
            late.endpoint("/x", true),
            late.endpoint("/x", true).and(kept.endpoint()),
            late.withoutClass())) {
      LimitedRequest request = late.begin(CALLER, null);
      assertSame(request, late.begin(CALLER, request), "the next filter goes on with it");
      request.countInFlight();
      request.moveTo(each, CALLER);
      for (DecisionPhase phase : DecisionPhase.values()) {
        assertEquals(Optional.empty(), request.decide(phase));
      }
      assertEquals(List.of(), request.headers());
      request.completed(200);
    }
    assertEquals("bought", kept.call().run(NOTHING, () -> "bought"));
    kept.request().failed();
  }

  @Test
  void oneThatIsClosedBeforeItsWeirStillLetsItDecide() throws Exception {
    try (Weir weir = Weir.builder().build()) {
      Kept kept = used(weir);
      kept.adapter().close();
      LimitedRequest request = kept.adapter().begin(CALLER, null);
      request.moveTo(kept.endpoint(), CALLER);
      assertTrue(request.decide(DecisionPhase.BEFORE_AUTHENTICATION).isPresent());
    }
  }

  @Test
  void itHasNoWeirAndNoSettings() {
    Adapter adapter = Weir.adapter(AdapterOptions.defaults());
    adapter.close();
    adapter.close();
    assertThrows(IllegalStateException.class, adapter::weir);
    assertThrows(IllegalStateException.class, () -> adapter.setting("weir.headers"));
  }
}
