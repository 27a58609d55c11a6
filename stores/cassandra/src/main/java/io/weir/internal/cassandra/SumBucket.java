package io.weir.internal.cassandra;

import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Executes claims on a bucket of windows by sums of each node, without compare-and-set.
 *
 * <p><b>How this works.</b> For each slot each node has a row of its own with all that it has
 * charged to the slot. A claim first writes the new sum, as if it were granted. After that it reads
 * the rows of all nodes, and only then decides; a part that isn't granted is written back. Of two
 * claims at the same time at least one reads the other's row, because its reading began after both
 * were written. So never too many permits are granted. If both see each other and get too little,
 * they write back, wait for a random time, and try again.
 *
 * <p>The sum to write is computed from the last reading, by the arithmetic that decides in the end.
 * So the two differ only if another node came in between. Peeks, and claims that won't get
 * anything, only read.
 *
 * <p>Invariant: the granted permits of this node that may still count are never more than any
 * reader sees in its rows; and more is granted only after a reading, begun when the rows held it,
 * in which the rows of all nodes were within the limit.
 *
 * <p>Safe for concurrent use.
 */
final class SumBucket extends BatchingBucket {
  private static final int MAX_ATTEMPTS = 6;
  private static final long MILLI = 1_000_000;

  /** Microseconds for which a row may hold permits that its writer won't get. */
  private static final long MOMENT = 200_000;

  private final BucketSpec spec;
  private final String name;
  private final UUID writer;
  private final String epoch;
  private final SumBucketContext context;

  private final OwnNodeSums own = new OwnNodeSums();
  private OtherNodeSums others = OtherNodeSums.NONE;
  private boolean everRead;
  private long lastNow;

  /** Makes a bucket without charges of this node, which writes by this name. */
  SumBucket(BucketSpec spec, String name, UUID writer, String epoch, SumBucketContext context) {
    this.spec = spec;
    this.name = name;
    this.writer = writer;
    this.epoch = epoch;
    this.context = context;
  }

  @Override
  Round round(List<Claim> claims) {
    return new SumRound(claims);
  }

  /** Forgets this node's charges, after the bucket was marked as forgotten at a time. */
  synchronized void forget(long at) {
    if (own.forget(at)) {
      others = OtherNodeSums.NONE;
    }
  }

  /** Notes that the data belongs to another epoch, so that the next claim makes a new object. */
  private synchronized void lose() {
    discard();
    own.forgetRows();
    others = OtherNodeSums.NONE;
  }

  @Override
  synchronized int entries() {
    return own.size() + others.charges().size();
  }

  /** Executes claims together. */
  private final class SumRound extends Round {
    private final List<Claim> claims;
    private final long deadline;
    private int attempts;
    private long latest = Long.MAX_VALUE;
    private long expectedAt;
    private long expectedSlot;

    SumRound(List<Claim> claims) {
      this.claims = claims;
      this.deadline = context.clock().nanos() + context.patienceNanos();
    }

    /** Writes the most that the claims may get, if the rows hold less, and reads. */
    @Override
    void tryOnce() {
      attempts++;
      SumBucketPlan plan;
      Write rows = Write.NOTHING;
      synchronized (SumBucket.this) {
        long now = Math.max(lastNow, Math.min(latest, context.clock().now()));
        plan = plan(now, others, claims);
        boolean mayBeKept =
            everRead || spec.calendar().isEmpty(); // otherwise it is unknown which window is kept
        if (mayBeKept && !own.cover(plan.target())) {
          rows = write(plan);
        }
      }
      expectedAt = plan.now();
      expectedSlot = plan.firstSlot();
      if (rows.isEmpty()) {
        read(plan);
        return;
      }
      Write written = rows;
      answered(
          send(rows)
              .whenComplete(
                  (any, failure) -> {
                    synchronized (SumBucket.this) {
                      if (failure == null) {
                        own.wrote(written.sums, written.raised, written.timestamp);
                      } else {
                        own.mayHaveWritten(written.sums);
                      }
                    }
                  }),
          any -> read(plan));
    }

