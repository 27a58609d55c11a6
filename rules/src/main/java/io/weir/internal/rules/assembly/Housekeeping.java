package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.duties.Duties;
import io.weir.internal.rules.duties.Duty;
import io.weir.internal.rules.duties.Purge;
import io.weir.internal.rules.usage.UserRemoval;
import java.time.Duration;
import java.util.UUID;

/** Deletes old rows, on one node for all, and the rows of users that are to be forgotten. */
final class Housekeeping implements AutoCloseable {
  private static final Duration FORGET_INTERVAL = Duration.ofSeconds(10);

  private final Duties duty;
  private final Purge purge;
  private final UserRemoval removal;

  Housekeeping(RuleDatabase database, UsageOptions options, Ticker ticker) {
    this.duty = new Duties(database, "usage", UUID.randomUUID().toString(), options.hold());
    this.purge = new Purge(database, duty, options.retention(), ticker::instant);
    this.removal = new UserRemoval(database);
  }

  /** Determines whether this node does the work that one node does for all. */
  Duty duty() {
    return duty;
  }

  void start() {
    duty.start();
    purge.start();
    purge.every(FORGET_INTERVAL, FORGET_INTERVAL, () -> removal.finish(UserRemoval.LATER));
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
