package io.weir.internal.rules.feed;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.problem.RuleProblem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for changes that the feed doesn't report: a server that was replaced, triggers that don't
 * run, rows that differ from what was read although no change of theirs was reported. None of it
 * takes longer where there are more users: of these only some that are cached are compared.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class MissedChanges {
  static final Duration TRIGGER_INTERVAL = Duration.ofSeconds(10);

  /** The time between two comparisons of whole tables of rules. */
  static final Duration CONTENTS_INTERVAL = Duration.ofSeconds(30);

  /** The time for which a loss is a problem. */
  static final Duration REPORTED = Duration.ofHours(1);

  /** The shortest time between two new beginnings because of rows that differ. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger("io.weir");

  private final RuleDatabase database;
  private final UserChangeListener users;
  private final Ticker ticker;
  private final Timer triggers;
  private final Timer contents;
  private final Map<RuleTable, String> sums = new EnumMap<>(RuleTable.class);
  private final Set<RuleTable> reported = EnumSet.noneOf(RuleTable.class);
  private final Set<RuleTable> differing = EnumSet.noneOf(RuleTable.class);
  private @Nullable String server;
  private Set<RuleTable> withoutTriggers = Set.of();
  private @Nullable Loss last;

  /** What was odd, and when it was found. */
  private record Loss(String reason, long at) {}

  /** Says when something is to be done again; at once for the first time. */
  private final class Timer {
    private final long interval;
    private long last;

    Timer(Duration interval) {
      this.interval = interval.toNanos();
      reset();
    }

    final void reset() {
      last = ticker.nanoTime() - interval;
    }

    boolean isDue() {
      long now = ticker.nanoTime();
      boolean isDue = now - last >= interval;
      if (isDue) {
        last = now;
      }
      return isDue;
    }
  }

  MissedChanges(RuleDatabase database, UserChangeListener users, Ticker ticker) {
    this.database = database;
    this.users = users;
    this.ticker = ticker;
    this.triggers = new Timer(TRIGGER_INTERVAL);
    this.contents = new Timer(CONTENTS_INTERVAL);
  }

  /**
   * Looks at server and triggers, and compares rows; before the changes are read.
   *
   * @return why all is to be read again; empty if nothing is odd so far
   */
  Optional<String> beforeChanges() {
    if (triggers.isDue()) {
      withoutTriggers = database.withoutTriggers();
    }
    differing.clear();
    if (!database.tellsChanges()) {
      sums.clear();
    } else if (contents.isDue()) {
      StaleTables.HELD.forEach(this::compare);
    }
    users.compareSome();
    return anotherServer();
  }

  private void compare(RuleTable table) {
    String now = database.contents(table);
    String before = sums.put(table, now);
    if (before != null && !before.equals(now) && !reported.contains(table)) {
      differing.add(table);
    }
    reported.remove(table);
  }

  private Optional<String> anotherServer() {
    String before = server;
    String now = database.identity().orElse(before);
    server = now;
    return before == null || before.equals(now)
        ? Optional.empty()
        : Optional.of("another server answers, or this one has taken another's place");
  }

  void reported(RuleTable table) {
    reported.add(table);
  }

  /**
   * Finds what differed and no change explains; after the changes were read.
   *
   * @return why all is to be read again; empty if nothing was missed
   */
  Optional<String> afterChanges() {
    boolean isOfUsers = users.dropMissed();
    if (!database.tellsChanges()) {
      return Optional.empty(); // rows are compared anyway
    }
    differing.removeAll(reported);
    Loss before = last;
    boolean isPause = before != null && ticker.nanoTime() - before.at < PAUSE.toNanos();
    if (differing.isEmpty() && (!isOfUsers || isPause)) {
      return Optional.empty();
    }
    String tables =
        differing.isEmpty() ? RuleTable.USERS.tableName() + " or quotas" : names(differing);
    return Optional.of(
        "rows of "
            + tables
            + " have changed without a trigger (session_replication_role, say, or TRUNCATE on H2)");
  }

  void startAgain() {
    contents.reset();
    sums.clear();
    reported.clear();
    differing.clear();
  }

  void lost(String reason) {
    LOG.log(Level.WARNING, "rules: " + startedAgain(reason));
    last = new Loss(reason, ticker.nanoTime());
  }

  private static String startedAgain(String reason) {
    return "changes may have been missed, so all rules and callers were read again: " + reason;
  }

  /** Returns what is wrong with the reports of changes now, or was lately. */
  List<RuleProblem> problems() {
    List<RuleProblem> all = new ArrayList<>();
    Loss loss = last;
    if (loss != null && ticker.nanoTime() - loss.at < REPORTED.toNanos()) {
      all.add(problem(startedAgain(loss.reason)));
    }
    if (!withoutTriggers.isEmpty()) {
      all.add(
          problem(
              "the triggers of "
                  + names(withoutTriggers)
                  + " are missing or disabled, so rows are compared instead: enable them, or start"
                  + " a node that may make them"));
    }
    return all;
  }

  private static RuleProblem problem(String message) {
    return new RuleProblem("database", "changes", "", message, true);
  }

  private static String names(Set<RuleTable> tables) {
    return tables.stream().map(RuleTable::tableName).sorted().collect(Collectors.joining(", "));
  }
}
