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
 * A bucket of windows, as this node knows it: counted by sums, without compare-and-set.
 *
 * <p><b>How this works.</b> Each node has a row of its own for each slot, with all that it has
 * charged to it. A claim first writes the new sum, as if it were granted. When that is written, it
 * reads the rows of all, and only then decides: what isn't granted is written back. Of two claims
 * at the same time at least one reads what the other wrote, for its reading began after both were
 * written. So never too many are granted. Both may see each other and get too little; then they
 * write back, wait for a moment that chance tells, and try again.
 *
 * <p>What may be written is worked out from what was read the last time, by the arithmetic that
 * decides in the end. So the two differ only if somebody else came in between. A claim that won't
 * get anything, and a look, only read.
 *
 * <p>Invariant: what this node was granted and may still count is never more than what its rows
 * say, wherever they are read; and it is granted more only after a reading, begun when its rows
 * said so, in which the rows of all were within the limit.
 *
 * <p>Safe for concurrent use.
 */
final class SumBucket extends BucketRounds {
  private static final int MOST_ATTEMPTS = 6;
  private static final long MILLI = 1_000_000;

  /** Microseconds for which a row may say what its writer won't get. */
  private static final long MOMENT = 200_000;

  private final BucketSpec spec;
  private final String name;
  private final UUID writer;
  private final String epoch;
  private final SumContext context;

  private final OwnSums own = new OwnSums();
  private OtherSums others = OtherSums.NONE;
  private boolean everRead;
  private long lastNow;
  private long forgottenAt;

