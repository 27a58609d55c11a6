package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeps the current request of a thread while requests are nested or go on in other threads. */
class CurrentRequestTest {
  private static final String WOVEN = "woven code";
  private static final String ADVICE = "an advice";

  private final RequestInfo outer = FakeRequest.from("192.0.2.1");
  private final RequestInfo inner = FakeRequest.from("192.0.2.2");
  private final Weir weir = Weir.builder().build();
  private Method method;

  @BeforeEach
  void findMethod() throws NoSuchMethodException {
    method = String.class.getMethod("length");
  }

  @AfterEach
  void close() {
    assertEquals(Optional.empty(), info());
    weir.close();
  }

  private GuardedRequest request(RequestInfo info) {
    return WeirRuntime.of(weir).unlimited().enter(info);
  }

  private static Optional<RequestInfo> info() {
    return GuardedRequest.ofThread().map(GuardedRequest::info);
  }

  private boolean takesCharge(Object layer) {
    CurrentRequest current = CurrentRequest.current();
    return current != null && current.takeCharge(List.of(method), layer);
  }

  @Test
  void closingBindsTheOuterRequestAgainWithItsCharge() {
    CurrentRequest first = request(outer).bind(method);
    CurrentRequest second = request(inner).bind(null);
    assertEquals(Optional.of(inner), info());
    assertFalse(takesCharge(WOVEN));
    second.close();
    assertEquals(Optional.of(outer), info());
    assertTrue(takesCharge(WOVEN));
    assertFalse(takesCharge(WOVEN));
    first.close();
    first.close();
  }

  @Test
  void bindingsMayBeClosedInAnyOrder() {
    CurrentRequest first = request(outer).bind(null);
    CurrentRequest second = request(inner).bind(null);
    first.close();
    assertEquals(Optional.of(inner), info());
    second.close();
    assertEquals(Optional.empty(), info());
  }

  @Test
  void aThreadForgetsWhatAnotherThreadHasClosed() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      CurrentRequest bound = pool.submit(() -> request(outer).bind(null)).get();
      assertEquals(Optional.of(outer), pool.submit(CurrentRequestTest::info).get());
      bound.close();
      assertEquals(Optional.empty(), pool.submit(CurrentRequestTest::info).get());
      CurrentRequest next = pool.submit(() -> request(inner).bind(null)).get();
      assertEquals(Optional.of(inner), pool.submit(CurrentRequestTest::info).get());
      assertEquals(Optional.empty(), pool.submit(() -> closed(next)).get());
    } finally {
      pool.shutdown();
    }
  }

  /** As in a pool of a server whose application ends: nothing is bound to the thread any more. */
  @Test
  void aThreadKeepsNothingInMemoryOfWhatAnotherThreadHasClosed() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      WeakReference<CurrentRequest> bound = closedElsewhere(pool);
      long start = System.nanoTime();
      while (bound.get() != null && System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1)) {
        System.gc();
      }
      assertTrue(bound.refersTo(null));
    } finally {
      pool.shutdown();
    }
  }

  private WeakReference<CurrentRequest> closedElsewhere(ExecutorService pool) throws Exception {
    CurrentRequest bound = pool.submit(() -> request(outer).bind(null)).get();
    pool.submit(() -> {}).get(); // so that the last task isn't what keeps it
    bound.close();
    return new WeakReference<>(bound);
  }

  private static Optional<RequestInfo> closed(CurrentRequest bound) {
    bound.close();
    return info();
  }

  @Test
  void eachThreadHasItsOwn() throws ExecutionException, InterruptedException {
    CurrentRequest bound = request(outer).bind(null);
    assertEquals(Optional.empty(), CompletableFuture.supplyAsync(CurrentRequestTest::info).get());
    bound.close();
  }

  @Test
  void eachLayerSeesTheChargedExecutionOnce() {
    CurrentRequest bound = request(outer).bind(method);
    assertTrue(takesCharge(ADVICE));
    assertTrue(takesCharge(WOVEN));
    assertFalse(takesCharge(WOVEN), "the method calls itself");
    assertFalse(takesCharge(ADVICE), "it is called again");
    bound.close();
  }

  @Test
  void aCallThatOneLayerHasChargedIsFreeInTheOthers() {
    CurrentRequest call = CurrentRequest.bindCall(null, method, ADVICE);
    assertEquals(Optional.empty(), info());
    assertTrue(takesCharge(WOVEN));
    assertFalse(takesCharge(WOVEN));
    call.close();
  }

  @Test
  void aChargeIsNotedWithTheBinding() {
    CurrentRequest bound = request(outer).bind(null);
    assertFalse(takesCharge(WOVEN));
    bound.charged(method);
    assertTrue(takesCharge(WOVEN));
    bound.close();
  }

  @Test
  void aChargeOfTheRequestIsTakenOnceByEachLayerInWhateverThread() throws Exception {
    GuardedRequest request = request(outer);
    request.charged(method);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      assertTrue(pool.submit(() -> request.takeCharge(List.of(method), ADVICE)).get());
      assertTrue(request.takeCharge(List.of(method), WOVEN));
      assertFalse(request.takeCharge(List.of(method), ADVICE));
      assertFalse(request.takeCharge(List.of(method), WOVEN));
    } finally {
      pool.shutdown();
    }
  }
}
