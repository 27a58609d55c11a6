package io.weir.internal.application;

import io.weir.InvalidSettingException;
import io.weir.RegionStatus;
import io.weir.Ticker;
import io.weir.internal.engine.StoreLocator;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.region.RegionCounts;
import io.weir.internal.region.RegionPeeks;
import io.weir.internal.region.RegionSettings;
import io.weir.internal.region.RegionSettingsReader;
import io.weir.internal.region.Regions;
import io.weir.internal.region.SharingRegions;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.value.DurationText;
import io.weir.spi.DecisionMetrics;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The other regions, to which this node's store reports what callers use; none unless settings name
 * them. To those that have shares nothing is reported: they are only listed, and asked for people.
 *
 * <p>Safe for concurrent use.
 */
final class ReportedRegions {
  static final ReportedRegions NONE =
      new ReportedRegions(Optional.empty(), Optional.empty(), Optional.empty());

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String SECRET = "weir.secret";

  private final Optional<Regions> regions;
  private final Optional<SharingRegions> sharing;
  private final Optional<RegionPeeks> peeks;
  private final Optional<LeasingStore> store;
  private final Supplier<List<RegionStatus>> status = this::status;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The metrics failed; regions aren't measured");
  private DecisionMetrics metrics = DecisionMetrics.none();

  private ReportedRegions(
      Optional<Regions> regions, Optional<SharingRegions> sharing, Optional<RegionPeeks> peeks) {
    this.regions = regions;
    this.sharing = sharing;
    this.peeks = peeks;
    this.store = regions.map(Regions::store);
  }

  /**
   * Opens the stores of other regions. Connects to none of them: the start doesn't wait for them.
   *
   * @param own the own region's store; not closed if this fails
   * @param ownTimeout how long people wait for its answers
   * @throws InvalidSettingException if a store can't be opened, or isn't one that nodes share; the
   *     message names the setting
   */
  static ReportedRegions open(
      RegionSettings settings,
      SettingsSnapshot now,
      PermitStore own,
      Duration ownTimeout,
      Ticker ticker,
      List<StoreProvider> providers) {
    LeasingStore shared = shared(own, "weir.store");
    List<Regions.Other> others = others(settings, now, ticker, providers);
    Regions regions =
        new Regions(
            settings,
            shared,
            others,
            now.text(SECRET, ""),
            now.number("weir.write-back.max-buckets", 100_000, 1, 100_000_000),
            others.stream().map(Regions.Other::timeout).reduce(TIMEOUT, ReportedRegions::longer),
            ticker,
            timers());
    return new ReportedRegions(
        Optional.of(regions),
        Optional.empty(),
        Optional.of(peeks(settings, now, own, ownTimeout, others, ticker)));
  }

  private static ScheduledExecutorService timers() {
    return DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-regions"), 1);
  }

  /**
   * Lists regions that have shares, and opens the stores of those whose addresses are set, to ask
   * them. The parameters are those of {@link #open}; the own store may be any.
   *
   * @throws InvalidSettingException as {@link #open} does
   */
  static ReportedRegions sharing(
      RegionSettings settings,
      SettingsSnapshot now,
      PermitStore own,
      Duration ownTimeout,
      Ticker ticker,
      List<StoreProvider> providers) {
    List<Regions.Other> others = others(settings, now, ticker, providers);
    return new ReportedRegions(
        Optional.empty(),
        Optional.of(new SharingRegions(settings, own, others, now.text(SECRET, ""), timers())),
        Optional.of(peeks(settings, now, own, ownTimeout, others, ticker)));
  }

  private static RegionPeeks peeks(
      RegionSettings settings,
      SettingsSnapshot now,
      PermitStore own,
      Duration ownTimeout,
      List<Regions.Other> others,
      Ticker ticker) {
    return new RegionPeeks(settings, own, ownTimeout, others, now.text(SECRET, ""), ticker);
  }

  private static List<Regions.Other> others(
      RegionSettings settings, SettingsSnapshot now, Ticker ticker, List<StoreProvider> providers) {
    List<Regions.Other> others = new ArrayList<>();
    try {
      settings
          .stores()
          .forEach((name, address) -> others.add(other(name, address, now, ticker, providers)));
    } catch (RuntimeException | Error mistake) {
      others.forEach(each -> each.store().close());
      throw mistake;
    }
    return others;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Regions.Other other(
      String name,
      String address,
      SettingsSnapshot now,
      Ticker ticker,
      List<StoreProvider> providers) {
    String setting = RegionSettingsReader.store(name);
    UnaryOperator<String> its = RegionSettingsReader.ofStore(now, name);
    PermitStore opened;
    try {
      opened = StoreLocator.open(address, its, ticker, providers);
    } catch (IllegalArgumentException wrong) {
      String why = String.valueOf(wrong.getMessage()).replace("weir.store", setting);
      throw new InvalidSettingException(why.startsWith(setting) ? why : setting + ": " + why);
    }
    try {
      Duration timeout = DurationText.parse(its.apply("weir.store.timeout"));
      return new Regions.Other(name, shared(opened, setting), timeout);
    } catch (RuntimeException mistake) {
      opened.close();
      throw mistake;
    }
  }

  private static LeasingStore shared(PermitStore store, String setting) {
    if (store instanceof LeasingStore leasing) {
      return leasing;
    }
    throw new InvalidSettingException(
        setting
            + ": regions use each other's stores, so it must be one that nodes share, such as"
            + " redis://host or jdbc:postgresql://host/database");
  }

  /** Returns the store by which the limiter decides; closing it closes the own one as well. */
  PermitStore store(PermitStore own) {
    return store.isPresent() ? store.get() : own;
  }

  /** Starts to report, and to be measured; or to be ready for looks. */
  ReportedRegions start(DecisionMetrics measure) {
    sharing.ifPresent(SharingRegions::start);
    regions.ifPresent(
        each -> {
          metrics = measure;
          each.start();
          calls.run(() -> measure.regions(status));
        });
    return this;
  }

  List<RegionStatus> status() {
    return regions
        .map(Regions::status)
        .or(() -> sharing.map(SharingRegions::status))
        .orElse(List.of());
  }

  /**
   * Asks the store of each region for the counts of some buckets.
   *
   * @return the counts of each, in order; an empty list without regions. Waits as {@link
   *     RegionPeeks#ask} does
   */
  List<RegionCounts> ask(List<RegionPeeks.Question> questions) {
    return peeks.isPresent() && !questions.isEmpty() ? peeks.get().ask(questions) : List.of();
  }

  /** Is no longer measured, and asks no more. What is left is reported when the store is closed. */
  void end() {
    calls.run(() -> metrics.regionsClosed(status));
    sharing.ifPresent(SharingRegions::close);
  }
}
