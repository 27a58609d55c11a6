package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.internal.store.BucketNames;
import io.weir.internal.store.ClaimAnswers;
import io.weir.internal.store.ScannedBuckets;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.store.ScannableStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps buckets in a PostgreSQL that several nodes share: a row for each, which one statement
 * replaces if it is still what the node knows. No lock and no transaction outlives a round trip.
 *
 * <p>Safe for concurrent use.
 */
final class PostgresStore implements LeasingStore, ScannableStore, ExactBuckets {
  /** Longer than a round trip and a commit take, and no longer than the shortest window. */
  static final long MIN_LIFE_MICROS = 10_000;

  private final PostgresAddress address;
  private final BucketArithmetic arithmetic = BucketArithmetic.leasing(MIN_LIFE_MICROS);
  private final BucketHasher names;
  private final BucketKeyEncoder keys;
  private final StoreClock clock;
  private final SilenceMeter silence;
  private final PostgresWorkers workers;
  private final BucketTable table;
  private final EpochRows epochs;
  private final MarkRow mark;
  private final NodeRegistry nodes;
  private final ExpiredRowSweep sweep;
  private final boolean sweeps;

  PostgresStore(
      PostgresAddress address,
      PostgresSettings settings,
      ConnectionSource source,
      BucketHasher names,
      StoreClock clock,
      Ticker ticker) {
    this.address = address;
    this.names = names;
    this.keys = new BucketKeyEncoder(names);
    this.clock = clock;
    this.silence = new SilenceMeter(ticker);
    StoreFailureLog log = new StoreFailureLog(describe(), ticker);
    EpochCondition sameEpoch = new EpochCondition(settings.table());
    this.table = new BucketTable(settings.table(), sameEpoch, clock);
    this.workers =
        new PostgresWorkers(
            source,
            new SessionContext(settings, clock, silence),
            settings,
            new PostgresSchema(settings, log, MIN_LIFE_MICROS),
            table,
            log,
            DaemonThreadFactory.ofApplication("weir-postgres"));
    this.epochs = new EpochRows(settings.table(), sameEpoch, clock);
    this.nodes = new NodeRegistry(table, clock);
    this.mark = new MarkRow(table);
    this.sweep = new ExpiredRowSweep(workers, table, settings, log);
    this.sweeps = settings.get(PostgresSettings.SWEEP);
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
  public boolean grantsFarLeases() {
    return true;
  }

  @Override
  public CompletionStage<?> connect() {
    return workers.submit(session -> table.find(session, NodeRegistry.COUNT));
  }

  @Override
  public int partition(BucketId bucket) {
    names.prepare(bucket);
    return 0;
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return workers.submit(session -> epochs.ask(session, known));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return execute(0, Epoch.NONE, claims);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    long number = EpochRows.number(epoch);
    CompletionStage<List<Optional<Grant>>> grants =
        ClaimAnswers.of(
            claims,
            (bucket, own, answer) ->
                workers.add(
                    keys.of(bucket), new ClaimOperation(arithmetic, number, own, answer, clock)));
    for (int statement = 0; statement < claims.size(); statement += OperationQueue.MAX_BUCKETS) {
      workers.wake(); // a session for each, so that none waits for another's round trip
    }
    return grants;
  }

  @Override
  public long silentMicros(int partition) {
    return silence.micros();
  }

  /** To read it makes no table: that would belong to the role of another region. */
  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    return own.isPresent()
        ? workers.submit(session -> mark.keep(session, own.get()))
        : workers.find(mark::find);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    startSweep();
    return workers
        .submit(session -> nodes.heartbeat(session, node))
        .whenComplete(
            (membership, failure) -> {
              if (failure == null) {
                sweep.shareAmong(membership.live());
              }
            });
  }

  private void startSweep() {
    if (sweeps) {
      sweep.start();
    }
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return workers.submit(
        session -> {
          nodes.leave(session, node);
          return 0;
        });
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    byte[] key = keys.of(bucket);
    return workers.submit(
        session -> {
          table.forget(session, key);
          workers.forget(key);
          return 0;
        });
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return Optional.of(this);
  }

  @Override
  public <R> CompletionStage<R> execute(ExactRequest<R> request) {
    startSweep();
    ExactOperation<R> operation = new ExactOperation<>(request, clock.evenMicros());
    workers.add(keys.of(request.bucket()), operation);
    workers.wake();
    return operation.reply();
  }

  @Override
  public CompletionStage<BucketPage> scan(BucketSpec spec, long limit, String after, int most) {
    ScannedBuckets.requireMost(most);
    byte[] prefix = keys.prefix(spec);
    byte[] start = BucketKeyEncoder.concat(prefix, BucketNames.position(after));
    byte[] end = BucketKeyEncoder.after(prefix);
    return workers.submit(
        session -> {
          List<BucketTable.KeyedRow> rows = table.scan(session, start, end, most);
          long now = clock.now();
          ScannedBuckets buckets = new ScannedBuckets(arithmetic, spec, limit, now);
          byte[] last = {};
          for (BucketTable.KeyedRow each : rows) {
            byte[] state = each.row().stateAt(now);
            last = BucketKeyEncoder.name(each.key());
            if (state != null) {
              buckets.add(last, id -> AppendedClaims.read(state).execute(arithmetic, id));
            }
          }
          return buckets.page(rows.size() < most ? new byte[0] : last);
        });
  }

  CompletableFuture<Integer> sweep(long marginMicros) {
    return workers.submit(session -> sweep.sweep(session, marginMicros));
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {
    sweep.close();
    workers.close();
  }
}
