package io.weir.internal.rules.assembly;

import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.feed.RuleFeed;
import io.weir.internal.rules.foreign.ForeignTables;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the tables that Weir didn't make, in a thread of its own, so that a slow or locked one
 * never holds up the changes of Weir's own. Reads all rules and costs each second, and the rows of
 * those users that were asked for.
 */
final class ForeignFollower implements AutoCloseable {
  private static final List<RuleTable> READ_WHOLE = List.of(RuleTable.RULES, RuleTable.COSTS);

  private final ForeignTables tables;
  private final RuleFeed feed;
  private final CallerProfileCache callers;
  private final Duration interval;
  private volatile @Nullable PeriodicTask looks;

  ForeignFollower(
      ForeignTables tables, RuleFeed feed, CallerProfileCache callers, Duration interval) {
    this.tables = tables;
    this.feed = feed;
    this.callers = callers;
    this.interval = interval;
  }

  /** Reads all once, unless the database is away, and follows it from then on. */
  void start() {
    lookQuietly();
    looks =
        PeriodicTask.start(
            DaemonThreadFactory.scheduler(
                DaemonThreadFactory.ofApplication("weir-rules-foreign"), 1),
            interval,
            interval,
            this::lookQuietly);
  }

  /**
   * Reads all in the thread of the caller; users at their next requests.
   *
   * @throws RulesUnavailableException if the database is away
   */
  void refresh() {
    look();
    if (tables.hasFound(RuleTable.USERS)) {
      callers.dropAll();
    }
  }

  private synchronized void look() {
    tables.look();
    for (RuleTable each : READ_WHOLE) {
      feed.foreign(each, tables.read(each), tables.problems());
    }
  }

  private void lookQuietly() {
    try {
      look();
    } catch (RulesUnavailableException away) {
      // The feed of Weir's own tables reports it.
    } finally {
      callers.compareForeign();
    }
  }

  /** Stops looking; what was read stays. Idempotent. */
  @Override
  public void close() {
    PeriodicTask now = looks;
    if (now != null) {
      now.close();
    }
  }
}
