package io.weir.compat.bucket4j;

import io.weir.annotation.Algorithm;
import io.weir.bucket4j.Bucket4jStore;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.PermitStoreContract;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of stores on a blocking backend. */
class BlockingContractTest extends PermitStoreContract {
  private static Members members = Members.start(0);

  private static final ExecutorService THREADS = Executors.newFixedThreadPool(4);

  private final FakeTicker ticker = new FakeTicker();

  @BeforeAll
  static void startMember() {
    members = Members.start(1);
  }

  @AfterAll
  static void stopMember() {
    members.close();
    THREADS.shutdown();
  }

  @Override
  protected PermitStore open() {
    return Bucket4jStore.builder(members.manager(0, new Clock(ticker)), name -> name)
        .executor(THREADS)
        .build();
  }

  @Override
  protected void advance(Duration time) {
    ticker.advance(time);
  }

  @Override
  protected List<Algorithm> algorithms() {
    return List.of(Algorithm.TOKEN_BUCKET);
  }

  @Override
  protected boolean countsUse() {
    return false;
  }
}
