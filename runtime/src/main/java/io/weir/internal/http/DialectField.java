package io.weir.internal.http;

import io.weir.Policy;
import io.weir.adapter.HeaderField;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes one header field of a {@link HeaderDialect}.
 *
 * <p>Fields with numbers that many callers share (the seconds of a minute, small counts) are
 * cached. Safe for concurrent use.
 */
final class DialectField {
  /** A power of two above the seconds of a minute. */
  private static final int CACHED_NUMBERS = 128;

  private final String name;
  private final boolean listsAll;
  private final @Nullable PolicyText ofPolicy;
  private final CallerText ofCaller;

  @FunctionalInterface
  interface PolicyText {
    String write(Policy policy, long limit, Duration window);
  }

  @FunctionalInterface
  interface CallerText {
    HeaderField write(String name, CallerQuota caller);
  }

  private DialectField(
      String name, boolean listsAll, @Nullable PolicyText ofPolicy, CallerText ofCaller) {
    this.name = name;
    this.listsAll = listsAll;
    this.ofPolicy = ofPolicy;
    this.ofCaller = ofCaller;
  }

  /** Makes a field that lists all policies that decided, in the order of the request. */
  static DialectField ofEachPolicy(String name, PolicyText text) {
    return new DialectField(name, true, text, DialectField::empty);
  }

  /** Makes a field that describes the closest policy, the same for all callers of one limit. */
  static DialectField ofClosestPolicy(String name, PolicyText text) {
    return new DialectField(name, false, text, DialectField::empty);
  }

  private static HeaderField empty(String name, CallerQuota caller) {
    return new HeaderField(name, "");
  }

  /** Makes a field that shows a caller's quota under the closest policy. */
  static DialectField ofCaller(String name, Function<CallerQuota, String> text) {
    return new DialectField(
        name, false, null, (field, caller) -> new HeaderField(field, text.apply(caller)));
  }

  /** Makes a field that shows the permits that a caller has left; small numbers are cached. */
  static DialectField ofRemaining(String name) {
    return new DialectField(
        name, false, null, new CachedNumbers(CallerQuota::remaining, CACHED_NUMBERS));
  }

  /** Makes a field that shows a time in seconds; all are cached, since many callers share them. */
  static DialectField ofSeconds(String name, ToLongFunction<CallerQuota> seconds) {
    return new DialectField(name, false, null, new CachedNumbers(seconds, Long.MAX_VALUE));
  }

  boolean listsAll() {
    return listsAll;
  }

  /** Writes the field for a policy; empty if the field shows the caller's quota. */
  Optional<HeaderField> of(Policy policy, long limit, Duration window) {
    return ofPolicy == null
        ? Optional.empty()
        : Optional.of(field(ofPolicy.write(policy, limit, window)));
  }

  HeaderField of(CallerQuota caller) {
    return ofCaller.write(name, caller);
  }

  HeaderField field(String value) {
    return new HeaderField(name, value);
  }

  /** Caches the field of the latest number for each of its lowest bits. */
  private static final class CachedNumbers implements CallerText {
    private final ToLongFunction<CallerQuota> number;
    private final long cachedBelow;
    private final AtomicReferenceArray<@Nullable Cached> cache =
        new AtomicReferenceArray<>(CACHED_NUMBERS);

    private record Cached(long number, HeaderField field) {}

    CachedNumbers(ToLongFunction<CallerQuota> number, long cachedBelow) {
      this.number = number;
      this.cachedBelow = cachedBelow;
    }

    @Override
    public HeaderField write(String name, CallerQuota caller) {
      long value = number.applyAsLong(caller);
      int slot = (int) value & CACHED_NUMBERS - 1;
      Cached last = cache.getAcquire(slot);
      if (last != null && last.number == value) {
        return last.field;
      }
      HeaderField made = new HeaderField(name, Long.toString(value));
      if (value < cachedBelow) {
        cache.setRelease(slot, new Cached(value, made));
      }
      return made;
    }
  }
}
