package io.weir.internal.extension;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Loads services by {@link ServiceLoader}, and ignores those that belong to another copy of Weir.
 */
public final class WeirServiceLoader {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private WeirServiceLoader() {}

  /**
   * Makes all services of a kind that a class loader finds. Those that belong to another copy of
   * Weir, as where a server has one for all applications and this one brought its own, are left
   * alone.
   *
   * @return in the order of the class path
   * @throws ServiceConfigurationError if one can't be made
   */
  public static <T> List<T> load(Class<T> service, ClassLoader loader) {
    List<T> found = new ArrayList<>();
    Iterator<T> all = ServiceLoader.load(service, loader).iterator();
    while (true) {
      try {
        if (!all.hasNext()) {
          return found;
        }
        found.add(all.next());
      } catch (ServiceConfigurationError error) {
        if (!isOfAnotherWeir(error)) {
          throw error;
        }
        LOG.log(
            System.Logger.Level.DEBUG,
            "ignored, as it belongs to another copy of Weir: " + error.getMessage());
      }
    }
  }

  /** The loader has no other way to say it. */
  private static boolean isOfAnotherWeir(ServiceConfigurationError error) {
    return error.getCause() == null && String.valueOf(error.getMessage()).endsWith("not a subtype");
  }
}
