package io.weir.internal.body;

import io.weir.internal.settings.SettingsSnapshot;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Holds the bounds within which bodies are read for policies.
 *
 * @param maxBytes the longest body, before and after decompression
 * @param maxDepth how many objects and arrays of JSON may contain each other
 * @param timeoutNanos the longest time to read one body, checked between reads
 * @param atOnce how many bodies are read at once on this node
 * @param admitsUnreadable whether fields of an unreadable body count as missing
 */
public record BodyBounds(
    int maxBytes, int maxDepth, long timeoutNanos, int atOnce, boolean admitsUnreadable) {
  /** Selects how a request is treated whose body can't be read for a policy. */
  public enum Unreadable {
    /** It is answered with 400 or 413. */
    REFUSE,

    /** Its fields count as missing. */
    MISSING
  }

  /** Reads the bounds from settings. */
  public static BodyBounds of(SettingsSnapshot settings) {
    return new BodyBounds(
        (int) settings.number("weir.body.max-bytes", 65_536, 1, 1_048_576),
        (int) settings.number("weir.body.max-depth", 32, 1, 500),
        TimeUnit.NANOSECONDS.convert(settings.duration("weir.body.timeout", Duration.ofSeconds(5))),
        (int) settings.number("weir.body.at-once", 200, 1, 1_000_000),
        settings.choice("weir.body.unreadable", Unreadable.REFUSE) == Unreadable.MISSING);
  }
}
