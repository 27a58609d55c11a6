package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.weir.Ticker;
import io.weir.internal.store.ClaimAnswers;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps buckets in a Cassandra that several nodes share.
 *
 * <p>Buckets of windows and logs are {@linkplain SumBucket sums} of which each node writes its own;
 * levels are {@linkplain CompareAndSetBucket kept whole} and replaced by transactions. All calls
 * are asynchronous. A claim whose replicas are away fails by itself; if no claim is answered, the
 * whole call fails.
 *
 * <p>Safe for concurrent use.
 */
final class CassandraStore implements LeasingStore {
  /** Longer than two exchanges take, and no longer than the shortest window. */
  static final long MIN_LIFE_MICROS = 10_000;

  private static final long MICRO = 1_000;

  /** The number of slots that weigh as much as a bucket with few slots. */
  private static final int ENTRIES_OF_WEIGHT = 16;

  private final CassandraAddress address;
  private final BucketHasher names;
  private final StoreClock clock;
  private final CassandraConnection connection;
  private final StoreFailureLog log;
  private final EpochRows epochs;
  private final String mark;
  private final NodeRegistry nodes;
  private final DataCentreLimitSharing centres;
  private final SumBucketContext context;
  private final UUID self = UUID.randomUUID();
  private final AtomicLong writers = new AtomicLong();
  private final Cache<Kept, BatchingBucket> buckets;

  CassandraStore(
      CassandraAddress address,
      CassandraSettings settings,
      BucketHasher names,
      StoreClock clock,
      Ticker ticker) {
    this.address = address;
    this.names = names;
    this.clock = clock;
    this.log = new StoreFailureLog(describe(), ticker);
    this.centres = new DataCentreLimitSharing(address, settings, clock, self, log);
    this.connection = new CassandraConnection(address, settings, clock, ticker, log, centres);
    String where = settings.levels().spansDataCentres() ? "" : "@" + address.dataCentre();
    this.mark = "mark" + where;
    this.epochs = new EpochRows(connection::table, clock, "epoch" + where, centres::isExactHere);
    this.nodes =
        new NodeRegistry(
            connection::table,
            clock,
            self,
            address.dataCentre(),
            living -> centres.beat(connection.table(), living));
    this.context =
        new SumBucketContext(
            BucketArithmetic.leasing(MIN_LIFE_MICROS),
            clock,
            connection::table,
            epochs,
            connection::later,
            settings.storeTimeout().toNanos() / 2,
            centres::isExactHere);
    this.buckets =
        Caffeine.newBuilder()
            .maximumWeight(2L * settings.maxBuckets())
            .weigher((Kept key, BatchingBucket bucket) -> 1 + bucket.entries() / ENTRIES_OF_WEIGHT)
            .expireAfter(new Lifetimes())
            .ticker(ticker::nanoTime)
            .executor(Runnable::run)
            .build();
  }

  @Override
  public String describe() {
    return address.toString();
  }

  @Override
  public long minLifeMicros() {
    return MIN_LIFE_MICROS;
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return true;
  }

  @Override
  public CompletionStage<?> connect() {
    return connection.connect();
  }

  @Override
  public int partition(BucketId bucket) {
    names.prepare(bucket);
    return 0;
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return watched(() -> epochs.ask(known));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return execute(0, Epoch.NONE, claims);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    if (claims.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return watched(() -> executeAll(epoch.id(), claims));
  }

  private CompletionStage<List<Optional<Grant>>> executeAll(String epoch, List<Claim> claims) {
    var unused = connection.table(); // fails at once if there is no connection
    return ClaimAnswers.of(
        claims,
        (bucket, own, answer) ->
            execute(epoch, bucket, own)
                .whenComplete((grants, failure) -> answer(answer, grants, failure)));
  }

  private static void answer(
      ClaimAnswers.OfBucket answer, @Nullable List<Grant> grants, @Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (grants != null) {
      answer.granted(grants);
    } else if (cause instanceof LostRaceException) {
      answer.rejected();
    } else {
      answer.failed(
          cause instanceof InvalidQueryException || cause instanceof DataLossException
              ? cause
              : new StoreUnavailableException(
                  String.valueOf(cause == null ? "" : cause.getMessage())));
    }
  }

  private CompletionStage<List<Grant>> execute(String epoch, BucketId bucket, List<Claim> claims) {
    Kept key = new Kept(epoch, centres.named(names.of(bucket)));
    BatchingBucket rounds = rounds(key, bucket.spec());
    return centres
        .execute(claims, rounds::execute)
        .whenComplete(
            (any, failure) -> {
              // Puts it again, since its lifetime and weight have changed.
              buckets.asMap().computeIfPresent(key, (same, kept) -> kept);
            });
  }

  private BatchingBucket rounds(Kept key, BucketSpec spec) {
    BatchingBucket known = buckets.get(key, any -> made(key, spec));
    if (!known.isDiscarded()) {
      return known;
    }
    buckets.asMap().remove(key, known);
    return buckets.get(key, any -> made(key, spec));
  }

  private BatchingBucket made(Kept key, BucketSpec spec) {
    UUID writer = new UUID(self.getMostSignificantBits(), writers.incrementAndGet());
    return BucketArithmetic.isSlotted(spec)
        ? new SumBucket(spec, key.name, writer, key.epoch, context)
        : new CompareAndSetBucket(key.name, writer, key.epoch, context);
  }

  /** To read it makes no table, whose replicas are those that the own nodes of a region choose. */
  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    return own.isPresent()
        ? watched(() -> keepMark(own.get()))
        : connection
            .find()
            .thenCompose(
                table ->
                    table.isPresent()
                        ? watched(
                            () ->
                                table.get().levelRows().read(mark).thenApply(CassandraStore::text))
                        : CompletableFuture.completedFuture(Optional.empty()));
  }

