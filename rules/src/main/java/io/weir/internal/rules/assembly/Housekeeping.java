package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.duties.Duties;
import io.weir.internal.rules.duties.Duty;
import io.weir.internal.rules.duties.Purge;
import io.weir.internal.rules.usage.UserRemoval;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;

/** What goes: old rows, which one node deletes for all, and users who are to be forgotten. */
final class Housekeeping implements AutoCloseable {
  private static final Duration FORGETS_EVERY = Duration.ofSeconds(10);

  private final Duties duty;
  private final Purge purge;
  private final UserRemoval removal;

  Housekeeping(RuleDatabase database, UsageOptions parts) {
    this.duty = new Duties(database, "usage", UUID.randomUUID().toString(), parts.hold());
    this.purge = new Purge(database, duty, parts.retention(), InstantSource.system());
    this.removal = new UserRemoval(database);
  }

  /** Whether this node does what one does for all. */
  Duty duty() {
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
