package io.weir.internal.rocksdb;

import io.weir.store.BucketHasher;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.PermitStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** It counts as every store does. */
class RocksDbContractTest extends PermitStoreContract {
  private final FakeTicker ticker = new FakeTicker();

  @TempDir private Path directory;

  @Override
  protected PermitStore open() {
    return new RocksDbStore(
        directory.resolve("buckets"),
        8 << 20,
        Duration.ofSeconds(1),
        BucketHasher.of("secret"),
        ticker);
  }

  @Override
  protected void advance(Duration time) {
    ticker.advance(time);
  }
}
