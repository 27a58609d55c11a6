package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.threads.DaemonThreads;
import io.weir.rules.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes what requests have collected, in a thread of its own: the only one of this node that does.
 * While the database is away the parts keep what they can, and nobody waits.
 *
 * <p>Safe for concurrent use.
 */
public final class UsageWriter implements AutoCloseable {
  /** How long after a write the next one begins, unless set. */
  public static final Duration USUAL_INTERVAL = Duration.ofSeconds(2);

  /** About how many rows of each part a transaction changes. */
  static final int ROWS = 10_000;

  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MOST_ATTEMPTS = 5;
  private static final int LONGEST_PAUSE_MILLIS = 50;
  private static final long LAST_WRITE_MILLIS = 2_000;
  private static final long OFF_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A table has changed since the statement was prepared, or the database can't do it at all. */
  private static final String NOT_SUPPORTED = "0A000";

  /** Somebody else changed the same rows: the next attempt may do. */
  private static final Set<String> CONFLICTS =
      Set.of("40001", "40P01", "23505", "55P03", "90131", "HYT00", NOT_SUPPORTED);

  /** The database doesn't take it, now or later: bad values, no such table, no right. */
  private static final Set<String> REFUSED = Set.of("22", "23", "42", "0A");

  private final RuleDatabase database;
  private final ForgottenDigests forgotten = new ForgottenDigests();
  private final Duration interval;
  private final List<UsagePart> parts = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor thread;

  /** What the database said when it was away last; of the writer's thread. */
  private @Nullable String away;

  /** What the database doesn't take, and when to try again; of the writer's thread. */
  private final Map<UsagePart, Long> off = new HashMap<>();

  /** Somebody was forgotten since this was collected. */
  private static final class ForgottenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialized
    private final ForgottenDigests.Found found;

