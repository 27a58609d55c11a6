package io.weir.internal.engine;

import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
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
 * Makes a node that shares a store ready before its first request: connects, has the store learn
 * its scripts, tells the other nodes of this one and hears how many there are, and {@linkplain
 * WarmUpRequests rehearses} until that is quick. A node that is cold decides its first requests
 * without the store, since a JVM that loads all that takes longer than a decision may wait.
 *
 * <p>Where the store is away, the node starts without it when the time is over, and says so.
 *
 * <p>Confine to one thread.
 */
final class WarmUp {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

  /** Some fifteen questions to the store, one after the other, and as many that it isn't asked. */
  private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(50);

  private final LeasingStore store;
  private final WriteBackCache source;
  private final WarmUpRequests rehearsal;
  private final OutageReporter events;
  private final Ticker ticker = Ticker.system();
  private final String node;
  private final boolean nodesAreSet;
  private final long start;
  private final long longest;

  WarmUp(
      LeasingStore store,
      WriteBackCache source,
      WarmUpRequests rehearsal,
      OutageReporter events,
      String node,
      boolean nodesAreSet,
      Duration longest) {
    this.store = store;
    this.source = source;
    this.rehearsal = rehearsal;
    this.events = events;
    this.node = node;
    this.nodesAreSet = nodesAreSet;
    this.start = ticker.nanoTime();
    this.longest = longest.toNanos();
  }

  private long left() {
    return Math.max(0, longest - (ticker.nanoTime() - start));
  }

  void run() {
    try {
      Optional<Throwable> away = connect();
      away.ifPresent(events::failed);
      if (away.isEmpty()) {
        rehearse();
      }
      CompletionStage<?> begun = source.begin(buckets());
      if (away.isEmpty()) {
        BoundedWait.await(begun, left());
      }
    } catch (RuntimeException | LinkageError broken) {
      events.failed(broken);
    } finally {
      rehearsal.close();
    }
    if (!nodesAreSet && !source.knowsNodes()) {
      LOG.log(
          Level.WARNING,
          "weir.store.nodes isn't set, and the store hasn't told how many nodes share it: until it"
              + " does, this node takes the whole of each limit for its share while the store is"
              + " away (onStoreFailure LOCAL).");
    }
  }

  // What fails may have been slow only because all of it was done for the first time.
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

  // A step that is begun must end in time.
  private boolean mayRehearse() {
    return goesOn() && left() >= rehearsal.longestStep();
  }

  private boolean goesOn() {
    return left() > 0 && !Thread.currentThread().isInterrupted();
  }

  // The heartbeat is early, so that nodes that start together hear of each other.
  private CompletionStage<?> ready() {
    try {
      return store
          .connect()
          .thenCompose(connected -> store.heartbeat(node))
          .thenCompose(live -> store.execute(looks()));
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  private void rehearse() {
    WarmUpTimes times = new WarmUpTimes(QUICK);
    boolean again = true;
    while (again) {
      long began = ticker.nanoTime();
      rehearsal.round(this::mayRehearse);
      again = !times.suffice(ticker.nanoTime() - began) && mayRehearse();
    }
  }

  private List<BucketId> buckets() {
    List<BucketId> all = new ArrayList<>();
    for (Policy policy : rehearsal.policies()) {
      Set<Integer> partitions = new HashSet<>();
      for (int i = 0; i < 20 * (partitions.size() + 1); i++) {
        BucketId bucket = rehearsal.bucket(policy, i);
        if (partitions.add(store.partition(bucket))) {
          all.add(bucket);
        }
      }
    }
    return all;
  }

  private List<Claim> looks() {
    return buckets().stream().map(each -> Claim.peek(each, 1, 1, 1)).toList();
  }
}
