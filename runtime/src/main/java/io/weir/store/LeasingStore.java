package io.weir.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that several nodes share and whose permits they lease: they take them before they spend
 * them, and spend them from a cache without asking again until their life ends.
 *
 * <p>Each grant lives at least {@link #minLifeMicros()}, so that it can be spent although it was
 * made at the very end of a slot. Nodes say now and then that they live; the answer tells each how
 * many there are and which share of what may be borrowed ahead of the store is its own. Shares last
 * as long as the heartbeat is remembered; those that are remembered at one moment are never more
 * than all together.
 *
 * <p>Safe for concurrent use.
 */
public interface LeasingStore extends PermitStore {
  /** How long a heartbeat is remembered, in microseconds: a node that was silent longer is gone. */
  long MEMBERSHIP_MICROS = 3_000_000;

  /**
   * What this is, for the log.
   *
   * @return a few words such as where it is; nothing secret, "the store" unless a store says more
   */
  default String describe() {
    return "the store";
  }

  /**
   * The shortest life of a grant; more than a round trip takes.
   *
   * @return microseconds, 1 up to the shortest window
   */
  long minLifeMicros();

  /**
   * Whether this store knows far leases: whether it executes {@link Claim#far()}, tells {@link
   * Grant#isFar()} and counts {@link GiveBack#spent()}. A store that keeps buckets by {@link
   * BucketArithmetic#leasing} and hands claims and grants over whole does. Its stamps are less than
   * 2<sup>52</sup>: a node numbers far leases in the bits above.
   *
   * @return false unless a store says otherwise: then it is never asked for one
   */
  default boolean grantsFarLeases() {
    return false;
  }

  /**
   * Gets ready for the first claims: finds out which parts there are, and connects to them. A
   * limiter asks for it when it is made, and again where that failed.
   *
   * @return completed when that is done as far as it can be, at once where nothing has to be done,
   *     as here; completed exceptionally if no part can be reached
   */
  default CompletionStage<?> connect() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Which part of the store a bucket lives in. Parts fail independently of each other, so claims of
   * different partitions are executed apart.
   *
   * @param bucket the bucket
   * @return a small number, 0 and more; the same for all buckets where the store is one part
   */
  int partition(BucketId bucket);

  /**
   * Whether a partition still has buckets. One that has none any more, such as a master of a
   * cluster that was scaled in, is neither asked for its epoch nor probed; if it has buckets again
   * later, it is a new partition.
   *
   * @param partition a partition that {@link #partition} has named
   * @return true unless a store knows better
   */
  default boolean hasPartition(int partition) {
    return true;
  }

  /**
   * Tells which data a partition has, and makes an epoch for data that has none. Nodes ask once
   * before they use a partition, whenever {@link #execute(int, Epoch, List)} says that it is
   * another one, and with each flush, so that one that has no claims hears of it too.
   *
   * <p>If the node knows another epoch than the partition has, or has seen more beats, then data
   * was lost: the answer is {@link Epoch#wiped}, and so is every later one of that epoch, to
   * whomever.
   *
   * @param partition the partition
   * @param known what this node knows; {@link Epoch#NONE} if nothing yet
   * @return the epoch; {@link Epoch#NONE} where the store can't tell, as here; completed
   *     exceptionally if it can't be reached
   */
  default CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return CompletableFuture.completedFuture(Epoch.NONE);
  }

  /**
   * Executes claims of one partition, if its data is still that of an epoch.
   *
   * <p>A grant that comes back was made in that data: the epoch was still there when the last of
   * the claims had been executed.
   *
   * @param partition the partition of all claims
   * @param epoch what {@link #epoch} told last
   * @param claims see {@link #execute(List)}
   * @return see {@link #execute(List)}; completed with {@link DataLossException} if the data is
   *     another, and some claims may have been executed by then
   */
  default CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return execute(claims);
  }

  /**
   * Executes claims of one partition as {@link #execute(int, Epoch, List)} does, but may do so in
   * the calling thread: a caller who has to wait anyhow saves two changes of thread.
   *
   * <p>Returns when the claims are answered, have failed, or the time is over. What isn't answered
   * by then goes on elsewhere: an answer that comes later still completes what was returned. A
   * store overrides this if it can keep that bound.
   *
   * @param partition the partition of all claims
   * @param epoch what {@link #epoch} told last
   * @param claims see {@link #execute(List)}
   * @param mostMicros how long the calling thread may wait, in microseconds, 1 and more
   * @param meanwhile what the calling thread has to do while the store works: others wait for it. A
   *     store runs it in the calling thread when the claims are on their way, before it waits. It
   *     takes microseconds, throws nothing, and does nothing if it is run once more
   * @return see {@link #execute(int, Epoch, List)}, which does all of it unless overridden
   */
  default CompletionStage<List<Optional<Grant>>> executeBlocking(
      int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
    return execute(partition, epoch, claims);
  }

  /**
   * Tells for how long a partition has owed an answer: since the oldest call was sent of whose
   * answer nothing has arrived, also if that call was given up, until any other is answered. What
   * has arrived and waits to be read isn't owed any more, and a call that this process hasn't sent
   * yet isn't owed at all. So a node that gets too little processor can tell its own lateness from
   * that of the store: a decision waits until the store has been silent for the time-out, and at
   * most ten times as long as that.
   *
   * <p>Asked by any thread when a time-out is over. Doesn't block.
   *
   * @param partition the partition
   * @return microseconds; 0 if nothing is owed, negative if the store can't tell, as here: then the
   *     time-out ends when its time is over
   */
  default long silentMicros(int partition) {
    return -1;
  }

  /**
   * Says that a node lives.
   *
   * @param node the node's name, unique among all that share the store
   * @return how many live, and this node's share; completed exceptionally if the store can't be
   *     reached
   */
  CompletionStage<Membership> heartbeat(String node);

  /**
   * Says that a node is gone, so that others needn't wait for its share.
   *
   * @param node the node's name
   * @return completed when the store knows
   */
  CompletionStage<?> leave(String node);
}
