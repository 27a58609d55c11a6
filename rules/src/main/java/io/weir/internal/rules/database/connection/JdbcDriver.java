package io.weir.internal.rules.database.connection;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The driver of a database, which an application adds itself. */
enum JdbcDriver {
  /** The database itself, which runs in this process. */
  H2("jdbc:h2:", "org.h2.Driver", "H2", "com.h2database:h2"),
  /** The driver alone. */
  POSTGRESQL(
      "jdbc:postgresql:",
      "org.postgresql.Driver",
      "PostgreSQL's JDBC driver",
      "org.postgresql:postgresql");

  private final String addresses;
  private final String className;
  private final String called;
  private final String artifact;

  JdbcDriver(String addresses, String className, String called, String artifact) {
    this.addresses = addresses;
    this.className = className;
    this.called = called;
    this.artifact = artifact;
  }

  static Optional<JdbcDriver> of(String url) {
    String address = url.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(each -> address.startsWith(each.addresses)).findFirst();
  }

  String className() {
    return className;
  }

  /** Returns whether it is on the class path. */
  boolean isThere() {
    try {
      Class<?> found = Class.forName(className, false, JdbcDriver.class.getClassLoader());
      return found.getName().equals(className);
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  /** Returns what to do if it isn't there; else nothing. */
  String hint() {
    return isThere() ? "" : ". " + called + " isn't on the class path: add " + artifact;
  }
}
