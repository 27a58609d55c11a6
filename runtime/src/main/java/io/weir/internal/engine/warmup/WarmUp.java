package io.weir.internal.engine.warmup;

import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.permits.StoreListener;
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
 * Makes a node that shares a store ready before its first request: connects, loads the store's
 * scripts, exchanges heartbeats with the other nodes, and runs {@linkplain WarmUpRequests requests
 * of nobody} until they are quick. A cold node would decide its first requests without the store,
 * since a JVM that loads all that takes longer than a decision may wait.
 *
 * <p>If the store is away, the node starts without it when the time is over, and logs that.
 *
 * <p>Confine to one thread.
 */
public final class WarmUp {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

  /** Of a round: some fifteen calls of the store one after the other, and as many without it. */
  private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(50);

  private final LeasingStore store;
  private final WriteBackCache cache;
  private final WarmUpRequests requests;
  private final StoreListener listener;
  private final Ticker ticker = Ticker.system();
  private final String node;
  private final boolean nodesAreSet;
  private final long start;
  private final long longest;

  /**
   * Prepares the start of a node.
   *
   * @param store the store that nodes share
   * @param cache the real cache over it
   * @param requests what to run until it is quick; closed at the end
   * @param listener is told of failures
   * @param node this node's name
   * @param nodesAreSet whether the settings tell the number of nodes
   * @param longest how long the warm-up may take
   */
  public WarmUp(
      LeasingStore store,
      WriteBackCache cache,
      WarmUpRequests requests,
      StoreListener listener,
      String node,
      boolean nodesAreSet,
      Duration longest) {
    this.store = store;
    this.cache = cache;
    this.requests = requests;
    this.listener = listener;
    this.node = node;
    this.nodesAreSet = nodesAreSet;
    this.start = ticker.nanoTime();
    this.longest = longest.toNanos();
  }

  private long left() {
    return Math.max(0, longest - (ticker.nanoTime() - start));
  }

  /** Returns when the node is ready, or the time is over. Never fails. */
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
          "weir.store.nodes isn't set, and the store hasn't told how many nodes share it: until it"
              + " does, this node takes the whole of each limit for its share while the store is"
              + " away (onStoreFailure LOCAL).");
    }
  }

  // Tried again until the time is over: the first failure may only be due to a cold start.
  private Optional<Throwable> connect() {
    Optional<Throwable> failure;
    Throwable why = new TimeoutException("no answer within " + Duration.ofNanos(longest));
    do {
      failure = BoundedWait.await(ready(), left());
      if (failure.isPresent()) {
        why = failure.filter(each -> !(each instanceof TimeoutException)).orElse(why);
        BoundedWait.pause(Math.min(AGAIN, left()));
      }
    } while (failure.isPresent() && goesOn());
    return failure.isPresent() ? Optional.of(why) : failure;
  }

  // A step that begins must end in time.
  private boolean hasTimeForStep() {
    return goesOn() && left() >= requests.longestStep();
  }

  private boolean goesOn() {
    return left() > 0 && !Thread.currentThread().isInterrupted();
  }

  // The heartbeat comes early, so that nodes that start together hear of each other.
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
    WarmUpStopRule times = new WarmUpStopRule(QUICK);
    boolean again = true;
    while (again) {
      long began = ticker.nanoTime();
      requests.round(this::hasTimeForStep);
      again = !times.suffice(ticker.nanoTime() - began) && hasTimeForStep();
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
