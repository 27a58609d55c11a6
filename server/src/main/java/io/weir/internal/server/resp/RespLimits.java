package io.weir.internal.server.resp;

import io.weir.internal.value.DurationText;
import java.time.Duration;

/**
 * The limits of connections. Immutable.
 *
 * @param connections the most connections; further ones get an error and are closed
 * @param addressConnections the most connections of one address; further ones likewise
 * @param command the longest time for a command to arrive, from its first byte on
 * @param signIn the longest time without a sign-in, if one is needed
 * @param slowReader the longest time that replies may remain unread while more can't be sent
 * @param closing the longest time for replies when the server is closed
 */
public record RespLimits(
    int connections,
    int addressConnections,
    Duration command,
    Duration signIn,
    Duration slowReader,
    Duration closing) {
  public static final RespLimits DEFAULT =
      new RespLimits(
          10_000,
          1_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public RespLimits {
    int smallest = Math.min(connections, addressConnections);
    if (smallest < 1) {
      throw new IllegalArgumentException("connections must be at least 1, not " + smallest);
    }
    for (Duration each : new Duration[] {command, signIn, slowReader, closing}) {
      if (each.toMillis() < 1) {
        throw new IllegalArgumentException(
            "a time must be at least a millisecond, not " + DurationText.inWords(each));
      }
    }
  }

  public RespLimits withConnections(int most) {
    return new RespLimits(most, addressConnections, command, signIn, slowReader, closing);
  }

  public RespLimits withAddressConnections(int most) {
    return new RespLimits(connections, most, command, signIn, slowReader, closing);
  }

  /** Takes at least a millisecond. */
  public RespLimits withClosing(Duration longest) {
    return new RespLimits(connections, addressConnections, command, signIn, slowReader, longest);
  }
}
