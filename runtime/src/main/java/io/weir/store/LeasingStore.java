package io.weir.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that several nodes share and whose permits they lease: they take permits before they
 * spend them, and spend them from a cache until their life ends, without asking again.
 *
 * <p>Permits that requests wait for are spent by the store's decision, at the moment at which it
 * charged them; so the slot that it charges must end later than that. Those that stay at a node
 * have the rest of the slot as their {@linkplain Grant#life() life}. Each grant lives at least
 * {@link #minLifeMicros()}, so that a lease is of use even if it was made at the very end of a
 * slot. Nodes send heartbeats; the answer says how many nodes are alive and which share of the
 * overshoot is this node's. A share lasts as long as the {@linkplain #membershipMicros heartbeat is
 * remembered}; the shares remembered at any moment never add up to more than the whole.
 *
 * <p>Safe for concurrent use.
 */
public interface LeasingStore extends PermitStore {
  /** The shortest time for which a heartbeat is remembered, in microseconds. */
  long MEMBERSHIP_MICROS = 3_000_000;

  /** The heartbeats that a node sends while one of them is remembered. */
  int REMEMBERED_HEARTBEATS = 3;

  /** The longest time for which a heartbeat is remembered, in microseconds: three minutes. */
  long MAX_MEMBERSHIP_MICROS = 180_000_000;

  /** The time by which each live node makes heartbeats last longer, in microseconds. */
  long MEMBERSHIP_MICROS_PER_NODE = 30_000;

  /**
   * Returns the time for which a heartbeat is remembered: a node that has been silent for longer is
   * gone. It grows with the number of live nodes that the answer to the heartbeat counts, since
   * nodes send {@link #REMEMBERED_HEARTBEATS} in this time: up to 100 nodes one a second each, more
   * of them 100 a second together.
   *
   * @param live the number of live nodes in the answer, 1 and more
   * @return microseconds, {@link #MEMBERSHIP_MICROS} to {@link #MAX_MEMBERSHIP_MICROS}
   */
  static long membershipMicros(int live) {
    return Math.min(
        MAX_MEMBERSHIP_MICROS, Math.max(MEMBERSHIP_MICROS, live * MEMBERSHIP_MICROS_PER_NODE));
  }

  /**
   * Describes the store for the log.
   *
   * @return a few words such as its address; nothing secret; "the store" unless overridden
   */
  default String describe() {
    return "the store";
  }

  /**
   * Returns the shortest life of a grant: about as long as a round trip to a store next door takes.
   * A store may be farther away; then leases of short slots have ended when they arrive, and each
   * request waits for the store.
   *
   * @return microseconds, 1 up to the shortest window
   */
  long minLifeMicros();

  /**
   * Returns whether this store has far leases: executes {@link Claim#far()}, sets {@link
   * Grant#isFar()} and counts {@link GiveBack#spent()}. A store that keeps buckets by {@link
   * BucketArithmetic#leasing} and passes claims and grants on completely does. Its stamps must be
   * less than 2<sup>52</sup>: a node numbers far leases in the bits above.
   *
   * @return false unless overridden; then far leases are never claimed
   */
  default boolean grantsFarLeases() {
    return false;
  }

  /**
   * Prepares for the first claims: determines the partitions and connects to them. A limiter calls
   * this when it is made, and again after a failure.
   *
   * @return completed when as much as possible is done, at once if there is nothing to do, which is
   *     the default; completed exceptionally if no partition can be reached
   */
  default CompletionStage<?> connect() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Determines the partition of a bucket. Partitions fail independently of each other, so their
   * claims are executed separately.
   *
   * @param bucket the bucket
   * @return a small number, 0 and more; the same for all buckets if the store has one partition
   */
  int partition(BucketId bucket);

  /**
   * Returns whether a partition still has buckets. One that no longer has any, such as a master of
   * a cluster that was scaled in, is neither asked for its epoch nor probed; if it has buckets
   * again later, it is a new partition.
   *
   * @param partition a partition returned by {@link #partition}
   * @return true unless overridden
   */
  default boolean hasPartition(int partition) {
    return true;
  }

  /**
   * Returns the epoch of a partition's data, and makes one for data that has none. Nodes ask once
   * before they use a partition, whenever {@link #execute(int, Epoch, List)} reports a data loss,
   * and with each flush, so that a node without claims learns of a loss too.
   *
   * <p>If the node knows a different epoch than the partition has, or has seen more beats, then
   * data was lost: the answer is {@link Epoch#wiped}, and so is every later one of that epoch, to
   * all nodes.
   *
   * @param partition the partition
   * @param known the epoch that this node knows; {@link Epoch#NONE} if none yet
   * @return the epoch; {@link Epoch#NONE}, the default, if the store has no epochs; completed
   *     exceptionally if it can't be reached
   */
  default CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return CompletableFuture.completedFuture(Epoch.NONE);
  }

  /**
   * Executes claims of one partition, if its data is still that of an epoch.
   *
   * <p>A returned grant was made in that data: the epoch was unchanged when the last of the claims
   * had been executed.
   *
   * @param partition the partition of all claims
   * @param epoch the epoch last returned by {@link #epoch}
   * @param claims see {@link #execute(List)}
   * @return see {@link #execute(List)}; completed with {@link DataLossException} if the data has
   *     another epoch, in which case some claims may have been executed
   */
  default CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    return execute(claims);
  }

  /**
   * Executes claims of one partition as {@link #execute(int, Epoch, List)} does, but may do so in
   * the calling thread: a thread that has to wait anyway saves two changes of thread.
   *
   * <p>Returns when the claims are answered, have failed, or the time has passed. Claims not
   * answered by then go on elsewhere: a later answer still completes the returned stage. A store
   * overrides this if it can keep that bound.
   *
   * @param partition the partition of all claims
   * @param epoch the last result of {@link #epoch}
   * @param claims see {@link #execute(List)}
   * @param mostMicros how long the calling thread may wait, in microseconds, 1 and more
   * @param meanwhile work for the calling thread while the store executes, which others wait for. A
   *     store runs it in the calling thread once the claims are sent, before it waits. It takes
   *     microseconds, throws nothing, and does nothing if run again
   * @return see {@link #execute(int, Epoch, List)}, which does all of it unless overridden
   */
  default CompletionStage<List<Optional<Grant>>> executeBlocking(
      int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
    return execute(partition, epoch, claims);
  }

  /**
   * Returns for how long a partition has owed an answer: since the oldest call was sent to which
   * nothing of the answer has arrived, even if that call was given up, until any other is answered.
   * An answer that has arrived but isn't read yet isn't owed any more, and a call that this process
   * hasn't sent yet isn't owed at all. So a node that is short of CPU can distinguish its own
   * lateness from the store's: a decision waits until the store has been silent for the time-out,
   * and at most ten times as long.
   *
   * <p>Called by any thread when a time-out has passed. Doesn't block.
   *
   * @param partition the partition
   * @return microseconds; 0 if nothing is owed; negative, the default, if unknown: then the
   *     time-out isn't extended
   */
  default long silentMicros(int partition) {
    return -1;
  }

  /**
   * Keeps a mark beside the buckets, and reads it. It says whose the store is: regions that report
   * to each other's stores, or look at them, so notice that an address leads to another one. It is
   * kept as long as the data is.
   *
   * @param own the mark to keep if there is none, up to 256 characters of ASCII; empty to read
   *     only, which nodes of other regions do: that makes nothing, such as a table, and needs no
   *     right to write
   * @return the mark that is kept; empty if none is. Unless overridden nothing is kept, and this is
   *     completed with {@code own}. Completed exceptionally if the store can't be reached
   */
  default CompletionStage<Optional<String>> mark(Optional<String> own) {
    return CompletableFuture.completedFuture(own);
  }

  /**
   * Sends the heartbeat of a node. If it fails, that isn't an outage: claims may work.
   *
   * @param node the node's name, unique among all nodes that share the store
   * @return the number of live nodes, and this node's share; completed exceptionally if the store
   *     can't be reached
   */
  CompletionStage<Membership> heartbeat(String node);

  /**
   * Removes a node, so that others needn't wait for its share.
   *
   * @param node the node's name
   * @return completed when the node is removed
   */
  CompletionStage<?> leave(String node);
}
