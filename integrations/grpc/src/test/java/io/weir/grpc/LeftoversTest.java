package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.spi.CallerTier;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several servers in one JVM, one after the other and beside each other. */
class LeftoversTest {
  @Test
  void serversBesideEachOtherCountApart() throws Exception {
    try (TalkServer one = TalkServer.of(new LimitedServiceTest.Whole());
        TalkServer other = TalkServer.of(new LimitedServiceTest.Counting())) {
      TalkServer.Client client = one.client("caller", "a");
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), client.asks(2));
      assertEquals(
          List.of("x", "y", "z"), Lines.chat(other.client("caller", "a"), "x", "y", "z").all());
    }
  }

  @Test
  void nothingIsLeftAfterFiveStartsAndStops() throws Exception {
    restartFiveTimes();
  }

  static void restartFiveTimes() throws Exception {
    List<WeakReference<Weir>> weirs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      weirs.add(startAndStop());
    }
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (isAnyLeft(weirs) && System.nanoTime() < end) {
      System.gc();
      Thread.onSpinWait();
    }
    assertTrue(weirs.stream().allMatch(each -> each.get() == null), "a Weir is left");
    assertEquals(List.of(), threads());
  }

  private static boolean isAnyLeft(List<WeakReference<Weir>> weirs) {
    return weirs.stream().anyMatch(each -> each.get() != null) || !threads().isEmpty();
  }

  private static WeakReference<Weir> startAndStop() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.parts =
        all -> all.tierResolver((request, policy) -> CallerTier.none()); // needs threads
    try (TalkServer server = new TalkServer(new LimitedServiceTest.Whole(), options)) {
      assertEquals(OK, server.client("caller", "a").ask());
      return new WeakReference<>(server.weir);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(each -> each.startsWith("weir-grpc"))
        .toList();
  }
}
