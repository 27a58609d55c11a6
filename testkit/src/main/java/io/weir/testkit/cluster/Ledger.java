package io.weir.testkit.cluster;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one node by bucket and stamp: what was delivered to it, what it spent and what it
 * gave back. Each permit is in one place only. None is spent when its slot has ended, but by
 * requests that waited for it: that arrived before its claim was sent, and of no more than it
 * needed for them. Of far leases no more is reported than was granted.
 *
 * <p>Confine to one thread.
 */
final class Ledger {
  /** The stamp of what is admitted ahead of the store. */
  static final long BORROWED = Long.MIN_VALUE;

  private static final int MAX_COMPLAINTS = 20;

  private final String node;
  private final Map<BucketId, Page> pages = new HashMap<>();
  private final List<String> complaints;

  Ledger(String node, List<String> complaints) {
    this.node = node;
    this.complaints = complaints;
  }

  void asked(BucketId bucket, long now) {
    page(bucket).lastAsked = now;
  }

  void sent(Claim claim) {
    Page page = page(claim.bucket());
    page.debt += claim.debt();
    for (GiveBack back : claim.giveBacks()) {
      Line line = page.line(back.stamp());
      line.held -= back.permits();
      line.open -= back.permits() + back.spent();
      complain(line.open < 0, claim.bucket(), back.stamp(), "reported more than it had", line);
      complain(line.held < 0, claim.bucket(), back.stamp(), "gave back more than it had", line);
    }
  }

  /** Notes that a grant has arrived whose claim was sent and executed at these times. */
  void delivered(Claim claim, Grant grant, long sent, long executed) {
    if (grant.permits() > 0) {
      Line line = page(claim.bucket()).line(grant.stamp());
      line.held += grant.permits();
      line.open += grant.permits();
      line.far = grant.isFar();
      line.end = executed + grant.life();
      line.deliveries.addFirst(new Delivery(sent, executed, claim.needed()));
    }
  }

  /** Notes that the store has confirmed a debt. */
  void told(Claim claim, long now) {
    if (claim.debt() > 0) {
      page(claim.bucket()).debts(claim.bucket()).told(claim.debt(), now);
    }
  }

  /**
   * Notes that permits were spent, and returns when; from a lease, at the latest possible time.
   *
   * @param asked when the request arrived
   * @param alone whether it waited for nothing else
   * @param now when it was answered
   */
  Spending spent(BucketId bucket, long stamp, long permits, long asked, boolean alone, long now) {
    if (stamp == BORROWED) {
      page(bucket).borrowed += permits;
      owes(bucket, permits, now);
      return Spending.ungranted(now);
    }
    Line line = page(bucket).line(stamp);
    line.held -= permits;
    complain(line.held < 0, bucket, stamp, "spent more than it had", line);
    Optional<Delivery> own =
        line.deliveries.stream().filter(each -> each.sent >= asked).findFirst();
    if (now < line.end) {
      return new Spending(own.isPresent() ? own.get().executed : now, line.end);
    }
    Optional<Delivery> last = line.spendLate(permits, asked);
    if (last.isPresent()) {
      return new Spending(last.get().executed, line.end);
    }
    boolean before = !alone && asked < line.end; // from a lease, while another bucket was asked
    complain(!before, bucket, stamp, (now - line.end) + " µs too late spent", line);
    return new Spending(before ? line.end - 1 : now, line.end);
  }

  /** Notes that permits were admitted without a grant. */
  void owes(BucketId bucket, long permits, long now) {
    page(bucket).debts(bucket).add(permits, now);
  }

  void refunded(BucketId bucket, long stamp, long permits) {
    if (stamp == BORROWED) {
      page(bucket).borrowed -= permits;
      forgiven(bucket, permits);
    } else {
      page(bucket).line(stamp).held += permits;
    }
  }

  /** Notes that permits admitted without a grant were given back. */
  void forgiven(BucketId bucket, long permits) {
    page(bucket).debts(bucket).forgive(permits);
  }

  /**
   * Returns what is held, and could be spent, of buckets without a request since a time. Leaves out
   * far leases, which are held until they end.
   */
  Map<BucketId, Long> idle(long now, long since) {
    Map<BucketId, Long> idle = new TreeMap<>();
    pages.forEach(
        (bucket, page) -> {
          long alive = page.alive(now);
          if (page.lastAsked < since && alive > 0) {
            idle.put(bucket, alive);
          }
        });
    return idle;
  }

  /** Permits admitted ahead of the store and never reported to it. */
  long untold() {
    return pages.values().stream().mapToLong(page -> Math.max(0, page.borrowed - page.debt)).sum();
  }

  /** Permits admitted without a grant that count at the store and aren't charged there yet. */
  long debt(long now) {
    return pages.values().stream().mapToLong(page -> page.debt(now)).sum();
  }

  private Page page(BucketId bucket) {
    return pages.computeIfAbsent(bucket, missing -> new Page());
  }

  private void complain(boolean wrong, BucketId bucket, long stamp, String what, Line line) {
    if (wrong && complaints.size() < MAX_COMPLAINTS) {
      complaints.add(
          node + " " + bucket + " stamp " + stamp + ": " + what + ", leaving " + line.held);
    }
  }

  static List<String> complaints() {
    return new ArrayList<>();
  }

  /** The permits of one bucket at a node. */
  private static final class Page {
    private final Map<Long, Line> lines = new HashMap<>();
    private long lastAsked = Long.MIN_VALUE;
    private long borrowed;
    private long debt;
    private @Nullable Owed debts;

    Line line(long stamp) {
      return lines.computeIfAbsent(stamp, missing -> new Line());
    }

    Owed debts(BucketId bucket) {
      debts = debts == null ? new Owed(bucket) : debts;
      return debts;
    }

    long debt(long now) {
      return debts == null ? 0 : debts.total(now);
    }

    long alive(long now) {
      return lines.values().stream()
          .filter(line -> line.end > now && !line.far)
          .mapToLong(line -> line.held)
          .sum();
    }
  }

  /** The permits of one stamp at a node. */
  private static final class Line {
    private long held;
    private long open;
    private boolean far;
    private long end = Long.MIN_VALUE;

    /** The latest first. */
    private final Deque<Delivery> deliveries = new ArrayDeque<>();

    /**
     * Spends permits of the claims that were sent since a request arrived, of each no more than it
     * needed, and returns the last of them; empty if they don't suffice. The earliest go first: who
     * arrives later may spend of later ones only. So whoever can be served is, however the node
     * distributed them.
     */
    Optional<Delivery> spendLate(long permits, long asked) {
      List<Delivery> own = deliveries.stream().filter(each -> each.sent >= asked).toList();
      if (own.stream().mapToLong(Delivery::unspent).sum() < permits) {
        return Optional.empty();
      }
      long rest = permits;
      Optional<Delivery> last = Optional.empty();
      for (int i = own.size() - 1; i >= 0 && rest > 0; i--) {
        long spent = Math.min(rest, own.get(i).unspent());
        own.get(i).late += spent;
        rest -= spent;
        last = Optional.of(own.get(i));
      }
      return last;
    }
  }

  /** A grant that has arrived. */
  private static final class Delivery {
    private final long sent;
    private final long executed;
    private final long needed;

    /** Permits spent after the end of their slot. */
    private long late;

    Delivery(long sent, long executed, long needed) {
      this.sent = sent;
      this.executed = executed;
      this.needed = needed;
    }

    /** Permits that requests which waited may spend after the end of their slot. */
    long unspent() {
      return needed - late;
    }
  }
}
