package io.weir.spi;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Makes the {@link PolicySource} of a module if a setting asks for it. Without the setting, a
 * module on the class path costs nothing.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Safe for concurrent use.
 */
@FunctionalInterface
public interface PolicySourceProvider {
  /**
   * Makes the source if the settings ask for it.
   *
   * @param setting reads a setting by its full name: its value, else the default that a {@link
   *     ModuleSettings} declares, else an empty text
   * @return a source that isn't started yet; empty if the settings don't ask for it
   * @throws IllegalArgumentException if a setting can't be used; the application doesn't start then
   */
  Optional<PolicySource> open(UnaryOperator<String> setting);
}
