package io.weir.internal.key;

import java.util.Optional;

/** Reads parameters of the called method as numbers: they are objects, not texts to be parsed. */
public interface NumericParameterSource {
  /**
   * Returns a parameter of the called method as a number.
   *
   * @param name the parameter's name in the source
   * @return a number in digits, rounded up to a whole one; some other text if the value isn't a
   *     number; empty if it is null or there is no such parameter
   */
  Optional<String> number(String name);
}
