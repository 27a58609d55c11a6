package io.weir.internal.control.events;

import io.weir.RegionStatus;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.internal.control.admin.outcomes.RecentOutcomes;
import io.weir.internal.control.json.Json;
import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.Rules;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.problem.RuleProblem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects events and passes them to readers (browser pages) and listeners (webhook, log). Keeps
 * the latest 500, for readers that reconnect.
 *
 * <p>Readers also receive what all nodes decide, every five seconds. That is summed up once for all
 * readers and for {@link #recentOutcomes}, and without any of them not at all.
 *
 * <p>Safe for concurrent use.
 */
public final class EventHub {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_KEPT = 500;

  /** The most bans that an event names; it has the number of all. */
  private static final int MAX_BANS = 20;

  private static final long BETWEEN_REGION_CHECKS = Duration.ofSeconds(1).toNanos();

  /** The most readers at once. Each of them occupies a thread of most containers. */
  static final int MAX_READERS = 32;

  /** The most readers of one caller, so that no caller takes the place of all others. */
  static final int MAX_OF_CALLER = 8;

  /** The tables whose changes aren't reported. */
  private static final Set<String> SECRET =
      Set.of(RuleTable.TOKENS.tableName(), RuleTable.SESSIONS.tableName());

  private final Ticker ticker;
  private final Rules rules;
  private final BooleanSupplier isStoreAway;
  private final Supplier<List<RegionStatus>> regions;
  private final Deque<ControlEvent> latest = new ArrayDeque<>();
  private final Set<Subscription> readers = new LinkedHashSet<>();
  private final List<Consumer<ControlEvent>> listeners = new CopyOnWriteArrayList<>();
  private long last;
  private boolean wasAway;

  /** The regions that are cut off. Guarded by this. */
  private Set<String> cutOff = Set.of();

  private long regionsCheckedAt;

  /** Null until it is first asked for. Guarded by this. */
  private @Nullable RecentOutcomes recent;

  /** Ends the reports of outcomes; null without readers. Guarded by this. */
  private @Nullable AutoCloseable outcomes;

  /**
   * Listens to rules for as long as they are open.
   *
   * @param isStoreAway whether the store can't be reached; read by {@link #checkStores}
   * @param regions the regions as this node sees them; read there too, at most once a second
   */
  public EventHub(
      Rules rules,
      BooleanSupplier isStoreAway,
      Supplier<List<RegionStatus>> regions,
      Ticker ticker) {
    this.ticker = ticker;
    this.rules = rules;
    this.isStoreAway = isStoreAway;
    this.regions = regions;
    this.regionsCheckedAt = ticker.nanoTime() - BETWEEN_REGION_CHECKS;
    AutoCloseable unused = rules.onEvent(this::accept);
  }

  @SuppressWarnings("ReferenceEquality") // each opened database is another
  public boolean isOf(Rules other) {
    return rules == other;
  }

  /** Returns what all nodes decided in the last minutes, which is kept from the first call on. */
  public synchronized RecentOutcomes recentOutcomes() {
    RecentOutcomes known = recent;
    if (known == null) {
      known = new RecentOutcomes();
      recent = known;
      AutoCloseable unused = rules.outcomes().listen(known::add);
    }
    return known;
  }

  /** Passes each event to a listener, which must return at once. */
  void listen(Consumer<ControlEvent> listener) {
    listeners.add(listener);
  }

  private void accept(RuleEvent event) {
    if (event instanceof RuleEvent.Problem problem) {
      RuleProblem what = problem.problem();
      publish(
          problem.isMended() ? "mended" : ControlEvent.PROBLEM,
          Map.of(
              "table", what.table(),
              "row", what.row(),
              "field", what.field(),
              "message", what.message(),
              "isWarning", what.isWarning()));
    } else if (event instanceof RuleEvent.Banned banned) {
      publish(
          ControlEvent.BANS,
          Map.of(
              "count", banned.bans().size(),
              "bans", banned.bans().stream().limit(MAX_BANS).map(EventHub::details).toList()));
    } else if (event instanceof RuleEvent.Changed changed) {
      RuleChange what = changed.change();
      if (!SECRET.contains(what.table())) {
        publish(what.table(), details(what));
      }
    }
  }

  private static Map<String, Object> details(AccessEntry ban) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("subject", ban.subject().toString());
    data.put("until", ban.end().map(Instant::toString).orElse(""));
    data.put("reason", ban.reason());
    data.put("isShadow", ban.isShadow());
    return data;
  }

  /** A deleted entry of the access list has its row as well: it tells whom it was about. */
  private static Map<String, Object> details(RuleChange change) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("number", change.number());
    data.put("by", change.by());
    data.put("rowKey", change.rowKey());
    String what =
        change.before().isEmpty() ? "added" : change.after().isEmpty() ? "deleted" : "changed";
    data.put("what", what);
    change
        .after()
        .or(() -> change.before().filter(row -> change.table().equals(ControlEvent.ACCESS_LIST)))
        .ifPresent(row -> data.put("row", Json.parseIfAny(row)));
    return data;
  }

  /** Publishes an event if the store, or a region, has become unreachable, or reachable again. */
  void checkStores() {
    checkOwnStore();
    checkRegions();
  }

  private void checkOwnStore() {
    boolean isAway = isStoreAway.getAsBoolean();
    synchronized (this) {
      if (isAway == wasAway) {
        return;
      }
      wasAway = isAway;
    }
    publish(isAway ? ControlEvent.STORE_AWAY : ControlEvent.STORE_BACK, Map.of());
  }

  private void checkRegions() {
    synchronized (this) {
      long now = ticker.nanoTime();
      if (now - regionsCheckedAt < BETWEEN_REGION_CHECKS) {
        return;
      }
      regionsCheckedAt = now;
    }
    List<RegionStatus> news = new ArrayList<>();
    List<RegionStatus> all = regions.get();
    synchronized (this) {
      all.stream()
          .filter(each -> each.isCutOff() != cutOff.contains(each.name()))
          .forEach(news::add);
      cutOff =
          all.stream()
              .filter(RegionStatus::isCutOff)
              .map(RegionStatus::name)
              .collect(Collectors.toSet());
    }
    for (RegionStatus each : news) {
      publish(
          each.isCutOff() ? ControlEvent.REGION_AWAY : ControlEvent.REGION_BACK,
          Map.of("region", each.name(), "trouble", each.trouble().orElse("")));
    }
  }

  private void publish(String type, Map<String, Object> data) {
    ControlEvent event;
    synchronized (this) {
      event = new ControlEvent(++last, type, ticker.instant(), data);
      latest.addLast(event);
      if (latest.size() > MAX_KEPT) {
        latest.removeFirst();
      }
      offer(event);
    }
    for (Consumer<ControlEvent> each : listeners) {
      try {
        each.accept(event);
      } catch (RuntimeException mistake) {
        LOG.log(Level.ERROR, "An event couldn't be delivered to a listener", mistake);
      }
    }
  }

  private synchronized void publish(CurrentOutcomes now) {
    offer(OutcomesEvent.of(now, ticker.instant()));
  }

  /** Passes an event to all readers, and drops those that are too slow. Called with the lock. */
  private void offer(StreamedEvent event) {
    readers.removeIf(each -> !each.offer(event));
    followOutcomes();
  }

  /** Has outcomes reported as long as there are readers. Called with the lock. */
  private void followOutcomes() {
    AutoCloseable following = outcomes;
    if (following == null && !readers.isEmpty()) {
      outcomes = rules.outcomes().listen(this::publish);
    } else if (following != null && readers.isEmpty()) {
      outcomes = null;
      try {
        following.close();
      } catch (Exception mistake) { // as AutoCloseable declares it
        LOG.log(Level.ERROR, "The reports of outcomes couldn't be ended", mistake);
      }
    }
  }

  /**
   * Adds a reader.
   *
   * @param caller the caller's name; those without a name are one caller
   * @param after the id of the last event that the reader has: it gets the later ones that are
   *     still kept. 0: it gets new events only
   * @return empty if there are 32 readers already, or 8 of this caller
   */
  synchronized Optional<Subscription> subscribe(String caller, long after) {
    if (readers.size() >= MAX_READERS || readersOf(caller) >= MAX_OF_CALLER) {
      return Optional.empty();
    }
    Subscription reader = new Subscription(caller);
    for (ControlEvent each : latest) {
      if (after > 0 && each.number() > after) {
        boolean unused = reader.offer(each);
      }
    }
    readers.add(reader);
    followOutcomes();
    return Optional.of(reader);
  }

  private long readersOf(String caller) {
    return readers.stream().filter(each -> each.caller().equals(caller)).count();
  }

  synchronized void unsubscribe(Subscription reader) {
    readers.remove(reader);
    followOutcomes();
  }
}
