package io.weir.internal.key;

import java.util.Optional;

/** A request whose parameters are objects, so that a number needn't be read from its text. */
public interface NumberParameters {
  /**
   * A parameter of the method that is called, as a number.
   *
   * @param name the parameter's name in the source
   * @return a number in digits, rounded up if it is no whole one; any other text if the value is
   *     none; nothing if it is null or there is no such parameter
   */
  Optional<String> number(String name);
}
