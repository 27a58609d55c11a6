package io.weir.spi;

import java.util.List;

/**
 * Declares the settings of a module, so that they are checked like Weir's own: the application
 * doesn't start with a misspelled name or a malformed value, and later changes with one are
 * refused.
 *
 * <p>Found by {@link java.util.ServiceLoader} through the class loader of the application, before
 * anything else of the module is used. The values come from the same sources as all settings, and
 * the module reads them in {@link PolicySource#start}.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface ModuleSettings {
  /**
   * Returns the settings of the module.
   *
   * @return the same for each call; none with a name of Weir's own, and no name twice
   */
  List<ModuleSetting> settings();
}
