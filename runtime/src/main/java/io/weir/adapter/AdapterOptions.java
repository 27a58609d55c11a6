package io.weir.adapter;

import io.weir.Weir;
import java.util.Map;
import java.util.Optional;

/**
 * Determines which Weir an adapter works with: by default that of the application, found or made by
 * the context class loader of the thread.
 *
 * <p>Immutable.
 */
public final class AdapterOptions {
  private static final AdapterOptions DEFAULTS =
      new AdapterOptions(Optional.empty(), Optional.empty(), Map.of());

  private final Optional<ClassLoader> loader;
  private final Optional<Weir> weir;
  private final Map<String, String> settings;

  private AdapterOptions(
      Optional<ClassLoader> loader, Optional<Weir> weir, Map<String, String> settings) {
    this.loader = loader;
    this.weir = weir;
    this.settings = settings;
  }

  /**
   * Returns the options of an adapter that has nothing of its own.
   *
   * @return the application's Weir, by the context class loader
   */
  public static AdapterOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Names the application by its class loader.
   *
   * @param application finds the application's classes, and its Weir
   * @return these options with it
   */
  public AdapterOptions withClassLoader(ClassLoader application) {
    return new AdapterOptions(Optional.of(application), weir, settings);
  }

  /**
   * Gives a Weir, in place of the application's.
   *
   * @param given made by {@link Weir#builder()} or {@link Weir#application()}; its owner closes it
   * @return these options with it
   */
  public AdapterOptions withWeir(Weir given) {
    return new AdapterOptions(loader, Optional.of(given), settings);
  }

  /**
   * Gives settings that override all others if the application's Weir has to be made. If it exists
   * already, a warning lists those that aren't in force.
   *
   * @param onTop values by full names, such as {@code weir.headers}
   * @return these options with them
   */
  public AdapterOptions withSettings(Map<String, String> onTop) {
    return new AdapterOptions(loader, weir, Map.copyOf(onTop));
  }

  /**
   * Returns the class loader of the application.
   *
   * @return empty for the context class loader
   */
  public Optional<ClassLoader> classLoader() {
    return loader;
  }

  /**
   * Returns the Weir that was given.
   *
   * @return empty for the application's
   */
  public Optional<Weir> weir() {
    return weir;
  }

  /**
   * Returns the settings that override all others.
   *
   * @return values by full names
   */
  public Map<String, String> settings() {
    return settings;
  }
}
