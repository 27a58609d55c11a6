package io.weir.internal.region;

import io.weir.RegionStatus;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Prepares for people who look at regions that have shares: keeps the mark of the own region in its
 * store, and stays connected to the stores of the others, by reading their marks each ten seconds.
 * Some take longer to connect to than a look waits.
 *
 * <p>No decision needs any of it, and none waits for it. Safe for concurrent use.
 */
public final class SharingRegions {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private final RegionSettings settings;
  private final Optional<OwnMark> ownMark;
  private final List<Regions.Other> others;
  private final ScheduledExecutorService timers;
  private final SafeScheduler scheduler;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Asks nobody before it {@linkplain #start starts}.
   *
   * @param own the own region's store, which keeps a mark if nodes share it; not closed with this
   * @param others the other regions whose stores are known here; closed with this
   * @param secret the value of {@code weir.secret}, which all regions share
   * @param timers shut down with this
   */
  public SharingRegions(
      RegionSettings settings,
      PermitStore own,
      List<Regions.Other> others,
      String secret,
      ScheduledExecutorService timers) {
    this.settings = settings;
    this.others = List.copyOf(others);
    this.timers = timers;
    this.scheduler = new SafeScheduler(timers, SharingRegions::broken);
    this.ownMark =
        own instanceof LeasingStore shared
            ? Optional.of(
                new OwnMark(
                    shared,
                    settings.own(),
                    secret,
                    "Other regions can't look at what callers use here",
                    () -> {}))
            : Optional.empty();
  }

  private static void broken(Throwable mistake) {
    NonThrowingLog.log(
        LOG,
        System.Logger.Level.ERROR,
        "Looks at other regions couldn't be prepared; decisions aren't affected",
        mistake);
  }

  /** Starts to keep the mark, and to connect. Waits for nothing. */
  public void start() {
    if (ownMark.isPresent() || !others.isEmpty()) {
      scheduler.runAfter(0, this::tick);
    }
  }

  private void tick() {
    if (closed.get()) {
      return;
    }
    scheduler.runAfter(OwnMark.INTERVAL, this::tick);
    ownMark.ifPresent(OwnMark::keep);
    others.forEach(SharingRegions::connect);
  }

  /** Reads the mark: whatever it is, and whatever fails, a look says so. */
  private static void connect(Regions.Other other) {
    try {
      var unused = other.store().mark(Optional.empty());
    } catch (RuntimeException | LinkageError broken) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.DEBUG,
          "the store of region " + other.name() + " can't be asked",
          broken);
    }
  }

  /** Describes the regions, the own one first. */
  public List<RegionStatus> status() {
    List<RegionStatus> all = new ArrayList<>();
    settings
        .shares()
        .forEach(
            (name, share) -> {
              boolean isOwn = name.equals(settings.own());
              all.add(isOwn ? 0 : all.size(), status(name, isOwn, share));
            });
    return all;
  }

  private RegionStatus status(String name, boolean isOwn, int share) {
    Optional<String> trouble = isOwn ? ownMark.flatMap(OwnMark::trouble) : Optional.empty();
    return trouble.isEmpty()
        ? RegionStatus.ofShare(name, isOwn, share)
        : new RegionStatus(
            name,
            isOwn,
            OptionalInt.of(share),
            Optional.empty(),
            Optional.empty(),
            0,
            0,
            true,
            trouble);
  }

  /** Asks no more, and closes the others' stores. */
  public void close() {
    if (closed.compareAndSet(false, true)) {
      timers.shutdownNow();
      Regions.closeStores(others);
    }
  }
}
