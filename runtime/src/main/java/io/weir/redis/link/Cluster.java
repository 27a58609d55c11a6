package io.weir.redis.link;

import io.weir.Ticker;
import io.weir.redis.address.Endpoint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a cluster, a lane each.
 *
 * <p>Any node is asked who has which slots: when something is odd, and now and then anyway.
 */
final class Cluster implements Topology {
  private static final long OFTEN = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SELDOM = TimeUnit.SECONDS.toNanos(10);

  private final List<Endpoint> seeds;
  private final Function<Endpoint, @Nullable Object> asker;
  private final Executor background;
  private final Ticker ticker;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile SlotMap slots;
  private volatile long askedAt;
  private volatile boolean doubted;
  private volatile boolean known;
  private volatile Failure last = Failure.away("no node of the cluster was asked");

  /** Asks by {@code asker}: a node, for its CLUSTER SLOTS. */
  Cluster(
      List<Endpoint> seeds,
      Function<Endpoint, @Nullable Object> asker,
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
  public int lane(byte[] key) {
    return slots.lane(key);
  }

  @Override
  public int slot(int lane) {
    return slots.first(lane);
  }

  @Override
  public int lanes() {
    return slots.masters().size();
  }

  @Override
  public void learn() {
    if (!known) {
      ask();
    }
    if (!known) {
      throw new LinkException(last);
    }
  }

  @Override
  public Endpoint find(int lane) {
    List<Endpoint> masters = slots.masters();
    return masters.get(Math.min(lane, masters.size() - 1));
  }

  @Override
  public boolean knows(int lane, Endpoint endpoint) {
    return find(lane).equals(endpoint);
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
      background.execute(this::ask);
    }
  }

  private void ask() {
    doubted = false;
    try {
      Set<Endpoint> nodes = new LinkedHashSet<>(slots.masters());
      nodes.addAll(seeds);
      for (Endpoint node : nodes) {
        if (answered(node)) {
          return;
        }
      }
    } finally {
      askedAt = ticker.nanoTime();
      asking.set(false);
    }
  }

  private boolean answered(Endpoint node) {
    try {
      slots = slots.next(asker.apply(node), node);
      known = true;
      return true;
    } catch (LinkException silent) {
      last = silent.failure();
      return false;
    }
  }
}
