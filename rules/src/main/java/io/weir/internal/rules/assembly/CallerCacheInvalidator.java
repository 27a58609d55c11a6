package io.weir.internal.rules.assembly;

import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.feed.UserChangeListener;
import io.weir.rules.history.RuleChange;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Invalidates cached callers whose rows have changed, and passes other changes on.
 *
 * @param anomaliesChanged run when rows of anomalies may have changed
 * @param written checks the rows of users that were written
 * @param listeners receive all changes in the feed
 */
record CallerCacheInvalidator(
    CallerProfileCache callers,
    UserProblems problems,
    Runnable anomaliesChanged,
    WrittenUserRows written,
    BooleanSupplier hasListeners,
    Consumer<RuleChange> listeners)
    implements UserChangeListener {
  /** The tables that are read when a caller is looked up. */
  private static final Set<RuleTable> OF_CALLERS =
      EnumSet.of(RuleTable.USERS, RuleTable.QUOTAS, RuleTable.GRANTS);

  @Override
  public void drop(RuleTable table, Collection<String> userIds) {
    if (OF_CALLERS.contains(table)) {
      problems.forget(userIds);
      callers.drop(userIds);
    } else {
      changed(table);
    }
  }

  @Override
  public void dropAll(RuleTable table) {
    if (OF_CALLERS.contains(table)) {
      problems.forgetAll();
      callers.dropAll();
    } else {
      changed(table);
    }
  }

  private void changed(RuleTable table) {
    if (table == RuleTable.ANOMALIES) {
      anomaliesChanged.run();
    }
  }

  @Override
  public void compareSome() {
    callers.compareSome();
  }

  @Override
  public boolean dropMissed() {
    return callers.dropMissed();
  }

  @Override
  public boolean hearsRules() {
    return hasListeners.getAsBoolean();
  }

  @Override
  public void heard(RuleChange change) {
    listeners.accept(change);
    written.add(change);
  }

  @Override
  public void wasRead() {
    written.checkAll();
  }

  @Override
  public void policiesBound() {
    problems.policiesBound();
  }
}
