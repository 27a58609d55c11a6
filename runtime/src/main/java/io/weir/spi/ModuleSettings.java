package io.weir.spi;

import java.util.List;
import java.util.Set;

/**
 * Declares the settings of a module, so that they are checked like Weir's own: the application
 * doesn't start with a misspelled name or a malformed value, and later changes with one are
 * refused.
 *
 * <p>A store declares the names below {@code weir.store.<kind>.} in this way, too. Such names are
 * checked only if a module names their kind in {@link #storeKinds()}; others are passed to the
 * store as they are.
 *
 * <p>Found by {@link java.util.ServiceLoader} through the class loader of the application, before
 * anything else of the module is used. The values come from the same sources as all settings, and
 * the module reads them in {@link PolicySource#start}, or {@link io.weir.store.StoreProvider#open}.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface ModuleSettings {
  /**
   * Returns the settings of the module.
   *
   * @return the same for each call; none with a name of Weir's own, none below {@code
   *     weir.store.<kind>.} of a kind that isn't among {@link #storeKinds()}, and no name twice
   */
  List<ModuleSetting> settings();

  /**
   * Returns the kinds of stores whose settings this module declares completely, so that each other
   * name below {@code weir.store.<kind>.} is unknown.
   *
   * @return the same for each call: words in lower case, without dots, such as the schemes of a
   *     {@link io.weir.store.StoreProvider}; none by default
   */
  default Set<String> storeKinds() {
    return Set.of();
  }
}
