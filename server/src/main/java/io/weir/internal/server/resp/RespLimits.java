package io.weir.internal.server.resp;

import java.time.Duration;

/**
 * What connections may use of a server. Immutable.
 *
 * @param connections how many there may be; the next one is told so, and closed
 * @param addressConnections how many of them one address may have; the next one is told so as well
 * @param command how long a command may take to arrive, from its first byte on
 * @param signIn how long a connection may be there without a sign-in, where one is needed
 * @param slowReader how long a client may leave its replies unread while more can't be sent
 * @param closing how long replies may take when the server is closed
 */
public record RespLimits(
    int connections,
    int addressConnections,
    Duration command,
    Duration signIn,
    Duration slowReader,
    Duration closing) {
  /** The defaults: 10,000 connections, 1,000 by address, 10 s, 30 s, 60 s and 5 s. */
  public static final RespLimits DEFAULT =
      new RespLimits(
          10_000,
          1_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  /**
   * Takes limits as they are.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public RespLimits {
    int fewest = Math.min(connections, addressConnections);
    if (fewest < 1) {
      throw new IllegalArgumentException("connections must be at least 1, not " + fewest);
    }
    for (Duration each : new Duration[] {command, signIn, slowReader, closing}) {
      if (each.toMillis() < 1) {
        throw new IllegalArgumentException("a time must be at least a millisecond, not " + each);
      }
    }
  }

  /**
   * The same with another number of connections.
   *
   * @param most 1 and more
   * @return limits
   */
  public RespLimits withConnections(int most) {
    return new RespLimits(most, addressConnections, command, signIn, slowReader, closing);
  }

  /**
   * The same with another number of connections by address.
   *
   * @param most 1 and more
   * @return limits
   */
  public RespLimits withAddressConnections(int most) {
    return new RespLimits(connections, most, command, signIn, slowReader, closing);
  }
}
