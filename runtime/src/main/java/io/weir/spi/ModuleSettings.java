package io.weir.spi;

import java.util.List;

/**
 * Declares the settings that a module adds to Weir's own, so that they are checked as Weir's own
 * are: a misspelled name or a malformed value stops the start, and refuses a change later.
 *
 * <p>Found by {@link java.util.ServiceLoader} through the class loader of the application, before
 * anything else of the module is used. Its values are read from the same places as all settings,
 * and reach the module by {@link PolicySource#start}.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface ModuleSettings {
  /**
   * The settings of the module.
   *
   * @return always the same ones; none of Weir's own names, and none twice
   */
  List<ModuleSetting> settings();
}