  /** A bucket that this node has charged nothing to, by the name of this writer. */
  SumBucket(BucketSpec spec, String name, UUID writer, String epoch, SumContext context) {
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

  /** Forgets what this node has charged, after a row told everybody so at a time. */
  synchronized void forget(long at) {
    if (at > forgottenAt) {
      forgottenAt = at;
      own.forget();
      others = OtherSums.NONE;
    }
  }

  /** The data isn't that of the epoch any more: whoever claims next makes a new object. */
  private synchronized void lose() {
    discard();
    own.forget();
    others = OtherSums.NONE;
  }

  @Override
  synchronized int entries() {
    return own.size() + others.charges().size();
  }

  /** Claims that are executed together. */
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

    /** Writes what the claims may come to, if that is more than what is written, and reads. */
    @Override
    void tryOnce() {
      attempts++;
      ClaimPlan plan;
      Write rows = Write.NOTHING;
      synchronized (SumBucket.this) {
        long now = Math.max(lastNow, Math.min(latest, context.clock().now()));
        plan = plan(now, others, claims);
        boolean mayBeKept = everRead || spec.calendar().isEmpty(); // else which window is kept?
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
                        own.wrote(written.sums, written.raised);
                      } else {
                        own.mayHaveWritten(written.sums);
                      }
                    }
                  }),
          any -> read(plan));
    }

    /** Reads the rows of all; that the epoch was there is read no earlier. */
    private void read(ClaimPlan plan) {
      CompletionStage<Boolean> confirmed = context.epochs().confirm(epoch);
      answered(
          context.table().readSums(name, plan.firstSlot()).thenCombine(confirmed, Reading::new),
          reading -> {
            if (reading.sameData()) {
              decide(plan, reading.sums());
            } else {
              // What was charged is lost, and nodes tell it again: this row mustn't count as well.
              lose();
              fail(new DataLossException());
            }
          });
    }

    /** Executes the claims on what was read, if what they come to was written before. */
    private void decide(ClaimPlan expected, Table.Sums read) {
      List<Grant> grants = null;
      Write back = Write.NOTHING;
      boolean lost = false;
      boolean contended = false;
      synchronized (SumBucket.this) {
        takeIn(read, expected.firstSlot());
        long time = read.time() == 0 ? expected.now() : read.time();
        // Never ahead of the coordinator's clock, for slots that are over don't count any more; and
        // the time at which what was written was worked out, so that it fits.
        long now = Math.max(lastNow, Math.min(expected.now(), time));
        lastNow = now;
        latest = now;
        boolean last = attempts >= MOST_ATTEMPTS || context.clock().nanos() - deadline > 0;
        ClaimPlan plan = plan(now, others, claims);
        if (last && !own.cover(plan.target())) {
          plan = plan(now, others, expected.capped(claims));
        }
        lost = isOwnMissing(read, Math.max(plan.firstSlot(), expected.firstSlot()));
        contended = plan.isShort(claims) && others.contended();
        // Of slots before the expected ones nothing was read: then it is decided by another
        // reading.
        boolean wasRead = plan.firstSlot() >= expected.firstSlot();
        boolean settled = wasRead && own.cover(plan.target()) && (last || !plan.isDeadAt(time));
        if (!lost && settled && (last || !contended)) {
          own.charge(plan.target());
          grants = plan.grantsAt(time);
          plan.lifetimes().values().forEach(SumBucket.this::countsUntil);
          own.dropBefore(plan.firstSlot());
        }
        if (!lost && (grants != null || contended)) {
          back = write(plan);
          own.wrote(back.sums, back.raised);
        }
      }
      sendBack(back);
      if (lost) {
        fail(new StoreAwayException("what was just written wasn't there to be read"));
      } else if (grants != null) {
        granted(grants);
      } else if (attempts >= MOST_ATTEMPTS) {
        fail(new StoreAwayException("the clocks of Cassandra's nodes differ too much"));
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

    private void takeIn(Table.Sums read, long firstSlot) {
      everRead = true;
      for (SumRow row : read.rows()) {
        if (row.writer().equals(Forgetting.WRITER)) {
          context.clock().follow(row.writtenAt()); // what is written from now on counts
          forget(row.writtenAt());
        }
      }
      SortedMap<Long, Long> charges = new TreeMap<>();
      long raised = 0;
      boolean contended = false;
      for (SumRow row : read.rows()) {
        boolean counts =
            row.slot() >= firstSlot
                && row.writtenAt() > forgottenAt
                && !row.writer().equals(writer)
                && !row.writer().equals(Forgetting.WRITER);
        if (counts) {
          charges.merge(row.slot(), row.used(), Long::sum);
          raised = Math.max(raised, row.raised());
          contended |= row.asked() > 0 && read.time() - row.writtenAt() < MOMENT;
        }
      }
      others = new OtherSums(charges, raised, contended);
    }

    private boolean isOwnMissing(Table.Sums read, long firstSlot) {
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

    /** Nobody knows what is written now, so what is charged is written once more. */
    @Override
    void fail(Throwable failure) {
      Write back;
      synchronized (SumBucket.this) {
        SortedMap<Long, Long> charges = new TreeMap<>(own.charges().tailMap(expectedSlot));
        SortedMap<Long, Long> lifetimes = new TreeMap<>();
        charges.keySet().forEach(slot -> lifetimes.put(slot, countsUntil()));
        OwnSums.Target kept = new OwnSums.Target(charges, own.raised());
        back = write(new ClaimPlan(expectedAt, List.of(), kept, expectedSlot, lifetimes));
        own.wrote(back.sums, back.raised);
      }
      sendBack(back);
      failed(failure);
    }
  }

  /** Changes nothing: the clock may be ahead of the one that decides. */
  private ClaimPlan plan(long now, OtherSums known, List<Claim> claims) {
    return ClaimPlan.of(context.arithmetic(), spec, now, own, known, claims);
  }

  private Write write(ClaimPlan plan) {
    OwnSums.Target target = plan.target();
    SortedMap<Long, Long> sums = own.difference(target, plan.firstSlot());
    if (sums.isEmpty() && own.isRaiseToBeWritten(target) && !target.charges().isEmpty()) {
      long slot = target.charges().lastKey();
      sums.put(slot, target.charges().get(slot));
    }
    List<Table.SumWrite> rows = new ArrayList<>(sums.size());
    sums.forEach(
        (slot, used) ->
            rows.add(
                new Table.SumWrite(
                    slot,
                    used,
                    Math.max(0, used - own.charged(slot)),
                    target.raised(),
                    Table.secondsToKeep(
                        plan.lifetimes().getOrDefault(slot, plan.now()), plan.now()))));
    return new Write(sums, target.raised(), rows, context.clock().timestamp());
  }

  private CompletionStage<?> send(Write write) {
    return context.table().writeSums(name, writer, write.rows, write.timestamp);
  }

  /** Nobody waits for it: rows say too much until then, so others get too little at worst. */
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
   * Rows to be written at once.
   *
   * @param sums what each slot is to say
   * @param raised what all are to say
   * @param rows the same as rows
   * @param timestamp later than all before
   */
  private record Write(
      SortedMap<Long, Long> sums, long raised, List<Table.SumWrite> rows, long timestamp) {
    static final Write NOTHING = new Write(new TreeMap<>(), 0, List.of(), 0);

    boolean isEmpty() {
      return rows.isEmpty();
    }
  }

  /**
   * What a reading told.
   *
   * @param sums the rows
   * @param sameData whether the epoch was still there
   */
  private record Reading(Table.Sums sums, boolean sameData) {}
}
