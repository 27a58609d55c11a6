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
 * expires by itself.
 *
 * <p>A row holds the largest share that its node may still rely on. A node writes the share that it
 * wants, reads the rows of all, and takes no more than the others leave. Of two nodes that do so at
 * once at least one reads the other's row, so shares never exceed the whole.
 *
 * <p>Safe for concurrent use.
 */
final class NodeRows {
  /** Seconds for which a row is kept, longer than a heartbeat counts. */
  private static final int SECONDS = 5;

  private static final String NAME = "nodes";

  private final Supplier<BucketTable> table;
  private final StoreClock clock;
  private final UUID self;
  private final String dataCentre;
  private final Consumer<Set<String>> neighbours;
  private final Deque<Held> held = new ArrayDeque<>();
  private CompletionStage<?> last = CompletableFuture.completedFuture(null);

  /**
   * Begins without known nodes.
   *
   * @param neighbours receives the data centres of live nodes with each heartbeat
   */
  NodeRows(
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
        last.handle((any, failure) -> 0)
            .thenCompose(any -> read())
            .thenCompose(
                seen -> {
                  int wanted = seen.share();
                  return write(wanted, clock.now())
                      .thenCompose(any -> read())
                      .thenApply(all -> decide(wanted, all));
                });
    last = answer;
    return answer;
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
      if (!row.writer().equals(self) && row.asked() > now) {
        live++;
        shares += row.used();
        centres.add(new String(row.state(), UTF_8));
      }
    }
    return new Others(live, shares, centres);
  }

  private Membership decide(int wanted, Others others) {
    neighbours.accept(others.dataCentres);
    int share = Math.min(wanted, others.share());
    long now = clock.now();
    boolean lower;
    synchronized (held) {
      held.addLast(new Held(share, now + LeasingStore.MEMBERSHIP_MICROS));
      lower = share < wanted;
    }
    if (lower) {
      var unused = write(0, now);
    }
    return new Membership(others.live, share);
  }

  /** Writes a share, or a larger earlier one that this node may still rely on. */
  private CompletionStage<?> write(int share, long now) {
    long most = share;
    synchronized (held) {
      held.removeIf(each -> each.until <= now);
      for (Held each : held) {
        most = Math.max(most, each.share);
      }
    }
    long until = now + LeasingStore.MEMBERSHIP_MICROS;
    var row = new BucketTable.NoteRow(0, self, most, until, dataCentre.getBytes(UTF_8));
    return table.get().writeNote(NAME, row, SECONDS, clock.timestamp());
  }

  /** Removes this node. */
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
