package io.weir.internal.cassandra;

import io.weir.internal.store.StoreUnavailableException;
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
 * <p>The answer to the reading contains the coordinator's time. The slot that was charged has to
 * end after it, or else the permits would count for less than a window from when they are spent. So
 * a claim is computed for the time that the clock is expected to show by then. If that hasn't come,
 * the answer waits for it; if the slot has ended nevertheless, the claim is made anew.
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
  private static final long MICRO = 1_000;

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

  private final class SumRound extends Round {
    private final List<Claim> claims;
    private final long deadline;
    private int attempts;
    private long latest = Long.MAX_VALUE;
    private long base;
    private long firstSlot;
    private boolean wrote;
    private long lag = context.lagOfSums().micros();

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
        base = Math.max(lastNow, Math.min(latest, context.clock().now()));
        firstSlot = context.arithmetic().slotted(spec, base).firstSlot();
        plan = plan(base + lag, others, claims);
        boolean mayBeKept =
            everRead || spec.calendar().isEmpty(); // otherwise it is unknown which window is kept
        if (mayBeKept && !own.cover(plan.target())) {
          rows = write(plan);
        }
      }
      wrote = !rows.isEmpty();
      if (!wrote) {
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
      CompletionStage<Boolean> confirmed =
          context.epochs().confirm(epoch).thenApply(EpochRows.Confirmation::same);
      answered(
          context.table().readSums(name, firstSlot).thenCombine(confirmed, Reading::new),
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
      long early = 0;
      synchronized (SumBucket.this) {
        takeIn(read);
        long time = read.time() == 0 ? base : read.time();
        if (wrote) {
          context.lagOfSums().hear(base, time);
        }
        // Never ahead of the coordinator's clock when it is answered, since expired slots don't
        // count; and no earlier than the time for which the written sums were computed.
        boolean awaitable = time >= base;
        long now = awaitable ? expected.now() : Math.max(lastNow, time);
        lastNow = Math.max(lastNow, Math.min(now, time));
        if (time < base || latest < Long.MAX_VALUE) {
          latest = time; // that coordinator's clock is behind the one that this node follows
        }
        boolean last = isLast(0);
        SumBucketPlan plan = plan(now, others, claims);
        if (last && !own.cover(plan.target())) {
          plan = plan(now, others, expected.capped(claims));
        }
        boolean late = plan.isDeadAt(time) && isLast(context.patienceNanos());
        if (plan.isDeadAt(time)) {
          lag = context.nextLag(time - base);
        }
        if (late) {
          plan = plan(now, others, SumBucketPlan.withoutPermits(claims));
        }
        lost = isOwnMissing(read, Math.max(plan.firstSlot(), firstSlot));
        contended = plan.isShort(claims) && others.contended();
        // Slots before the first one weren't read, so another reading has to decide.
        boolean wasRead = plan.firstSlot() >= firstSlot;
        boolean isDecided = wasRead && own.cover(plan.target()) && !plan.isDeadAt(time);
        if (!lost && isDecided && (last || !contended)) {
          own.charge(plan.target(), plan.firstSlot());
          early = Math.max(0, now - time);
          grants = plan.grantsAt(time, context.clock().uncertainty() + early);
          if (late) {
            grants = SumBucketPlan.refused(claims, grants, context.patienceNanos() / MICRO);
          }
          plan.lifetimes().values().forEach(SumBucket.this::countsUntil);
          own.dropBefore(firstSlot);
          if (plan.grantsAny()) {
            lastNow = now;
          } else {
            early = 0; // a refusal needn't wait
          }
        }
        if (!lost && (grants != null || contended)) {
          back = write(plan);
          own.wrote(back.sums, back.raised, back.timestamp);
        }
      }
      sendBack(back);
      if (lost) {
        fail(new StoreUnavailableException("a read didn't return what had just been written"));
      } else if (grants != null) {
        List<Grant> decided = grants;
        if (early > 0) {
          context.later(early * MICRO, () -> guard(() -> granted(decided)));
        } else {
          granted(decided);
        }
      } else if (attempts >= MAX_ATTEMPTS) {
        fail(new StoreUnavailableException("the clocks of Cassandra's nodes differ too much"));
      } else if (contended) {
        context.later(jitter(), this::attempt);
      } else {
        attempt();
      }
    }

    /** Returns whether no other attempt follows, where they go on for longer than others. */
    private boolean isLast(long longer) {
      return attempts >= MAX_ATTEMPTS || context.clock().nanos() - deadline - longer > 0;
    }

    private long jitter() {
      long left = Math.max(MILLI, deadline - context.clock().nanos());
      return Math.min(left, ThreadLocalRandom.current().nextLong(MILLI, (4L << attempts) * MILLI));
    }

    private void takeIn(BucketTable.Sums read) {
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

    private boolean isOwnMissing(BucketTable.Sums read, long from) {
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
      return written.stream().anyMatch(slot -> slot >= from && !found.contains(slot));
    }

    /** Writes the charges once more, because the content of the rows is unknown. */
    @Override
    void fail(Throwable failure) {
      Write back;
      synchronized (SumBucket.this) {
        SortedMap<Long, Long> charges = new TreeMap<>(own.charges().tailMap(firstSlot));
        SortedMap<Long, Long> lifetimes = new TreeMap<>();
        charges.keySet().forEach(slot -> lifetimes.put(slot, countsUntil()));
        OwnNodeSums.Target kept = new OwnNodeSums.Target(charges, own.raised());
        back = write(new SumBucketPlan(base, List.of(), kept, firstSlot, lifetimes));
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
                    RowLifetime.secondsToKeep(
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
   * @param timestamp later than all before
   */
  private record Write(
      SortedMap<Long, Long> sums, long raised, List<BucketTable.SumWrite> rows, long timestamp) {
    static final Write NOTHING = new Write(new TreeMap<>(), 0, List.of(), 0);

    boolean isEmpty() {
      return rows.isEmpty();
    }
  }

  /** The result of a reading, and whether the epoch was still there. */
  private record Reading(BucketTable.Sums sums, boolean sameData) {}
}
