package io.weir.internal.container;

/** Checks whether a class is on the class path, without initializing it. */
final class ClassPresence {
  static final String SERVLET = "jakarta.servlet.http.HttpServletRequest";

  private ClassPresence() {}

  static boolean isPresent(String name) {
    try {
      Class.forName(name, false, ClassPresence.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
