package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testkit.FakeRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class InRequestTest extends WovenTest {
  private final Methods methods = new Methods();

  @Test
  void aLoopOfFiveIsChargedFive() {
    bind(FakeRequest.from("192.0.2.1"));
    for (int i = 0; i < 4; i++) {
      methods.counted();
    }
    assertRefused(methods::counted);
  }

  @Test
  void theEndpointThatAFilterChargedIsNotChargedAgain() throws Exception {
    bind(FakeRequest.from("192.0.2.1"), method("composed"));
    methods.composed();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void theChargeHoldsForTheMethodThatTheEndpointOverrides() throws Exception {
    PostOffice branch = new PostOffice.Branch();
    Method endpoint = PostOffice.Branch.class.getMethod("stamp");
    Method override = PostOffice.Branch.class.getMethod("post");
    bind(FakeRequest.from("192.0.2.1"), override);
    branch.post();
    branch.post();
    assertRefused(branch::post);
    bind(FakeRequest.from("192.0.2.1"), endpoint);
    branch.stamp();
    branch.stamp();
    assertRefused(branch::stamp);
  }

  @Test
  void anotherMethodIsCharged() throws Exception {
    bind(FakeRequest.from("192.0.2.1"), method("free"));
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void callsByAddressInThreadsWithoutARequestAreWarnedOfOnce() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = listening(lines);
    Logger logger = Logger.getLogger("io.weir.aspectj");
    logger.addHandler(handler);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      asRequestFrom("192.0.2.1");
      methods.inPool();
      assertEquals(List.of(), lines);
      for (int i = 0; i < 4; i++) {
        pool.submit(methods::inPool).get(120, TimeUnit.SECONDS);
        pool.submit(methods::composed).get(120, TimeUnit.SECONDS);
        ticker.advance(Duration.ofMinutes(2));
      }
    } finally {
      pool.shutdownNow();
      logger.removeHandler(handler);
    }
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("Methods#inPool counts by address, but was"), lines.get(0));
    assertTrue(lines.get(0).contains("key = \"param:"), lines.get(0));
  }

  private static Handler listening(List<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void theCallerIsTheRequests() {
    asRequestFrom("192.0.2.1");
    methods.byAddress();
    methods.byAddress();
    assertRefused(methods::byAddress);
    asRequestFrom("192.0.2.2");
    methods.byAddress();
  }

  @Test
  void theUserIsTheRequests() {
    bind(FakeRequest.from("192.0.2.1").user("alice"));
    methods.byUser();
    methods.byUser();
    assertRefused(methods::byUser);
    bind(FakeRequest.from("192.0.2.1").user("bob"));
    methods.byUser();
  }

  @Test
  void outsideOfRequestsAllCallsWithoutAnAddressAreOneCaller() {
    methods.byAddress();
    methods.byAddress();
    assertRefused(methods::byAddress);
    asRequestFrom("192.0.2.1");
    methods.byAddress();
  }

  private void asRequestFrom(String address) {
    bind(FakeRequest.from(address));
  }

  private static Method method(String name) throws NoSuchMethodException {
    return Methods.class.getMethod(name);
  }
}
