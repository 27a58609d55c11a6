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
 * Which nodes live, and the share of each: a row for each node, which it writes alone and which
 * goes by itself.
 *
 * <p>A row says the largest share that its node may still believe to have. A node writes what it
 * would like to have, reads the rows of all, and takes no more than the others leave: of two that
 * do so at the same time at least one reads what the other wrote, so shares are never more than
 * all.
 *
 * <p>Safe for concurrent use.
 */
final class NodeRegistry {
  /** Seconds that a row is kept; longer than a heartbeat is remembered. */
  private static final int SECONDS = 5;

  private static final String NAME = "nodes";

  private final Supplier<Table> table;
  private final StoreClock clock;
  private final UUID self;
  private final String dataCentre;
  private final Consumer<Set<String>> neighbours;
  private final Deque<Held> held = new ArrayDeque<>();
  private CompletionStage<?> last = CompletableFuture.completedFuture(null);

  /**
   * Nobody is known yet.
   *
   * @param neighbours is told with each heartbeat in which data centres nodes live
   */
  NodeRegistry(
      Supplier<Table> table,
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

  /** Says that this node lives; one heartbeat after another. */
  synchronized CompletionStage<Membership> heartbeat() {
    CompletionStage<Membership> answer =
        last.handle((any, failure) -> 0)
            .thenCompose(any -> read())
            .thenCompose(
                seen -> {
                  int wished = seen.share();
                  return write(wished, clock.now())
                      .thenCompose(any -> read())
                      .thenApply(all -> decide(wished, all));
                });
    last = answer;
    return answer;
  }

  private CompletionStage<Others> read() {
    return table.get().readNotes(NAME).thenApply(this::others);
  }

  private Others others(Table.Notes notes) {
    long now = notes.time() == 0 ? clock.now() : notes.time();
    int live = 1;
    long shares = 0;
    Set<String> centres = new TreeSet<>();
    centres.add(dataCentre);
    for (Table.NoteRow row : notes.rows()) {
      if (!row.writer().equals(self) && row.asked() > now) {
        live++;
        shares += row.used();
        centres.add(new String(row.state(), UTF_8));
      }
    }
    return new Others(live, shares, centres);
  }

  private Membership decide(int wished, Others others) {
    neighbours.accept(others.dataCentres);
    int share = Math.min(wished, others.share());
    long now = clock.now();
    boolean lower;
    synchronized (held) {
      held.addLast(new Held(share, now + LeasingStore.MEMBERSHIP_MICROS));
      lower = share < wished;
    }
    if (lower) {
      var unused = write(0, now);
    }
    return new Membership(others.live, share);
  }

  /** Writes a share, or a larger one that this node was told before and may still believe in. */
  private CompletionStage<?> write(int share, long now) {
    long most = share;
    synchronized (held) {
      held.removeIf(each -> each.until <= now);
      for (Held each : held) {
        most = Math.max(most, each.share);
      }
    }
    long until = now + LeasingStore.MEMBERSHIP_MICROS;
    var row = new Table.NoteRow(0, self, most, until, dataCentre.getBytes(UTF_8));
    return table.get().writeNote(NAME, row, SECONDS, clock.timestamp());
  }

  /** Says that this node is gone. */
  CompletionStage<?> leave() {
    return table.get().delete(NAME, 0, self, clock.timestamp());
  }

  /**
   * A share that was told.
   *
   * @param share parts per million
   * @param until when it is believed in at most, by the store's clock
   */
  private record Held(int share, long until) {}

  /**
   * All but this node.
   *
   * @param live how many live, this node included
   * @param shares of the others
   * @param dataCentres where they live
   */
  private record Others(int live, long shares, Set<String> dataCentres) {
    int share() {
      long left = Math.max(0, Membership.WHOLE - shares);
      return (int) Math.min(Membership.WHOLE / live, left);
    }
  }
}
