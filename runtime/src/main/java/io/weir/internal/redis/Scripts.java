package io.weir.internal.redis;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Holds the scripts of buckets.
 *
 * <p>Immutable.
 */
final class Scripts {
  /** The shortest life of a grant: more than a round trip takes. */
  static final long MIN_LIFE_MICROS = 5_000;

  /**
   * The part common to all scripts, with placeholders for what an algorithm does once and for each
   * claim.
   */
  private static final String FRAME = "frame.lua";

  private static final String BEFORE = "--[[before]]";
  private static final String EACH = "--[[each]]";

  private static final String GRANT = "--[[grant]]";

  private final Map<BucketScript, RedisScript> scripts = new EnumMap<>(BucketScript.class);

  Scripts() {
    this(UnaryOperator.identity());
  }

  /**
   * Loads the scripts with changes, for tests that set the clock: each contains the line {@code
   * local time = redis.call('TIME')} once, whose answer is seconds and microseconds.
   */
  Scripts(UnaryOperator<String> change) {
    String frame = RedisScript.resource(FRAME);
    for (BucketScript script : BucketScript.values()) {
      String algorithm =
          RedisScript.resource(script.resource()).replace(GRANT, RedisScript.resource("grant.lua"));
      int each = algorithm.indexOf(EACH);
      String whole =
          frame
              .replace(BEFORE, algorithm.substring(0, each))
              .replace(EACH, algorithm.substring(each + EACH.length()));
      scripts.put(script, new RedisScript(change.apply(whole)));
    }
  }

  RedisScript of(BucketScript script) {
    return Objects.requireNonNull(scripts.get(script));
  }
}
