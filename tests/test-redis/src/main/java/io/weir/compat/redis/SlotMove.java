package io.weir.compat.redis;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The way of some slots of a cluster from one master to another, as it is done for a cluster that
 * grows.
 *
 * <p>Immutable.
 *
 * @param from the master that has the slots
 * @param to the master that gets them
 * @param first the first slot
 * @param last the last slot
 */
public record SlotMove(RedisServer from, RedisServer to, int first, int last) {
  /** From now on the source answers ASK for keys that it doesn't have (any more). */
  public void begin() {
    String source = from.ask("CLUSTER", "MYID");
    String target = to.ask("CLUSTER", "MYID");
    all(to, slot -> words("SETSLOT", slot, "IMPORTING", source));
    all(from, slot -> words("SETSLOT", slot, "MIGRATING", target));
  }

  /** Moves the keys and ends the move: the source answers MOVED. */
  public void end() {
    Stream<String> keys =
        all(from, slot -> words("GETKEYSINSLOT", slot, "1000")).stream().flatMap(String::lines);
    List<String[]> moves = keys.map(this::migrate).toList();
    new RedisLine(from.port()).askAll(moves).forEach(SlotMove::check);
    tell(to);
    tell(from);
  }

  /**
   * Tells a master who has the slots now, as redis-cli tells each. What the others say is no use to
   * it where the source has a higher epoch than the target, as after a collision of epochs.
   */
  public void tell(RedisServer other) {
    String target = to.ask("CLUSTER", "MYID");
    all(other, slot -> words("SETSLOT", slot, "NODE", target));
  }

  private String[] migrate(String key) {
    return new String[] {"MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "5000"};
  }

  private static String[] words(String command, int slot, String... rest) {
    return Stream.concat(Stream.of("CLUSTER", command, "" + slot), Stream.of(rest))
        .toArray(String[]::new);
  }

  private List<String> all(RedisServer server, IntFunction<String[]> command) {
    List<String[]> commands = IntStream.rangeClosed(first, last).mapToObj(command).toList();
    List<String> replies = new RedisLine(server.port()).askAll(commands);
    replies.forEach(SlotMove::check);
    return replies;
  }

  private static void check(String reply) {
    if (reply.startsWith("-")) {
      throw new IllegalStateException(reply);
    }
  }
}
