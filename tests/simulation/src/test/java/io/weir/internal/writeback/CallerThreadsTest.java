package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.testkit.store.SimulatedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads that wait for their own answer and talk to the store meanwhile, for all that wait. */
class CallerThreadsTest {
  private static final Policy POLICY =
      Policy.builder("callers")
          .algorithm(Algorithm.FIXED_WINDOW) // of an hour, so that no permit ends meanwhile
          .limit(1_000)
          .window(Duration.ofHours(1))
          .onStoreFailure(OnStoreFailure.OPEN)
          .build();
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long MAX_MILLIS = 120_000; // that a test waits for anything
  private static final Duration SHORT = Duration.ofMillis(300);

  private final StallingStore store = new StallingStore();
  private final List<Thread> started = new ArrayList<>();
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    open(LONG);
  }

  private void open(Duration timeout) {
    limiter =
        RateLimiter.builder()
            .store(store)
            .storeTimeout(timeout)
            .flushInterval(Duration.ofSeconds(10))
            .build();
    decide("first"); // by now it is known which data the store has
    store.exchanges.clear();
    store.asynchronous.clear();
  }

  @AfterEach
  void close() throws InterruptedException {
    store.releaseAll();
    for (Thread thread : started) {
      thread.join(MAX_MILLIS);
      assertFalse(thread.isAlive(), () -> thread.getName() + " is stuck");
    }
    limiter.close();
  }

  private Decision decide(String key) {
    return limiter.tryAcquire(POLICY, Key.of(key));
  }

  private CompletableFuture<Decision> start(String key) {
    CompletableFuture<Decision> decision = new CompletableFuture<>();
    Thread thread = new Thread(() -> decision.complete(decide(key)), key);
    started.add(thread);
    thread.start();
    return decision;
  }

  /** Starts one whose exchange stalls; others that start meanwhile might else share it. */
  private CompletableFuture<Decision> startStalled(String key) throws InterruptedException {
    int before = store.stalled.size();
    CompletableFuture<Decision> decision = start(key);
    until(() -> store.stalled.size() > before);
    return decision;
  }

  private static void until(BooleanSupplier met) throws InterruptedException {
    for (long waited = 0; !met.getAsBoolean(); waited++) {
      assertTrue(waited < MAX_MILLIS, "waited in vain");
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static Decision get(CompletableFuture<Decision> decision) throws Exception {
    return decision.get(MAX_MILLIS, TimeUnit.MILLISECONDS);
  }

  private boolean sleeps(String key) {
    return started.stream()
        .anyMatch(
            each -> each.getName().equals(key) && each.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void whoIsAloneTalksToTheStoreHimself() {
    assertTrue(decide("alone").admitted());
    assertEquals(List.of(Set.of(Key.of("alone").encoded())), List.copyOf(store.exchanges));
    assertEquals(Set.of(Thread.currentThread().getName()), store.threads);
    assertTrue(store.asynchronous.isEmpty());
  }

  /** The store needn't wait until all are woken, nor they until it has answered the next batch. */
  @Test
  void whoIsAnsweredIsWokenOnceTheNextBatchIsOnItsWay() throws Exception {
    store.stalls = true;
    CompletableFuture<Decision> reader = start("a");
    CountDownLatch first = store.nextStalled();
    CompletableFuture<Decision> other = start("b");
    store.nextStalled(); // as many are under way as may be
    List<CompletableFuture<Decision>> answered = startAsleep("c", "d");
    first.countDown();
    CountDownLatch second = store.nextStalled(); // with c and d
    List<CompletableFuture<Decision>> later = startAsleep("e", "f");
    AtomicInteger wokenBefore = new AtomicInteger(-1);
    store.atBegin = () -> wokenBefore.set((int) answered.stream().filter(c -> c.isDone()).count());
    second.countDown();
    store.nextStalled(); // with e and f
    for (CompletableFuture<Decision> each : answered) {
      assertTrue(get(each).admitted());
    }
    assertEquals(0, wokenBefore.get());
    assertFalse(reader.isDone() || other.isDone());
    store.releaseAll();
    for (CompletableFuture<Decision> each : later) {
      assertTrue(get(each).admitted());
    }
    assertTrue(get(reader).admitted());
  }

  private List<CompletableFuture<Decision>> startAsleep(String... keys) throws Exception {
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    for (String key : keys) {
      decisions.add(start(key));
      until(() -> sleeps(key));
    }
    return decisions;
  }

  @Test
  void oneOfThoseWhoCameMeanwhileSendsForAll() throws Exception {
    store.stalls = true;
    CompletableFuture<Decision> a = startStalled("a");
    CompletableFuture<Decision> b = startStalled("b"); // as many as may be under way
    List<CompletableFuture<Decision>> later = new ArrayList<>();
    for (String key : List.of("c", "d", "e", "f")) {
      later.add(start(key));
      until(() -> sleeps(key));
    }
    store.releaseAll();
    assertTrue(get(a).admitted() && get(b).admitted());
    for (CompletableFuture<Decision> each : later) {
      Decision decision = get(each);
      assertTrue(decision.admitted() && !decision.degraded());
    }
    assertTrue(store.exchanges.stream().anyMatch(each -> each.size() > 1), store::toString);
    assertTrue(store.asynchronous.isEmpty(), "no other thread has to talk to the store");
  }

  @Test
  void whoWaitsForAThreadThatIsStuckIsDecidedInTime() throws Exception {
    limiter.close();
    open(SHORT);
    store.stalls = true;
    store.mostStalled = 2;
    CompletableFuture<Decision> a = startStalled("a");
    CompletableFuture<Decision> b = startStalled("b");
    CompletableFuture<Decision> c = start("c");
    assertTrue(get(c).admitted(), "by the store, once the two are overdue, or without it");
    assertFalse(a.isDone() || b.isDone(), "those who read are still stuck");
  }

  @Test
  void whoIsInTheBatchOfAThreadThatIsStuckIsDecidedInTime() throws Exception {
    limiter.close();
    open(SHORT);
    store.stalls = true;
    store.mostStalled = 1;
    CompletableFuture<Decision> reads = startStalled("same");
    CompletableFuture<Decision> joins = start("same"); // one claim of a bucket is under way
    assertTrue(get(joins).admitted(), "by the store, once that is overdue, or without it");
    assertFalse(reads.isDone());
  }

  @Test
  void anAnswerThatComesAfterTheTimeOutIsBanked() throws Exception {
    limiter.close();
    open(SHORT);
    store.stalls = true;
    CompletableFuture<Decision> late = startStalled("late");
    TimeUnit.MILLISECONDS.sleep(2 * SHORT.toMillis() + 100);
    store.releaseAll();
    assertTrue(get(late).degraded());
    store.exchanges.clear();
    Decision next = decide("late");
    assertTrue(next.admitted() && !next.degraded());
    assertTrue(store.exchanges.isEmpty(), "by the permit that came late");
  }

  @Test
  void whoIsInterruptedWhileItSleepsIsDecidedAtOnce() throws Exception {
    store.stalls = true;
    startStalled("a");
    startStalled("b");
    CompletableFuture<Decision> decision = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              decision.complete(decide("c"));
              interrupted.complete(Thread.currentThread().isInterrupted());
            },
            "c");
    started.add(thread);
    thread.start();
    until(() -> sleeps("c"));
    thread.interrupt();
    assertTrue(get(decision).degraded());
    assertTrue(interrupted.get(MAX_MILLIS, TimeUnit.MILLISECONDS), "and stays interrupted");
  }

  @Test
  void whoIsInterruptedWhileItReadsStillReadsForAll() throws Exception {
    store.stalls = true;
    CompletableFuture<Decision> reads = startStalled("a");
    started.get(0).interrupt();
    store.releaseAll();
    Decision decision = get(reads);
    assertTrue(decision.admitted() && !decision.degraded());
  }

  @Test
  void whoComesInterruptedLetsOthersTalkToTheStore() throws Exception {
    Thread.currentThread().interrupt();
    try {
      decide("interrupted");
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertTrue(store.exchanges.isEmpty());
    until(() -> !store.asynchronous.isEmpty());
  }

  @Test
  void anAsynchronousRequestUsesNoThreadOfItsCaller() throws Exception {
    store.stalls = true;
    CompletableFuture<Decision> decision =
        limiter
            .tryAcquireAsync(List.of(new PermitRequest(POLICY, Key.of("async"), 1, 1_000)))
            .toCompletableFuture();
    assertTrue(get(decision).admitted());
    assertTrue(store.exchanges.isEmpty());
  }

  /** A store whose exchanges stall in the calling thread, however long that may wait. */
  private static final class StallingStore extends ForwardingStore {
    private final Set<String> threads = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<Set<String>> exchanges = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Integer> asynchronous = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<CountDownLatch> stalled = new LinkedBlockingQueue<>();
    private final List<CountDownLatch> latches = new ArrayList<>();
    private volatile boolean stalls;
    private volatile Runnable atBegin = () -> {};
    private volatile int mostStalled = Integer.MAX_VALUE;

    StallingStore() {
      super(new SimulatedStore(() -> System.nanoTime() / 1_000 + 1_700_000_000_000_000L));
    }

    @Override
    public synchronized CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      asynchronous.add(claims.size());
      return super.execute(partition, epoch, claims);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> executeBlocking(
        int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
      atBegin.run();
      threads.add(Thread.currentThread().getName());
      exchanges.add(
          claims.stream().map(each -> each.bucket().encodedKey()).collect(Collectors.toSet()));
      CompletionStage<List<Optional<Grant>>> answers;
      synchronized (this) {
        answers = super.execute(partition, epoch, claims);
      }
      meanwhile.run();
      stall();
      return answers;
    }

    private synchronized Optional<CountDownLatch> nextLatch() {
      if (!stalls || stalled.size() >= mostStalled) {
        return Optional.empty();
      }
      CountDownLatch latch = new CountDownLatch(1);
      latches.add(latch);
      stalled.add(latch);
      return Optional.of(latch);
    }

    private void stall() {
      nextLatch().ifPresent(StallingStore::await);
    }

    private static void await(CountDownLatch latch) {
      boolean interrupted = false;
      while (latch.getCount() > 0) {
        try {
          latch.await();
        } catch (InterruptedException asked) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** The latch of the next exchange that stalls. */
    CountDownLatch nextStalled() throws InterruptedException {
      CountDownLatch latch = stalled.poll(MAX_MILLIS, TimeUnit.MILLISECONDS);
      assertNotNull(latch, "none of " + this + " stalls");
      return latch;
    }

    /** Lets all exchanges go on, and stalls none from now on. */
    synchronized void releaseAll() {
      stalls = false;
      latches.forEach(CountDownLatch::countDown);
    }

    @Override
    public String toString() {
      return exchanges.toString();
    }
  }
}
