package io.weir.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.jdbc.PrimaryKeyMapper;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.weir.benchmarks.redis.Contender;
import java.time.Duration;

/**
 * Bucket4j's proxies of buckets in PostgreSQL, made for each request, as its documentation has it
 * unless an optimization is used.
 */
final class Bucket4jPostgres implements Contender {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final HikariDataSource pool;
  private final ProxyManager<String> buckets;
  private final BucketConfiguration configuration;

  private Bucket4jPostgres(HikariDataSource pool, ProxyManager<String> buckets, long limit) {
    this.pool = pool;
    this.buckets = buckets;
    Bandwidth bandwidth = Bandwidth.builder().capacity(limit).refillGreedy(limit, WINDOW).build();
    this.configuration = BucketConfiguration.builder().addLimit(bandwidth).build();
  }

  /** Locks the row of a bucket by SELECT … FOR UPDATE. */
  static Contender selectForUpdate(Database database, long limit) {
    HikariDataSource pool = pool(database, "by_select");
    return new Bucket4jPostgres(
        pool,
        Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool)
            .primaryKeyMapper(PrimaryKeyMapper.STRING)
            .table("by_select")
            .build(),
        limit);
  }

  /** Locks a number that stands for a bucket. */
  static Contender advisoryLock(Database database, long limit) {
    HikariDataSource pool = pool(database, "by_advisory_lock");
    return new Bucket4jPostgres(
        pool,
        Bucket4jPostgreSQL.advisoryLockBasedBuilder(pool)
            .primaryKeyMapper(PrimaryKeyMapper.STRING)
            .table("by_advisory_lock")
            .build(),
        limit);
  }

  private static HikariDataSource pool(Database database, String table) {
    database.execute(
        "CREATE TABLE IF NOT EXISTS "
            + table
            + " (id text PRIMARY KEY, state bytea, expires_at bigint)");
    return Pool.open(database.url());
  }

  @Override
  public boolean admits(String caller) {
    return buckets.builder().build(caller, () -> configuration).tryConsume(1);
  }

  @Override
  public void close() {
    pool.close();
  }
}
