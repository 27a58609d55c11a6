package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.Epoch;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and makes the epochs of the masters' data, a key for each master.
 *
 * <p>In a cluster that key must live at the master that it is about, so its hash tag leads to the
 * first slot of that master. When slots move, the first may be another one and have no epoch yet,
 * or that of its former master; nothing is lost then. So an epoch is also identified by its slot.
 * One at another slot is new to the node, as to a node that has just started.
 *
 * <p>The script may be executed twice without harm. Safe for concurrent use.
 */
final class EpochReader {
  /**
   * The time for which an epoch is kept without beats. A node that was cut off for longer takes a
   * new epoch for a loss, and is charged twice for what it was granted before.
   */
  private static final byte[] TTL = Long.toString(Duration.ofDays(7).toMillis()).getBytes(US_ASCII);

  private static final byte[] NOTHING = {};

  private final RedisConnections connections;
  private final BucketKeyEncoder keys;
  private final RedisScript script = RedisScript.read("epoch.lua");
  private final SecureRandom random = new SecureRandom();
  private final Map<Integer, byte[]> names = new ConcurrentHashMap<>();
  private volatile Optional<EpochToken> last = Optional.empty();

  EpochReader(RedisConnections connections, BucketKeyEncoder keys) {
    this.connections = connections;
    this.keys = keys;
  }

  /**
   * Returns the token that calls name; empty if the partition has moved since its epoch was read.
   */
  Optional<EpochToken> token(int partition, Epoch known) {
    return token(known, connections.slot(partition));
  }

  private Optional<EpochToken> token(Epoch known, int slot) {
    Optional<EpochToken> made = last; // for most calls name the same
    if (made.isEmpty() || !made.get().isOf(known, slot)) {
      made =
          isAt(known, slot)
              ? Optional.of(new EpochToken(key(slot), known, slot))
              : Optional.empty();
      last = made;
    }
    return made;
  }

  private static boolean isAt(Epoch known, int slot) {
    return known.exists() && known.id().startsWith(slot + ":");
  }

  /** Asks a partition, which makes an epoch if there is none. */
  Question ask(int partition, Epoch known) {
    int slot = connections.slot(partition);
    byte[] told = token(known, slot).map(EpochToken::known).orElse(NOTHING);
    byte[] fresh = HexFormat.of().toHexDigits(random.nextLong()).getBytes(US_ASCII);
    EvalCall call = script.call(List.of(key(slot)), List.of(told, fresh, TTL));
    return new Question(call, slot, known);
  }

  private byte[] key(int slot) {
    return names.computeIfAbsent(
        slot,
        any ->
            keys.named(connections.spread() ? "epoch:{" + connections.tag(slot) + "}" : "epoch"));
  }

  /** A question in flight about the epoch of a slot, of which the node knows {@code known}. */
  record Question(EvalCall call, int slot, Epoch known) {
    Epoch answer() {
      return read(call.reply());
    }

    /** Reads a reply; anything that the script can't return is rejected. */
    Epoch read(@Nullable Object reply) {
      if (reply instanceof List<?> parts
          && parts.size() == 4
          && parts.get(0) instanceof byte[] id
          && parts.get(1) instanceof Long beats
          && parts.get(2) instanceof Long age
          && parts.get(3) instanceof Long wiped
          && id.length == EpochToken.CHARACTERS
          && beats >= 0
          && beats < EpochToken.MAX_BEATS
          && age >= 0) {
        boolean moved = known.exists() && !isAt(known, slot);
        return new Epoch(slot + ":" + new String(id, US_ASCII), beats, age, wiped == 1 && !moved);
      }
      throw new StoreUnavailableException("unexpected answer of the script epoch.lua");
    }

    /** Returns whether the data still has the known epoch. */
    boolean confirms() {
      return answer().is(known);
    }
  }
}
