package io.weir.internal.engine.warmup;

import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.value.DurationText;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Prepares a node that shares a store for its first request: connects, loads the store's scripts,
 * exchanges heartbeats with the other nodes, and runs {@linkplain WarmUpRequests synthetic
 * requests} until they are quick. A cold node would decide its first requests without the store,
 * since a JVM that loads all that takes longer than a decision may wait.
 *
 * <p>If the store can't be reached, the node starts without it after the time-out, and logs that.
 *
 * <p>Confine to one thread.
 */
public final class WarmUp {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The longest duration of a quick round: some fifteen calls of the store one after the other, and
   * as many steps without it.
   */
  private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(50);

  private final LeasingStore store;
  private final WriteBackCache cache;
  private final WarmUpRequests requests;
  private final StoreListener listener;
  private final Ticker ticker;
  private final String node;
  private final boolean nodesAreSet;
  private final long start;
  private final long longest;

  /**
   * Prepares the start of a node.
   *
   * @param cache the real cache over the store
   * @param requests the requests to run until they are quick; closed at the end
   * @param ticker the system's, since the store's answers take real time
   * @param nodesAreSet whether the settings have the number of nodes
   */
  public WarmUp(
      LeasingStore store,
      WriteBackCache cache,
      WarmUpRequests requests,
      StoreListener listener,
      Ticker ticker,
      String node,
      boolean nodesAreSet,
      Duration longest) {
    this.store = store;
    this.cache = cache;
    this.requests = requests;
    this.listener = listener;
    this.ticker = ticker;
    this.node = node;
    this.nodesAreSet = nodesAreSet;
    this.start = ticker.nanoTime();
    this.longest = longest.toNanos();
  }

  private long left() {
    return Math.max(0, longest - (ticker.nanoTime() - start));
  }

  /** Warms up until the node is ready, at most for the longest duration. Never fails. */
  public void run() {
    try {
      Optional<Throwable> away = connect();
      away.ifPresent(listener::failed);
      if (away.isEmpty()) {
        runRequests();
      }
      CompletionStage<?> begun = cache.begin(buckets());
      if (away.isEmpty()) {
        BoundedWait.await(begun, left());
      }
    } catch (RuntimeException | LinkageError broken) {
      listener.failed(broken);
    } finally {
      requests.close();
    }
    if (!nodesAreSet && !cache.knowsNodes()) {
      LOG.log(
          Level.WARNING,
          "weir.store.nodes isn't set, and the store hasn't reported how many nodes share it. Until"
              + " it does, this node admits up to each whole limit while the store can't be"
              + " reached (onStoreFailure LOCAL). Set weir.store.nodes.");
    }
  }

  // Retries until the time is up, since a cold start alone may cause the first failure.
  private Optional<Throwable> connect() {
    Optional<Throwable> failure;
    Throwable why =
        new TimeoutException("no answer within " + DurationText.inWords(Duration.ofNanos(longest)));
    do {
      failure = BoundedWait.await(ready(), left());
      if (failure.isPresent()) {
        why = failure.filter(each -> !(each instanceof TimeoutException)).orElse(why);
        BoundedWait.pause(Math.min(AGAIN, left()));
      }
    } while (failure.isPresent() && goesOn());
    return failure.isPresent() ? Optional.of(why) : failure;
  }

  // A step that starts must also end in time.
  private boolean hasTimeForStep() {
    return goesOn() && left() >= requests.longestStep();
  }

  private boolean goesOn() {
    return left() > 0 && !Thread.currentThread().isInterrupted();
  }

  // The heartbeat comes early, so that nodes that start together learn of each other.
  private CompletionStage<?> ready() {
    try {
      return store
          .connect()
          .thenCompose(connected -> store.heartbeat(node))
          .thenCompose(live -> store.execute(peeks()));
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  private void runRequests() {
    WarmUpStopRule rounds = new WarmUpStopRule(QUICK);
    boolean again = true;
    while (again) {
      long began = ticker.nanoTime();
      requests.round(this::hasTimeForStep);
      again = !rounds.isEnoughAfter(ticker.nanoTime() - began) && hasTimeForStep();
    }
  }

  private List<BucketId> buckets() {
    List<BucketId> all = new ArrayList<>();
    for (Policy policy : requests.policies()) {
      Set<Integer> partitions = new HashSet<>();
      for (int i = 0; i < 20 * (partitions.size() + 1); i++) {
        BucketId bucket = requests.bucket(policy, i);
        if (partitions.add(store.partition(bucket))) {
          all.add(bucket);
        }
      }
    }
    return all;
  }

  private List<Claim> peeks() {
    return buckets().stream().map(each -> Claim.peek(each, 1, 1, 1)).toList();
  }
}
