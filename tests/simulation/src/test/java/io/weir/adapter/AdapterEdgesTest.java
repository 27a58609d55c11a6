package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where adapters, layers and threads meet in odd ways. */
class AdapterEdgesTest {
  private static final Object[] NOTHING = {};
  private static final long PATIENCE_SECONDS = 120;

  private final FakeTicker ticker = new FakeTicker();
  private final Weir weir = Weir.builder().ticker(ticker).build();
  private final Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));

  interface Api<T> {
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "put")
    String put(T text);
  }

  static class Shop implements Api<String> {
    @Override
    public String put(String text) {
      return text;
    }

    @RateLimit(limit = 2, window = 60, by = By.IP, name = "buy")
    public void buy() {}

    @RateLimit(limit = 2, window = 60, by = By.IP, name = "mail")
    public void mail() {}

    @RateLimit(limit = 5, window = 1, by = By.IP, name = "second")
    @RateLimit(limit = 50, window = 60, by = By.IP, name = "minute")
    public void twice() {}

    @RateLimit(limit = 1, window = 60, by = By.IP, name = "done", count = Count.SUCCESSES)
    public void done() {}

    @RateLimit(limit = 5, window = 60, by = By.KEY, key = "mine", name = "keyed")
    public void keyed() {}

    @RateLimit(limit = 5, window = 60, by = By.KEY, key = "param:phone", name = "sms")
    public void sms(String number) {}

    public void free() {}
  }

  @AfterEach
  void close() {
    adapter.close();
    weir.close();
  }

  @Test
  void aKeeperSeesWhatAdaptersHaveReadAndMakesNoWeir() {
    ClassLoader application = new ClassLoader(getClass().getClassLoader()) {};
    EndpointType type = new EndpointType("KEPT", false, false, false, each -> Optional.empty());
    try (WeirKeeper keeper = WeirKeeper.of(application, Map.of())) {
      assertFalse(keeper.hasRead(Shop.class));
      assertFalse(keeper.hasRead(type));
      AdapterOptions options = AdapterOptions.defaults().withClassLoader(application);
      try (Adapter other = Weir.adapter(options.withWeir(weir))) {
        assertFalse(keeper.hasRead(Shop.class));
        other.endpoint(Shop.class, method(Shop.class, "free"), type);
        assertTrue(keeper.hasRead(Shop.class));
        assertTrue(keeper.hasRead(Object.class), "a superclass");
        assertFalse(keeper.hasRead(AdapterEdgesTest.class));
        assertTrue(keeper.hasRead(type));
        assertFalse(keeper.hasRead(EndpointType.JAXRS));
      }
    }
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters);
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }

  private static Method method(String name) {
    return method(Shop.class, name);
  }

  private LimitedCall call(String name) {
    return adapter.call(Shop.class, method(name), List.of());
  }

  private static LimitedRequest begin(Adapter adapter, Method handler) {
    FakeRequest info = FakeRequest.from("192.0.2.1").method("GET");
    LimitedRequest request = adapter.begin(info, null);
    request.moveTo(adapter.endpoint(Shop.class, handler, EndpointType.JAXRS), info);
    return request;
  }

  private LimitedRequest begin(String handler) {
    return begin(adapter, method(handler));
  }

  private static Optional<Refusal> decide(LimitedRequest request) {
    Optional<Refusal> refusal = request.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    return refusal.isPresent() ? refusal : request.decide(DecisionPhase.AFTER_AUTHENTICATION);
  }

  private static String field(LimitedRequest request, String name) {
    return request.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HeaderField::value)
        .findFirst()
        .orElse("");
  }

  @Test
  void aMethodThatLayersNameByAnInterfaceIsChargedOnce() throws Throwable {
    LimitedCall advice =
        adapter.call(Shop.class, method(Api.class, "put", Object.class), List.of());
    LimitedRequest request = begin(adapter, method(Shop.class, "put", String.class));
    assertEquals(Optional.empty(), decide(request));
    try (LimitedRequest.Binding bound = request.bind(method(Shop.class, "put", String.class))) {
      assertEquals("a", advice.run(new Object[] {"a"}, () -> "a"));
    }
    assertEquals(Optional.empty(), decide(begin(adapter, method(Shop.class, "put", String.class))));
  }

  @Test
  void aChargeIsFoundBehindTheCallOfAnotherMethod() throws Throwable {
    LimitedCall mail = call("mail");
    LimitedCall buy = call("buy");
    LimitedRequest request = begin("buy");
    decide(request);
    try (LimitedRequest.Binding bound = request.bind(method("buy"))) {
      mail.run(NOTHING, () -> buy.run(NOTHING, () -> "bought"));
    }
    assertEquals(Optional.empty(), decide(begin("buy")), "the second of two");
  }

  @Test
  void eachPolicyIsInTheFieldsOnce() throws Throwable {
    LimitedCall twice = call("twice");
    LimitedRequest request = begin("twice");
    decide(request);
    try (LimitedRequest.Binding bound = request.bind(null)) {
      for (int i = 0; i < 3; i++) {
        twice.run(NOTHING, () -> "called");
        ticker.advance(java.time.Duration.ofSeconds(2));
      }
    }
    assertEquals(2, field(request, "RateLimit-Policy").split(",").length);
    assertThrows(UnsupportedOperationException.class, () -> request.headers().clear());
  }

  @Test
  void theFieldsOfARefusalThatWasSentStay() throws Throwable {
    LimitedCall mail = call("mail");
    decide(begin("buy"));
    decide(begin("buy"));
    LimitedRequest request = begin("buy");
    Refusal refusal = decide(request).orElseThrow();
    try (LimitedRequest.Binding bound = request.bind(null)) {
      mail.run(NOTHING, () -> "an audit");
    }
    assertEquals(refusal.headers(), request.headers());
  }

  @Test
  void whatBelongsToDifferentWeirsIsNotMixed() throws Throwable {
    try (Weir other = Weir.builder().build();
        Adapter second = Weir.adapter(AdapterOptions.defaults().withWeir(other))) {
      LimitedEndpoint foreign = second.endpoint(Shop.class, method("buy"), EndpointType.JAXRS);
      LimitedEndpoint own = adapter.endpoint(Shop.class, method("buy"), EndpointType.JAXRS);
      assertThrows(IllegalArgumentException.class, () -> own.and(foreign));
      LimitedRequest left = begin(second, method("free"));
      LimitedCall mail = call("mail");
      try (LimitedRequest.Binding bound = left.bind(null)) {
        other.close();
        mail.run(NOTHING, () -> "sent");
        mail.run(NOTHING, () -> "sent");
        assertThrows(
            RateLimitExceededException.class,
            () -> mail.run(NOTHING, () -> "never"),
            "the adapter's own Weir is open");
      }
    }
  }

  @Test
  void aTypeOfEndpointsMeansOneThing() {
    EndpointType first = new EndpointType("PAGE", true, false, false, any -> Optional.empty());
    EndpointType other = new EndpointType("PAGE", false, true, false, any -> Optional.empty());
    adapter.endpoint(Shop.class, method("buy"), first);
    assertThrows(
        IllegalArgumentException.class, () -> adapter.endpoint(Shop.class, method("buy"), other));
  }

  @Test
  void aTypeWhoseReaderReturnsNullOrThrowsIsNamed() {
    EndpointType silent = new EndpointType("SILENT", true, false, false, any -> nothing());
    EndpointType broken =
        new EndpointType(
            "BROKEN",
            true,
            false,
            false,
            any -> {
              throw new ArrayStoreException("on purpose");
            });
    try (Weir costly = Weir.builder().settings(java.util.Map.of("weir.cost.GET", "2")).build();
        Adapter of = Weir.adapter(AdapterOptions.defaults().withWeir(costly))) {
      String none =
          assertThrows(
                  IllegalStateException.class, () -> of.endpoint(Shop.class, method("buy"), silent))
              .getMessage();
      assertTrue(none.contains("EndpointType SILENT returns null"), none);
      assertTrue(none.contains("Shop.buy()"), none);
      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> of.check(List.of(Shop.class), broken));
      assertTrue(thrown.getMessage().contains("EndpointType BROKEN fails"), thrown.getMessage());
      assertInstanceOf(ArrayStoreException.class, thrown.getCause());
    }
  }

  /** Returns null, which the type doesn't allow: hence the suppressions. */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return (T) new AtomicReference<>().get();
  }

  /** All of it is limited by the class alone, except one method. */
  @RateLimit(limit = 1, window = 60, name = "bean")
  static class Bean {
    private String text = "";

    public void setText(String text) {
      this.text = text;
    }

    @RateLimit(limit = 1, window = 60, name = "setter")
    public void setLimited(String text) {
      this.text = text;
    }

    public void settle(String text) {
      this.text = text;
    }

    void ofThePackage() {}

    @Override
    public String toString() {
      return text;
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void aLimitOfTheClassLimitsNothingThatFrameworksCall() throws Throwable {
    List<String> limited = new ArrayList<>();
    for (Method each : Bean.class.getDeclaredMethods()) {
      LimitedCall call = adapter.call(Bean.class, each, List.of());
      try {
        call.run(NOTHING, () -> null);
        call.runAsync(NOTHING, () -> CompletableFuture.completedFuture(1), Runnable::run)
            .toCompletableFuture()
            .join();
      } catch (RateLimitExceededException | CompletionException refused) {
        limited.add(each.getName());
      }
    }
    limited.sort(null);
    assertEquals(List.of("setLimited", "settle"), limited);
  }

  @Test
  void namesOfParametersThatThereAreNotAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> adapter.call(Shop.class, method("buy"), List.of("amount")));
  }

  @Test
  void aParameterThatThereIsNotIsRefusedAtTheStart() {
    Method sms = method(Shop.class, "sms", String.class);

    InvalidPolicyException refused =
        assertThrows(
            InvalidPolicyException.class, () -> adapter.call(Shop.class, sms, List.of("number")));
    assertTrue(refused.getMessage().contains("Shop#sms: "), refused::getMessage);
    assertTrue(refused.getMessage().contains("param:phone"), refused::getMessage);

    adapter.started();
    LimitedCall late = adapter.call(Shop.class, sms, List.of("number"));
    assertThrows(InvalidPolicyException.class, () -> late.run(new Object[] {"1"}, () -> null));
  }

  @Test
  void aChargeIsTakenOnceByACallThatStartsLater() {
    Method buy = method("buy");
    LimitedRequest request = begin(adapter, buy);
    LimitedCall call = call("buy");
    assertEquals(Optional.empty(), adapter.currentRequest());

    try (LimitedRequest.Binding unused = request.bind(buy)) {
      assertSame(request, adapter.currentRequest().orElseThrow());
      assertTrue(call.takeCharge());
      assertFalse(call.takeCharge(), "another execution");
    }
    assertFalse(call.takeCharge());
  }

  @Test
  void afterALateSourceTheExecutorGoesOn() throws Exception {
    List<String> threads = new CopyOnWriteArrayList<>();
    CompletableFuture<AppliedPolicies> late = new CompletableFuture<>();
    ExecutorService workers = Executors.newSingleThreadExecutor(task -> new Thread(task, "worker"));
    try (Weir sourced =
            Weir.builder()
                .keyResolver(
                    "mine",
                    request -> {
                      threads.add(Thread.currentThread().getName());
                      return Optional.of("k");
                    })
                .policySource((request, tier, phase, bound) -> late)
                .settings(java.util.Map.of("weir.store.timeout", "10s"))
                .build();
        Adapter of = Weir.adapter(AdapterOptions.defaults().withWeir(sourced))) {
      LimitedRequest request = begin(of, method("keyed"));
      List<CompletableFuture<Optional<Refusal>>> decided = new ArrayList<>();
      for (DecisionPhase phase : DecisionPhase.values()) {
        decided.add(request.decideAsync(phase, workers).toCompletableFuture());
      }
      workers.submit(() -> {}).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      late.complete(AppliedPolicies.none());
      for (CompletableFuture<Optional<Refusal>> each : decided) {
        assertEquals(Optional.empty(), each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      assertEquals(List.of("worker"), threads);
    } finally {
      workers.shutdownNow();
    }
  }

  @Test
  void anExecutorThatFailsWithAnErrorAdmits() {
    assertEquals(
        Optional.empty(),
        begin("buy")
            .decideAsync(
                DecisionPhase.BEFORE_AUTHENTICATION,
                task -> {
                  throw new InternalError("unable to create a thread");
                })
            .toCompletableFuture()
            .join());
  }

  @Test
  void aBodyThatThrowsACheckedExceptionEndsItsCall() throws Throwable {
    LimitedCall done = call("done");
    CompletableFuture<Object> failed =
        done.runAsync(
                NOTHING,
                () -> {
                  throw AdapterEdgesTest.<RuntimeException>asUnchecked(new IOException());
                },
                Runnable::run)
            .toCompletableFuture();
    assertThrows(CompletionException.class, failed::join);
    assertEquals("fine", done.run(NOTHING, () -> "fine"), "only successes count");
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as other languages may throw
  private static <E extends Throwable> E asUnchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aThreadKeepsNoRequestThatHasGoneOn() throws Exception {
    try (LimitedRequest.Binding before = begin("free").bind(null)) {
      List<LimitedRequest.Binding> last = new ArrayList<>();
      WeakReference<LimitedRequest> first = bound(last);
      for (int i = 0; i < 100; i++) {
        LimitedRequest.Binding next = begin("free").bind(null);
        last.remove(0).close();
        last.add(next);
      }
      assertCollected(first);
      last.remove(0).close();
    }
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      List<LimitedRequest.Binding> elsewhere = new ArrayList<>();
      WeakReference<LimitedRequest> gone =
          pool.submit(() -> bound(elsewhere)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      elsewhere.remove(0).close();
      assertCollected(gone);
    } finally {
      pool.shutdownNow();
    }
  }

  private WeakReference<LimitedRequest> bound(List<LimitedRequest.Binding> bindings) {
    LimitedRequest request = begin("free");
    bindings.add(request.bind(null));
    return new WeakReference<>(request);
  }

  @Test
  void aCallKeepsNoClosedWeir() throws Exception {
    List<LimitedCall> kept = new ArrayList<>();
    assertCollected(closed(kept));
    assertEquals("free", ranUnchecked(kept.get(0)));
  }

  private static Object ranUnchecked(LimitedCall call) throws Exception {
    try {
      return call.run(NOTHING, () -> "free");
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  private static WeakReference<Weir> closed(List<LimitedCall> kept) {
    Weir made = Weir.builder().build();
    Adapter of = Weir.adapter(AdapterOptions.defaults().withWeir(made));
    kept.add(of.call(Shop.class, method("mail"), List.of()));
    of.close();
    made.close();
    return new WeakReference<>(made);
  }

  private static void assertCollected(WeakReference<?> reference) throws InterruptedException {
    for (int i = 0; i < 600 && reference.get() != null; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    assertTrue(reference.refersTo(null), "still in memory: " + reference.get());
  }
}
