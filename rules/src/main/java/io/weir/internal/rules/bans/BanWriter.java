package io.weir.internal.rules.bans;

import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.StorableText;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bans that this node makes, in one batch a second. While the database is away they
 * wait, as far as there is room; who makes bans never waits, and gets no failure.
 *
 * <p>What isn't written holds on this node alone. Safe for concurrent use.
 */
public final class BanWriter implements AutoCloseable {
  /** The time from the end of a batch to the next one. */
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  /** The most bans of a batch. */
  static final int MAX_ROWS = 1_000;

  /** The setting of the most bans of a policy, which the application checks. */
  public static final String MOST = "weir.bans.max";

  private static final int USUAL_MOST = 10_000;

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String FAILURE = "bans can't be written";
  private static final long LAST_BATCH_MILLIS = 2_000;
  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Failures of the statements, which a repetition wouldn't mend. */
  private static final Set<String> REJECTED = Set.of("0A", "22", "42");

  private final RuleDatabase database;
  private final Consumer<List<AccessEntry>> written;
  private final Ticker ticker;
  private final Supplier<ScheduledExecutorService> threads;
  private final ReentrantLock batches = new ReentrantLock();

  /** Empty until the database could be asked. */
  private volatile Optional<Boolean> mayWrite = Optional.empty();

  private volatile int mostOfPolicy = USUAL_MOST;

  /** By policy and key; guarded by this. */
  private final Map<String, Map<String, NodeBan>> waiting = new TreeMap<>();

  /** Guarded by this. */
  private final Set<AccessSubject> lifted = new LinkedHashSet<>();

  /**
   * Counts the bans of a policy that hold on this node alone since the last line; guarded by this.
   */
  private final Map<String, Integer> left = new TreeMap<>();

  /** Null without bans so far, and after the end; guarded by this. */
  private @Nullable ScheduledExecutorService thread;

  /** Guarded by this. */
  private boolean isClosed;

  /** Guarded by {@link #batches}. */
  private boolean isAway;

  /** Guarded by {@link #batches}. */
  private long nextLine;

  /**
   * Writes nothing yet.
   *
   * @param database may be unavailable
   * @param written takes the bans that were written
   * @param threads makes the thread that writes, with the first ban
   */
  public BanWriter(
      RuleDatabase database,
      Consumer<List<AccessEntry>> written,
      Ticker ticker,
      Supplier<ScheduledExecutorService> threads) {
    this.database = database;
    this.written = written;
    this.ticker = ticker;
    this.threads = threads;
    this.nextLine = ticker.nanoTime();
  }

  /** Reads {@link #MOST}; empty if it isn't set, or no number. */
  public static OptionalInt most(String setting) {
    try {
      return setting.isBlank()
          ? OptionalInt.empty()
          : OptionalInt.of(Integer.parseInt(setting.strip()));
    } catch (NumberFormatException none) {
      return OptionalInt.empty();
    }
  }

  public void mostOfPolicy(int most) {
    mostOfPolicy = most;
  }

  /** Asks the database whether this role may write, if it isn't known; fails never. */
  public void look() {
    if (mayWrite.isEmpty()) {
      try {
        mayWrite = Optional.of(database.mayWriteBans());
      } catch (RulesUnavailableException away) {
        // asked again with the first batch
      }
    }
  }

  /** Returns whether bans are written, as far as that is known. Doesn't read the database. */
  public boolean mayWrite() {
    return mayWrite.orElse(true);
  }

  /** Takes a ban for the next batch; of several for one caller the latest end is written. */
  public void add(AccessEntry ban, String policy) {
    NodeBan made = NodeBan.of(ban, policy);
    synchronized (this) {
      if (isClosed || !mayWrite()) {
        return;
      }
      Map<String, NodeBan> ofPolicy = ofPolicy(policy);
      boolean hasRoom = ofPolicy.containsKey(made.key()) || ofPolicy.size() < mostOfPolicy;
      if (hasRoom && StorableText.is(ban.subject().toString())) {
        ofPolicy.merge(made.key(), made, NodeBan::longer);
      } else {
        leave(made);
      }
      start();
    }
  }

  /** Called with the monitor. */
  private Map<String, NodeBan> ofPolicy(String policy) {
    return waiting.computeIfAbsent(policy, any -> new LinkedHashMap<>());
  }

  /** Takes a caller whose bans are to be deleted with the next batch. */
  public synchronized void lift(AccessSubject subject) {
    if (!isClosed && mayWrite()) {
      removeIf(ban -> ban.entry().subject().equals(subject));
      lifted.add(subject);
      start();
    }
  }

