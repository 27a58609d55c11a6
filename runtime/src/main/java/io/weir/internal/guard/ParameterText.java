package io.weir.internal.guard;

import io.weir.internal.extension.SafeCalls;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Converts the value of a parameter to text, for keys and costs. The text of an array, or of an
 * object whose class doesn't override {@code toString}, identifies the object, so each call would
 * count alone; such a value counts as missing.
 */
final class ParameterText {
  private static final Logger LOG = System.getLogger(ParameterText.class.getName());

  private static final SafeCalls CALLS =
      new SafeCalls(
          LOG,
          "toString() of a parameter used as a key failed: such callers are counted as if they had no"
              + " key");

  /** Whether a class overrides toString; logs a warning once for each class that doesn't. */
  private static final ClassValue<Boolean> HAS_TEXT =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          boolean hasText = overridesToString(type);
          if (!hasText) {
            LOG.log(
                Level.WARNING,
                "A parameter of type "
                    + type.getTypeName()
                    + " is used as a key, but the type doesn't override toString(): its callers are"
                    + " counted as if they had no key. Override it, or use another parameter.");
          }
          return hasText;
        }
      };

  private static final int MAX_DIGITS = 15;

  /** Stands for numbers that can't be a cost: negative, not finite, or too large. */
  private static final String INVALID_COST = "-";

  private ParameterText() {}

  static Optional<String> of(Object value) {
    if (value instanceof String text) {
      return Optional.of(text);
    }
    return CALLS.get(
        () ->
            HAS_TEXT.get(value.getClass())
                ? Optional.ofNullable(value.toString())
                : Optional.empty(),
        Optional.empty());
  }

  /**
   * Converts a value that should be a number. Fractions are rounded up to whole numbers. Numbers
   * too large for a cost aren't written out, since the sender could exhaust the memory with them.
   */
  static Optional<String> ofNumber(Object value) {
    if (value instanceof BigDecimal number) {
      return Optional.of(roundedUp(number));
    }
    if (value instanceof BigInteger number) {
      return Optional.of(number.bitLength() < Long.SIZE ? number.toString() : INVALID_COST);
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return Optional.of(
          Double.isFinite(number) ? roundedUp(new BigDecimal(value.toString())) : INVALID_COST);
    }
    return of(value);
  }

  private static String roundedUp(BigDecimal number) {
    long digits = (long) number.precision() - number.scale();
    if (number.signum() <= 0) {
      return number.signum() == 0 ? "0" : INVALID_COST;
    }
    if (digits <= 0) {
      return "1"; // scaling could take as many digits as there are zeros after the point
    }
    return digits > MAX_DIGITS
        ? INVALID_COST
        : number.setScale(0, RoundingMode.CEILING).toPlainString();
  }

  private static boolean overridesToString(Class<?> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
