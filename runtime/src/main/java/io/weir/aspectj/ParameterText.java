package io.weir.aspectj;

import io.weir.internal.extension.SafeCalls;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * What a parameter's value is as a key: its text, if equal values have equal texts. The text of an
 * array, or of an object whose class has no {@code toString} of its own, names the very object, so
 * that each call would count alone; such a value is treated as missing.
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

  private static boolean hasText(Class<?> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
