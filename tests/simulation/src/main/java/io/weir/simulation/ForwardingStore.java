package io.weir.simulation;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Forwards to another store, unless overridden: for stores that count calls or inject faults on the
 * way.
 *
 * <p>As safe for concurrent use as the other.
 */
public class ForwardingStore implements LeasingStore {
  private final LeasingStore store;

  /**
   * A store that asks another.
   *
   * @param store the other; closed with this
   */
  protected ForwardingStore(LeasingStore store) {
    this.store = store;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return store.execute(claims);
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return store.epoch(partition, known);
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return store.execute(partition, epoch, claims);
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public CompletionStage<?> connect() {
    return store.connect();
  }

  @Override
  public boolean hasPartition(int partition) {
    return store.hasPartition(partition);
  }

  @Override
  public long silentMicros(int partition) {
    return store.silentMicros(partition);
  }

  @Override
  public long minLifeMicros() {
    return store.minLifeMicros();
  }

  @Override
  public boolean grantsFarLeases() {
    return store.grantsFarLeases();
  }

  @Override
  public int partition(BucketId bucket) {
    return store.partition(bucket);
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> own) {
    return store.mark(own);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return store.heartbeat(node);
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return store.leave(node);
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return store.forget(bucket);
  }

  @Override
  public Set<Algorithm> algorithms() {
    return store.algorithms();
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return store.counts(spec);
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public void close() {
    store.close();
  }
}
