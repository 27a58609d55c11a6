package io.weir.internal.http;

import io.weir.Policy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One header field of a {@link HeaderDialect}: its name, and how its value is written.
 *
 * <p>The fields of a policy hardly ever change and are kept. Of those of a caller, numbers that
 * many callers share are kept too: the seconds of a minute, small counts. Safe for concurrent use.
 */
final class DialectField {
  /** The latest value of each of so many residues; a power of two above the seconds of a minute. */
  private static final int KEPT_NUMBERS = 128;

  private final String name;
  private final boolean listsAll;
  private final @Nullable PolicyText ofPolicy;
  private final CallerText ofCaller;

  /** Writes a policy under the limit in force for a caller, and how long its window is. */
  @FunctionalInterface
  interface PolicyText {
    String write(Policy policy, long limit, Duration window);
  }

  /** Writes what a caller has left under a policy. */
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

  /** A field that lists all policies that decided, in the order asked. */
  static DialectField ofEachPolicy(String name, PolicyText text) {
    return new DialectField(name, true, text, DialectField::empty);
  }

  /** A field that tells of the closest policy, whoever calls. */
  static DialectField ofClosestPolicy(String name, PolicyText text) {
    return new DialectField(name, false, text, DialectField::empty);
  }

  private static HeaderField empty(String name, CallerQuota caller) {
    return new HeaderField(name, "");
  }

  /** A field that tells what a caller has left under the closest policy. */
  static DialectField ofCaller(String name, Function<CallerQuota, String> text) {
    return new DialectField(
        name, false, null, (field, caller) -> new HeaderField(field, text.apply(caller)));
  }

  /** The same for a number that is kept if it is small. */
  static DialectField ofCount(String name, ToLongFunction<CallerQuota> count) {
    return new DialectField(name, false, null, new KeptNumbers(count, KEPT_NUMBERS));
  }

  /** The same for a time in seconds, which many callers share. */
  static DialectField ofSeconds(String name, ToLongFunction<CallerQuota> seconds) {
    return new DialectField(name, false, null, new KeptNumbers(seconds, Long.MAX_VALUE));
  }

  boolean listsAll() {
    return listsAll;
  }

  /** The field for a policy; nothing if it tells of the caller. */
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

  /** Remembers the field of the latest number of each residue. */
  private static final class KeptNumbers implements CallerText {
    private final ToLongFunction<CallerQuota> number;
    private final long keptBelow;
    private final AtomicReferenceArray<@Nullable Kept> kept =
        new AtomicReferenceArray<>(KEPT_NUMBERS);

    private record Kept(long number, HeaderField field) {}

    KeptNumbers(ToLongFunction<CallerQuota> number, long keptBelow) {
      this.number = number;
      this.keptBelow = keptBelow;
    }

    @Override
    public HeaderField write(String name, CallerQuota caller) {
      long value = number.applyAsLong(caller);
      int slot = (int) value & KEPT_NUMBERS - 1;
      Kept last = kept.getAcquire(slot);
      if (last != null && last.number == value) {
        return last.field;
      }
      HeaderField made = new HeaderField(name, Long.toString(value));
      if (value < keptBelow) {
        kept.setRelease(slot, new Kept(value, made));
      }
      return made;
    }
  }
}
