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
 * How RocksDB is set: small in memory, and strict about damage of what was synced. Closed after the
 * database.
 */
final class DatabaseOptions implements AutoCloseable {
  private static final long MEGABYTE = 1L << 20;
  private static final long WRITE_BUFFERS = 64 * MEGABYTE;
  private static final long LOG = 128 * MEGABYTE;
  private static final int FILES = 512;
  private static final int BITS_PER_KEY = 10;

  /** One thread uses the cache. Were it divided, the parts would be too small for large blocks. */
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
        // What a power cut has left of the unsynced end of the log, in whatever order, is no
        // damage:
        // the database is as it was at some moment. SyncedSequence says whether that is too early.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setMaxTotalWalSize(LOG)
        .setDbWriteBufferSize(WRITE_BUFFERS)
        .setMaxOpenFiles(FILES)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(2)
        .setStatsDumpPeriodSec(0);
    family
        .setWriteBufferSize(WRITE_BUFFERS) // the longer one is filled, the less is merged later
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                // In parts: those of a large file are megabytes, of which a look-up needs little.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setPinTopLevelIndexAndFilter(true)
                .setFilterPolicy(filter));
    // The log is handed to the system before a grant is used: a killed process loses nothing.
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
