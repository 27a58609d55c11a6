package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.maintenance.ExpiredRowPurge;
import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.LeaderTasks;
import io.weir.internal.rules.maintenance.Leadership;
import io.weir.internal.rules.usage.UserRemoval;
import java.time.Duration;
import java.util.UUID;

/** Deletes old rows, on the leader alone, and the rows of users that are to be forgotten. */
final class Housekeeping implements AutoCloseable {
  private static final Duration FIRST_PURGE = Duration.ofMinutes(1);
  private static final Duration PURGE_INTERVAL = Duration.ofMinutes(10);
  private static final Duration FORGET_INTERVAL = Duration.ofSeconds(10);

  private final LeaderElection leader;
  private final LeaderTasks tasks;
  private final ExpiredRowPurge purge;
  private final UserRemoval removal;

  Housekeeping(RuleDatabase database, UsageOptions options, Ticker ticker) {
    this.leader =
        new LeaderElection(database, "usage", UUID.randomUUID().toString(), options.hold(), ticker);
    this.tasks = new LeaderTasks(leader);
    this.purge = new ExpiredRowPurge(database, leader, options.retention(), ticker);
    this.removal = new UserRemoval(database);
  }

  Leadership leadership() {
    return leader;
  }

  void start() {
    leader.start();
    tasks.repeat(FIRST_PURGE, PURGE_INTERVAL, purge::purge);
    tasks.repeat(
        FORGET_INTERVAL, FORGET_INTERVAL, () -> removal.finish(UserRemoval.SECOND_STEP_DELAY));
  }

  void forget(String userId) {
    removal.forget(userId);
  }

  @Override
  public void close() {
    tasks.close();
    leader.close();
  }
}
