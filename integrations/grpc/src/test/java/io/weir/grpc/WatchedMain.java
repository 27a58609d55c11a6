package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;

import io.grpc.stub.StreamObserver;
import io.weir.Ticker;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import io.weir.test.threads.EventLoopWatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs servers whose calls are handled in their event loops, which are watched: the store is a real
 * Redis, and the tier resolver of the second server blocks.
 */
final class WatchedMain {
  private WatchedMain() {}

  private static final class Watched extends Talker {
    final Set<String> threads = ConcurrentHashMap.newKeySet();

    @Override
    @RateLimit(limit = 3, window = 600, by = By.KEY, key = "header:caller", name = "ask")
    @RateLimit(limit = 3, window = 600, by = By.USER, name = "ask-user")
    public void ask(Line question, StreamObserver<Line> answer) {
      threads.add(Thread.currentThread().getName());
      super.ask(question, answer);
    }

    @Override
    @RateLimit(
        limit = 2,
        window = 600,
        by = By.KEY,
        key = "header:caller",
        count = Count.FAILURES,
        name = "dictate")
    public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
      return super.dictate(answer);
    }

    @Override
    @PerMessage
    @RateLimit(limit = 3, window = 600, by = By.KEY, key = "header:caller", name = "chat")
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      return super.chat(answers);
    }

    /** Shows that what blocks is seen. */
    @Override
    public void lecture(Line subject, StreamObserver<Line> lines) {
      block();
      super.lecture(subject, lines);
    }
  }

  private static void block() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] unused) throws Exception {
    EventLoopWatch.install();
    for (String tiers : List.of("false", "true")) {
      watch(tiers);
    }
    System.exit(0);
  }

  private static void watch(String tiers) throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.inEventLoop = true;
    options.settings =
        Map.of("weir.store", System.getProperty("weir.test.store"), "weir.store.timeout", "10s");
    TierResolver blocking =
        (request, policy) -> {
          block();
          return CallerTier.none();
        };
    options.parts =
        all -> (tiers.equals("true") ? all.tierResolver(blocking) : all).ticker(Ticker.system());
    Watched service = new Watched();
    try (TalkServer server = new TalkServer(service, options)) {
      for (int i = 1; i <= 6; i++) {
        String name = tiers + i; // both use one Redis
        TalkServer.Client client = server.client("caller", name, "user", name);
        expect(List.of(OK, OK, OK, RESOURCE_EXHAUSTED, RESOURCE_EXHAUSTED), client.asks(5));
        expect(List.of("a b", "a b"), List.of(dictated(client), dictated(client)));
        Lines answers = Lines.chat(client, "1", "2", "3", "4", "5");
        expect(RESOURCE_EXHAUSTED, answers.status().getCode());
        expect(RESOURCE_EXHAUSTED, Lines.chat(client, "6").status().getCode());
        TalkServer.Client bad = server.client("caller", name + "bad", "user", "bad");
        expect(
            List.of(UNAUTHENTICATED, UNAUTHENTICATED, UNAUTHENTICATED, RESOURCE_EXHAUSTED),
            bad.asks(4));
      }
      if (tiers.equals("false")
          && service.threads.stream().noneMatch(each -> each.contains("ELG"))) {
        throw new AssertionError("handlers run in other threads: " + service.threads);
      }
      EventLoopWatch.report(
          tiers, () -> server.client().blocking().lecture(TalkServer.line("blocks")).next());
    }
  }

  private static String dictated(TalkServer.Client client) throws Exception {
    return String.join(" ", Lines.dictate(client, "a", "b").all());
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", but found " + found);
    }
  }
}
