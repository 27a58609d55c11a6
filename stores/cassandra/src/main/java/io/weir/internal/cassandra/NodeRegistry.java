package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Keeps the live nodes and their shares: a row for each node, which only that node writes and which
 * expires by itself, and one with their number.
 *
 * <p>Few nodes each read the rows of all with each heartbeat. Of many, one in turn counts them once
 * in an interval; the others read only the number, and all rows when their share has to grow.
 *
 * <p>A row holds the largest share that its node may still rely on. A node writes the share that it
 * wants, reads the rows of all, and takes no more than the others leave. Of two nodes that do so at
 * once at least one reads the other's row, so shares never exceed the whole. To keep or lower a
 * share a node need read no other row, if its own has been alive without a gap: then each node that
 * read the rows meanwhile saw it. The number, which may be late, decides nothing.
 *
 * <p>Safe for concurrent use.
 */
final class NodeRegistry {
  /** Seconds for which a row is kept longer than a heartbeat counts. */
  private static final int MARGIN = 2;

  private static final String NAME = "nodes";
  private static final String COUNT = "nodes.count";
  private static final long SECOND = 1_000_000;

  /** The number of nodes from which on they aren't counted by each heartbeat. */
  private static final int FEW = 32;

  /** The part of a share by which it may be too small before it grows. */
  private static final int SLACK = 10;

  private final Supplier<BucketTable> table;
  private final StoreClock clock;
  private final UUID self;
  private final String dataCentre;
  private final Consumer<Set<String>> neighbours;
  private final Deque<Held> held = new ArrayDeque<>();
  private CompletionStage<?> last = CompletableFuture.completedFuture(null);
  private volatile Set<String> living = Set.of();
  private volatile int lastLive = 1;
  private volatile int ownShare;

  /** Until when the row that was written last says that this node lives. */
  private volatile long aliveUntil;

  /**
   * Begins without known nodes.
   *
   * @param neighbours receives the data centres of live nodes with each heartbeat
   */
  NodeRegistry(
      Supplier<BucketTable> table,
      StoreClock clock,
      UUID self,
      String dataCentre,
      Consumer<Set<String>> neighbours) {
    this.table = table;
    this.clock = clock;
    this.self = self;
    this.dataCentre = dataCentre;
    this.neighbours = neighbours;
  }

  /** Sends a heartbeat of this node, after the one before has ended. */
  synchronized CompletionStage<Membership> heartbeat() {
    CompletionStage<Membership> answer =
        last.handle((any, failure) -> 0).thenCompose(any -> lastLive < FEW ? byAll() : byCount());
    last = answer;
    return answer;
  }

  /**
   * Answers without the others' rows, if somebody has counted lately and the share needn't grow.
   */
  private CompletionStage<Membership> byCount() {
    return table
        .get()
        .readNotes(COUNT)
        .thenCompose(
            notes -> {
              int live = counted(notes);
              int wanted = live < FEW ? Membership.WHOLE : Membership.WHOLE / live;
              int share = Math.min(ownShare, wanted);
              if (share < wanted - wanted / SLACK) {
                return byAll();
              }
              long before = aliveUntil;
              ownShare = 0; // if this fails, the row may live on although it had been gone
              return write(share, live, clock.now())
                  .thenCompose(any -> isAlive(before, live) ? kept(live, share) : byAll());
            });
  }

  /** Returns whether the row was alive all the time, whichever coordinator's clock says so. */
  private boolean isAlive(long until, int live) {
    return clock.now() + clock.uncertainty() < until - interval(live);
  }

  private static long interval(int live) {
    return LeasingStore.membershipMicros(live) / LeasingStore.REMEMBERED_HEARTBEATS;
  }

  private CompletionStage<Membership> kept(int live, int share) {
    neighbours.accept(living);
    hold(share, live);
    return CompletableFuture.completedFuture(new Membership(live, share));
  }