  /** Called with the monitor. */
  private void removeIf(Predicate<NodeBan> condition) {
    waiting.values().forEach(bans -> bans.values().removeIf(condition));
    waiting.values().removeIf(Map::isEmpty);
  }

  /** Called with the monitor. */
  private void start() {
    if (thread == null) {
      ScheduledExecutorService made = threads.get();
      var unused =
          made.scheduleWithFixedDelay(this::write, 0, INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
      thread = made;
    }
  }

  private synchronized void leave(NodeBan ban) {
    left.merge(ban.policy(), 1, Integer::sum);
  }

  /** Writes the next batch, if anything waits. Doesn't fail, since that would be the last batch. */
  public void write() {
    batches.lock();
    try {
      BanBatch batch = take();
      if (!batch.isEmpty()) {
        write(batch);
      }
      logLeft();
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "rules: " + FAILURE, mistake);
    } finally {
      batches.unlock();
    }
  }

  /** Each policy has the same part of a batch, so that none keeps the bans of others waiting. */
  private synchronized BanBatch take() {
    Instant now = ticker.instant();
    removeIf(ban -> !ban.end().isAfter(now));
    List<NodeBan> some = new ArrayList<>();
    int part = Math.max(1, MAX_ROWS / Math.max(1, waiting.size()));
    for (Map<String, NodeBan> bans : waiting.values()) {
      Iterator<NodeBan> all = bans.values().iterator();
      for (int i = 0; i < part && all.hasNext(); i++) {
        some.add(all.next());
        all.remove();
      }
    }
    BanBatch batch = new BanBatch(some, lifted, mostOfPolicy, now);
    lifted.clear();
    return batch;
  }

  private void write(BanBatch batch) {
    look();
    if (!mayWrite()) {
      refused();
      return;
    }
    try {
      List<NodeBan> without =
          database.inTransaction(FAILURE, own -> batch.write(own, database.dialect()));
      if (isAway) {
        isAway = false;
        LOG.log(Level.INFO, "rules: bans are written again");
      }
      without.forEach(this::leave);
      written.accept(batch.without(without).stream().map(NodeBan::entry).toList());
    } catch (RulesUnavailableException failed) {
      failed(batch, failed);
    }
  }

  private void failed(BanBatch batch, RulesUnavailableException failed) {
    if (SqlState.isNoRight(failed)) {
      mayWrite = Optional.of(false);
      refused();
    } else if (REJECTED.contains(SqlState.kind(SqlState.of(failed)))) {
      batch.bans().forEach(this::leave);
      LOG.log(Level.WARNING, "rules: " + failed.getMessage() + "; they hold on this node alone");
    } else {
      putBack(batch);
      if (!isAway) {
        isAway = true;
        LOG.log(
            Level.WARNING,
            "rules: " + failed.getMessage() + "; they hold on this node, and wait to be written");
      }
    }
  }

  /** Whatever was lifted or made longer meanwhile stays so. */
  private synchronized void putBack(BanBatch batch) {
    for (NodeBan ban : batch.bans()) {
      if (!lifted.contains(ban.entry().subject())) {
        ofPolicy(ban.policy()).merge(ban.key(), ban, NodeBan::longer);
      }
    }
    lifted.addAll(batch.lifted());
  }

  private void refused() {
    LOG.log(
        Level.WARNING,
        "rules: this role may not write access_list and weir_duties, or they lack the columns of"
            + " bans, so that bans hold on this node alone until the next start");
    synchronized (this) {
      waiting.clear();
      lifted.clear();
    }
  }

  private void logLeft() {
    long now = ticker.nanoTime();
    Map<String, Integer> counts;
    synchronized (this) {
      if (left.isEmpty() || now - nextLine < 0) {
        return;
      }
      counts = new TreeMap<>(left);
      left.clear();
    }
    nextLine = now + LOG_PAUSE_NANOS;
    LOG.log(
        Level.WARNING,
        "rules: bans that hold on this node alone, as access_list has no room for more of a policy than "
            + MOST
            + ", "
            + mostOfPolicy
            + ", or could not be written: "
            + counts);
  }

  /** Writes what waits, for at most two seconds, and never again. Idempotent. */
  @Override
  public void close() {
    ScheduledExecutorService writer;
    synchronized (this) {
      writer = thread;
      thread = null;
      isClosed = true;
    }
    if (writer == null) {
      return;
    }
    Future<?> last = writer.submit(() -> write());
    try {
      last.get(LAST_BATCH_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      LOG.log(
          Level.WARNING, "rules: bans of the last seconds aren't written: the database is slow");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.shutdownNow();
  }
}
