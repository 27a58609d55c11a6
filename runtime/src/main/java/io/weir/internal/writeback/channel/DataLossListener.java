package io.weir.internal.writeback.channel;

/**
 * Is told that a partition of the store has lost its data, and queues the claims that tell it again
 * what it had charged to this node.
 */
public interface DataLossListener {
  /**
   * The data is lost. The channel sends no claim of its own until this returns.
   *
   * @param channel the way to that partition; takes the claims
   */
  void dataLost(Channel channel);
}