  /** In a row of the same table that never expires; a transaction makes it. */
  private CompletionStage<Optional<String>> keepMark(String own) {
    LevelRows rows = connection.table().levelRows();
    return rows.read(mark)
        .thenCompose(
            found ->
                found.state() == null
                    ? rows.swap(mark, found, own.getBytes(US_ASCII), 0, List.of())
                        .thenApply(LevelRows.Swap::now)
                    : CompletableFuture.completedFuture(found))
        .thenApply(CassandraStore::text);
  }

  private static Optional<String> text(LevelRows.Level kept) {
    return Optional.ofNullable(kept.state()).map(bytes -> new String(bytes, US_ASCII));
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return watched(nodes::heartbeat);
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return watched(() -> centres.leave(connection.table()).thenCompose(any -> nodes.leave()));
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    String name = centres.named(names.of(bucket));
    if (BucketArithmetic.isSlotted(bucket.spec())) {
      long window = bucket.spec().windowMicros();
      int seconds = RowLifetime.secondsToKeep(clock.now() + 2 * window, clock.now());
      return watched(
          () ->
              BucketResetMarker.forget(connection.table(), clock, name, seconds)
                  .thenAccept(at -> forgetHere(name, at)));
    }
    return watched(
        () -> connection.table().levelRows().forget(name).thenAccept(any -> forgetHere(name, 0)));
  }

  private void forgetHere(String name, long at) {
    buckets
        .asMap()
        .forEach(
            (key, kept) -> {
              if (key.name.equals(name)) {
                if (kept instanceof SumBucket sums) {
                  sums.forget(at);
                } else if (kept instanceof CompareAndSetBucket state) {
                  state.forget();
                }
              }
            });
  }

  /** Sends a request to Cassandra, and notes if the table is missing. */
  private <T> CompletionStage<T> watched(Question<T> question) {
    @Nullable BucketTable used = null;
    try {
      BucketTable table = connection.table();
      used = table;
      return question
          .ask()
          .whenComplete(
              (any, failure) -> {
                if (isTableMissing(failure)) {
                  connection.tableIsMissing(table);
                } else if (failure != null) {
                  connection.unanswered();
                }
              });
    } catch (RuntimeException away) {
      if (used != null && isTableMissing(away)) {
        connection.tableIsMissing(used);
      }
      return CompletableFuture.failedFuture(away);
    }
  }

  private static boolean isTableMissing(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof InvalidQueryException;
  }

  /** Returns whether all rows are up to date with what is charged. */
  boolean isQuiet() {
    return context.isQuiet();
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {
    connection.close();
  }

  private interface Question<T> {
    CompletionStage<T> ask();
  }

  /** The key of a cached bucket. */
  private record Kept(String epoch, String name) {}

  /** Keeps a bucket cached while charges of this node may count. */
  private final class Lifetimes implements Expiry<Kept, BatchingBucket> {
    /** The shortest time, for a bucket that was only peeked at or is claimed for the first time. */
    private static final long MIN = 10_000_000;

    private long nanos(BatchingBucket bucket) {
      return Math.max(MIN, bucket.countsUntil() - clock.now()) * MICRO;
    }

    @Override
    public long expireAfterCreate(Kept key, BatchingBucket bucket, long now) {
      return nanos(bucket);
    }

    @Override
    public long expireAfterUpdate(Kept key, BatchingBucket bucket, long now, long left) {
      return nanos(bucket);
    }

    @Override
    public long expireAfterRead(Kept key, BatchingBucket bucket, long now, long left) {
      return left;
    }
  }
}
