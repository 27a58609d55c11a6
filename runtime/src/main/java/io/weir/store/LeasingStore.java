package io.weir.store;

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
   * The shortest life of a grant; more than a round trip takes.
   *
   * @return microseconds, 1 up to the shortest window
   */
  long minLifeMicros();

  /**
   * Which part of the store a bucket lives in. Parts fail independently of each other, so claims of
   * different lanes are settled apart.
   *
   * @param bucket the bucket
   * @return a small number, 0 and more; the same for all buckets where the store is one part
   */
  int lane(Bucket bucket);

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
