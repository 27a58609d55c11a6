package io.weir.internal.redis.connection;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locates the masters of a cluster, a partition each.
 *
 * <p>Any node is asked for CLUSTER SLOTS when something is odd, and periodically.
 */
final class ClusterTopology implements Topology {
  private static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SELDOM = TimeUnit.SECONDS.toNanos(10);

  private final List<HostAndPort> seeds;
  private final Function<HostAndPort, @Nullable Object> asker;
  private final Executor background;
  private final Ticker ticker;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile SlotMap slots;
  private volatile long askedAt;
  private volatile boolean doubted;
  private volatile boolean known;
  private volatile Failure last = Failure.away("no node of the cluster has been queried yet");

  /** Has {@code asker} read the CLUSTER SLOTS of a node. */
  ClusterTopology(
      List<HostAndPort> seeds,
      Function<HostAndPort, @Nullable Object> asker,
      Executor background,
      Ticker ticker) {
    this.seeds = seeds;
    this.asker = asker;
    this.background = background;
    this.ticker = ticker;
    this.slots = SlotMap.unknown(seeds.get(0));
    this.askedAt = ticker.nanoTime() - SELDOM;
    doubt();
  }

  @Override
  public int partition(byte[] key) {
    return slots.partition(key);
  }

  @Override
  public int slot(int partition) {
    return slots.first(partition);
  }

  @Override
  public int partitions() {
    return slots.masters().size();
  }

  @Override
  public boolean has(int partition) {
    return slots.has(partition);
  }

  @Override
  public void learn() {
    if (!known) {
      ask();
    }
    if (!known) {
      throw new ConnectionException(last);
    }
  }

  @Override
  public HostAndPort find(int partition) {
    List<HostAndPort> masters = slots.masters();
    return masters.get(Math.min(partition, masters.size() - 1));
  }

  @Override
  public boolean knows(int partition, HostAndPort endpoint) {
    return find(partition).equals(endpoint);
  }

  @Override
  public boolean redirects() {
    return true;
  }

  @Override
  public void doubt() {
    doubted = true;
    askUnlessAsked(OFTEN);
  }

  @Override
  public void poll() {
    askUnlessAsked(doubted ? OFTEN : SELDOM);
  }

  private void askUnlessAsked(long within) {
    if (ticker.nanoTime() - askedAt >= within && asking.compareAndSet(false, true)) {
      try {
        background.execute(this::ask);
      } catch (RejectedExecutionException notNow) {
        asking.set(false); // the next failure or heartbeat tries again
      }
    }
  }

  private void ask() {
    doubted = false;
    try {
      Set<HostAndPort> nodes = new LinkedHashSet<>(slots.mastersWithSlots());
      nodes.addAll(seeds);
      for (HostAndPort node : nodes) {
        if (updateFrom(node)) {
          return;
        }
      }
    } finally {
      askedAt = ticker.nanoTime();
      asking.set(false);
    }
  }

  private boolean updateFrom(HostAndPort node) {
    try {
      slots = slots.next(asker.apply(node), node);
      known = true;
      return true;
    } catch (ConnectionException silent) {
      last = silent.failure();
      return false;
    }
  }
}
