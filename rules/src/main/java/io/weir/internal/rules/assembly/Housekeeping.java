package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.Leadership;
import io.weir.internal.rules.maintenance.ExpiredRowPurge;
import io.weir.internal.rules.usage.UserRemoval;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;

/** What goes: old rows, which one node deletes for all, and users who are to be forgotten. */
final class Housekeeping implements AutoCloseable {
  private static final Duration FORGETS_EVERY = Duration.ofSeconds(10);

  private final LeaderElection duty;
  private final ExpiredRowPurge purge;
  private final UserRemoval removal;

  Housekeeping(RuleDatabase database, UsageParts parts) {
    this.duty = new LeaderElection(database, "usage", UUID.randomUUID().toString(), parts.hold());
    this.purge = new ExpiredRowPurge(database, duty, parts.retention(), InstantSource.system());
    this.removal = new UserRemoval(database);
  }

  /** Whether this node does what one does for all. */
  Leadership duty() {
    return duty;
  }

  void start() {
    duty.start();
    purge.start();
    purge.every(FORGETS_EVERY, FORGETS_EVERY, () -> removal.finish(UserRemoval.LATER));
  }

  void forget(String userId) {
    removal.forget(userId);
  }

  @Override
  public void close() {
    purge.close();
    duty.close();
  }
}
