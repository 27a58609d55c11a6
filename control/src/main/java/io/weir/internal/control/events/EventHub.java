package io.weir.internal.control.events;

import io.weir.internal.control.json.Json;
import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleEvent;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.Rules;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
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

/**
 * Collects what happens and tells it to whoever listens: pages, and the webhook. Keeps the latest,
 * for pages that were away for a moment.
 *
 * <p>Safe for concurrent use.
 */
public final class EventHub {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int KEPT = 500;
  private static final int MOST_READERS = 32;

  /** Nobody is told of these. */
  private static final Set<String> SECRET =
      Set.of(RuleTable.TOKENS.tableName(), RuleTable.SESSIONS.tableName());

  private final BooleanSupplier isStoreAway;
  private final Deque<ControlEvent> latest = new ArrayDeque<>();
  private final Set<Subscription> readers = new LinkedHashSet<>();
  private final List<Consumer<ControlEvent>> listeners = new CopyOnWriteArrayList<>();
  private long last;
  private boolean wasAway;

  /**
   * Listens to some rules for as long as these exist.
   *
   * @param rules tell of changes and bad rows
   * @param isStoreAway whether the store can't be reached; asked at each {@link #look}
   */
  public EventHub(Rules rules, BooleanSupplier isStoreAway) {
    this.isStoreAway = isStoreAway;
    AutoCloseable unused = rules.onEvent(this::happened);
  }

  /** Has somebody told of each event; returns at once. */
  void listen(Consumer<ControlEvent> listener) {
    listeners.add(listener);
  }

  private void happened(RuleEvent event) {
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
    } else if (event instanceof RuleEvent.Changed changed) {
      RuleChange what = changed.change();
      if (!SECRET.contains(what.table())) {
        publish(what.table(), told(what));
      }
    }
  }

  private static Map<String, Object> told(RuleChange change) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("number", change.number());
    data.put("by", change.by());
    data.put("rowKey", change.rowKey());
    String what =
        change.before().isEmpty() ? "added" : change.after().isEmpty() ? "deleted" : "changed";
    data.put("what", what);
    change.after().ifPresent(row -> data.put("row", row(row)));
    return data;
  }

  private static Object row(String json) {
    try {
      return Json.parse(json.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notOurs) {
      return json;
    }
  }

  /** Looks whether the store went away, or came back. */
  void look() {
    boolean isAway = isStoreAway.getAsBoolean();
    synchronized (this) {
      if (isAway == wasAway) {
        return;
      }
      wasAway = isAway;
    }
    publish(isAway ? ControlEvent.STORE_AWAY : ControlEvent.STORE_BACK, Map.of());
  }

  private void publish(String type, Map<String, Object> data) {
    ControlEvent event;
    synchronized (this) {
      event = new ControlEvent(++last, type, Instant.now(), data);
      latest.addLast(event);
      if (latest.size() > KEPT) {
        latest.removeFirst();
      }
      readers.removeIf(each -> !each.offer(event));
    }
    for (Consumer<ControlEvent> each : listeners) {
      try {
        each.accept(event);
      } catch (RuntimeException mistake) {
        LOG.log(Level.ERROR, "an event can't be told", mistake);
      }
    }
  }

  /**
   * Begins to read.
   *
   * @param after the last event that the reader has; later ones that are still known come first. 0:
   *     only what happens from now on
   * @return nothing if too many read already
   */
  synchronized Optional<Subscription> subscribe(long after) {
    if (readers.size() >= MOST_READERS) {
      return Optional.empty();
    }
    Subscription reader = new Subscription();
    for (ControlEvent each : latest) {
      if (after > 0 && each.id() > after) {
        boolean unused = reader.offer(each);
      }
    }
    readers.add(reader);
    return Optional.of(reader);
  }

  /** Ends a reading. */
  synchronized void unsubscribe(Subscription reader) {
    readers.remove(reader);
  }
}
