package io.weir.internal.rocksdb;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * Configures RocksDB: little memory, and strict about damage to synced data. Close it after the
 * database.
 */
final class DatabaseOptions implements AutoCloseable {
  private static final long MEGABYTE = 1L << 20;
  private static final long WRITE_BUFFERS = 64 * MEGABYTE;
  private static final long LOG = 128 * MEGABYTE;
  private static final int FILES = 512;
  private static final int BITS_PER_KEY = 10;

  /** One thread uses the cache. Shards of it would be too small for large blocks. */
  private static final int SHARD_BITS = 0;

  private final Cache cache;
  private final BloomFilter filter = new BloomFilter(BITS_PER_KEY);
  private final DBOptions database = new DBOptions();
  private final ColumnFamilyOptions family = new ColumnFamilyOptions();
  private final WriteOptions write = new WriteOptions();

  DatabaseOptions(long cacheBytes) {
    cache = new LRUCache(cacheBytes, SHARD_BITS);
    database
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setParanoidChecks(true)
        // The unsynced end of the log may be incomplete after a power cut: the database is then
        // as it was at some moment. SyncedSequence detects a moment that is too early.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setMaxTotalWalSize(LOG)
        .setDbWriteBufferSize(WRITE_BUFFERS)
        .setMaxOpenFiles(FILES)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(2)
        .setStatsDumpPeriodSec(0);
    family
        .setWriteBufferSize(WRITE_BUFFERS) // larger buffers mean fewer merges
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                // Partitioned: a look-up needs little of the megabytes that a large file has.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setPinTopLevelIndexAndFilter(true)
                .setFilterPolicy(filter));
    // The log is given to the system before a grant is used, so a killed process loses nothing.
    write.setSync(false);
  }

  DBOptions database() {
    return database;
  }

  ColumnFamilyOptions family() {
    return family;
  }

  WriteOptions write() {
    return write;
  }

  @Override
  public void close() {
    write.close();
    family.close();
    database.close();
    filter.close();
    cache.close();
  }
}
