package io.weir.spi;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Makes the {@link PolicySource} that a setting calls for: a module on the class path whose setting
 * isn't set costs nothing.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Safe for concurrent use.
 */
@FunctionalInterface
public interface PolicySourceProvider {
  /**
   * Makes the source if the settings want it.
   *
   * @param setting reads a setting by its full name: its value, else the default that a {@link
   *     ModuleSettings} declares, else an empty text
   * @return a source that isn't started yet; nothing if the settings don't want it
   * @throws IllegalArgumentException if a setting can't be used; the application doesn't start then
   */
  Optional<PolicySource> open(UnaryOperator<String> setting);
}