    /** Reads the rows of all nodes, and afterwards the epoch. */
    private void read(SumBucketPlan plan) {
      CompletionStage<Boolean> confirmed = context.epochs().confirm(epoch);
      answered(
          context.table().readSums(name, plan.firstSlot()).thenCombine(confirmed, Reading::new),
          reading -> {
            if (reading.sameData()) {
              decide(plan, reading.sums());
            } else {
              // Charges were lost, and nodes report them again: this row mustn't count as well.
              lose();
              fail(new DataLossException());
            }
          });
    }

    /** Executes the claims on the reading, if their outcome was written before. */
    private void decide(SumBucketPlan expected, BucketTable.Sums read) {
      List<Grant> grants = null;
      Write back = Write.NOTHING;
      boolean lost = false;
      boolean contended = false;
      synchronized (SumBucket.this) {
        takeIn(read, expected.firstSlot());
        long time = read.time() == 0 ? expected.now() : read.time();
        // Never ahead of the coordinator's clock, since expired slots don't count; and no earlier
        // than the time for which the written sums were computed.
        long now = Math.max(lastNow, Math.min(expected.now(), time));
        lastNow = now;
        latest = now;
        boolean last = attempts >= MAX_ATTEMPTS || context.clock().nanos() - deadline > 0;
        SumBucketPlan plan = plan(now, others, claims);
        if (last && !own.cover(plan.target())) {
          plan = plan(now, others, expected.capped(claims));
        }
        lost = isOwnMissing(read, Math.max(plan.firstSlot(), expected.firstSlot()));
        contended = plan.isShort(claims) && others.contended();
        // Slots before the expected ones weren't read, so another reading has to decide.
        boolean wasRead = plan.firstSlot() >= expected.firstSlot();
        boolean isDecided = wasRead && own.cover(plan.target()) && (last || !plan.isDeadAt(time));
        if (!lost && isDecided && (last || !contended)) {
          own.charge(plan.target());
          grants = plan.grantsAt(time, context.clock().uncertainty());
          plan.lifetimes().values().forEach(SumBucket.this::countsUntil);
          own.dropBefore(plan.firstSlot());
        }
        if (!lost && (grants != null || contended)) {
          back = write(plan);
          own.wrote(back.sums, back.raised, back.timestamp);
        }
      }
      sendBack(back);
      if (lost) {
        fail(new CassandraUnavailableException("a read didn't return what had just been written"));
      } else if (grants != null) {
        granted(grants);
      } else if (attempts >= MAX_ATTEMPTS) {
        fail(new CassandraUnavailableException("the clocks of Cassandra's nodes differ too much"));
      } else if (contended) {
        context.later(jitter(), this::attempt);
      } else {
        attempt();
      }
    }

    private long jitter() {
      long left = Math.max(MILLI, deadline - context.clock().nanos());
      return Math.min(left, ThreadLocalRandom.current().nextLong(MILLI, (4L << attempts) * MILLI));
    }

    private void takeIn(BucketTable.Sums read, long firstSlot) {
      everRead = true;
      for (SumRow row : read.rows()) {
        if (row.writer().equals(BucketResetMarker.WRITER)) {
          context.clock().follow(row.writtenAt()); // so that further writes count
          forget(row.writtenAt());
        }
      }
      SortedMap<Long, Long> charges = new TreeMap<>();
      long raised = 0;
      boolean contended = false;
      for (SumRow row : read.rows()) {
        boolean counts =
            row.slot() >= firstSlot
                && row.writtenAt() > own.forgottenAt()
                && !row.writer().equals(writer)
                && !row.writer().equals(BucketResetMarker.WRITER);
        if (counts) {
          charges.merge(row.slot(), row.used(), Long::sum);
          raised = Math.max(raised, row.raised());
          contended |= row.asked() > 0 && read.time() - row.writtenAt() < MOMENT;
        }
      }
      others = new OtherNodeSums(charges, raised, contended);
    }

