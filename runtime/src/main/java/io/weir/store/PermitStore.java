package io.weir.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Where buckets live.
 *
 * <p>Each claim is executed atomically, and counted in its bucket whoever asks; a settle of several
 * claims is not atomic as a whole. The store's own clock decides windows. A bucket that nobody
 * touches for as long as its counts last may be forgotten, no other.
 *
 * <p>Safe for concurrent use.
 */
public interface PermitStore extends AutoCloseable {
  /**
   * Executes claims, without keeping the calling thread waiting for I/O.
   *
   * @param claims any number, also several of one bucket, which are executed in their order
   * @return one grant for each claim, in order; completed exceptionally if the store can't be
   *     reached, in which case each claim may or may not have been executed
   */
  CompletionStage<List<Grant>> settle(List<Claim> claims);

  /**
   * Whether each request asks the store, because that costs no I/O or because it has no leases.
   *
   * @return false if permits are leased and spent from a cache
   */
  boolean direct();

  /**
   * How many buckets the store holds in this process.
   *
   * @return an estimate; 0 for a store elsewhere
   */
  long size();

  /** Releases what the store holds. Idempotent. */
  @Override
  void close();
}
