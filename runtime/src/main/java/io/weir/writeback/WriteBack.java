package io.weir.writeback;

import io.weir.Ticker;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.PermitSource;
import io.weir.store.Wish;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A write-back cache of leases over a store that several nodes share.
 *
 * <p>Starts no thread of its own: it works on the threads that ask, on those of the scheduler and
 * on those that complete the store's answers. On one thread with one scheduler it is deterministic.
 *
 * <p>Safe for concurrent use.
 */
public final class WriteBack implements PermitSource {
  private final LeasingStore store;
  private final WriteBackSettings settings;

  /**
   * Makes an empty cache. Nothing is scheduled before it is used for the first time.
   *
   * @param store where permits come from; closed with this
   * @param settings sizes and times
   * @param ticker the source of time
   * @param scheduler runs flushes, heartbeats and time-outs; not closed with this
   * @param events is told about settles and failures
   */
  public WriteBack(
      LeasingStore store,
      WriteBackSettings settings,
      Ticker ticker,
      ScheduledExecutorService scheduler,
      WriteBackEvents events) {
    this.store = store;
    this.settings = settings;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> take(List<Wish> wishes) {
    return store.settle(wishes.stream().map(Wish::claim).toList());
  }

  @Override
  public CompletionStage<?> giveBack(Wish wish, long stamp, long permits) {
    return store.settle(List.of(wish.giveBack(stamp, permits)));
  }

  @Override
  public CompletionStage<?> charge(Wish debt) {
    return store.settle(List.of(debt.debt()));
  }

  @Override
  public void owe(Wish debt) {}

  @Override
  public void forgive(Wish debt) {}

  @Override
  public int nodes() {
    return settings.nodes();
  }

  /**
   * How many buckets are cached.
   *
   * @return an estimate
   */
  @Override
  public long size() {
    return 0;
  }

  /**
   * How many buckets the next flush will look at: those in use and those that hold or owe permits.
   *
   * @return an estimate
   */
  public long busy() {
    return 0;
  }

  /**
   * How many buckets the flushes have looked at so far.
   *
   * @return a count that only rises
   */
  public long visited() {
    return 0;
  }

  @Override
  public void close() {
    store.close();
  }
}
