package io.weir.testkit;

import io.weir.internal.inprocess.InProcessStore;
import io.weir.store.PermitStore;
import java.time.Duration;

class InProcessStoreContractTest extends PermitStoreContract {
  private final FakeTicker ticker = new FakeTicker();

  @Override
  protected PermitStore open() {
    return new InProcessStore(ticker, 1_000);
  }

  @Override
  protected void advance(Duration time) {
    ticker.advance(time);
  }
}