  /** Returns the number that was counted in the last interval; 0 if there is none. */
  private int counted(BucketTable.Notes notes) {
    long now = clock.now();
    int live = 0;
    for (BucketTable.NoteRow row : notes.rows()) {
      long age = now - row.asked();
      if (row.used() >= FEW && row.used() <= Integer.MAX_VALUE && age > -SECOND) {
        live = age < interval((int) row.used()) ? (int) row.used() : live;
      }
    }
    return live;
  }

  private CompletionStage<Membership> byAll() {
    return read()
        .thenCompose(
            seen -> {
              int wanted = seen.share();
              return write(wanted, seen.live, clock.now())
                  .thenCompose(any -> read())
                  .thenApply(all -> decide(wanted, all));
            });
  }

  private CompletionStage<Others> read() {
    return table.get().readNotes(NAME).thenApply(this::others);
  }

  private Others others(BucketTable.Notes notes) {
    long now = notes.time() == 0 ? clock.now() : notes.time();
    int live = 1;
    long shares = 0;
    Set<String> centres = new TreeSet<>();
    centres.add(dataCentre);
    for (BucketTable.NoteRow row : notes.rows()) {
      if (!row.writer().equals(self) && row.asked() > now && isPossible(row, now)) {
        live++;
        shares += row.used();
        centres.add(new String(row.state(), UTF_8));
      }
    }
    return new Others(live, shares, centres);
  }

  /** Returns whether a row may be a node's; one that is damaged counts as none. */
  private static boolean isPossible(BucketTable.NoteRow row, long now) {
    return row.used() >= 0
        && row.used() <= Membership.WHOLE
        && row.asked() < now + 2 * LeasingStore.MAX_MEMBERSHIP_MICROS;
  }

  private Membership decide(int wanted, Others others) {
    living = others.dataCentres;
    neighbours.accept(living);
    int share = Math.min(wanted, others.share());
    hold(share, others.live);
    if (share < wanted) {
      var unused = write(0, others.live, clock.now());
    }
    if (others.live >= FEW) {
      count(others.live);
    }
    return new Membership(others.live, share);
  }

  private void hold(int share, int live) {
    long until = clock.now() + LeasingStore.membershipMicros(live);
    ownShare = share;
    lastLive = live;
    synchronized (held) {
      held.addLast(new Held(share, until));
    }
  }

  /** Leaves the number for the others; the last one to do so is read. */
  private void count(int live) {
    var row = new BucketTable.NoteRow(0, LevelRows.NOBODY, live, clock.now(), new byte[0]);
    var unused = table.get().writeNote(COUNT, row, seconds(live), clock.timestamp());
  }

  private static int seconds(int live) {
    return (int) (LeasingStore.membershipMicros(live) / SECOND) + MARGIN;
  }

  /** Writes a share, or a larger earlier one that this node may still rely on. */
  private CompletionStage<?> write(int share, int live, long now) {
    long most = share;
    synchronized (held) {
      held.removeIf(each -> each.until <= now);
      for (Held each : held) {
        most = Math.max(most, each.share);
      }
    }
    long until = now + LeasingStore.membershipMicros(live);
    aliveUntil = until;
    var row = new BucketTable.NoteRow(0, self, most, until, dataCentre.getBytes(UTF_8));
    return table.get().writeNote(NAME, row, seconds(live), clock.timestamp());
  }

  CompletionStage<?> leave() {
    return table.get().delete(NAME, 0, self, clock.timestamp());
  }

  /**
   * A share that this node was given.
   *
   * @param share parts per million
   * @param until when this node stops relying on it, by the store's clock
   */
  private record Held(int share, long until) {}

  /**
   * The other nodes.
   *
   * @param live the number of live nodes, this one included
   * @param shares the sum of the others' shares
   * @param dataCentres the data centres of live nodes
   */
  private record Others(int live, long shares, Set<String> dataCentres) {
    int share() {
      long left = Math.max(0, Membership.WHOLE - shares);
      return (int) Math.min(Membership.WHOLE / live, left);
    }
  }
}
