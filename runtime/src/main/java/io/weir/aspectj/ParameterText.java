package io.weir.aspectj;

import io.weir.internal.extension.SafeCalls;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * What a parameter's value is as text. As a key: its text, if equal values have equal texts. The
 * text of an array, or of an object whose class has no {@code toString} of its own, names the very
 * object, so that each call would count alone; such a value is treated as missing. As a cost:
 * digits.
 */
final class ParameterText {
  private static final Logger LOG = System.getLogger(ParameterText.class.getName());

  private static final SafeCalls CALLS =
      new SafeCalls(
          LOG,
          "toString() of a parameter failed from which a key is read: such callers are counted as"
              + " if they had no key");

  /** The warning comes where a class is met first. */
  private static final ClassValue<Boolean> TELLING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          boolean telling = hasText(type);
          if (!telling) {
            LOG.log(
                Level.WARNING,
                "A key is read from a parameter of "
                    + type.getTypeName()
                    + ", which has no toString() of its own: its callers are counted as if they"
                    + " had no key.");
          }
          return telling;
        }
      };

  private static final int MOST_DIGITS = 15;

  /** What is no cost: negative, not finite, or too large. */
  private static final String NO_COST = "-";

  private ParameterText() {}

  static Optional<String> of(Object value) {
    if (value instanceof String text) {
      return Optional.of(text);
    }
    return CALLS.get(
        () ->
            TELLING.get(value.getClass())
                ? Optional.ofNullable(value.toString())
                : Optional.empty(),
        Optional.empty());
  }

  /**
   * The text of a value that should be a number: of a fraction the whole number above it, so that
   * neither an exponent nor a long tail is in the way. Numbers that nobody could pay aren't written
   * out, since that could take as much memory as the sender likes.
   */
  static Optional<String> ofNumber(Object value) {
    if (value instanceof BigDecimal number) {
      return Optional.of(roundedUp(number));
    }
    if (value instanceof BigInteger number) {
      return Optional.of(number.bitLength() < Long.SIZE ? number.toString() : NO_COST);
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return Optional.of(
          Double.isFinite(number) ? roundedUp(new BigDecimal(value.toString())) : NO_COST);
    }
    return of(value);
  }

  private static String roundedUp(BigDecimal number) {
    long digits = (long) number.precision() - number.scale();
    if (number.signum() <= 0) {
      return number.signum() == 0 ? "0" : NO_COST;
    }
    if (digits <= 0) {
      return "1"; // scaling could take as many digits as there are zeros behind the point
    }
    return digits > MOST_DIGITS
        ? NO_COST
        : number.setScale(0, RoundingMode.CEILING).toPlainString();
  }

  private static boolean hasText(Class<?> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
