package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.store.BucketHasher;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@code rocksdb:DIRECTORY}: buckets in files of this process. Reads {@code weir.secret} and
 * the settings of {@link RocksDbSettings}.
 *
 * <p>Safe for concurrent use.
 */
public final class RocksDbProvider implements StoreProvider {
  private static final String SCHEME = "rocksdb";
  private static final long MEGABYTE = 1L << 20;

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    return new RocksDbStore(
        directory(address),
        RocksDbSettings.CACHE.read(setting) * MEGABYTE,
        Duration.ofMillis(RocksDbSettings.SYNC.read(setting)),
        BucketHasher.of(setting.apply("weir.secret")),
        ticker);
  }

  private static Path directory(URI address) {
    String path = address.getSchemeSpecificPart();
    if (path == null || path.isBlank() || path.equals("/") || address.getFragment() != null) {
      throw new IllegalArgumentException(
          "weir.store must name a directory, as in rocksdb:./weir-data or rocksdb:/var/lib/weir");
    }
    // many write rocksdb:///var/lib/weir
    String plain = path.startsWith("///") ? path.substring(2) : path;
    if (plain.startsWith("//")) {
      throw new IllegalArgumentException(
          "weir.store must name a directory of this machine: write rocksdb:/path, not rocksdb://"
              + "host/path");
    }
    try {
      return Path.of(plain);
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          "weir.store must name a directory: " + invalid.getMessage());
    }
  }
}
