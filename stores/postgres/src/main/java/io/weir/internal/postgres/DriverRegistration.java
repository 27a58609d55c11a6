package io.weir.internal.postgres;

import java.sql.SQLException;
import org.postgresql.Driver;

/**
 * Takes the driver out of the {@link java.sql.DriverManager} with the last store of an application.
 * It registers itself once it is loaded, and the JVM would keep it, and so all classes of a web
 * application that is stopped.
 *
 * <p>Leaves a driver of the class path or of the container alone: others may use it.
 *
 * <p>Safe for concurrent use.
 */
final class DriverRegistration {
  private static int stores;

  private DriverRegistration() {}

  /** Counts one more store. */
  static synchronized void add() {
    stores++;
    if (isOfApplication() && !Driver.isRegistered()) {
      change(Driver::register); // an earlier last store has taken it out
    }
  }

  /** Counts one store less. */
  static synchronized void remove() {
    stores--;
    if (stores == 0 && isOfApplication() && Driver.isRegistered()) {
      change(Driver::deregister);
    }
  }

  private static boolean isOfApplication() {
    ClassLoader own = DriverRegistration.class.getClassLoader();
    return own != ClassLoader.getSystemClassLoader() && own == Driver.class.getClassLoader();
  }

  private static void change(Change change) {
    try {
      change.make();
    } catch (SQLException refused) {
      throw new IllegalStateException(refused);
    }
  }

  /** A call of the driver. */
  private interface Change {
    void make() throws SQLException;
  }
}
