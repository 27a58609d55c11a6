package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresBackup;
import io.weir.compat.postgres.PostgresReplica;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three nodes on a PostgreSQL that comes back without the last counts: a replica that lagged behind
 * takes over, a backup is restored, or a table wasn't logged. The nodes report again what they were
 * granted.
 */
@RunOneIn(value = 4, own = true)
class FailoverTest {
  /** Beats take two seconds for it, in which each node asks several times, every half a second. */
  private static final int HEARD = 20;

  private static final String EPOCH =
      "SELECT version FROM weir_buckets WHERE key = '\\x0065706f6368'::bytea";
  static final String BEATS =
      "SELECT max(version) FROM weir_buckets WHERE key > '\\x0065706f63682e6265617473'::bytea"
          + " AND key < '\\x0065706f63682e6265617474'::bytea";

  private final PostgresServer primary = PostgresServer.start();
  private @Nullable ThreeNodes nodes;
  private long epoch;

  @AfterEach
  void close() {
    if (nodes != null) {
      nodes.close();
    }
    primary.close();
  }

  private void open(String url, String durability) {
    nodes = new ThreeNodes(url, durability);
    Await.until("all are answered", () -> spend(30) == 0);
  }

  @Test
  void aReplicaThatLagsCostsNoSecondLimit() {
    try (PostgresReplica replica = PostgresReplica.of(primary)) {
      open(PostgresServer.primaryUrl("postgres", primary, replica.server()), "");
      replica.awaitCaughtUp();
      replica.cutOff();
      spendWhatIsLost();
      primary.kill();
      replica.promote();
      checkThatNothingIsGrantedAgain(replica.server());
    }
  }

  /** It accepts connections, but says nothing: as if its machine were cut off. */
  @Test
  void aFrozenPrimaryIsLeftForTheNextOne() {
    try (PostgresReplica replica = PostgresReplica.of(primary)) {
      open(PostgresServer.primaryUrl("postgres", primary, replica.server()), "");
      replica.awaitCaughtUp();
      replica.cutOff();
      spendWhatIsLost();
      primary.freeze();
      replica.promote();
      checkThatNothingIsGrantedAgain(replica.server());
    }
  }

  @Test
  void aRestoredBackupCostsNoSecondLimit() {
    open(primary.url("postgres"), "");
    try (PostgresBackup backup = primary.backUp()) {
      spendWhatIsLost();
      primary.restore(backup);
    }
    checkThatNothingIsGrantedAgain(primary);
  }

  @Test
  void aCrashThatEmptiesAnUnloggedTableCostsNoSecondLimit() {
    open(primary.url("postgres"), "unlogged");
    spendWhatIsLost();
    primary.kill();
    primary.restart();
    checkThatNothingIsGrantedAgain(primary);
  }

  /** Goes on until the nodes have heard beats that will be lost. */
  private void spendWhatIsLost() {
    String url = primary.url("postgres");
    epoch = Databases.number(url, EPOCH);
    long beats = Databases.number(url, BEATS);
    Await.until("all are answered", () -> spend(100) == 0);
    Await.until("it has beaten", () -> Databases.number(url, BEATS) > beats + HEARD);
  }

  private void checkThatNothingIsGrantedAgain(PostgresServer next) {
    String url = next.url("postgres");
    Await.until("the store is asked again", () -> spend(30) == 0);
    Await.until("more than the limit are answered", () -> spend(400) == 0);
    Await.until("the loss is noticed", () -> isAnotherEpoch(Databases.number(url, EPOCH)));
    nodes.checkAdmitted();
  }

  /** There is none between a crash that empties the table and the first question. */
  private boolean isAnotherEpoch(long found) {
    return found != 0 && found != epoch;
  }

  private int spend(int requests) {
    return nodes.spend(requests);
  }
}