    ForgottenException(ForgottenDigests.Found found) {
      super("users were forgotten", null, false, false);
      this.found = found;
    }
  }

  /** What one transaction writes. */
  private record Work(UsagePart part, UsagePart.Batch batch) {}

  /**
   * Writes nothing yet.
   *
   * @param database may be away
   * @param interval how long after a write the next one begins
   */
  public UsageWriter(RuleDatabase database, Duration interval) {
    this.database = database;
    this.interval = interval;
    this.thread = DaemonThreads.scheduler(DaemonThreads.ofApplication("weir-rules-usage"), 1);
  }

  /**
   * Writes a part too, from the next time on: after those that were added before, on every node.
   *
   * @param part the part
   */
  public void add(UsagePart part) {
    parts.add(part);
  }

  /** Begins to write. */
  public void start() {
    long nanos = interval.toNanos();
    var unused = thread.scheduleWithFixedDelay(this::write, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Writes what is there, now instead of within the interval, and waits for it.
   *
   * @param patience how long to wait
   * @throws RulesUnavailableException if it wasn't written within the given time
   */
  public void flush(Duration patience) {
    Future<?> written = thread.submit(() -> write());
    try {
      written.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      throw new RulesUnavailableException("usage isn't written yet", late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Never throws: that would end the thread's schedule. */
  private void write() {
    try {
      parts.forEach(UsagePart::gather);
      forget(
          database.inTransaction(
              "usage can't be written",
              connection -> forgotten.read(connection, database.dialect())));
      writeAll();
      isBack();
    } catch (RulesUnavailableException e) {
      isAway(e);
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "usage can't be written", mistake);
    }
  }

  private void forget(ForgottenDigests.Found found) {
    if (!found.isEmpty()) {
      parts.forEach(part -> part.forget(found.users()));
    }
    forgotten.apply(found);
  }

  private void writeAll() {
    List<UsagePart> left = List.copyOf(parts);
    while (!left.isEmpty() && !Thread.currentThread().isInterrupted()) {
      List<Work> all = new ArrayList<>();
      for (UsagePart part : left) {
        Optional<UsagePart.Batch> batch = part.drain(ROWS);
        if (batch.isPresent() && isOff(part)) {
          batch.get().failed(true);
        } else {
          batch.ifPresent(some -> all.add(new Work(part, some)));
        }
      }
      if (all.isEmpty()) {
        return;
      }
      write(all);
      left = all.stream().filter(each -> each.batch.isMore()).map(Work::part).toList();
    }
  }

  private boolean isOff(UsagePart part) {
    Long until = off.get(part);
    return until != null && System.nanoTime() - until < 0;
  }

  private void write(List<Work> all) {
    boolean isTaken = false;
    try {
      isTaken = writeTogether(all);
    } catch (RulesUnavailableException e) {
      all.forEach(each -> each.batch.failed(false));
      throw e;
    } catch (ForgottenException meanwhile) {
      all.forEach(each -> each.batch.failed(false));
      forget(meanwhile.found); // the rest is written by the next transaction
      return;
    }
    if (isTaken) {
      return;
    }
    if (all.size() == 1) {
      all.get(0).batch.failed(true);
      return;
    }
    // One of them isn't taken: the others must not wait for it.
    for (int i = 0; i < all.size(); i++) {
      try {
        write(all.subList(i, i + 1));
      } catch (RulesUnavailableException e) {
        all.subList(i + 1, all.size()).forEach(each -> each.batch.failed(false));
        throw e;
      }
    }
  }

  /**
   * Whether the database took it: if not, the parts haven't been told. If the answer of the commit
   * was lost, they have.
   *
   * @throws RulesUnavailableException if nothing is written, because it is away
   */
  private boolean writeTogether(List<Work> all) {
    for (int attempt = 1; ; attempt++) {
      boolean[] isDone = {false};
      try {
        database.inTransaction(
            "usage can't be written",
            connection -> {
              ForgottenDigests.Found found = forgotten.read(connection, database.dialect());
              if (!found.isEmpty()) {
                throw new ForgottenException(found);
              }
              for (Work each : all) {
                each.batch.write(connection, database.dialect());
              }
              isDone[0] = true;
              return true;
            });
        all.forEach(each -> each.batch.written());
        all.forEach(each -> off.remove(each.part));
        return true;
      } catch (RulesUnavailableException e) {
        String state = SqlState.of(e);
        if (isDone[0] && !CONFLICTS.contains(state)) {
          LOG.log(Level.WARNING, e.getMessage() + "; whether it is isn't known");
          all.forEach(each -> each.batch.failed(true));
          return true;
        }
        if (CONFLICTS.contains(state) && attempt < MOST_ATTEMPTS) {
          rest();
        } else if (state.equals(NOT_SUPPORTED)
            || !CONFLICTS.contains(state) && REFUSED.contains(SqlState.kind(state))) {
          isRefused(all, String.valueOf(e.getMessage()));
          return false;
        } else {
          throw e;
        }
      } catch (ForgottenException meanwhile) {
        throw meanwhile;
      } catch (RuntimeException mistake) {
        isRefused(all, String.valueOf(mistake));
        return false;
      }
    }
  }

  /** Told once; it is tried again later, since somebody may have mended it. */
  private void isRefused(List<Work> all, String message) {
    if (all.size() == 1) {
      Long known = off.put(all.get(0).part, System.nanoTime() + OFF_NANOS);
      if (known == null) {
        LOG.log(
            Level.WARNING, message + "; it is dropped, and so is what comes until that is mended");
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void isAway(RulesUnavailableException e) {
    if (away == null) {
      LOG.log(Level.WARNING, e.getMessage() + "; it is kept, as far as there is place");
    }
    away = e.getMessage();
  }

  private void isBack() {
    if (away != null) {
      LOG.log(Level.INFO, "usage is written again");
      away = null;
    }
  }

  /** Writes once more, for at most two seconds, and never again. Idempotent. */
  @Override
  public void close() {
    if (!thread.isShutdown()) {
      try {
        flush(Duration.ofMillis(LAST_WRITE_MILLIS));
      } catch (RulesUnavailableException late) {
        LOG.log(Level.WARNING, "usage of the last seconds isn't written: the database is too slow");
      }
      thread.shutdownNow();
    }
  }
}