    private boolean isOwnMissing(BucketTable.Sums read, long firstSlot) {
      if (!context.readsOwnWrites()) {
        return false;
      }
      Set<Long> found = new HashSet<>();
      for (SumRow row : read.rows()) {
        if (row.writer().equals(writer)) {
          found.add(row.slot());
        }
      }
      Collection<Long> written = own.slotsWritten();
      return written.stream().anyMatch(slot -> slot >= firstSlot && !found.contains(slot));
    }

    /** Writes the charges once more, because the content of the rows is unknown. */
    @Override
    void fail(Throwable failure) {
      Write back;
      synchronized (SumBucket.this) {
        SortedMap<Long, Long> charges = new TreeMap<>(own.charges().tailMap(expectedSlot));
        SortedMap<Long, Long> lifetimes = new TreeMap<>();
        charges.keySet().forEach(slot -> lifetimes.put(slot, countsUntil()));
        OwnNodeSums.Target kept = new OwnNodeSums.Target(charges, own.raised());
        back = write(new SumBucketPlan(expectedAt, List.of(), kept, expectedSlot, lifetimes));
        own.wrote(back.sums, back.raised, back.timestamp);
      }
      sendBack(back);
      failed(failure);
    }
  }

  /** Changes nothing here, as this clock may be ahead of the deciding one. */
  private SumBucketPlan plan(long now, OtherNodeSums known, List<Claim> claims) {
    return SumBucketPlan.of(context.arithmetic(), spec, now, own, known, claims);
  }

  private Write write(SumBucketPlan plan) {
    OwnNodeSums.Target target = plan.target();
    SortedMap<Long, Long> sums = own.difference(target, plan.firstSlot());
    if (sums.isEmpty() && own.isRaiseToBeWritten(target) && !target.charges().isEmpty()) {
      long slot = target.charges().lastKey();
      sums.put(slot, target.charges().get(slot));
    }
    List<BucketTable.SumWrite> rows = new ArrayList<>(sums.size());
    sums.forEach(
        (slot, used) ->
            rows.add(
                new BucketTable.SumWrite(
                    slot,
                    used,
                    Math.max(0, used - own.charged(slot)),
                    target.raised(),
                    BucketTable.secondsToKeep(
                        plan.lifetimes().getOrDefault(slot, plan.now()), plan.now()))));
    return new Write(sums, target.raised(), rows, context.clock().timestamp());
  }

  private CompletionStage<?> send(Write write) {
    return context.table().writeSums(name, writer, write.rows, write.timestamp);
  }

  /** No caller waits for it: until then rows hold too much, so others get too little at worst. */
  private void sendBack(Write write) {
    if (!write.isEmpty()) {
      context.beginsToWriteBack();
      send(write)
          .whenComplete(
              (any, failure) -> {
                context.hasWrittenBack();
                if (failure != null) {
                  synchronized (this) {
                    own.mayHaveWritten(write.sums);
                  }
                }
              });
    }
  }

  /**
   * Rows to write in one batch.
   *
   * @param sums the sum of each slot
   * @param raised the raise in all of them
   * @param rows the sums as rows
   * @param timestamp later than all before
   */
  private record Write(
      SortedMap<Long, Long> sums, long raised, List<BucketTable.SumWrite> rows, long timestamp) {
    static final Write NOTHING = new Write(new TreeMap<>(), 0, List.of(), 0);

    boolean isEmpty() {
      return rows.isEmpty();
    }
  }

  /**
   * The result of a reading.
   *
   * @param sums the rows
   * @param sameData whether the epoch was still there
   */
  private record Reading(BucketTable.Sums sums, boolean sameData) {}
}
