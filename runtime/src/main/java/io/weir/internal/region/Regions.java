package io.weir.internal.region;

import io.weir.RegionStatus;
import io.weir.Ticker;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports from this node to the stores of the other regions, each of which decides by its own.
 *
 * <p>Safe for concurrent use.
 */
public final class Regions {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private final String own;
  private final LeasingStore ownStore;
  private final OwnMark ownMark;
  private final RegionReports reports;
  private final HeardReports heard;
  private final NodeTurns turns;
  private final NodeTurns.Turn reading;
  private final NodeClock clock;
  private final SafeScheduler scheduler;
  private final List<Other> stores;
  private final List<RegionReporter> others = new ArrayList<>();
  private final Duration patience;
  private final long interval;
  private final long maxBuckets;
  private final ScheduledExecutorService timers;
  private final AtomicBoolean closed = new AtomicBoolean();
  private boolean isFullWarned;

  /**
   * Another region.
   *
   * @param store its store; closed with this
   * @param timeout how long to wait for its answers
   */
  public record Other(String name, LeasingStore store, Duration timeout) {}

  /**
   * Reports nothing before it {@linkplain #start starts}.
   *
   * @param settings names the own region
   * @param ownStore decides; not closed with this
   * @param secret the value of {@code weir.secret}, which all regions share
   * @param maxBuckets the most buckets that are counted for the others at a time
   * @param patience how long {@link #close} waits for the other regions
   * @param timers runs batches and time-outs; shut down with this
   */
  public Regions(
      RegionSettings settings,
      LeasingStore ownStore,
      List<Other> regions,
      String secret,
      long maxBuckets,
      Duration patience,
      Ticker ticker,
      ScheduledExecutorService timers) {
    this.own = settings.own();
    this.ownStore = ownStore;
    this.stores = List.copyOf(regions);
    this.ownMark =
        new OwnMark(
            ownStore,
            own,
            secret,
            "Nothing is reported to other regions",
            () -> others.forEach(RegionReporter::next));
    this.clock = new NodeClock(ticker);
    this.scheduler = new SafeScheduler(timers, Regions::broken);
    this.reports =
        new RegionReports(
            clock,
            regions.size(),
            maxBuckets,
            number -> others.get(number).isWarned(),
            task -> scheduler.runAfter(0, task));
    this.patience = patience;
    this.timers = timers;
    this.maxBuckets = maxBuckets;
    this.interval = settings.interval().toNanos() / 1_000;
    long unheard = RegionReporter.patience(interval);
    List<FirstStart> firstStarts =
        regions.stream().map(each -> new FirstStart(each.name(), clock.micros(), unheard)).toList();
    this.heard = new HeardReports(ownStore, firstStarts, clock, unheard);
    this.turns = new NodeTurns(unheard / 2 / interval);
    this.reading = turns.turn();
    for (int number = 0; number < regions.size(); number++) {
      Other other = regions.get(number);
      others.add(
          new RegionReporter(
              number,
              firstStarts.get(number),
              other.store(),
              OwnMark.of(other.name(), secret),
              HeardReports.sign(own),
              turns.turn(),
              ownMark::isKnown,
              reports,
              clock,
              scheduler,
              interval,
              other.timeout().toNanos() / 1_000));
    }
  }

  private static void broken(Throwable mistake) {
    NonThrowingLog.log(
        LOG, System.Logger.Level.ERROR, "A report to another region failed; it goes on", mistake);
  }

  /** Returns the own store, whose answers are reported from now on. */
  public LeasingStore store() {
    return new ReportingStore(ownStore, reports, clock, turns, this::close);
  }

  /** Starts to report. Waits for nothing. */
  public void start() {
    scheduler.runAfter(0, this::tick);
    others.forEach(RegionReporter::start);
  }

  private void tick() {
    if (closed.get()) {
      return;
    }
    scheduler.runAfter(interval, this::tick);
    reports.tidy();
    warnIfFull();
    if (reading.comes()) {
      heard.read();
    }
    ownMark.keepIfDue(clock.micros());
  }

  private void warnIfFull() {
    if (!isFullWarned && reports.dropped() > 0) {
      isFullWarned = true;
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.WARNING,
          "This node has used more buckets than weir.write-back.max-buckets = "
              + maxBuckets
              + " since other regions last answered. Of the others it doesn't report what callers"
              + " use, so there each region counts alone. Raise the setting if the heap has room.");
    }
  }

  /** Describes the regions, the own one first. */
  public List<RegionStatus> status() {
    List<RegionStatus> all = new ArrayList<>();
    all.add(
        new RegionStatus(
            own,
            true,
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            reports.dropped(),
            ownMark.trouble().isPresent(),
            ownMark.trouble()));
    for (int number = 0; number < others.size(); number++) {
      RegionReporter each = others.get(number);
      Optional<String> silence = heard.trouble(number);
      all.add(
          new RegionStatus(
              each.name(),
              false,
              OptionalInt.empty(),
              each.age(),
              heard.age(number),
              reports.unreported(number),
              0,
              each.isWarned() || silence.isPresent(),
              each.trouble().or(() -> silence)));
    }
    return all;
  }

  /** Reports what is left, as far as it is answered in time, and closes the others' stores. */
  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?>[] ends =
        others.stream()
            .map(each -> each.close().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      LOG.log(System.Logger.Level.DEBUG, "not all regions answered the last report", late);
    } finally {
      timers.shutdownNow();
      closeStores(stores);
    }
  }

  /** Closes all at once, since one that hangs may take as long as its time-outs. */
  static void closeStores(List<Other> others) {
    ThreadFactory threads = DaemonThreadFactory.named("weir-regions");
    List<Thread> closing =
        others.stream().map(each -> threads.newThread(() -> close(each))).toList();
    closing.forEach(Thread::start);
    try {
      for (Thread each : closing) {
        each.join();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Other other) {
    try {
      other.store().close();
    } catch (RuntimeException | Error broken) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.WARNING,
          "The store of region " + other.name() + " can't be closed",
          broken);
    }
  }
}
